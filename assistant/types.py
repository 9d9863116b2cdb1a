"""The core types: what goes into a turn, what is found, and the events that a turn yields. Imports nothing of ours."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Literal

Role = Literal["system", "user", "assistant"]
Route = Literal["answer", "search", "remember", "search+remember"]
Direction = Literal["out", "in", "both"]
ChosenBy = Literal["user", "pin", "bandit", "fallback"]
WrittenBy = Literal["model", "question"]
Size = Literal["small", "capable"]
KnownBy = Literal["nothing", "probes", "build", "setting"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that the user said.

    `question` is the text rewritten to stand alone ("and her dog?" becomes "What is the name of my sister's dog?");
    understanding sets it, and strategies and memory see only that. `knowledge_bases`, `strategy` and `format` are the
    user's own choice and empty where the user made none. `choices` are the candidate answers of a multiple-choice
    question. `language` is the ISO 639-1 code of the language to reply in, which understanding sets as well.

    `continues` is an answer that stopped before its end, which the reply goes on with: nothing is routed, searched or
    remembered again, and the reply's answer is the whole text, old and new. `evidence` is what that answer cites.

    Where it is `confirmed`, what the text asks to forget is forgotten at once; else the user is asked first. `agrees`
    is the id of the question to which the user said yes with a button.
    """

    text: str
    user: str
    session: str
    at: datetime
    history: tuple[Message, ...] = ()
    question: str = ""
    knowledge_bases: tuple[str, ...] = ()
    strategy: str = ""
    format: str = ""
    choices: tuple[str, ...] = ()
    continues: str = ""
    evidence: tuple["Evidence", ...] = ()
    confirmed: bool = False
    agrees: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a language model and its server can do, and how that is known.

    It is `structured` where replies come in the form of a JSON schema, has `weights` where the server tells the
    probabilities of tokens, and a `grammar` where replies can be drawn from one. `context_tokens` is None where the
    server does not tell; `refuses` are the parameters that it takes no request with. A model of which nothing is known
    is small.
    """

    size: Size = "small"
    known_by: KnownBy = "nothing"
    structured: bool = False
    weights: bool = False
    grammar: bool = False
    context_tokens: int | None = None
    refuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of the knowledge base `kb`; `id` means something to that knowledge base only."""

    kb: str
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation triple in names; the ids are set where that end is an entity of the knowledge base.

    `relation_aliases` are the relation's other names, in whatever language. `text` is the stretch of a document that
    supports it, where there is one; `source` says where that stands.
    """

    subject: str
    relation: str
    object: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    kb: str = ""
    subject_id: str | None = None
    object_id: str | None = None
    relation_aliases: tuple[str, ...] = ()
    text: str = ""
    source: str = ""
    url: str = ""


class Certainty(IntEnum):
    """How surely evidence was found by the relation that was asked for."""

    UNKNOWN = 0  # it was found by its text, or on the way
    DOUBTFUL = 1  # the relation is only somewhat like the one asked for, and often another one
    CLEAR = 2
    SAME = 3  # the one asked for, in other words
    NAMED = 4  # the one asked for, by its very name


@dataclass(frozen=True, slots=True)
class Evidence:
    """One retrieved piece of knowledge, whatever its form; `id` is the number that an answer cites.

    `subject`, `relation` and `object` say it as a triple; `text` says it as prose (a description, an aspect, a passage,
    or the sentence that supports the triple). `url` and `source` say where to open it, of a passage also the `heading`
    that it stands under and its `page`, 0 where there are none. `subjects` and `objects` are the
    things of an end that lists several, `is_so` is the yes or no of a result that is one.
    """

    id: int
    kb: str
    subject: str
    relation: str
    object: str
    text: str = ""
    url: str = ""
    certainty: Certainty = Certainty.UNKNOWN
    source: str = ""
    subjects: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    is_so: bool | None = None
    heading: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a unified function by a search program, with the message that Algorithm 1 of KnowledGPT logs.

    Each of `arguments` is a name, or a list of names.
    """

    function: str
    arguments: tuple[str | tuple[str, ...], ...]
    message: str
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """What a search program did on one knowledge base; a failure is a value, and what it had found counts.

    It is `unreachable` where the knowledge base did not answer; the program has no value then. `is_so` is the yes or no
    of a value that is one.
    """

    kb: str
    code: str
    calls: tuple[Call, ...] = ()
    value: tuple[str, ...] = ()
    error: str = ""
    seconds: float = 0.0
    unreachable: bool = False
    is_so: bool | None = None


@dataclass(frozen=True, slots=True)
class UsageCount:
    """Tokens of some calls; fresh prompt tokens are those that the server had not cached."""

    calls: int = 0
    prompt_tokens: int = 0
    fresh_prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def fresh(self) -> int:
        """What the model had to work on: prompt tokens that it had not cached, and generated ones."""
        return self.fresh_prompt_tokens + self.completion_tokens

    def __add__(self, other: "UsageCount") -> "UsageCount":
        return UsageCount(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.fresh_prompt_tokens + other.fresh_prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Routed:
    """What the message needs is understood; `question` stands alone."""

    route: Route
    question: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Planned:
    """The pair that the turn plays, and the knowledge bases that it asks.

    `expected` is the reward (0 to 1) that the bandit expects of the pair, `bonus` what trying it is worth on top. A
    second one within a turn ("fallback") is played where the first found nothing.
    """

    strategy: str
    format: str
    knowledge_bases: tuple[str, ...]
    chosen_by: ChosenBy = "bandit"
    expected: float = 0.0
    bonus: float = 0.0


@dataclass(frozen=True, slots=True)
class ProgramWritten:
    """A search program was written by the model, or read from a question that spells it out; `round` counts from 1."""

    code: str
    round: int
    seconds: float
    by: WrittenBy = "model"


@dataclass(frozen=True, slots=True)
class ProgramKept:
    """Of several readings of a program, what an earlier one than the last found is gone on with."""

    code: str


@dataclass(frozen=True, slots=True)
class ProgramRan:
    """The program ran on one knowledge base."""

    run: ProgramRun


@dataclass(frozen=True, slots=True)
class QueryRan:
    """A generated SPARQL query ran on one knowledge base; `examples` are the questions that it was written after.

    `rows` are the first of `total`. `is_answer` is off where it had to be changed into one about something else.
    """

    kb: str
    query: str
    rows: tuple[tuple[str, ...], ...]
    error: str
    seconds: float
    examples: tuple[str, ...] = ()
    total: int = 0
    is_answer: bool = True


@dataclass(frozen=True, slots=True)
class Walked:
    """A knowledge base's graph was searched around the question's entities and its candidate answers.

    `paths` lead from the one to the other (none, where only the subgraph around them was asked for); `unreached` are
    the candidate answers to which none leads, or what the question names where none joins any two of it: the subgraph
    around them is found instead.
    """

    kb: str
    paths: tuple[tuple[Triple, ...], ...]
    unreached: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Linked:
    """A mention was linked to entities of a knowledge base (none, where all candidates were rejected)."""

    kb: str
    mention: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """All the evidence that the answer may cite."""

    evidence: tuple[Evidence, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Token:
    """The next piece of the answer's text; `cut` says that it stops there before its end, `supported` that what it says
    was found to rest on the evidence."""

    text: str
    cut: bool = False
    supported: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the user said was written to memory: each fact as text, and ids to undo it with.

    `closed` are facts that hold no more, now that these are known.
    """

    facts: tuple[str, ...]
    fact_ids: tuple[str, ...]
    source_id: str
    closed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetAsked:
    """What the user is asked about before it is forgotten: facts, each as text.

    A turn that `agrees` to its `id`, or one that says so, forgets it. The text is for whoever watches the turn: it must
    not be saved.
    """

    facts: tuple[str, ...] = ()
    id: str = ""


@dataclass(frozen=True, slots=True)
class Forgot:
    """Facts went from memory, each as text; `undo_id` brings them back, for ten minutes in this process; "" does not.

    The text is for whoever watches the turn: it must not be saved.
    """

    facts: tuple[str, ...]
    undo_id: str


@dataclass(frozen=True, slots=True)
class Restored:
    """Facts that had been forgotten are remembered again, each as text."""

    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """A stage failed and the turn goes on with what is left; `message` is one line for the user.

    `stage` is "model", "answer", "remember", "saving" or the name of a strategy; it is "knowledge base" where the one
    of that name did not answer. What is `lasting` is a state beyond this turn, such as being offline: the page says it
    once, by itself, and neither an answer nor a saved conversation repeats it.
    """

    stage: str
    message: str
    lasting: bool = False
    knowledge_base: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The end of a turn: always the last event, also after failures or Stop (`stopped`).

    `cut` says that the answer stops before its end, and not because of Stop: a turn that `continues` it goes on.
    `strategy` and `format` are those of the last of `plans`; `query` is the first that found an answer, on the
    knowledge base `query_kb`; where none did, the last, and that is empty. The program is `fruitless` where it came to
    nothing: the evidence was found beside it.
    `unreachable` are the knowledge bases that did not answer.
    """

    answer: str
    route: Route
    question: str
    evidence: tuple[Evidence, ...] = ()
    strategy: str = ""
    format: str = ""
    plans: tuple[Planned, ...] = ()
    program: str = ""
    query: str = ""
    query_kb: str = ""
    fruitless: bool = False
    unreachable: tuple[str, ...] = ()
    declined: bool = False
    grounded: bool = False
    stopped: bool = False
    cut: bool = False
    usage: UsageCount = field(default_factory=UsageCount)
    usage_by_purpose: dict[str, UsageCount] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


Event = (
    Routed
    | Planned
    | ProgramWritten
    | ProgramKept
    | ProgramRan
    | QueryRan
    | Walked
    | Linked
    | Found
    | Token
    | Remembered
    | ForgetAsked
    | Forgot
    | Restored
    | Failed
    | Answered
)
