"""The report on ICSU, and the replies that its passes share."""

import xml.etree.ElementTree

from tests.benchmarks.figure import drawn
from tests.benchmarks.icsu import curves, report

_SHARE = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 30}
_RECALLED = ("raw", "anonymized", "hybrid", "mixed", "diverse")
_RESULTS = {
    "table3-2": {
        "rows": 30,
        "settings": {"methods": ["hybrid"], "k": 2, "embeddings": "mini"},
        "metrics": {"accuracy_hybrid": _SHARE, "seconds_hybrid": {"value": 9.87}, "tokens_hybrid": {"value": 812.4}},
    },
    "recall": {
        "rows": 5,
        "settings": {"methods": ["recall_raw"], "k": "each method's own", "embeddings": "mini"},
        "metrics": {f"recall_{name}_{k}": _SHARE for name in _RECALLED for k in range(1, 7)},
    },
}


def test_the_papers_numbers_stand_beside_ours() -> None:
    assert "| hybrid | 0.50 (0.40–0.60) |  |  |  | 9.9 | 812 | 0.67 |  |  |" in report(_RESULTS).splitlines()


def test_recall_and_accuracy_are_drawn_together() -> None:
    found = curves(_RESULTS)
    assert [curve.name for curve in found] == [
        *(f"recall, {name}" for name in _RECALLED),
        "accuracy, hybrid",
    ]
    assert found[-1].points == {2: 0.5}
    picture = xml.etree.ElementTree.fromstring(drawn(found))
    assert len(picture.findall("{*}polyline")) == 6
