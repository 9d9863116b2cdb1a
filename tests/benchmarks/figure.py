"""Curves as a small SVG picture: shares from 0 to 1 over whole numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT, _LEFT, _TOP, _LEGEND = 420, 280, 40, 12, 180
_COLOURS = ("#1b6ca8", "#c8553d", "#3a7d44", "#7b4b94", "#b8860b", "#5c5c5c", "#d16ba5")
_STEPS = 5  # lines of the grid


@dataclass(frozen=True)
class Curve:
    """A name and a share for each number that there is one for."""

    name: str
    points: Mapping[int, float]


def drawn(curves: Sequence[Curve]) -> str:
    """The curves with their axes and a legend; as many as there are colours are told apart."""
    most = max((x for curve in curves for x in curve.points), default=1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + _LEGEND}" height="{_TOP + _HEIGHT + 30}" '
        'font-family="sans-serif" font-size="12">'
    ]
    for step in range(_STEPS + 1):
        y = _y(step / _STEPS)
        parts.append(f'<path d="M{_LEFT} {y:.0f}h{_WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.0f}" text-anchor="end">{step / _STEPS:.1f}</text>')
    for x in range(1, most + 1):
        parts.append(f'<text x="{_x(x, most):.0f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{x}</text>')
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [f"{_x(x, most):.1f},{_y(y):.1f}" for x, y in sorted(curve.points.items())]
        parts.append(f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{cx}" cy="{cy}" r="3" fill="{colour}"/>' for cx, cy in (p.split(",") for p in places)]
        legend = f'x="{_LEFT + _WIDTH + 12}" y="{_TOP + 14 + 18 * number}" fill="{colour}"'
        parts.append(f"<text {legend}>{escape(curve.name)}</text>")
    return "\n".join([*parts, "</svg>\n"])


def _x(x: int, most: int) -> float:
    return _LEFT + _WIDTH * x / (most + 0.5)


def _y(share: float) -> float:
    return _TOP + _HEIGHT * (1 - share)
