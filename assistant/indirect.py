"""Indirect questions made direct: "Can you tell me who wrote Dune?" and 你知道《沙丘》是谁写的吗 ask who wrote it.

Two of five questions that Chinese people ask an encyclopaedia are put so. At their word they ask for yes or no, and a
small model weighs them as such.
"""

import re

_KNOW_ZH = "知道|了解|清楚|晓得|告诉(?:我们?|大家)|解释|回答"
_ABLE_ZH = "是否|还|能不能|可不可以|能够|可以|能|麻烦|请|求|分别"
_WHO_ZH = "你们|你|您|大家|在座的|各位|有没有人|有人|有谁|谁"
_LEADING_ZH = re.compile(
    rf"(?:你好|您好)?[，,！!\s]*(?:(?:{_WHO_ZH}|{_ABLE_ZH})+(?:{_KNOW_ZH})|告诉我|知道"
    r"|(?:麻烦|我们?)?(?:很|非常|有点)?(?:(?:想要?|需要)(?:请问|请教|问|打听|知道|了解|弄清楚)|好奇|请问|请教|问(?=一?下))"
    r")(?:一?下)?[，,：:\s]*(?![的者了过题答])"
)
_FOLLOWING_ZH = re.compile(rf"[，,\s]*(?:{_WHO_ZH})+(?:{_ABLE_ZH})*(?:{_KNOW_ZH})(?:一?下)?[吗么呢啊呀]*[?？\s]*$")
_ASKING_ZH = re.compile("什么|[谁哪几怎啥]|多[少久长大高远重深宽厚快]|如何|何[时处地人种]|为何")
_END_ZH = re.compile(r"[吗?？。.\s]*$")
_LEADING = re.compile(
    r"\W*(?:(?:hi|hey|hello|so|well|and|ok|okay|please)\b[,!.\s]*)*(?:"
    r"(?:(?:can|could|would|will|do) (?:you|anyone|anybody|someone|somebody) |does (?:anyone|anybody) "
    r"|i(?:['’]d| would) (?:like|love) (?:you )?to |i (?:just )?(?:want|need) (?:you )?to )"
    r"(?:please |kindly |perhaps |by any chance |happen to )*"
    r"(?:know|find out|remember|(?:tell|show|remind)(?: me| us)?|explain(?: to me| to us)?|let me know)"
    r"|(?:tell|remind) me|i(?:['’]m| am| was) (?:just )?(?:curious|wondering)|i wonder|(?:do you have )?any idea"
    r"),? (?:please,? |about |again )?"
    r"(?=(?:(?:in|on|at|by|for|from|of|to|with|under) )?(?:who|whom|whose|what|which|when|where|why|how)\b)",
    re.IGNORECASE,
)


def direct(text: str) -> str:
    """The question without the words that lead up to it or follow it; `text` itself where there are none."""
    if match := _LEADING.match(text):
        return text[match.end() : match.end() + 1].upper() + text[match.end() + 1 :]
    bare = text.strip()
    while match := _LEADING_ZH.match(bare):
        bare = bare[match.end() :]
    bare = _FOLLOWING_ZH.sub("", bare)
    if bare == text.strip() or not _ASKING_ZH.search(bare):
        return text
    return _END_ZH.sub("？", bare, count=1)
