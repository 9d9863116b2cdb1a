"""The layers, as the import statements tell them: app, ui, assistant, memory, and never back; no cycles."""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the top down. A module imports from its own layer or a lower one; the longest name that fits is its layer.
LAYERS = (
    ("app",),
    ("ui",),
    ("assistant.commands",),
    ("assistant.orchestrator",),
    (  # the strategies: nothing else in the product knows of one of them
        "assistant.searching",
        "assistant.search.approved",
        "assistant.search.graphs",
        "assistant.search.programs",
        "assistant.search.queries",
    ),
    (
        "assistant.acquaintance",
        "assistant.sayings",
        "assistant.search",
        "assistant.answering",
        "assistant.feedback",
        "assistant.remembering",
        "assistant.memory_requests",
        "assistant.shortcuts",
        "assistant.turns",
        "assistant.understanding",
    ),
    ("assistant.knowledge_bases", "assistant.llm"),
    ("assistant",),
    ("memory",),
)


def modules() -> dict[str, Path]:
    files = [ROOT / "app.py", *(f for package in ("ui", "assistant", "memory") for f in (ROOT / package).rglob("*.py"))]
    return {".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): f for f in files}


def layer(module: str) -> int:
    fitting = [
        (len(name), depth)
        for depth, names in enumerate(LAYERS)
        for name in names
        if module == name or module.startswith(f"{name}.")
    ]
    return max(fitting)[1]


def names_imported(source: str) -> Iterator[str]:
    """Every dotted name that an import statement may load, wherever it stands; `from a import b` gives a and a.b."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "Relative imports hide which layer is meant; write the full name."
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def import_graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """Which of our modules each of our modules imports."""
    graph = {}
    for module, source in sources.items():
        names = set(names_imported(source)) & sources.keys()
        # `from a import b` where a.b is a module loads b; the package itself matters only where nothing more is named.
        graph[module] = {n for n in names if not any(other.startswith(f"{n}.") for other in names)} - {module}
    return graph


def breaches(graph: dict[str, set[str]]) -> list[str]:
    return sorted(f"{m} imports {i}" for m, imported in graph.items() for i in imported if layer(i) < layer(m))


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    return import_graph({name: path.read_text("utf-8") for name, path in modules().items()})


def test_no_module_imports_from_a_layer_above_it(graph: dict[str, set[str]]) -> None:
    assert breaches(graph) == []


def test_there_is_no_cycle(graph: dict[str, set[str]]) -> None:
    list(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError, which names the cycle


def test_the_core_types_import_nothing_of_ours(graph: dict[str, set[str]]) -> None:
    assert graph["assistant.types"] == set()
    assert graph["memory.errors"] == set()


@pytest.mark.parametrize(
    ("package", "place"),
    [
        ("openai", "assistant.llm.openai_transport"),
        ("xllamacpp", "assistant.llm"),
        ("chromadb", "memory.vectors"),
        ("networkx", "memory"),
        ("gradio", "ui"),
        ("pydantic_monty", "assistant.search.programs.worker"),
    ],
)
def test_each_effect_has_one_way_out(package: str, place: str) -> None:
    users = [
        name
        for name, path in modules().items()
        if any(n.split(".")[0] == package for n in names_imported(path.read_text("utf-8")))
    ]
    assert [name for name in users if name != place and not name.startswith(f"{place}.")] == []


def test_only_settings_reads_the_environment() -> None:
    readers = [name for name, path in modules().items() if _reads_environment(path.read_text("utf-8"))]
    assert readers == ["assistant.settings"]


def _reads_environment(source: str) -> bool:
    """Whether it uses os.environ or os.getenv otherwise than to set a variable for a package that has no other way."""
    nodes = list(ast.walk(ast.parse(source)))
    set_only = {id(n.value) for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)}
    set_only |= {id(n.target) for n in nodes if isinstance(n, ast.AugAssign)}
    return any(
        isinstance(n, ast.Attribute) and n.attr in ("environ", "getenv", "environb") and id(n) not in set_only
        for n in nodes
    )


def test_a_breach_and_a_cycle_would_be_seen() -> None:
    graph = import_graph(
        {
            "memory.store": "def late():\n    from assistant.llm import client\n",
            "assistant.llm.client": "import assistant.llm.local\n",
            "assistant.llm.local": "from assistant.llm.client import Request\n",
            "assistant.llm": "",
            "app": "import ui.page, memory.store\n",
            "ui.page": "",
        }
    )
    assert breaches(graph) == ["memory.store imports assistant.llm.client"]
    with pytest.raises(graphlib.CycleError):
        list(graphlib.TopologicalSorter(graph).static_order())
