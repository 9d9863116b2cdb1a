"""The report on ICSU, and the replies that its passes share."""

import xml.etree.ElementTree

from tests.benchmarks.figure import drawn
from tests.benchmarks.icsu import curves, report

_SHARE = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 30}
_RESULTS = {
    "table3-2": {
        "rows": 30,
        "settings": {"methods": ["hybrid"], "k": 2, "embeddings": "mini"},
        "metrics": {"accuracy_hybrid": _SHARE, "seconds_hybrid": {"value": 9.87}},
    },
    "recall": {
        "rows": 5,
        "settings": {"methods": ["recall_raw"], "k": "each method's own", "embeddings": "mini"},
        "metrics": {f"recall_{name}_{k}": _SHARE for name in ("raw", "anonymized", "hybrid") for k in range(1, 7)},
    },
}


def test_the_papers_numbers_stand_beside_ours() -> None:
    assert "| hybrid | 0.50 (0.40–0.60) |  |  |  | 9.9 | 0.67 |  |  |" in report(_RESULTS).splitlines()


def test_recall_and_accuracy_are_drawn_together() -> None:
    found = curves(_RESULTS)
    assert [curve.name for curve in found] == [
        "recall, raw",
        "recall, anonymized",
        "recall, hybrid",
        "accuracy, hybrid",
    ]
    assert found[-1].points == {2: 0.5}
    picture = xml.etree.ElementTree.fromstring(drawn(found))
    assert len(picture.findall("{*}polyline")) == 4
