"""The command over what the bandit has learned: bandit."""

from assistant.commands.console import Console
from assistant.messages import Phrase, tell
from assistant.orchestrator import Assistant
from assistant.search.bandit import Arm
from assistant.search.choosing import Standing

_STANDING = Phrase(
    "{arm}: expected {expected} ± {bonus}, {up} of {n} thumb up",
    "{arm}: expected {expected} ± {bonus}, {up} of {n} thumbs up",
)


def bandit(
    assistant: Assistant, console: Console, *, user: str, json: bool, reset: bool, pin: tuple[str, ...] | None
) -> None:
    """Print what is expected of each strategy with each format; or forget it, or pin one pair (none, where empty)."""
    choosing = assistant.choosing
    if reset:
        choosing.reset(user)
        console.say(
            tell("Forgotten: it begins anew from what others like; where nobody has said, with program and triples.")
        )
    elif pin is not None:
        choosing.pin(user, Arm(*pin) if pin else None)
        console.say(tell("Pinned: {arm}.", arm=", ".join(pin)) if pin else tell("Nothing is pinned."))
    else:
        standings = choosing.standings(user, assistant.searching.arms)
        if json:
            console.show({"user": user, "arms": standings})
            return
        for standing in standings:
            console.say(_line(standing))


def _line(standing: Standing) -> str:
    told = tell(
        _STANDING,
        arm=f"{standing.strategy},{standing.format}",
        expected=round(standing.expected, 2),
        bonus=round(standing.bonus, 2),
        up=standing.up,
        n=standing.thumbs,
    )
    pinned = tell("pinned")
    return f"{told} ({pinned})" if standing.pinned else told
