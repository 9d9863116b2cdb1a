"""When what is told is so, by what the model says of each fact."""

from datetime import UTC, datetime

import pytest

from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.remembering.dating import dated
from memory.types import FactKind, Held, Span, Statement

AT = datetime(2026, 3, 6, 12, tzinfo=UTC)
TEXT = "Bis 2020 war ich in Kiel, seit Mai 2019 bin ich Koch."


def day(*numbers):
    return datetime(*numbers, tzinfo=UTC)


def fact(object_, **how):
    return Statement(how.pop("kind", FactKind.TRIPLE), "the user", "ist", object_, Span(0, len(TEXT)), **how)


def held(reply, statements, text=TEXT, *, spoken=True):
    """When each statement is so, and the requests."""
    transport = ScriptedTransport({"date": [reply]})
    told = dated(LanguageModel(transport), text, statements, AT, spoken=spoken)
    assert [(one.object, one.kind) for one in told] == [(one.object, one.kind) for one in statements]
    return [one.held for one in told], transport.requests


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        ("now", Held()),
        ("since 2019-05", Held(since=day(2019, 5, 1))),
        ("since 2 weeks ago", Held(since=day(2026, 2, 20))),
        ("over", Held(until=AT)),
        ("over 2020", Held(until=day(2020, 12, 31))),
        ("from 2019 to 2020", Held(since=day(2019, 1, 1), until=day(2020, 12, 31))),
        ("from 2019 to 2020-13", Held()),
        ("from 2020 to 2020", Held(until=day(2020, 12, 31))),
        ("from 2020 to 2019", Held()),
        ("from November to February", Held(since=day(2025, 11, 1), until=day(2026, 2, 28))),
        ("since November last year", Held(since=day(2025, 11, 1))),
        ("over March", Held(until=AT)),
        ("in 2019", Held(since=day(2019, 1, 1), within=True)),
        ("planned", Held(ahead=True)),
        ("planned 1 year ahead", Held(since=day(2027, 1, 1), ahead=True)),
        ("planned June", Held(since=day(2026, 6, 1), ahead=True)),
        ("since 1 month ahead", Held(since=day(2026, 4, 1), ahead=True)),
        ("over 1 month ahead", Held()),
        ("in 1 month ahead", Held(since=day(2026, 4, 1), ahead=True)),
        ("from 1 month ahead to 3 months ahead", Held(since=day(2026, 4, 1), ahead=True)),
        ("since 2011", Held()),  # which nobody said
        ("over 2011", Held()),
        ("planned 2011", Held(ahead=True)),
        ("planned 2019", Held(since=day(2019, 1, 1))),  # no plan by now
        ("", Held()),
        ("what?", Held()),
    ],
)
def test_each_standing_is_a_time(standing, expected):
    (found,), _ = held(f"1 {standing}", [fact("Koch")])
    assert found == expected
    assert found.until is None or found.until <= AT


def test_only_facts_that_are_so_are_asked_about_and_each_keeps_its_place():
    note, denial = fact("a long text", kind=FactKind.ASPECT), fact("Rome", denied=True)
    found, requests = held("1 over\n2 since 2019", [note, fact("Kiel"), denial, fact("Koch")])
    assert found == [Held(), Held(until=AT), Held(), Held(since=day(2019, 1, 1))]
    asked = requests[0].messages[-1].content
    assert "1. the user | ist | Kiel\n2. the user | ist | Koch" in asked
    assert "Rome" not in asked
    assert held("", [note, denial])[1] == []


@pytest.mark.parametrize("reply", ["1 over", "So:\n1. over", "2 what\n1 over", "1 over\n7 since 2019"])
def test_each_line_of_a_reply_is_of_the_fact_with_its_number(reply):
    assert held(reply, [fact("Kiel"), fact("Koch")])[0] == [Held(until=AT), Held()]


@pytest.mark.parametrize("standing", ["since 3 years ago", "since June", "in June", "from 3 years ago to 1 year ago"])
def test_in_a_document_no_time_counts_from_its_now(standing):
    told = [fact("Koch")]
    assert held(f"1 {standing}", told)[0] != [Held()]
    found, (written,) = held(f"1 {standing}", told, spoken=False)
    assert found == [Held()]
    assert "ago" not in written.grammar


def test_a_document_is_asked_about_where_it_names_a_year():
    assert held("1 over", [fact("Koch")], "Er ist nicht mehr Koch in Kiel, sagt er.", spoken=False) == ([Held()], [])
    (found,), requests = held("1 since 2019", [fact("Koch")], "Seit ２０１９ ist er Koch in Kiel.", spoken=False)
    assert (found, len(requests)) == (Held(since=day(2019, 1, 1)), 1)


def test_many_facts_are_asked_about_a_dozen_at_a_time():
    transport = ScriptedTransport({"date": ["12 over", "1 over"]})
    found = dated(LanguageModel(transport), TEXT, [fact(f"Koch {place}") for place in range(15)], AT, spoken=True)
    assert [place for place, one in enumerate(found) if one.held.until] == [11, 12]
    limit = transport.requests[0].max_tokens
    assert limit >= 12 * len("12 from 2019-05-03 to 2020-06-01")  # where a model writes digit by digit
