"""Why an answer is what it is: how the turn was understood, where it looked, what it cost."""

from html import escape

from assistant.types import Answered, Planned
from ui.words import counted, kb_name, listed

_LINES = (3, 16)  # of the program's box, at least and at most
_UNSURE = 0.4  # a bonus of the bandit from which on its estimate says little
_ROUTES = {
    "answer": "Answered directly, without looking anything up",
    "search": "Looked it up",
    "remember": "Wrote it into memory",
    "search+remember": "Wrote it into memory and looked it up",
}
_STRATEGIES = {
    "program": "with a search program",
    "sparql": "with a database query",
    "subgraph": "among the facts around what is named",
    "paths": "along chains of facts",
}
_FORMATS = {"triples": "as bare facts", "sentences": "as sentences", "description": "as one description"}


def why_html(answered: Answered, key: str) -> str:
    """A folded list of the turn's decisions and costs, and the program or query; `key` tells turns apart."""
    rows = [("Understood as", answered.question), ("What it did", _ROUTES[answered.route])]
    rows += [("How it searched", planned(plan)) for plan in answered.plans]
    if answered.evidence:
        found_in = sorted({kb_name(e.kb) for e in answered.evidence})
        rows += [("Found in", listed(found_in)), ("Checked", _checked(answered))]
    usage = answered.usage
    if usage.calls:
        tokens = f"{usage.fresh_prompt_tokens:,} new tokens read, {usage.completion_tokens:,} written"
        rows.append(("Language model", f"{counted(usage.calls, 'call')}, {tokens}"))
    if answered.seconds:
        rows.append(("Time", ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in answered.seconds.items())))
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows if value)
    code = _program(answered.program, key) if answered.program else _query(answered.query) if answered.query else ""
    return f'<details class="lk-fold lk-why"><summary>Why this answer</summary><dl>{told}</dl>{code}</details>'


def planned(plan: Planned) -> str:
    """How a turn is searched, in a sentence for people who know neither strategies nor bandits."""
    how = f"{_STRATEGIES.get(plan.strategy, plan.strategy)}, reading what it finds {_FORMATS.get(plan.format, '')}"
    reason = {
        "user": "as you chose",
        "pin": "as you pinned it",
        "fallback": "since nothing was found the first way",
        "bandit": _hoped(plan),
    }[plan.chosen_by]
    return f"{how[:1].upper()}{how[1:].rstrip()}; {reason}"


def _hoped(plan: Planned) -> str:
    sure = "a first guess until more is rated" if plan.bonus > _UNSURE else f"give or take {100 * plan.bonus:.0f}"
    return f"because, by the thumbs so far, {100 * plan.expected:.0f} of 100 such answers should please, {sure}"


def _program(code: str, key: str) -> str:
    """A box with the program, and the button that runs what is in it; `ui.rerun` wires them."""
    lines = min(max(code.count("\n") + 1, _LINES[0]), _LINES[1])
    name = escape(f"p-{key}", quote=True)
    return (
        f'<section class="lk-program" data-turn="{escape(key, quote=True)}" aria-busy="false">'
        f'<label for="{name}">The search program. Change it, and see what it finds then.</label>'
        f'<textarea id="{name}" rows="{lines}" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off">'
        f"\n{escape(code)}</textarea>"
        '<div class="lk-run-line"><button type="button" class="lk-run">Run again</button>'
        "<small>or Ctrl+Enter. The conversation stays as it is.</small></div>"
        '<div class="lk-outcome" role="status"></div></section>'
    )


def _query(query: str) -> str:
    return f"<p>The query</p><pre><code>{escape(query)}</code></pre>"


def _checked(answered: Answered) -> str:
    if answered.declined:
        return "What was found does not answer the question, so it says so"
    if answered.grounded:
        return "Every statement cites evidence that holds it"
    return "Not every statement could be matched with its evidence: compare with the sources"
