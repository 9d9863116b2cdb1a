"""What a turn needs (answer, search, remember, or search and remember), and its question rewritten to stand alone.

KnowledGPT (section 3.2) leaves it to the model whether a question needs knowledge; here it is a call of its own, made
small by examples as chat turns and a reply of one line. What can be told from the text itself corrects the reply: a
message that only asks, or names what is sought, is not remembered, one that only tells is not looked up, one that tells
nothing of its writer is not both, and a plain question of fact is looked up.
"""

import re
from collections.abc import Sequence

from assistant import prompting
from assistant.citations import without_citations
from assistant.indirect import direct
from assistant.language import language_of
from assistant.llm.client import LanguageModel
from assistant.types import Message, Route, Turn
from memory.folding import terms

_REMEMBERED_MESSAGES = 6
_MESSAGE_CHARACTERS = 300
_TEXT_CHARACTERS = 2000

_ROUTES: dict[str, Route] = {
    "answer": "answer",
    "search": "search",
    "remember": "remember",
    "both": "search+remember",
}
_LINE = re.compile(r"^\W*(both|search|remember|answer)\b[\s:：*]*(.*)$", re.IGNORECASE | re.DOTALL)
_CLAUSE = re.compile(r"[^.!?。！？,，;；\n]+[.!?。！？,，;；]*")
# Words that ask in Chinese, but for 没什么, 什么都 and 好几个, which mean none, all and some.
_FACT_ZH = (
    "(?:(?<=有没有)|(?<!没)(?<!没有))"
    "(?!(?:什么(?:时候|东西|地方|[^\\W是])?|谁|哪[里儿个]?)[都也])(?:什么|谁|哪|多少)"
    "|(?<![好十])几[个位点岁年月日号]"
    "|(?<![没不])多[大高长远久重深宽快]"
)
_TELLS = "(?! (?:i|we)\\b(?!.*[?？]))"  # behind a question word: "When I was young, …", "Where we live is …"
_ASKING = re.compile(
    r"[?？]\W*$|_{2,}|＿{2,}"  # a gap to fill in asks too
    rf"|^\W*(and |so |but )?(who|whom|whose|what|which|when|where|why|how)\b{_TELLS}"
    r"|^\W*(and |so |but )?(is|are|was|were|do|does|did|can|could)\b"
    rf"|{_FACT_ZH}|吗\W*$|呢\W*$|为何|怎么",
    re.IGNORECASE,
)
# A plain question of fact is looked up, whatever the model thinks that it knows …
_FACTUAL = re.compile(
    rf"^\W*(who|whose|what|which|when|where|how (many|much|big|large|old|long|high|tall|far|heavy))\b{_TELLS}"
    rf"|^\W*in (what|which)\b|{_FACT_ZH}",
    re.IGNORECASE,
)
# … unless it is one about the assistant, the talk or the wording, or a sum.
_FOR_THE_ASSISTANT = re.compile(
    r"\b(you|your|yourself|mean|meant|say|said|spell|translate|word|sentence|joke|up|new|wrong|percent)\b"
    r"|\d\s*([-+*/x×÷%^]|% of|times|plus|minus|divided by)\s*\d|\d\s*的\s*(\d+\s*%|百分之)"
    r"|你|您|翻译|怎么说|意思|英文|英语|中文|句|笑话|写|帮我|等于|加上|减去|乘以|除以",
    re.IGNORECASE,
)
# … or no knowledge base can tell: what day it is now, and what to do.
_UNTOLD = re.compile(
    r"\b(what|which) (day|date|time|month|year)( of the week)? (is it( (right )?now| today)?|is today)\W*$"
    r"|\bwhat(['’]s| is) the (current )?(time|date|day)( (right )?now| today)?\W*$|\btoday['’]s date\b"
    r"|\bwhat should (i|we)\b"
    r"|今天是?(几[号月]|星期几|周几|礼拜几)|现在是?几点|我们?应?该",
    re.IGNORECASE,
)
# What leans on an earlier message: pronouns, and the beginnings of follow-ups.
_LEANING = re.compile(
    r"\b(it|its|he|him|his|she|her|hers|they|them|their|theirs|this|that|these|those|there|then|one|ones|same|other|"
    r"others|another|else|also|too|former|latter|second|first|last|meant|sorry)\b"
    r"|^\W*(and|or|but|so|what about|how about|why)\b|[他她它那这其呢]|前者|后者|还有|也",
    re.IGNORECASE,
)
# What is no question at all without the one before it: "and Dracula?", "no, I mean Finland", "第二部是哪年上映的".
_ELLIPTIC = re.compile(
    r"^\W*(no|sorry|and|or|but|what about|how about)\b|(?<!do )(?<!did )\bi meant?\b"
    r"|\b(the|that) (first|second|third|last)( one\b|\W*$)"
    r"|^\W*(不对|不是)|我[问说]的|^\W*那?第[一二三四五六七八九十]+\w?([是的在有叫呢]|\W*$)|^[^什谁哪多几怎何]*呢\W*$",
    re.IGNORECASE,
)
_TERMS_OF_A_QUESTION = 3
# "Can you remember that …?" asks for nothing else.
_TO_KEEP = re.compile(
    r"\b(remember|note|save|write down|keep in mind|don't forget) (that|this|my|our|the|it)\b|记[住下一]|别忘",
    re.IGNORECASE,
)
# A sentence about the writer's own life …
_TELLING = re.compile(
    r"^\W*(?:(?:and|but|so|well|btw|by the way|no way|oh|also|today|yesterday|now) )*(?:(?:i|i'm|i've|we|we're|we've)\b"
    r"|(?:when|where|what|who|how) (?:i|we)\b(?=.*[.!]\W*$)"
    r"|(?:my|our)\b|(?:just |finally )?(?:got|been diagnosed|moved|started|quit|bought|adopted)\b)"
    r"|^\W*(?:对了|今天|昨天|最近|下个?\w{1,2}|明天)?[，, ]?(?:我们?|咱们?)",
    re.IGNORECASE,
)
# … but for one that only leads up to a question.
_LEADING_UP = re.compile(
    r"\b(wonder(ing)?|curious|forg[eo]t(ten)?|can't (remember|recall)|don't (know|remember|recall|understand)"
    r"|not sure|want to know|(would|'d) like to know|need to know|heard|think|thought|guess|meant?|said|asked|asking"
    r"|read(ing)?|watch(ing|ed)|looking|search(ing|ed)|trying|writing|uploaded|have a question|know that)\b"
    r"|想知道|想问|忘了|不记得|记不|不知道|不确定|听说|好奇|在[看读写查找]|上传|以为|觉得|的意思",
    re.IGNORECASE,
)
# … or that wishes for something.
_WISHING = re.compile(
    r"\b(need|want|wish|please|show|tell|give|find|look up|(would|'d) like)\b|想|要|请|给我|帮", re.IGNORECASE
)
# What is only named, as in a search box: "my dentist's phone number", 我妹妹的生日.
_NAMED = re.compile(
    r"\W*(?:my|our)(?: (?!(?:is|are|was|were|has|have|had|an?|the|my|our|his|her|its|their|\w+ed)\b)[\w'’-]+){0,4}"
    r" (?:numbers?|passwords?|address(?:es)?|birthdays?|anniversary|dates?|times?|appointments?|names?|e-?mails?|codes?"
    r"|pin|plate|ids?|sizes?)\W*"
    r"|\W*(?:我们?|咱们?)[^\W\d是在有叫了会去爱住过来做吃要当换改天]{0,8}"
    r"(?:号码?|密码|地址|生日|纪念日|日期|时间|名字|邮箱|电话|尺码)\W*",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(i|i'm|i've|my|mine|we|we're|our|us|me)\b|我|咱|俺", re.IGNORECASE)


def route(model: LanguageModel, turn: Turn) -> tuple[Route, str]:
    """The route, and the question made direct, and to stand alone where there is a conversation to rewrite it from.

    A conversation's first message is not shown to the model where it is a plain question, since no reply could change
    what becomes of it. A reply that is none of the routes counts as "search": looking up and finding nothing is safer
    than inventing. A multiple-choice question is searched as it is.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    if turn.choices:
        return "search", turn.text
    text = direct(turn.text)
    if not turn.history and is_plain(text):
        return "search", text
    messages = prompting.load("route").render(
        history=_shortened(turn.history[-_REMEMBERED_MESSAGES:]), text=text[:_TEXT_CHARACTERS]
    )
    stop = ("\n",) if turn.history else ("\n", ":")
    before = next((message.content for message in reversed(turn.history) if message.role == "user"), "")
    return read(model.complete(messages, purpose="route", max_tokens=80, stop=stop), text, before)


def read(reply: str, text: str, before: str = "") -> tuple[Route, str]:
    """Read the model's line "route: question" on the message `text`.

    A question that the model could not rewrite, or answered in the place of rewriting it, is searched together with the
    user's message `before` it.
    """
    match = _LINE.match(reply.strip())
    if match is None:
        return "search", text
    decided, question = _corrected(_ROUTES[match[1].lower()], text), match[2].strip()
    if decided == "search+remember" and not question:
        question = _asked(text)
    if not decided.startswith("search"):
        return decided, text
    elliptic = before and _ELLIPTIC.search(text)
    if not question or language_of(question) != language_of(text) or (elliptic and not _rewrites(question, text)):
        return decided, f"{before[:_MESSAGE_CHARACTERS]} {text}" if elliptic else text
    if decided == "search" and _stands_alone(text) and not set(terms(text)) < set(terms(question)):
        return decided, text
    return decided, question


def is_plain(text: str) -> bool:
    """Whether a message is one question of fact and nothing else: it is looked up, whatever the model says."""
    asks = _ASKING.search(text) and len(_CLAUSE.findall(text)) == 1 and _asks_for_a_fact(text)
    return bool(asks) and not _TO_KEEP.search(text)


def _asks_for_a_fact(text: str) -> bool:
    return bool(_FACTUAL.search(text)) and not (_FOR_THE_ASSISTANT.search(text) or _UNTOLD.search(text))


def _rewrites(question: str, text: str) -> bool:
    """Whether `question` asks, and is not merely `text` again."""
    return bool(_ASKING.search(question)) and terms(question) != terms(text)


def _asked(text: str) -> str:
    """The question within a message that also tells something, where it can be understood without that."""
    asking = " ".join(clause.strip() for clause in _CLAUSE.findall(text) if _ASKING.search(clause))
    return asking if asking and not _LEANING.search(asking) else text


def _stands_alone(text: str) -> bool:
    """Whether a question can be understood as it is; the model's own wording of such a one only loses something."""
    return len(terms(text)) >= _TERMS_OF_A_QUESTION and not _LEANING.search(text)


def _corrected(decided: Route, text: str) -> Route:
    clauses = _CLAUSE.findall(text) or [text]
    asks = any(_ASKING.search(clause) for clause in clauses)
    tells = any(_OWN.search(clause) and not _ASKING.search(clause) for clause in clauses)
    wanted = any(_FACTUAL.search(clause) for clause in clauses)
    only_asks = all(_ASKING.search(clause) for clause in clauses) or (wanted and not tells)
    if decided == "remember" and only_asks and not _TO_KEEP.search(text):
        return "search"
    told = any(
        _TELLING.search(clause)
        and not _ASKING.search(clause)
        and not _LEADING_UP.search(clause)
        and not _NAMED.fullmatch(clause)
        and len(terms(clause)) > 1
        for clause in clauses
    )
    if told and wanted and not _FOR_THE_ASSISTANT.search(text):
        return "search+remember"
    if decided == "answer" and _asks_for_a_fact(text):
        return "search"
    if decided == "search" and told and not asks and not _WISHING.search(text):
        return "remember"
    if decided == "search+remember" and not tells:
        return "search"
    if decided == "search+remember" and not asks:
        return "remember"
    return decided


def _shortened(history: Sequence[Message]) -> list[Message]:
    """The messages on one line each; without citations, which the model would take for the way to reply."""
    texts = [without_citations(m.content) if m.role == "assistant" else m.content for m in history]
    return [
        Message(m.role, " ".join(text.split())[:_MESSAGE_CHARACTERS]) for m, text in zip(history, texts, strict=True)
    ]
