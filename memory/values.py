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


def is_name(value: str, said: str) -> bool:
    """Whether a value is a name; who writes the sentence `said` in small letters writes names so, too."""
    return bool(_NAME.fullmatch(value) or (said.islower() and _SMALL_NAME.fullmatch(value)))


def may_be_a_place(name: str) -> bool:
    """Whether somebody may live in what is named; no day, department or program."""
    return not (is_a_day(name) or _NO_PLACE.fullmatch(name))


def is_a_day(value: str) -> bool:
    """Whether a value is a day, or a month."""
    return _DAY.fullmatch(value) is not None
