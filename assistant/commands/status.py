"""The command that says what is up, and why what is down is down."""

from assistant.commands.bases import because, describe
from assistant.commands.console import Console
from assistant.commands.remembered import fill
from assistant.llm.models import told as model_told
from assistant.llm.profile import told
from assistant.messages import Phrase, tell, translated
from assistant.messages.shared import FACTS, PASSAGES
from assistant.orchestrator import Assistant
from memory.types import MemoryStatus

_USERS = Phrase("{n} user", "{n} users")
_AGREES = Phrase("{n} vector, as the records say", "{n} vectors, as the records say")
_LATE = Phrase(
    "{n} record is not in it yet; it is brought up to date in the background",
    "{n} records are not in it yet; it is brought up to date in the background",
)
_STATES = {
    "ready": Phrase("ready"),
    "fetching": Phrase("being fetched"),
    "starting": Phrase("starting"),
    "down": Phrase("down"),
}


def status(assistant: Assistant, console: Console, *, repair: bool, json: bool) -> None:
    """Model, knowledge bases, memory and index; with `repair`, the index is first made to agree with the records."""
    if repair:
        assistant.memory.mend()
        fill(assistant, console)
    memory = assistant.memory.status()
    model = assistant.model.transport.status()
    bases = assistant.knowledge_bases.infos()
    if json:
        shown = {"model": model, "profile": assistant.profiling.profile}
        console.show({**shown, "knowledge_bases": bases, "memory": memory, "home": assistant.settings.home})
        return
    state = tell(_STATES[model.state]) + because(model.message)
    console.say(tell("model {name}: {state}", name=model.name, state=state))
    console.say(tell("profile: {profile}", profile=told(assistant.profiling.profile)))
    for offer in assistant.models.fitting() if assistant.models else ():
        console.say(tell("to be had: {model}", model=model_told(offer)))
    for base in bases:
        console.say(describe(base))
    console.say(
        tell(
            "memory in {folder}: {users}, {facts}, {passages}",
            folder=str(assistant.settings.home),
            users=tell(_USERS, n=memory.users),
            facts=tell(FACTS, n=memory.facts),
            passages=tell(PASSAGES, n=memory.passages),
        )
    )
    for folder in assistant.folders.folders:
        console.say(tell("watched folder: {folder}", folder=str(folder)))
    for refused in assistant.folders.refused.values():
        console.say(translated(refused))
    unswept = [tell("what was forgotten is still being removed")] if memory.unswept else []
    console.say(tell("index: {state}", state="; ".join([_index(memory), *unswept])))


def _index(memory: MemoryStatus) -> str:
    if memory.agrees:
        return tell(_AGREES, n=memory.vectors)
    if memory.waiting:
        why = [tell("it was damaged and is made anew")] if memory.lost else []
        return ": ".join([*why, tell(_LATE, n=memory.waiting)])
    return tell("it differs from the records; mend it with status --repair")
