"""Why an answer is what it is: how the turn was understood, where it looked, what it cost."""

from html import escape

from assistant.types import Answered, Planned
from ui.words import counted

_ROUTES = {
    "answer": "Answered directly, without looking anything up",
    "search": "Looked it up",
    "remember": "Wrote it into memory",
    "search+remember": "Wrote it into memory and looked it up",
}
_CHOSEN_BY = {
    "user": "you chose it",
    "pin": "you pinned it",
    "bandit": "chosen by what was liked before",
    "fallback": "since nothing was found that way",
}


def why_html(answered: Answered) -> str:
    """A folded list of the turn's decisions and costs."""
    rows = [("Understood as", answered.question), ("What it did", _ROUTES[answered.route])]
    rows += [("How it searched", _played(plan)) for plan in answered.plans]
    if answered.evidence:
        rows.append(("Where it found something", ", ".join(sorted({e.kb for e in answered.evidence}))))
        rows.append(("Checked", _checked(answered)))
    usage = answered.usage
    if usage.calls:
        tokens = f"{usage.fresh_prompt_tokens:,} new tokens read, {usage.completion_tokens:,} written"
        cost = f"{counted(usage.calls, 'call')}, {tokens}"
        rows.append(("Language model", cost))
    if answered.seconds:
        rows.append(("Time", ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in answered.seconds.items())))
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows if value)
    code = answered.program or answered.query
    program = f"<pre><code>{escape(code)}</code></pre>" if code else ""
    return f'<details class="lk-fold lk-why"><summary>Why this answer</summary><dl>{listed}</dl>{program}</details>'


def _played(plan: Planned) -> str:
    said = f"{plan.strategy}, read as {plan.format}: {_CHOSEN_BY[plan.chosen_by]}"
    if plan.chosen_by == "fallback":
        return said
    return f"{said}; a thumb up expected with {plan.expected:.0%}, give or take {plan.bonus:.0%}"


def _checked(answered: Answered) -> str:
    if answered.declined:
        return "What was found does not answer the question, so it says so"
    if answered.grounded:
        return "Every statement cites evidence that holds it"
    return "Not every statement could be matched with its evidence: compare with the sources"
