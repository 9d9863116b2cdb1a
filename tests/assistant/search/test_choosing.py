"""Which pair is played: what the user says, what is pinned, what thumbs have taught."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from assistant.embedding import load_embedder
from assistant.search.bandit import Arm, Vector
from assistant.search.choosing import FIRST, Choosing, Standing
from assistant.search.contexts import BIAS, SIZE, Contexts
from assistant.search.vector_cache import VectorCache
from assistant.types import Turn
from memory.store import Memory
from memory.types import Embedder
from tests.memory.samples import WordEmbedder

ARMS = [Arm(s, f) for s in ("program", "sparql", "paths") for f in ("triples", "sentences", "description")]
LIKED = Arm("paths", "sentences")
CITIES = ("Lagos", "Lima", "Oslo", "Riga", "Quito", "Accra", "Hanoi", "Perth", "Turin", "Izmir", "Cork", "Baku", "Lyon")
OWN = ("sister", "dentist", "lease", "garden", "car", "doctor", "teacher", "dog", "flat", "bicycle", "boss")


def turn(question: str, user: str = "eve", *, strategy: str = "", format: str = "") -> Turn:
    at = datetime(2026, 1, 5, 12)
    return Turn(question, user, "s", at, question=question, strategy=strategy, format=format)


def linked(number: int) -> str:
    first, second = CITIES[number % len(CITIES)], CITIES[(number * 5 + 3) % len(CITIES)]
    return f"How is {first} connected to {second}?"


def owned(number: int) -> str:
    return f"What did my {OWN[number % len(OWN)]} say about the {OWN[(number * 3 + 1) % len(OWN)]}?"


Open = Callable[..., Choosing]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of all tests of this file."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> Embedder:
    """The real one, which keeps the vectors of the last questions."""
    return load_embedder("", folder)


@pytest.fixture
def open_choosing(home: Path, folder: Path, embedder: Embedder) -> Iterator[Open]:
    """Opens the test's home; again, and it is a restart."""
    opened: list[Memory] = []

    def open_(other: Embedder | None = None) -> Choosing:
        for memory in opened:
            memory.close()
        model = other or embedder
        opened.append(Memory(home, model))
        return Choosing(opened[-1], Contexts(model, VectorCache(folder, model)), 0.1)

    yield open_
    opened[-1].close()


def chosen(choosing: Choosing, question: str, user: str = "eve") -> Arm:
    return choosing.choose(turn(question, user), ARMS).arm


def thumb(choosing: Choosing, question: str, *, liked: Arm, user: str = "eve") -> bool:
    arm = chosen(choosing, question, user)
    choosing.learn(user, [choosing.play(arm, question, float(arm == liked))])
    return arm == liked


def context(choosing: Choosing, question: str) -> Vector:
    return np.array(choosing.play(FIRST, question, 1.0).context)


def test_a_context_has_length_one_and_its_bias_first(open_choosing: Open) -> None:
    choosing = open_choosing()
    for question in (linked(1), "", "法国的首都是哪座城市？"):
        seen = context(choosing, question)
        assert seen.shape == (SIZE,)
        assert seen[0] == pytest.approx(BIAS)
        assert seen @ seen == pytest.approx(1)
    one = context(choosing, linked(1))
    assert one @ context(choosing, linked(2)) > one @ context(choosing, owned(1))


def test_the_projection_stays_the_same_after_a_restart(open_choosing: Open) -> None:
    before = context(open_choosing(), linked(1))
    assert context(open_choosing(), linked(1)) == pytest.approx(before)


def test_without_a_thumb_it_is_program_and_triples(open_choosing: Open) -> None:
    choosing = open_choosing()
    choice = choosing.choose(turn(linked(1)), ARMS)
    assert (choice.arm, choice.by) == (FIRST, "bandit")
    assert choice.estimate.expected == pytest.approx(0.8)


def test_fifty_thumbs_move_the_choices_of_their_kind_and_a_restart_keeps_them(open_choosing: Open) -> None:
    choosing = open_choosing()
    moved, left = [], []
    for number in range(25):
        moved.append(thumb(choosing, linked(number), liked=LIKED))
        left.append(thumb(choosing, owned(number), liked=FIRST))
    assert not moved[0]
    assert all(moved[-5:])
    assert sum(left) >= 20, "what is liked is left as it is, but for a few tries"
    choosing = open_choosing()
    assert sum(chosen(choosing, linked(number)) == LIKED for number in range(30, 40)) >= 8
    assert sum(chosen(choosing, owned(number)) == FIRST for number in range(30, 40)) >= 8


def test_what_is_liked_is_played_on(open_choosing: Open) -> None:
    choosing = open_choosing()
    assert all(thumb(choosing, owned(number), liked=FIRST) for number in range(40))


def test_a_thumb_taken_back_is_as_if_never_given(open_choosing: Open) -> None:
    choosing = open_choosing()
    thumb(choosing, linked(1), liked=LIKED)
    before = choosing.standings("eve", ARMS)
    play = choosing.play(LIKED, linked(2), 1.0)
    choosing.learn("eve", [play])
    assert choosing.standings("eve", ARMS) != before
    choosing.unlearn("eve", [play])
    after = choosing.standings("eve", ARMS)
    assert [(s.strategy, s.format, s.thumbs, s.up) for s in after] == [
        (s.strategy, s.format, s.thumbs, s.up) for s in before
    ]
    assert [s.expected for s in after] == pytest.approx([s.expected for s in before])


def test_somebody_new_starts_from_what_the_others_like(open_choosing: Open) -> None:
    choosing = open_choosing()
    for number in range(30):
        choosing.learn("ada", [choosing.play(arm, linked(number), float(arm == LIKED)) for arm in (FIRST, LIKED)])
    assert chosen(choosing, linked(70), user="ada") == LIKED
    assert chosen(choosing, linked(70), user="eve") == LIKED
    assert all(standing.thumbs == 0 for standing in choosing.standings("eve", ARMS))
    for number in range(10):
        choosing.learn("eve", [choosing.play(LIKED, linked(number), 0.0)])
    assert chosen(choosing, linked(70), user="eve") != LIKED, "one's own thumbs count for more"
    assert chosen(choosing, linked(70), user="ada") == LIKED


def test_however_many_thumbs_others_gave_ones_own_change_what_is_played(open_choosing: Open) -> None:
    choosing = open_choosing()
    plays = [choosing.play(arm, linked(n), float(arm == FIRST)) for arm in ARMS for n in range(100)]
    choosing.learn("ada", plays * 3)
    assert chosen(choosing, linked(70)) == FIRST
    for number in range(60):
        thumb(choosing, linked(number), liked=LIKED)
    assert chosen(choosing, linked(70)) == LIKED


def test_of_a_kind_of_questions_others_teach_what_serves_it(open_choosing: Open) -> None:
    choosing = open_choosing()
    for n in range(100):
        plays = [choosing.play(arm, linked(n), float(arm == LIKED)) for arm in (FIRST, LIKED)]
        plays += [choosing.play(arm, owned(n), float(arm == FIRST)) for arm in (FIRST, LIKED)]
        choosing.learn("ada", plays)
    assert chosen(choosing, linked(70)) == LIKED
    assert chosen(choosing, owned(7)) == FIRST


def test_a_pin_is_played_where_the_turn_does_not_say_otherwise(open_choosing: Open) -> None:
    open_choosing().pin("eve", LIKED)
    choosing = open_choosing()
    assert choosing.choose(turn(owned(1)), ARMS).by == "pin"
    assert chosen(choosing, owned(1)) == LIKED
    assert chosen(choosing, owned(1), user="ada") == FIRST
    assert choosing.choose(turn(owned(1), strategy="sparql"), ARMS).arm.strategy == "sparql"
    assert choosing.choose(turn(owned(1), format="sentences"), ARMS).arm == LIKED
    own = choosing.choose(turn(owned(1), strategy="sparql", format="triples"), ARMS)
    assert (own.arm, own.by) == (Arm("sparql", "triples"), "user")
    without = [arm for arm in ARMS if arm.strategy != "paths"]
    assert choosing.choose(turn(owned(1)), without).arm == FIRST, "what is pinned cannot be played here"
    choosing.pin("eve", None)
    assert chosen(choosing, owned(1)) == FIRST


def test_a_reset_forgets_what_was_learned_and_the_pin(open_choosing: Open) -> None:
    choosing = open_choosing()
    old = choosing.play(FIRST, linked(1), 0.0)
    for number in range(20):
        thumb(choosing, linked(number), liked=LIKED)
    choosing.pin("eve", LIKED)
    choosing.reset("eve")
    assert chosen(choosing, linked(30)) == FIRST
    assert choosing.pinned("eve") is None
    before = choosing.standings("eve", ARMS)
    choosing.unlearn("eve", [old])
    assert choosing.standings("eve", ARMS) == before, "a thumb from before cannot be taken back any more"


def test_another_embedding_model_starts_anew(open_choosing: Open) -> None:
    choosing = open_choosing()
    for number in range(20):
        thumb(choosing, linked(number), liked=LIKED)
    choosing = open_choosing(WordEmbedder())
    assert chosen(choosing, linked(30)) == FIRST
    thumb(choosing, linked(30), liked=LIKED)
    assert sum(standing.thumbs for standing in choosing.standings("eve", ARMS)) == 1


def test_what_was_learned_with_another_embedding_model_is_kept(open_choosing: Open) -> None:
    choosing = open_choosing()
    plays = [choosing.play(LIKED, linked(number), 1.0) for number in range(20)]
    choosing.learn("eve", plays)
    choosing = open_choosing(WordEmbedder())
    choosing.unlearn("eve", plays[:1])
    choosing.learn("eve", [choosing.play(LIKED, linked(0), 0.0)])
    assert thumbs(choosing, "eve") == (1, 0)
    assert thumbs(open_choosing(), "eve") == (19, 19)


def test_a_thumb_of_an_embedding_model_of_which_nothing_is_left_is_not_taken_back(open_choosing: Open) -> None:
    choosing = open_choosing(WordEmbedder())
    choosing.unlearn("eve", [choosing.play(LIKED, linked(0), 1.0)])
    assert thumbs(choosing, "eve") == (0, 0)


def test_states_of_one_space_as_they_were_kept_first_are_read(open_choosing: Open, home: Path) -> None:
    choosing = open_choosing()
    choosing.learn("eve", [choosing.play(LIKED, linked(0), 1.0)])
    with sqlite3.connect(home / "memory.db") as database:
        [(value,)] = database.execute("SELECT value FROM user_state WHERE name = 'learned:bandit'").fetchall()
        [(space, arms)] = json.loads(value)["spaces"].items()
        older = json.dumps({"space": space, "arms": arms})
        database.execute("UPDATE user_state SET value = ? WHERE name = 'learned:bandit'", [older])
    choosing = open_choosing()
    choosing.learn("eve", [choosing.play(LIKED, linked(1), 0.0)])
    assert thumbs(open_choosing(), "eve") == (2, 1)


def thumbs(choosing: Choosing, user: str) -> tuple[int, int]:
    [standing] = choosing.standings(user, [LIKED])
    return standing.thumbs, standing.up


def test_the_sum_over_all_users_stays_that_of_a_restart(open_choosing: Open, home: Path) -> None:
    choosing = open_choosing()
    before = choosing.standings("new", ARMS)
    given = {
        user: [choosing.play(ARMS[(n * 3 + k) % len(ARMS)], linked(n + k), float(n % 2)) for n in range(6)]
        for k, user in enumerate(("ada", "ben", "eve"))
    }
    for user, plays in given.items():
        choosing.learn(user, plays)
        choosing.standings("new", ARMS)
    choosing.unlearn("ada", given["ada"][:2])
    choosing.reset("ben")
    kept = choosing.standings("new", ARMS)
    assert kept != before
    choosing = open_choosing()
    assert expected(choosing.standings("new", ARMS)) == pytest.approx(expected(kept))
    for user in ("ada", "eve"):
        choosing.reset(user)
    assert choosing.standings("new", ARMS) == before


def test_the_states_of_all_users_are_read_once(open_choosing: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    choosing, reads, states = open_choosing(), [], Memory.states
    monkeypatch.setattr(Memory, "states", lambda memory, name: reads.append(name) or states(memory, name))  # type: ignore[func-returns-value]
    for number in range(3):
        thumb(choosing, linked(number), liked=LIKED)
        choosing.standings("ada", ARMS)
    assert len(reads) == 1


def expected(standings: list[Standing]) -> dict[Arm, float]:
    return {Arm(s.strategy, s.format): s.expected for s in standings}


def test_standings_tell_what_is_held_of_each_arm(open_choosing: Open) -> None:
    choosing = open_choosing()
    choosing.learn("eve", [choosing.play(LIKED, linked(n), float(n > 0)) for n in range(3)])
    choosing.pin("eve", LIKED)
    standings = {(s.strategy, s.format): s for s in choosing.standings("eve", ARMS)}
    assert len(standings) == len(ARMS)
    liked, other = standings[LIKED], standings["sparql", "triples"]
    assert (liked.thumbs, liked.up, liked.pinned) == (3, 2, True)
    assert (other.thumbs, other.up, other.pinned) == (0, 0, False)
    assert liked.expected > other.expected
    assert liked.bonus < other.bonus
