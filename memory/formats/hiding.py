"""Which elements of a page a browser would not show, by their attributes and by the page's own style sheets.

What cannot be told: style sheets that lie elsewhere, since nothing is fetched; text in the colour of what is behind it;
what scripts hide or show. What only assistive technology leaves out (`aria-hidden`) is seen, and so is what a click
unfolds (`details`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import cssselect2
import tinycss2
import tinycss2.ast

Style = dict[str, list[tinycss2.ast.Node]]  # the values of those properties that may hide something

_OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
_SIZES = ("width", "height", "max-width", "max-height")
_EDGES = ("left", "right", "top", "bottom")
_CUT = ("clip", "clip-path", "transform", "scale")
_PROPERTIES = frozenset(
    (*_OVERFLOWS, *_SIZES, *_EDGES, *_CUT, "display", "visibility", "opacity", "font-size", "position", "text-indent")
)
_LONGEST_SHEETS = 2_000_000  # characters, of a page
_MOST_RULES = 5_000  # that may hide something
_SMALLEST = 1.0  # pixels; what is left of a box that is there for screen readers alone
_FAR_AWAY = -500.0  # pixels
_PIXELS = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "cm": 37.8, "mm": 3.78, "in": 96.0, "vw": 10.0, "vh": 10.0}


@dataclass(frozen=True, slots=True)
class Look:
    """What of its look an element hands on to those in it."""

    visible: bool = True
    sized: bool = True  # its letters have a size

    @property
    def shown(self) -> bool:
        """Whether text that stands here is seen."""
        return self.visible and self.sized


SHOWN = Look()


class Hiding:
    """Tells of each element of one page whether it is shown."""

    def __init__(self, root: Element, styles: str) -> None:
        """`styles` are the page's own style sheets."""
        matcher = _matcher(styles[:_LONGEST_SHEETS]) if styles else None
        self._styles = dict(_matched(root, matcher)) if matcher is not None else {}

    def look(self, element: Element, outer: Look) -> Look | None:
        """The look of an element in one with the look `outer`; None where neither it nor anything in it is shown."""
        sheets = self._styles.get(element)
        own_words = element.get("style")  # `attrib` would make a dictionary for each element that has none
        if sheets is None and own_words is None and element.get("hidden") is None and element.tag != "dialog":
            return outer
        plain, important = sheets or ({}, {})
        own, own_important = _declared(own_words or "")
        style = {**_by_itself(element), **plain, **own, **important, **own_important}
        if _vanishes(style):
            return None
        visible, sized = outer.visible, outer.sized
        if "visibility" in style:
            visible = _word(style, "visibility") not in ("hidden", "collapse")
        if (size := _length(style, "font-size")) is not None:
            sized = size > _SMALLEST and (sized or not _is_relative(style))
        return Look(visible, sized)


def _matcher(sheet: str) -> cssselect2.Matcher | None:
    """The rules of style sheets that may hide something; None where there are none."""
    matcher = cssselect2.Matcher()
    for rule in _rules(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)):
        style, important = _declared(rule.content)
        if not style and not important:
            continue
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except (cssselect2.SelectorError, RecursionError):
            continue
        for selector in selectors:
            if selector.pseudo_element is None:
                matcher.add_selector(selector, (style, important))
        if matcher.order >= _MOST_RULES:
            break
    return matcher if matcher.order else None


def _rules(nodes: list[tinycss2.ast.Node]) -> Iterator[tinycss2.ast.QualifiedRule]:
    """The rules that hold on every screen, whatever its size."""
    for node in nodes:
        if node.type == "qualified-rule":
            yield node
        elif _is_for_screens(node):
            yield from _rules(tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True))


def _is_for_screens(node: tinycss2.ast.Node) -> bool:
    if node.type != "at-rule" or node.lower_at_keyword != "media" or node.content is None:
        return False
    return tinycss2.serialize(node.prelude).strip().lower() in ("all", "screen")


def _matched(root: Element, matcher: cssselect2.Matcher) -> Iterator[tuple[Element, tuple[Style, Style]]]:
    for element in cssselect2.ElementWrapper.from_html_root(root).iter_subtree():
        style: Style = {}
        important: Style = {}
        for *_, (own, own_important) in matcher.match(element):
            style |= own
            important |= own_important
        if style or important:
            yield element.etree_element, (style, important)


def _declared(content: str | list[tinycss2.ast.Node]) -> tuple[Style, Style]:
    """The properties that count among declarations, and apart from them those that are `!important`."""
    plain: Style = {}
    important: Style = {}
    for node in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if node.type != "declaration":
            continue
        style = important if node.important else plain
        value = [token for token in node.value if token.type not in ("whitespace", "comment")]
        if node.lower_name in _PROPERTIES:
            style[node.lower_name] = value
        elif node.lower_name == "font" and (size := _font_size(value)):
            style["font-size"] = size
    return plain, important


def _font_size(font: list[tinycss2.ast.Node]) -> list[tinycss2.ast.Node]:
    """The size among the values of `font`, behind a weight that is a plain number; such a size can be 0 alone."""
    sizes = (one for one in font if one.type in ("dimension", "percentage") or (one.type == "number" and not one.value))
    return list(sizes)[:1]


def _by_itself(element: Element) -> Style:
    """The style that an element has where no style sheet says another one."""
    said = element.get("hidden")
    hidden = said is not None and said.strip().lower() != "until-found"
    closed = element.tag == "dialog" and element.get("open") is None
    return {"display": tinycss2.parse_component_value_list("none")} if hidden or closed else {}


def _vanishes(style: Style) -> bool:
    """Whether nothing is seen of a box with that style, nor of any box in it."""
    if _word(style, "display") == "none" or _length(style, "opacity") == 0 or _is_shrunk(style):
        return True
    if any(_word(style, name) in ("hidden", "clip", "scroll", "auto") for name in _OVERFLOWS):
        sizes = (_length(style, name) for name in _SIZES)
        if any(size is not None and size <= _SMALLEST for size in sizes):
            return True
    if _word(style, "position") in ("absolute", "fixed") and (
        any((_length(style, name) or 0) <= _FAR_AWAY for name in _EDGES) or _is_cut(style)
    ):
        return True
    return (_length(style, "text-indent") or 0) <= _FAR_AWAY


def _is_shrunk(style: Style) -> bool:
    """Whether a box is scaled or clipped to nothing, wherever it stands."""
    if _length(style, "scale") == 0:
        return True
    for token in (*style.get("transform", ()), *style.get("clip-path", ())):
        if token.type != "function":
            continue
        numbers = [one for one in token.arguments if one.type in ("number", "dimension", "percentage")]
        if token.lower_name in ("scale", "scalex", "scaley", "scale3d", "circle", "ellipse"):
            if any(one.value == 0 for one in numbers):
                return True
        elif token.lower_name == "inset" and numbers and numbers[0].type == "percentage" and numbers[0].value >= 50:
            return True
    return False


def _is_cut(style: Style) -> bool:
    """Whether a box is clipped to nothing, as those for screen readers are."""
    value = style.get("clip")
    if not value or value[0].type != "function" or value[0].lower_name != "rect":
        return False
    sides = [token for token in value[0].arguments if token.type in ("number", "dimension")]
    return len(sides) == 4 and all(side.value <= _SMALLEST for side in sides)


def _word(style: Mapping[str, list[tinycss2.ast.Node]], name: str) -> str:
    value = style.get(name)
    return value[0].lower_value if value and value[0].type == "ident" else ""


def _length(style: Mapping[str, list[tinycss2.ast.Node]], name: str) -> float | None:
    """A value in pixels, or as a plain number; a percentage is one of 16 pixels, which is enough to tell none."""
    value = style.get(name)
    if not value:
        return None
    token = value[0]
    if token.type == "dimension":
        return float(token.value) * _PIXELS.get(token.lower_unit, 16.0)
    if token.type == "percentage":
        return float(token.value) * 0.16
    return float(token.value) if token.type == "number" else None


def _is_relative(style: Mapping[str, list[tinycss2.ast.Node]]) -> bool:
    token = style["font-size"][0]
    return bool(token.type == "percentage" or (token.type == "dimension" and token.lower_unit == "em"))
