"""The command that says what is up, and why what is down is down."""

from assistant.commands.console import Console
from assistant.orchestrator import Assistant


def status(assistant: Assistant, console: Console, *, repair: bool, json: bool) -> None:
    """Model, knowledge bases, memory and index; with `repair`, the index is first made to agree with the records."""
    memory = assistant.memory.repair() if repair else assistant.memory.status()
    model = assistant.model.transport.status()
    bases = assistant.knowledge_bases.infos()
    if json:
        console.show({"model": model, "knowledge_bases": bases, "memory": memory, "home": assistant.settings.home})
        return
    console.say(f"model: {model.state}, {model.name}{_because(model.message)}")
    for base in bases:
        console.say(f"knowledge base {base.name}: {base.state}{_because(base.message)}")


def _because(message: str) -> str:
    return f" ({message})" if message else ""
