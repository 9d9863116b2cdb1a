"""Evidence into a streamed answer with [n] citations, or a plain word that the answer is not there.

Nothing is shown until the reply has said something that the evidence bears; a reply that never does is declined. A
citation that points to the wrong evidence is put right, and one that is missing is added, both by comparing words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant import prompting, support
from assistant.language import language_of
from assistant.llm.client import LanguageModel
from assistant.search.evidence import LISTED, RESULT, items
from assistant.search.formats import Format, triples
from assistant.types import Evidence, Message, Turn
from memory.folding import fold, terms

# The prompt's word for what the evidence does not hold; the Unknown Warrior is somebody.
_UNKNOWN = re.compile(r"\bUNKNOWN\b|^\W*unknown\W*$", re.MULTILINE)
_SEVERAL = re.compile(r"\[\d+(?:\s*[,，;、]\s*\d+)+\]")  # [1, 2]
_EVIDENCE_IN_PROMPT = 14
_EVIDENCE_CHARACTERS = 5_000
_LISTED_AT_MOST = 200
_NAME = 60  # characters; what is longer is said in other words
_SURE = 0.95  # "wife" and "brother" are alike by 0.90; names that share a word, or are the same, by more than this
_LETTER = re.compile(r"[^\W\d_]")
_FIGURE = re.compile(
    r"\d|[零一二两三四五六七八九十百千万亿]|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\s*[(（][^()（）]+[)）]$")  # which of its namesakes: 茶花女(1995年电影)
_HISTORY_MESSAGES = 10
_HISTORY_CHARACTERS = 6_000


@dataclass(frozen=True, slots=True)
class Piece:
    """The next text of an answer; `declined` where it says that the answer is not known."""

    text: str
    declined: bool = False


def answer(
    model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], *, own_knowledge: bool, format: Format = triples
) -> Iterator[Piece]:
    """Answer `turn.question` from `evidence`, which `format` puts into words.

    With `own_knowledge`, a question that the evidence does not answer is answered by the model alone, marked so.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream`.
    """
    if evidence and evidence[0].relation == RESULT and len(items(evidence[0].object)) >= LISTED:
        yield Piece(_listed(turn, evidence[0]))
        return
    shown = _fitting(evidence)
    answered = False
    if shown:
        messages = prompting.load("answer").render(evidence=format(shown), question=turn.question)
        for text in _from_evidence(model, messages, turn.question, shown):
            answered = True
            yield Piece(text)
    if answered:
        return
    if shown and (end := _surely_meant(shown[0], turn.question)):  # a small model at times does not see the answer
        yield Piece(f"{end} [{shown[0].id}]")
        return
    if own_knowledge:
        yield Piece(_worded(turn.text, _OWN_KNOWLEDGE))
        for text in converse(model, turn):
            yield Piece(text)
        return
    yield Piece(_worded(turn.text, _NOT_IN_EVIDENCE if evidence else _NOTHING_FOUND), declined=True)


def summary(model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]) -> Iterator[str]:
    """Sum up the document called `title`; raises as `LanguageModel.stream`.

    Where the model writes nothing that the passages bear, the first sentences of the first ones stand for it.
    """
    texts = "\n".join(f"[{item.id}] {' '.join(item.text.split())}" for item in passages)
    messages = prompting.load("summary").render(title=title, evidence=texts)
    written = False
    for text in _from_evidence(model, messages, turn.question, passages):
        written = True
        yield text
    if not written:
        yield " ".join(f"{support.sentences(item.text)[0].strip()} [{item.id}]" for item in passages[:3])


def converse(model: LanguageModel, turn: Turn) -> Iterator[str]:
    """A reply that needs no knowledge; raises as `LanguageModel.stream`."""
    *head, last = prompting.load("converse").render(text=turn.text, today=f"{turn.at:%A, %d %B %Y}")
    yield from model.stream([*head, *_recent(turn.history), last], purpose="answer", max_tokens=700)


def without_model(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """What is said while no model can be reached: the evidence as it stands."""
    if not evidence:
        return _worded(turn.text, _NO_MODEL)
    lines = [f"- {item.text or f'{item.subject} – {item.relation}: {item.object}'} [{item.id}]" for item in evidence]
    return "\n".join([_worded(turn.text, _NO_MODEL_BUT_MEMORY), "", *lines])


def acknowledgement(text: str, facts: Sequence[str], closed: Sequence[str] = ()) -> str:
    """What the user is told after something was remembered, and `closed` is history now."""
    if not facts:
        return _worded(text, _KEPT_AS_TEXT)
    lines = [_worded(text, _REMEMBERED), *(f"- {fact}" for fact in facts)]
    return "\n".join([*lines, _worded(text, _CLOSED), *(f"- {fact}" for fact in closed)] if closed else lines)


def _from_evidence(
    model: LanguageModel, messages: Sequence[Message], question: str, evidence: Sequence[Evidence]
) -> Iterator[str]:
    said, shown = "", 0
    for sentence in _by_sentence(model.stream(messages, purpose="answer", max_tokens=400)):
        if _UNKNOWN.search(sentence) and not shown:
            return
        said += _cited_rightly(sentence, question, evidence)
        claimed = support.claims(said, question)
        if not shown and (
            support.borne(claimed, evidence) < support.BORNE or _passes_over(said, evidence[0], question)
        ):
            continue
        yield said[shown:]
        shown = len(said)


def _surely_meant(first: Evidence, question: str) -> str:
    """What the search came to, where it did so by relations that are what was asked for, and not only like it."""
    if first.score < _SURE or not first.object:
        return ""
    if first.relation == RESULT or _named(first.subject, question):
        return first.object
    return first.subject if _named(first.object, question) else ""


def _named(name: str, question: str) -> bool:
    """Whether the question has the name as words of its own: "Al" is not in "Algeria"."""
    named = fold(_WHICH.sub("", name))
    return bool(named) and f" {named} " in f" {fold(question)} "


def _passes_over(said: str, first: Evidence, question: str) -> bool:
    """Whether a reply leaves out all that the search surely came to, or says other words for it.

    Figures may be rounded or written out, but not left out.
    """
    sure = _surely_meant(first, question)
    ends = [end for end in items(first.object if first.relation == RESULT else sure) if end and len(end) <= _NAME]
    if any(_LETTER.search(end) for end in ends):
        return not any(_says(said, end) for end in ends)
    return bool(sure and ends) and not _FIGURE.search(support.CITATION.sub("", said))


def _says(text: str, name: str) -> bool:
    """Whether all words of the name stand in the text, in whatever order; of Chinese, its pairs of characters."""
    return fold(name) in fold(text) or set(terms(name)) <= set(terms(text))


def _listed(turn: Turn, found: Evidence) -> str:
    """A result with many items, as it is."""
    named = items(found.object)
    intro = _worded(turn.text, _FOUND_SO_MANY).format(count=len(named))
    more = f", … (+{len(named) - _LISTED_AT_MOST})" if len(named) > _LISTED_AT_MOST else ""
    return f"{intro} {', '.join(named[:_LISTED_AT_MOST])}{more} [{found.id}]"


def _by_sentence(pieces: Iterator[str]) -> Iterator[str]:
    """Whole sentences as they become complete, each with the citations behind it."""
    text = ""
    for piece in pieces:
        text += piece
        *whole, rest = support.sentences(text) or [text]
        yield from whole
        text = rest
    if text:
        yield text


def _cited_rightly(sentence: str, question: str, evidence: Sequence[Evidence]) -> str:
    """The sentence with each citation pointing to evidence that holds what stands before it, and at least one."""
    sentence = _SEVERAL.sub(
        lambda several: "".join(f"[{number}]" for number in re.findall(r"\d+", several[0])), sentence
    )
    if not support.cited(sentence):
        bearing = support.best(sentence, question, evidence)
        body = sentence.rstrip(" \n.!?。！？")
        return f"{body} [{bearing.id}]{sentence[len(body) :]}" if bearing else sentence
    by_id = {item.id: item for item in evidence}
    written, end, run = "", 0, set[int]()
    for citation in support.CITATION.finditer(sentence):
        part = sentence[end : citation.start()]
        item = _right(by_id.get(int(citation[1])), part, question, evidence)
        run = run if not part.strip() else set()
        if item and item.id not in run:
            run.add(item.id)
            written += part + citation[0].replace(citation[1], str(item.id))
        else:
            written += part
        end = citation.end()
    return written + sentence[end:]


def _right(cited: Evidence | None, part: str, question: str, evidence: Sequence[Evidence]) -> Evidence | None:
    """The evidence to cite behind a part of a sentence: the cited one unless another holds more of it.

    What a search came to is cited only for what no single piece of evidence holds: that one has a source to open.
    """
    claimed = support.claims(part, question)
    held = support.borne(claimed, [cited]) if cited else 0.0
    if cited and cited.relation == RESULT:
        found = support.best(part, question, [item for item in evidence if item.relation != RESULT])
        return found if found and support.borne(claimed, [found]) >= held else cited
    bearing = support.best(part, question, evidence) if held < support.BORNE else None
    return bearing if bearing and support.borne(claimed, [bearing]) > held else cited


def _fitting(evidence: Sequence[Evidence]) -> list[Evidence]:
    fitting: list[Evidence] = []
    characters = 0
    for item in evidence[:_EVIDENCE_IN_PROMPT]:
        characters += len(item.object) + len(item.text) + 40
        if fitting and characters > _EVIDENCE_CHARACTERS:
            break
        fitting.append(item)
    return fitting


def _recent(history: Sequence[Message]) -> list[Message]:
    recent: list[Message] = []
    characters = 0
    for message in reversed(history[-_HISTORY_MESSAGES:]):
        characters += len(message.content)
        if characters > _HISTORY_CHARACTERS:
            break
        recent.append(message)
    return recent[::-1]


# What is said in words of ours, by language; English where a language is missing.
_NOTHING_FOUND = {
    "en": "I don't know: I looked, and found nothing about this.",
    "zh": "我不知道：我查找过，没有找到相关的内容。",
    "de": "Das weiß ich nicht: Ich habe gesucht und nichts dazu gefunden.",
    "fr": "Je ne sais pas : j'ai cherché et n'ai rien trouvé à ce sujet.",
    "es": "No lo sé: he buscado y no he encontrado nada sobre esto.",
}
_NOT_IN_EVIDENCE = {
    "en": "I don't know: what I found does not say.",
    "zh": "我不知道：找到的内容里没有提到。",
    "de": "Das weiß ich nicht: Was ich gefunden habe, sagt es nicht.",
    "fr": "Je ne sais pas : ce que j'ai trouvé ne le dit pas.",
    "es": "No lo sé: lo que he encontrado no lo dice.",
}
_NO_MODEL = {
    "en": "I can't answer without the language model; please ask again once it is there.",
    "zh": "语言模型还没有就绪，暂时无法回答；请稍后再问。",
    "de": "Ohne das Sprachmodell kann ich nicht antworten; frag bitte noch einmal, wenn es da ist.",
    "fr": "Sans le modèle de langue, je ne peux pas répondre ; redemandez quand il sera prêt.",
    "es": "No puedo responder sin el modelo de lenguaje; vuelve a preguntar cuando esté listo.",
}
_NO_MODEL_BUT_MEMORY = {
    "en": "I can't answer without the language model, but this is what your memory holds:",
    "zh": "语言模型还没有就绪，不过你的记忆里有这些内容：",
    "de": "Ohne das Sprachmodell kann ich nicht antworten, aber das steht in deinem Gedächtnis:",
    "fr": "Sans le modèle de langue, je ne peux pas répondre, mais voici ce que contient votre mémoire :",
    "es": "No puedo responder sin el modelo de lenguaje, pero esto es lo que hay en tu memoria:",
}
_OWN_KNOWLEDGE = {
    "en": "I found nothing that says so; from general knowledge, unchecked: ",
    "zh": "没有查到依据；以下只是模型自己的知识，未经核实：",
    "de": "Ich habe keinen Beleg gefunden; aus allgemeinem Wissen, ungeprüft: ",
    "fr": "Je n'ai pas trouvé de source ; de mémoire, sans vérification : ",
    "es": "No he encontrado ninguna fuente; de memoria, sin comprobar: ",
}
_FOUND_SO_MANY = {
    "en": "I found {count}:",
    "zh": "找到 {count} 个：",
    "de": "Ich habe {count} gefunden:",
    "fr": "J'en ai trouvé {count} :",
    "es": "He encontrado {count}:",
}
_REMEMBERED = {
    "en": "I will remember:",
    "zh": "我记住了：",
    "de": "Ich merke mir:",
    "fr": "Je retiens :",
    "es": "Lo recordaré:",
}
_CLOSED = {
    "en": "That was so until now:",
    "zh": "以下成为过去：",
    "de": "Bis jetzt galt:",
    "fr": "Jusqu'ici :",
    "es": "Hasta ahora:",
}
_KEPT_AS_TEXT = {
    "en": "I will remember what you said.",
    "zh": "你说的我记下了。",
    "de": "Ich merke mir, was du gesagt hast.",
    "fr": "Je retiens ce que tu as dit.",
    "es": "Recordaré lo que has dicho.",
}


def _worded(text: str, wording: dict[str, str]) -> str:
    return wording.get(language_of(text), wording["en"])
