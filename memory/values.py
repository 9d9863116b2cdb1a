"""What a fact's value is, by its look: a name, a place to live in, a day."""

import re

# "Oslo", "the Netherlands", "Mexico city", "北京"; not "a choir", "the Berlin office", "Anna's cellar" or "市场部".
_NO_NAME = (
    r"(?:The|An?|My|Our|His|Her|Their|Some|Another) [a-z]|.*['’]s [a-z]"
    r"|.*\b(?:(?i:office|department|team|branch|division|unit|section)"
    r"|area|region|district|suburb|outskirt|flat|apartment|house|floor|room|place)s?$"
)
_NAME = re.compile(
    rf"(?!{_NO_NAME})(?:the )?(?:[^\Wa-z\d_].*|[^a-z\s]\S*(?:.*\s[^a-z\s]\S*)?)(?<![部组科室])(?<!团队|部门)"
)
# "oslo", "new york"; "a flat" is none there either.
_SMALL_NAME = re.compile(r"(?!(?:an?|the|my|our|his|her|their|some|another|different)\b)[^\W\d]+(?:[ -][^\W\d]+)?")
# "Friday", "next Friday at 10", "12 March", "June"; not "Friday Harbor" or "March, Cambridgeshire".
_DAY = re.compile(
    r"(?:(?:on|in|next|this|early|late|mid|the|\d{1,2}(?:st|nd|rd|th)?|of)[ -])*"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|\d{4}-\d\d(?:-\d\d)?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"(?:,? (?:(?:morning|afternoon|evening|noon|night|at|the|of|next|instead)\b|\d).*)?"
    r"|(?:本|这|下)*(?:周|星期|礼拜)[一二三四五六日天].*|(?:今|明|后)天.*|(?:\d{1,2}|[一二三四五六七八九十]+)(?:月|[日号]).*",
    re.IGNORECASE,
)
# What people and things move to, and nobody lives in: departments and what runs on computers; "GitHub", not "McAllen".
_NO_PLACE = re.compile(
    r"(?i:marketing|sales|(?:software )?engineering|finance|accounting|accounts|controlling|legal|hr|human resources|it"
    r"|operations|logistics|procurement|purchasing|production|quality(?: assurance)?|qa|research|r&d|design|products?"
    r"|(?:research and |business |product )?development|(?:customer )?(?:support|service)|security|management"
    r"|consulting|administration|communications|data science|public relations|pr|slack|teams|zoom|notion|discord|jira"
    r"|linux|ubuntu|debian|windows|mac|android|python|java|rust|go|kubernetes|docker|aws|azure|firefox|chrome|signal|telegram"
    r"|excel|github|gitlab|postgres)"
    r"|(?!Ma?c|De|Di|Da|La|Le|O)\w*[a-z][A-Z]\w*|市场|销售|财务|人事|研发|技术|运营|产品"
)

_SOMEBODY = re.compile(r"(?:my|his|her|their|our) ", re.IGNORECASE)
# 小丽 looks like 医生.
_NOBODY_IN_CHINESE = re.compile(
    r"(?:很|非常|特别|挺|太|有点|十分|正?在|去).+|.+[的了]|.{1,3}人|\d+.*"
    r"|(?:小学|中学|高中|大学|软件|高级|牙科|外科|内科)?(?:医生|大夫|护士|老师|教师|教授|律师|工程师|设计师|程序员|会计|厨师|司机|警察"
    r"|学生|研究生|记者|演员|公务员|科学家|作家|画家|歌手|模特|军人|农民|商人|经理)"
)
# "stressful", "very demanding", "in Berlin": what a job is like.
_LIKE = re.compile(
    r"(?:very|so|really|quite|too|rather|pretty|a bit|not|always) .+|(?:in|at|on|near|close to|far from|from) .+"
    r"|\w{3,}(?:ful|ous|less|able|ible)|boring|tiring|exciting|interesting|demanding|challenging|hard|easy|difficult"
    r"|fun|great|good|bad|nice|fine|ok|okay|busy|safe|remote|important|permanent|temporary|(?:part|full)[ -]time"
    r"|(?:well|badly) paid"
    r"|(?:很|非常|特别|挺|太|有点|十分|不).+",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d|月|\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b",
    re.IGNORECASE,
)


def is_name(value: str, said: str) -> bool:
    """Whether a value is a name; who writes the sentence `said` in small letters writes names so, too."""
    return bool(_NAME.fullmatch(value) or (said.islower() and _SMALL_NAME.fullmatch(value)))


def may_be_a_place(name: str) -> bool:
    """Whether somebody may live in what is named; no day, department or program."""
    return not (is_a_day(name) or _NO_PLACE.fullmatch(name))


def is_somebody(value: str) -> bool:
    """Whether a value says who somebody is ("Karl", "my best friend"), and not what they are or are like ("a doctor").

    Of small letters nobody knows: "my boss is strict" is written like "my boss is karl".
    """
    if _SOMEBODY.match(value):
        return True
    return bool(_NAME.fullmatch(value)) and not (is_a_day(value) or _NOBODY_IN_CHINESE.fullmatch(value))


def is_like(value: str) -> bool:
    """Whether a value says what something is like: "stressful", "very hard"."""
    return _LIKE.fullmatch(value) is not None


def is_a_date(value: str) -> bool:
    """Whether a value has a day of the year in it, or a year."""
    return _DATE.search(value) is not None


def is_a_day(value: str) -> bool:
    """Whether a value is a day, or a month."""
    return _DAY.fullmatch(value) is not None
