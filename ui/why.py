"""Why an answer is what it is: how the turn was understood, where it looked, what it cost."""

from html import escape

from assistant.types import Answered, Planned
from ui.words import counted, kb_name, listed

_UNSURE = 0.4  # a bonus of the bandit from which on its estimate says little
_ROUTES = {
    "answer": "Answered directly, without looking anything up",
    "search": "Looked it up",
    "remember": "Wrote it into memory",
    "search+remember": "Wrote it into memory and looked it up",
}
_STRATEGIES = {
    "program": "With a search program",
    "sparql": "With a database query",
    "subgraph": "Among the facts around what is named",
    "paths": "Along chains of facts",
}
_STAGES = {
    "route": "understanding",
    "search": "searching",
    "answer": "answering",
    "remember": "remembering",
    "memory": "looking into memory",
}
_FORMATS = {"triples": "as bare facts", "sentences": "as sentences", "description": "as one description"}


def why_html(answered: Answered, key: str) -> str:
    """A folded list of the turn's decisions and costs, and the program or query; `key` tells turns apart."""
    understood = [("Understood as", answered.question)] if answered.question else []
    rows = [*understood, ("What it did", _ROUTES[answered.route])]
    rows += [("How it searched", planned(plan)) for plan in answered.plans]
    if answered.evidence:
        found_in = sorted({kb_name(e.kb) for e in answered.evidence})
        rows += [("Found in", listed(found_in)), ("Checked", _checked(answered))]
    usage = answered.usage
    if usage.calls:
        tokens = f"{usage.fresh_prompt_tokens:,} new tokens read, {usage.completion_tokens:,} written"
        rows.append(("Language model", f"{counted(usage.calls, 'call')}, {tokens}"))
    if answered.seconds:
        stages = ", ".join(f"{_STAGES.get(stage, stage)} {seconds:.1f}" for stage, seconds in answered.seconds.items())
        rows.append(("Time", f"{sum(answered.seconds.values()):.1f} s ({stages})"))
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows if value)
    code = _program(answered.program, key) if answered.program else _query(answered.query) if answered.query else ""
    return f'<details class="lk-fold lk-why"><summary>Why this answer</summary><dl>{told}</dl>{code}</details>'


def planned(plan: Planned) -> str:
    """How a turn is searched, in sentences for people who know neither strategies nor bandits."""
    how = _STRATEGIES.get(plan.strategy, plan.strategy)
    read = _FORMATS.get(plan.format, plan.format)
    reason = {
        "user": "You chose this.",
        "pin": "You pinned this.",
        "fallback": "Tried since the first way found nothing.",
        "bandit": _hoped(plan),
    }[plan.chosen_by]
    return f"{how}; what it finds is read {read}. {reason}"


def _hoped(plan: Planned) -> str:
    hope = f"By the thumbs so far, {100 * plan.expected:.0f} of 100 such answers should please"
    if plan.bonus > _UNSURE:
        return f"{hope}; a first guess until more answers are rated."
    return f"{hope}, give or take {100 * plan.bonus:.0f}."


def _program(code: str, key: str) -> str:
    """A box with the program, and the button that runs what is in it; `ui.rerun` wires them."""
    name = escape(f"p-{key}", quote=True)
    return (
        f'<section class="lk-program" data-turn="{escape(key, quote=True)}" aria-busy="false">'
        f'<label for="{name}">The search program. Change it, and see what it finds then.</label>'
        f'<textarea id="{name}" rows="4" spellcheck="false" autocapitalize="off" autocomplete="off">'
        f"\n{escape(code)}</textarea>"
        '<div class="lk-run-line"><button type="button" class="lk-run">Run again</button>'
        '<small><span class="lk-keys">or Ctrl+Enter.</span> The conversation stays as it is.</small></div>'
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
