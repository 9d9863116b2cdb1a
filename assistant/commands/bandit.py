"""The command over what the bandit has learned: bandit."""

from assistant.commands.console import Console
from assistant.orchestrator import Assistant
from assistant.search.bandit import Arm
from assistant.search.choosing import Standing


def bandit(
    assistant: Assistant, console: Console, *, user: str, json: bool, reset: bool, pin: tuple[str, ...] | None
) -> None:
    """Print what is expected of each strategy with each format; or forget it, or pin one pair (none, where empty)."""
    choosing = assistant.choosing
    if reset:
        choosing.reset(user)
        console.say("Forgotten: it begins anew from what others like; where nobody has said, with program and triples.")
    elif pin is not None:
        choosing.pin(user, Arm(*pin) if pin else None)
        console.say(f"Pinned: {', '.join(pin)}." if pin else "Nothing is pinned.")
    else:
        standings = choosing.standings(user, assistant.searching.arms)
        if json:
            console.show({"user": user, "arms": standings})
            return
        for standing in standings:
            console.say(_line(standing))


def _line(standing: Standing) -> str:
    thumbs = f"{standing.up} of {standing.thumbs} thumbs up"
    pinned = " (pinned)" if standing.pinned else ""
    expected = f"expected {standing.expected:.2f} ± {standing.bonus:.2f}"
    return f"{standing.strategy},{standing.format}: {expected}, {thumbs}{pinned}"
