"""What a message asks of the memory, told from its words: no model is called, so it costs nothing and never wavers.

A message that fits no form here goes the way of all others.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from assistant.memory_requests import periods


@dataclass(frozen=True, slots=True)
class Undo:
    """To take back what was last remembered or forgotten; with `note`, what was last remembered."""

    note: bool = False


@dataclass(frozen=True, slots=True)
class BringBack:
    """To remember again what was last taken back or forgotten."""


@dataclass(frozen=True, slots=True)
class Forget:
    """To forget `what`, in the user's words; "" is what was spoken of last."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class ForgetLast:
    """To forget what the user told last."""


@dataclass(frozen=True, slots=True)
class ForgetDocument:
    """To forget the document that was uploaded last."""


@dataclass(frozen=True, slots=True)
class ForgetTold:
    """To forget what the user told in a period, as `periods` names it."""

    period: str


@dataclass(frozen=True, slots=True)
class ForgetEverything:
    """To forget all there is; done where it is `confirmed`."""

    confirmed: bool


@dataclass(frozen=True, slots=True)
class Tell:
    """To tell what is remembered about `what`."""

    what: str


@dataclass(frozen=True, slots=True)
class Summarise:
    """To sum up the document called `what`; "" is the latest."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class SummariseAll:
    """To sum up all documents, or those that came in a period, as `periods` names it."""

    period: str = ""


@dataclass(frozen=True, slots=True)
class Correct:
    """To put right what was spoken of last; with `of`, if that is its name: "Tell" and "Anna" look alike."""

    of: str = ""


MemoryRequest = (
    Undo
    | BringBack
    | Forget
    | ForgetLast
    | ForgetDocument
    | ForgetTold
    | ForgetEverything
    | Tell
    | Summarise
    | SummariseAll
    | Correct
)

_LONGEST = 1_000  # characters of a request; what is longer tells something, and would take long to be read
_BEFORE = (
    r"(?:(?:ok(?:ay)?|no|oh|hm+|hey|o+ps|whoops|argh|please|now|and|then|just|wait|actually|sorry"
    r"|(?:could|can|would|will) you|i(?:'d like| want) you to|you (?:can|should|may))[,!. ]+)*"
)
_AFTER = r"(?:[, ]*(?:please|again|now|right away|at once|for good|forever|completely|thanks|thank you))*\W*"
_SAID = r"(?:that )?(?:i|we)(?:'ve| have)? (?:just )?(?:said|told you|mentioned|wrote)"
_THAT = rf"(?:about )?(?:that|this|it|those|these|them|(?:that|this) (?:one|thing|fact|note|message|part)(?: {_SAID})?)"
_LAST = (
    rf"(?:the last (?:thing|fact|note|message|part|sentence|one) {_SAID}"
    r"|what (?:i|we) (?:have |'ve )?(?:just |last )?(?:said|told you|wrote)(?: last)?"
    r"|what you (?:have |'ve )?(?:just )?(?:remembered|noted|saved|stored|learned)|my last (?:message|sentence|note))"
)
_LAST_NOTE = r"the last (?:fact|note|one)"
_LAST_PART = r"the last (?:thing|message|part)"  # "Delete the last part" may be said of a poem
_DELETE = r"(?:delete|erase|remove|drop|wipe)"
# "My phone number", and not "my name from the list": that is about something else than the memory.
_OWN = r"(?:my|our|[^\W\d_]+'s)(?: (?!(?:from|in|on|off|out|of|to|with|and|last)\b)[\w-]+){1,4}?"
_MEMORY = r"from (?:your |my |the )?memory"
_ALL_OF = (
    r"(?:everything|anything|all|what(?:ever)?|(?:(?:all|any|the|your) )+(?:information|info|data|facts|notes))"
    r"(?: that)?(?: (?:i|we|you)(?:'ve| have)?(?: ever)?"
    r" (?:said|told you|know|knew|remember|have|learned|noted|saved|stored))?(?: to you)? (?:about|on|of)"
)
_EVERYTHING = (
    r"(?:everything|all)(?: (?:that )?you (?:know|remember|have)(?: about me)?| about me"
    r"| (?:that )?i(?:'ve| have)?(?: ever)? (?:said|told you))?"
)
_THAT_ZH = (
    r"(?:这个|那个|这件事|那件事|这条|那条|这些|那些|它"
    r"|(?:刚才|刚刚|刚)的?(?:话|事|内容|那些)?)"
)
_LAST_ZH = (
    r"(?:我?(?:刚才|刚刚|刚)(?:说|讲|告诉你|记)过?的?(?:话|事|内容|那些)?|我(?:刚才|刚刚|刚)(?:的(?:话|事|内容|那些)?)?"
    r"|我(?:最后|上次)(?:说|讲|告诉你)过?的(?:那?句?话|那?件?事|内容)?"
    r"|我(?:(?:说|讲|告诉你)的)?(?:最后|上)一(?:句话?|件事))"
)
_ALL_ZH = r"(?:一切|所有|全部)"
_THINGS_ZH = r"(?:事情?|信息|内容|记忆|资料|东西)"
_EVERYTHING_ZH = rf"(?:我的)?{_ALL_ZH}(?:的?{_THINGS_ZH})?"
_DELETE_ZH = r"(?:删(?:掉|除|了)|清除|抹(?:掉|去))"
_FORGET_ZH = rf"(?:忘(?:掉|记|了)|{_DELETE_ZH})"
_WHICH_ZH = r"(?:什么|哪些|些什么|多少)(?:事情?|信息|内容)?"
_BEFORE_ZH = r"(?:请|麻烦|帮我|能不能|可不可以|你|那|好的?[，,]?|算了[，,]?|不[，,]|(?:哎呀?|糟糕|糟了)[，,！!]?)*"
_TOLD_ZH = r"(?:你(?:知道|记得|记住)|我(?:[跟对和]你)?(?:告诉你|说|讲)过?)的"
_ABOUT_ZH = rf"(?:{_TOLD_ZH})?(?:{_ALL_ZH}的?)?(?:关于|有关)"
_ALL_OF_ZH = rf"(?:{_ABOUT_ZH}|(?:{_ALL_ZH}的?)?(?:[和跟与](?=.+(?:有关|相关)))?)"
_ALL_ABOUT_ZH = rf"(?:有关|相关)?(?:的{_ALL_ZH}?(?:的?{_THINGS_ZH})?)?"
# 忘记密码怎么办 asks, and 你忘了我的名字 is a reproach; with 吧 it is a request.
_NO_REQUEST_ZH = (
    r"(?!.*(?:怎么|如何|为什么)|.*(?<![好行])(?<!可以)吗\W*$|你(?:都|又|是不是)?(?:把.*)?忘了(?!.*吧)"
    r"|忘[记了](?:告诉你|[跟和对]你(?:说|讲|提)|说一声)(?!过?的))"  # what one forgot to tell is told now
)
_AFTER_ZH = r"(?:[，, ]?(?:吧|了|好吗|行吗|可以吗|谢谢))*\W*"


def _forms(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_UNDO = _forms(
    rf"{_BEFORE}(?:forget (?:that|this|it)[,;.!]+ (?:please )?)?(?:undo|revert|reverse)"
    rf"(?: (?:that|this|it|(?:the|my|your) last (?:change|one|thing|step)|what you just did|{_LAST}))?{_AFTER}",
    rf"{_BEFORE}take (?:that|this|it|them) back{_AFTER}",
    rf"{_BEFORE_ZH}(?:撤销|撤回|取消)(?:{_THAT_ZH}|{_LAST_ZH}|刚才的操作|上一步|操作|一下)?{_AFTER_ZH}",
)
_UNDO_NOTE = _forms(
    rf"{_BEFORE}(?:undo|revert|reverse) (?:the|my|your) (?:last )?(?:note|correction){_AFTER}",
)
_BRING_BACK = _forms(
    rf"{_BEFORE}(?:bring|put|get) (?:that|this|it|them) back{_AFTER}",
    rf"{_BEFORE}(?:redo|restore)(?: (?:that|this|it|them))?{_AFTER}",
    rf"{_BEFORE}(?:undo|revert|reverse) (?:(?:the|that|my|your) )?(?:last )?(?:forget|forgetting|deletion){_AFTER}",
    rf"{_BEFORE}bring back what (?:you|i)(?:'ve| have)? (?:just )?(?:forgot|forgotten|deleted){_AFTER}",
    rf"{_BEFORE_ZH}(?:还原|恢复|重做)(?:{_THAT_ZH}|一下)?{_AFTER_ZH}",
    rf"{_BEFORE_ZH}(?:撤销|撤回|取消|恢复)(?:刚才|刚刚|上次|上一次|最后一次)?的?(?:忘记|遗忘|删除)(?:的内容)?{_AFTER_ZH}",
)
# "Forget that, I was joking", "forget it for a moment": not what is behind it; but "forget that I live in Oslo".
_IS_NO_THING = r"(?!(?:about )?(?:that|this|it)(?:[,;.!]| (?:for|and|ok|please)\b)|(?:about )?(?:this|it) i\b)"
_FORGET_THAT = _forms(
    rf"{_BEFORE}forget (?:that )?i (?:ever |just )?(?:said|told you|mentioned) (?:that|this|so|it){_AFTER}",
    rf"{_BEFORE}(?:forget|don't remember|do not remember|{_DELETE}) {_THAT}(?: {_MEMORY})?{_AFTER}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}(?:{_FORGET_ZH}|别记|不要记){_THAT_ZH}?{_AFTER_ZH}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}把{_THAT_ZH}(?:都)?{_FORGET_ZH}{_AFTER_ZH}",
)
_FORGET_LAST = _forms(
    rf"{_BEFORE}(?:(?:forget|don't remember|do not remember) (?:about )?(?:{_LAST}|{_LAST_NOTE}|{_LAST_PART})"
    rf"|{_DELETE} (?:{_LAST}|{_LAST_NOTE}))"
    rf"(?: {_MEMORY})?{_AFTER}",
    rf"{_BEFORE}{_DELETE} {_LAST_PART} {_MEMORY}{_AFTER}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}(?:{_FORGET_ZH}|别记|不要记){_LAST_ZH}{_AFTER_ZH}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}把{_LAST_ZH}(?:都)?{_FORGET_ZH}{_AFTER_ZH}",
)
_TOLD_THEN_ZH = (
    rf"(?:我)?(?:在)?(?P<period>{periods.CHINESE})(?:我)?"
    rf"(?:(?:跟你|对你|和你)?(?:说|讲|告诉你)过?的?{_ALL_ZH}?(?:话|事情?|内容)?|的{_ALL_ZH}的?{_THINGS_ZH}?)"
)
_FORGET_TOLD = _forms(
    # "Delete everything from last year" may be said of files.
    rf"{_BEFORE}(?:forget|{_DELETE}(?=.* (?:said|told you|wrote)\b|.* {_MEMORY}\b))"
    r" (?:everything|all|what|(?:all )?the things)(?: that)?(?: (?:i|we)(?:'ve| have)? (?:said|told you|wrote))?"
    rf"(?: to you)? (?P<period>{periods.ENGLISH})(?: {_MEMORY})?{_AFTER}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}{_FORGET_ZH}{_TOLD_THEN_ZH}{_AFTER_ZH}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}把{_TOLD_THEN_ZH}(?:全部|全都|都)?{_FORGET_ZH}{_AFTER_ZH}",
)
_FORGET_EVERYTHING = _forms(
    rf"(?P<yes>yes\W+)?{_BEFORE}(?:forget|{_DELETE}) {_EVERYTHING}(?: {_MEMORY})?{_AFTER}",
    rf"(?P<yes>(?:是|对|确认|确定)的?\W*)?{_BEFORE_ZH}{_FORGET_ZH}{_EVERYTHING_ZH}{_AFTER_ZH}",
)
_FORGET = _forms(
    rf"{_BEFORE}(?:forget|{_DELETE}) {_ALL_OF} (?P<what>.+?){_AFTER}",
    rf"{_BEFORE}{_DELETE} (?P<what>.+?) {_MEMORY}{_AFTER}",
    rf"{_BEFORE}{_DELETE} (?P<what>{_OWN}){_AFTER}",
    rf"{_BEFORE}forget {_IS_NO_THING}(?:that |about )?(?P<what>.+?){_AFTER}",
    # Of what else can be deleted, the memory knows nothing.
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}(?!{_DELETE_ZH}(?!我的|{_ABOUT_ZH})){_FORGET_ZH}"
    rf"{_ALL_OF_ZH}(?P<what>.+?){_ALL_ABOUT_ZH}{_AFTER_ZH}",
    rf"{_NO_REQUEST_ZH}{_BEFORE_ZH}把{_ALL_OF_ZH}(?P<what>.+?){_ALL_ABOUT_ZH}(?:全部|全都|都)?{_FORGET_ZH}{_AFTER_ZH}",
)
_TELL = _forms(
    rf"{_BEFORE}what (?:all )?(?:do|did|can) you (?:know|remember|recall|have)(?: stored| saved| {_MEMORY}| in memory)?"
    r" (?:about|on|of) (?P<what>.+?)\W*",
    rf"{_BEFORE}(?:tell|show) me (?:everything|all|what)(?: that)? you (?:know|remember) (?:about|of) (?P<what>.+?)\W*",
    rf"{_BEFORE}what (?:have|did) i (?:ever )?(?:told|tell|said|say)(?: to)?(?: you)? about (?P<what>.+?)\W*",
    r"(?:关于|有关)(?P<what>.+?)[，,]?你(?:都|还)?(?:知道|记得|了解)(?:些|哪些|了)?(?:什么|哪些|多少)?\W*",
    rf"你(?:都|还)?(?:知道|记得|了解)(?:些|哪些)?(?:关于|有关)?(?P<what>.+?)的?{_WHICH_ZH}\W*",
    rf"我(?:都)?(?:跟|和|对|给|向)?你?(?:说|讲|告诉)过(?:你)?(?:关于|有关)?(?P<what>.+?)的?{_WHICH_ZH}\W*",
)
_SUM_UP = (
    r"(?:summari[sz]e|sum up|recap|(?:give|write|show)(?: me)? (?:a|the)?(?: \w+)? ?summary of|tl;?dr(?: of| for)?)"
)
_UPLOADED = (
    r"(?:(?:what|everything|all|the \w+)(?: that)? (?:i|we)(?:'ve| have)? (?:just )?(?:uploaded|added|attached)"
    r"|(?:the|my|this|that) (?:(?:last|latest|newest|uploaded|attached) )*(?:document|file|upload|pdf|attachment))"
)
_ALL_UPLOADED = (
    r"(?:(?:everything|all)(?: (?:that )?(?:i|we)(?:'ve| have)?(?: ever)? (?:uploaded|added|attached))?"
    r"|(?:all (?:of )?)?(?:(?:my|the|these|those|our) )?(?:uploaded )?(?:documents|files|uploads|pdfs|attachments)"
    r"(?: (?:that )?(?:i|we)(?:'ve| have)? (?:uploaded|added|attached))?)"
)
_ALL_UPLOADED_ZH = (
    r"(?:我)?(?:上传|添加)(?:的|了的|过的)?(?:所有|全部)的?(?:文件|文档|内容|东西|资料)?"
    r"|(?:所有|全部|这些|那些)(?:我)?(?:(?:上传|添加)的)?的?(?:文件|文档|资料)"
)
_SUM_UP_ZH = r"(?:总结|概括|归纳|概述)(?:一下|下)?"
_UPLOADED_ZH = (
    r"(?:我)?(?:刚才|刚刚|刚|最近)?(?:上传|添加)(?:的|了的)?(?:文件|文档|内容|东西|资料)?"
    r"|(?:这|那|最新的|最后)(?:个|份|篇|一份|一个)?(?:文件|文档)"
)
_SUMMARISE_ALL = _forms(
    rf"{_BEFORE}{_SUM_UP} {_ALL_UPLOADED}(?: (?:for me|briefly|shortly))?{_AFTER}",
    rf"{_BEFORE}{_SUM_UP} (?:what|everything|all|(?:all )?(?:the|my) \w+)(?: that)? (?:i|we)(?:'ve| have)?(?: ever)?"
    rf" (?:uploaded|added|attached) (?P<period>{periods.ENGLISH}|{periods.SO_FAR}){_AFTER}",
    rf"{_BEFORE_ZH}{_SUM_UP_ZH}(?:{_ALL_UPLOADED_ZH}){_AFTER_ZH}",
    rf"{_BEFORE_ZH}{_SUM_UP_ZH}(?:我)?(?P<period>{periods.CHINESE}|{periods.SO_FAR_ZH})(?:我)?(?:上传|添加)"
    rf"(?:的|了的|过的)?(?:{_ALL_ZH}的?)?(?:文件|文档|内容|东西|资料)?{_AFTER_ZH}",
)
_SUMMARISE_LATEST = _forms(
    rf"{_BEFORE}{_SUM_UP} {_UPLOADED}(?: (?:for me|briefly|shortly))?{_AFTER}",
    rf"{_BEFORE_ZH}{_SUM_UP_ZH}(?:{_UPLOADED_ZH}){_AFTER_ZH}",
)
_SUMMARISE = _forms(
    rf"{_BEFORE}{_SUM_UP} (?P<what>.+?)(?: for me)?{_AFTER}",
    rf"{_BEFORE_ZH}{_SUM_UP_ZH}(?P<what>.+?)(?:的(?:内容|要点))?{_AFTER_ZH}",
)
_NO_FACT = (  # what follows "no" or "sorry", and tells nothing
    r"(?!(?:i (?:meant|mean|said|asked|think|believe|guess|hope|wish|wonder)|thanks?|thank you|please|never mind"
    r"|what|who|whose|which|when|where|why|how|can|could|do|does|did|is|are|was|were|will|would|should|tell|show|give|explain)\b)"
)
# "She actually moved to Oslo": of somebody, and not what is thought, or told in a story.
_SOMEBODY = (
    r"(?:(?:but|well|so|in fact)[, ]+)?"
    r"(?!(?:what|who|whose|which|when|where|why|how|it|this|that|there|here|you|do|does|did|is|are|was|were|if)\b)"
    r"(?:i|he|she|we|they|(?:my|his|her|our|their|the) [\w-]+"
    r"|(?P<of>(?!(?:the|an?|but|well|so|and|oh|yes|then|both|in|on|at|my|his|her|our|their)\b)(?-i:[A-Z])[\w-]+))"
)
_OPINION = (
    r"(?!(?:think|thought|believe|feel|felt|guess|hope|wish|wonder|wondered|want|wanted|mean|meant|need|needed|like|liked"
    r"|love|loved|hate|prefer|enjoy|enjoyed|agree|agreed|know|knew|forgot|said|told|asked|ask|do|does|did|don't|doesn't"
    r"|didn't|can|can't|could|would|will|might|should|really|very|quite|pretty|so|too|just|have a question)\b)"
)
_NO_STORY = (
    r"(?!.*\bin (?:(?:a|an|the|my|your|his|her|our|their|this|that) )(?:[\w-]+ )?(?:novel|book|story|tale|film|movie"
    r"|play|series|show|game|dream|script|poem|song|comic)\b)"
)
_ACTUALLY_ZH = (
    r"(?!.*(?:小说|故事|电影|书|剧本?|梦|游戏)[里中])(?!.*(?:什么|谁|哪|怎么|多少|是不是|[吗呢]\W*$))(?![这那它你今明昨])"
    r"[^，,。！？\s]{1,8}?(?:其实|实际上|事实上)(?!是?(?:想|觉得|认为|希望|喜欢|不知道|很|挺|问|说|有一?个?问题)).{2,}"
)
_PUTTING_RIGHT = (
    rf"{_NO_STORY}{_SOMEBODY}(?:'s|'re|'m| am| is| are| was| were| has| have)? actually {_OPINION}\w+\W+\w.*",
    rf"{_NO_STORY}{_SOMEBODY} {_OPINION}(?:[\w'-]+ ){{1,12}}[\w'-]+,? actually\W*",
    _ACTUALLY_ZH,
    r"\W*(?:no|nope|wrong|actually|correction|sorry|(?:that's|that is|this is|it's) (?:wrong|not (?:right|true|correct)"
    r"|incorrect|outdated)|you(?:'re| are) (?:wrong|mistaken))\b[,.:;!–— -]+"
    rf"{_NO_FACT}(?:\w+\W+){{2,}}\w.*",
    rf"{_NO_FACT}(?:[\w']+ ){{1,12}}[\w']+, (?:and )?not \w+(?:\W+\w+){{0,4}}\W*",
    r"(?:不对|不是的?|错了|更正|其实|不)[，,。：: ]+(?!我(?:是说|的意思|问)|谢谢).{3,}",
    r"不是[^，,]+[，,](?:而)?是.+",
)
_CORRECT = _forms(*(rf"(?!.*[?？]$){form}" for form in _PUTTING_RIGHT))
_FORGET_DOCUMENT = _forms(
    rf"{_BEFORE}(?:forget|{_DELETE}) (?:the|my|this|that) (?:(?:last|latest|newest|uploaded|attached) )*"
    rf"(?:document|file|upload|pdf|attachment)(?:(?: that)? i(?:'ve| have)? (?:just )?(?:uploaded|added|attached))?"
    rf"(?: {_MEMORY})?{_AFTER}",
    rf"{_BEFORE_ZH}{_FORGET_ZH}(?:{_UPLOADED_ZH}){_AFTER_ZH}",
)


_REQUESTS: tuple[tuple[tuple[re.Pattern[str], ...], Callable[[re.Match[str]], MemoryRequest]], ...] = (
    (_UNDO_NOTE, lambda _: Undo(note=True)),
    (_UNDO, lambda _: Undo()),
    (_BRING_BACK, lambda _: BringBack()),
    (_FORGET_THAT, lambda _: Forget()),
    (_FORGET_LAST, lambda _: ForgetLast()),
    (_FORGET_EVERYTHING, lambda said: ForgetEverything(confirmed=bool(said["yes"]))),
    (_FORGET_TOLD, lambda said: ForgetTold(periods.named(said["period"]))),
    (_FORGET_DOCUMENT, lambda _: ForgetDocument()),
    (_FORGET, lambda said: Forget(said["what"])),
    (_TELL, lambda said: Tell(said["what"])),
    (_SUMMARISE_ALL, lambda said: SummariseAll(periods.named(said.groupdict().get("period") or ""))),
    (_SUMMARISE_LATEST, lambda _: Summarise()),
    (_SUMMARISE, lambda said: Summarise(said["what"])),
    (_CORRECT, lambda said: Correct(said.groupdict().get("of") or "")),
)


def requested(text: str) -> MemoryRequest | None:
    """What `text` asks of the memory; None for anything else."""
    text = " ".join(text.replace("’", "'").split())
    if len(text) > _LONGEST:
        return None
    for forms, request in _REQUESTS:  # the first that fits
        if (said := next((match for form in forms if (match := form.fullmatch(text))), None)) is not None:
            return request(said)
    return None
