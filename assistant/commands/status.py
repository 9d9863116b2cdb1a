"""The command that says what is up, and why what is down is down."""

from assistant.commands.bases import because, describe
from assistant.commands.console import Console
from assistant.commands.remembered import fill
from assistant.llm.profile import told
from assistant.orchestrator import Assistant
from memory.types import MemoryStatus


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
    console.say(f"model {model.name}: {model.state}{because(model.message)}")
    console.say(f"profile: {told(assistant.profiling.profile)}")
    for base in bases:
        console.say(describe(base))
    console.say(
        f"memory in {assistant.settings.home}: {memory.users} users, {memory.facts} facts, {memory.passages} passages"
    )
    console.say(f"index: {_index(memory)}{'; what was forgotten is still being removed' if memory.unswept else ''}")


def _index(memory: MemoryStatus) -> str:
    if memory.agrees:
        return f"{memory.vectors} vectors, as the records say"
    if memory.waiting:
        why = "it was damaged and is made anew: " if memory.lost else ""
        return f"{why}{memory.waiting} records are not in it yet; it is brought up to date in the background"
    return "it differs from the records; mend it with status --repair"
