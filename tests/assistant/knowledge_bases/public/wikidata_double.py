"""A stand-in for Wikidata's API with a few invented items, in the shapes that its documentation gives.

https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities
https://www.wikidata.org/w/api.php?action=help&modules=wbgetentities
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

from tests.assistant.knowledge_bases.loopback import Reply

Json = dict[str, object]


def snak(property_id: str, datatype: str, kind: str, value: object) -> Json:
    datavalue = {"value": value, "type": kind}
    return {"snaktype": "value", "property": property_id, "datatype": datatype, "datavalue": datavalue}


def item(property_id: str, item_id: str) -> Json:
    value = {"entity-type": "item", "numeric-id": int(item_id[1:]), "id": item_id}
    return snak(property_id, "wikibase-item", "wikibase-entityid", value)


def time(property_id: str, at: str, precision: int, calendar: str = "Q1985727") -> Json:
    value = {"time": at, "timezone": 0, "before": 0, "after": 0, "precision": precision}
    return snak(property_id, "time", "time", {**value, "calendarmodel": f"http://www.wikidata.org/entity/{calendar}"})


def quantity(property_id: str, amount: str, unit: str = "1") -> Json:
    address = unit if unit == "1" else f"http://www.wikidata.org/entity/{unit}"
    return snak(property_id, "quantity", "quantity", {"amount": amount, "unit": address})


def no_value(property_id: str, kind: str) -> Json:
    return {"snaktype": kind, "property": property_id, "datatype": "wikibase-item"}


def claim(mainsnak: Json, *qualifiers: Json, rank: str = "normal") -> Json:
    by_property: dict[str, list[Json]] = {}
    for qualifier in qualifiers:
        by_property.setdefault(str(qualifier["property"]), []).append(qualifier)
    order = {"qualifiers": by_property, "qualifiers-order": list(by_property)} if by_property else {}
    return {"mainsnak": mainsnak, "type": "statement", "id": "x", "rank": rank, **order}


LABELS = {
    "Q501": {"en": "Ilse Talvik", "zh": "伊尔莎·塔尔维克"},
    "Q502": {"en": "Talvik"},
    "Q503": {"en": "Brenholm", "zh": "布伦霍尔姆"},
    "Q504": {"en": "Osk"},
    "Q505": {"en": "metre", "zh": "米"},
    "Q506": {"mul": "Arno Keld"},
    "Q507": {},
    "P1": {"en": "place of residence", "zh": "居住地"},
    "P2": {"en": "date of birth", "zh": "出生日期"},
    "P3": {"en": "height"},
    "P4": {"en": "spouse"},
    "P5": {"en": "start time"},
    "P6": {"en": "coordinate location"},
    "P7": {"en": "official name"},
    "P8": {"en": "website"},
    "P9": {"en": "catalogue number"},
    "P10": {"en": "teacher"},
}
DESCRIPTIONS = {"Q501": {"en": "composer of chamber music"}, "Q502": {"en": "river"}, "Q503": {"en": "town"}}
ALIASES = {"Q501": {"en": ["I. Talvik", "The Nightingale"]}, "P10": {"en": ["tutored by"]}}
CLAIMS: dict[str, dict[str, list[Json]]] = {
    "Q501": {
        "P1": [
            claim(item("P1", "Q504")),
            claim(item("P1", "Q502"), rank="deprecated"),
            claim(item("P1", "Q503"), time("P5", "+1931-05-00T00:00:00Z", 10), rank="preferred"),
        ],
        "P2": [claim(time("P2", "+1901-03-14T00:00:00Z", 11))],
        "P3": [claim(quantity("P3", "+1.68", "Q505"))],
        "P4": [claim(no_value("P4", "somevalue"))],
        "P8": [claim(snak("P8", "url", "string", "https://talvik.example/"))],
        "P9": [claim(snak("P9", "external-id", "string", "n-4711"))],
        "P10": [claim(item("P10", "Q506")), claim(item("P10", "Q507"))],
    },
    "Q503": {
        "P6": [
            claim(
                snak(
                    "P6",
                    "globe-coordinate",
                    "globecoordinate",
                    {
                        "latitude": -58.25,
                        "longitude": 22.5,
                        "altitude": None,
                        "precision": 0.01,
                        "globe": "http://www.wikidata.org/entity/Q2",
                    },
                )
            )
        ],
        "P7": [claim(snak("P7", "monolingualtext", "monolingualtext", {"text": "Brenholm vid Osk", "language": "sv"}))],
    },
}


def answer(asked: dict[str, str]) -> Reply:
    """What the API would say."""
    if asked["action"] == "wbsearchentities":
        return Reply({"search": _search(asked["search"], asked["language"], asked["type"][0]), "success": 1})
    languages = asked["languages"].split("|")
    entities = {i: _entity(i, asked["props"].split("|"), languages) for i in asked["ids"].split("|")}
    return Reply({"entities": entities, "success": 1})


def _search(text: str, language: str, kind: str) -> list[Json]:
    """Labels and aliases of items or properties that begin with the text, in the language or in English."""
    hits: list[Json] = []
    for item_id, labels in LABELS.items():
        label = labels.get(language) or labels.get("en", "")
        names = [label, *ALIASES.get(item_id, {}).get(language, [])]
        matching = [name for name in names if text and name.casefold().startswith(text.casefold())]
        if matching and item_id.startswith("Q" if kind == "i" else "P"):
            match = {"type": "label" if matching[0] == label else "alias", "language": language, "text": matching[0]}
            hit: Json = {"id": item_id, "label": label, "match": match, "repository": "wikidata"}
            described = DESCRIPTIONS.get(item_id, {}).get("en")
            hits.append({**hit, "description": described} if described else hit)
    return hits


def _entity(item_id: str, props: list[str], languages: list[str]) -> Json:
    if item_id not in LABELS:
        return {"id": item_id, "missing": ""}

    def spoken(texts: dict[str, str]) -> object:
        return {code: {"language": code, "value": texts[code]} for code in languages if code in texts} or []

    parts: Json = {
        "labels": spoken(LABELS[item_id]),
        "descriptions": spoken(DESCRIPTIONS.get(item_id, {})),
        "aliases": {
            code: [{"language": code, "value": name} for name in names]
            for code, names in ALIASES.get(item_id, {}).items()
            if code in languages
        }
        or [],
        "claims": CLAIMS.get(item_id) or [],  # an empty map is written as an empty list
    }
    return {"type": "item", "id": item_id, **{name: part for name, part in parts.items() if name in props}}
