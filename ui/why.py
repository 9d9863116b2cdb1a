"""Why an answer is what it is: how the turn was understood, where it looked, what it cost."""

from html import escape
from itertools import starmap

from assistant.messages import Phrase, tell
from assistant.types import Answered, Planned
from ui.words import kb_name, listed

_UNSURE = 0.4  # a bonus of the bandit from which on its estimate says little
_ROUTES = {
    "answer": Phrase("Answered directly, without looking anything up"),
    "search": Phrase("Looked it up"),
    "remember": Phrase("Wrote it into memory"),
    "search+remember": Phrase("Wrote it into memory and looked it up"),
}
_STRATEGIES = {
    "program": Phrase("With a search program"),
    "sparql": Phrase("With a database query"),
    "subgraph": Phrase("Among the facts around what is named"),
    "paths": Phrase("Along chains of facts"),
}
_STAGES = {
    "route": Phrase("understanding"),
    "search": Phrase("searching"),
    "answer": Phrase("answering"),
    "remember": Phrase("remembering"),
    "memory": Phrase("looking into memory"),
}
_FORMATS = {
    "triples": Phrase("{how}; what it finds is read as bare facts."),
    "sentences": Phrase("{how}; what it finds is read as sentences."),
    "description": Phrase("{how}; what it finds is read as one description."),
}
_CALLS = Phrase(
    "{n} call, {read} new tokens read, {written} written", "{n} calls, {read} new tokens read, {written} written"
)


def why_html(answered: Answered, key: str) -> str:
    """A folded list of the turn's decisions and costs, and the program or query; `key` tells turns apart."""
    understood = [(tell("Understood as"), answered.question)] if answered.question else []
    rows = [*understood, (tell("What it did"), tell(_ROUTES[answered.route]))]
    rows += [(tell("How it searched"), planned(plan)) for plan in answered.plans]
    if answered.evidence:
        found_in = sorted({kb_name(e.kb) for e in answered.evidence})
        rows += [(tell("Found in"), listed(found_in)), (tell("Checked"), _checked(answered))]
    usage = answered.usage
    if usage.calls:
        calls = tell(_CALLS, n=usage.calls, read=usage.fresh_prompt_tokens, written=usage.completion_tokens)
        rows.append((tell("Language model"), calls))
    if answered.seconds:
        stages = ", ".join(starmap(_stage, answered.seconds.items()))
        whole = tell("{number} s ({stages})", number=round(sum(answered.seconds.values()), 1), stages=stages)
        rows.append((tell("Time"), whole))
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows if value)
    code = _program(answered.program, key) if answered.program else _query(answered.query) if answered.query else ""
    title = tell("Why this answer")
    return f'<details class="lk-fold lk-why"><summary>{title}</summary><dl>{told}</dl>{code}</details>'


def planned(plan: Planned) -> str:
    """How a turn is searched, in sentences for people who know neither strategies nor bandits."""
    strategy, format = _STRATEGIES.get(plan.strategy, plan.strategy), _FORMATS.get(plan.format, plan.format)
    way = tell(format, how=tell(strategy))  # a saved one may have a name that is no more
    reason = {
        "user": tell("You chose this."),
        "pin": tell("You pinned this."),
        "fallback": tell("Tried since the first way found nothing."),
        "bandit": _hoped(plan),
    }[plan.chosen_by]
    return f"{way} {reason}"


def _hoped(plan: Planned) -> str:
    liked, within = round(100 * plan.expected), round(100 * plan.bonus)
    if plan.bonus > _UNSURE:
        return tell(
            "By the thumbs so far, {liked} of 100 such answers should please; a first guess until more answers are"
            " rated.",
            liked=liked,
        )
    return tell(
        "By the thumbs so far, {liked} of 100 such answers should please, give or take {within}.",
        liked=liked,
        within=within,
    )


def _stage(stage: str, seconds: float) -> str:
    named = _STAGES.get(stage)
    return tell("{stage} {seconds}", stage=tell(named) if named else stage, seconds=round(seconds, 1))


def _program(code: str, key: str) -> str:
    """A box with the program, and the button that runs what is in it; `ui.rerun` wires them."""
    name = escape(f"p-{key}", quote=True)
    run, stop, running = tell("Run again"), tell("Stop"), tell("Running …")
    invited = tell("The search program. Change it, and see what it finds then.")
    keys, stays = tell("or Ctrl+Enter."), tell("The conversation stays as it is.")
    return (
        f'<section class="lk-program" data-turn="{escape(key, quote=True)}" data-running="{running}" aria-busy="false">'
        f'<label for="{name}">{invited}</label>'
        f'<textarea id="{name}" rows="4" spellcheck="false" autocapitalize="off" autocomplete="off">'
        f"\n{escape(code)}</textarea>"
        f'<div class="lk-run-line"><button type="button" class="lk-run" data-run="{run}" data-stop="{stop}">{run}'
        f'</button><small><span class="lk-keys">{keys}</span> {stays}</small></div>'
        '<div class="lk-outcome" role="status"></div></section>'
    )


def _query(query: str) -> str:
    title = tell("The query")
    return f"<p>{title}</p><pre><code>{escape(query)}</code></pre>"


def _checked(answered: Answered) -> str:
    if answered.declined:
        return tell("What was found does not answer the question, so it says so")
    if answered.grounded:
        return tell("Every statement cites evidence that holds it")
    return tell("Not every statement could be matched with its evidence: compare with the sources")
