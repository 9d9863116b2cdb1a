import pytest

from assistant.remembering.swallowed import parted_otherwise


@pytest.mark.parametrize(
    ("text", "line", "ways"),
    [
        (
            "My aunt flies a glider and lives in Hull.",
            "flies a glider | lives in",
            "flies | a glider, flies a | glider",
        ),
        ("I keep bees and work at the mill.", "keeps bees | work at the mill", "keeps | bees"),
        ("Onkel Veit baut Geigen und wohnt in Hof.", "baut Geigen | wohnt in", "baut | Geigen"),
        ("Ma voisine élève des oies et vend du miel.", "élève des oies | vend", "élève | des oies, élève des | oies"),
        ("Я больше не повар, теперь я пекарь.", "не повар | теперь я пекарь", "не | повар"),
        ("Tom plays darts and is allergic to wool.", "plays darts | allergic to wool", "plays | darts"),
        ("Otto plays the trumpet.", "plays the trumpet | plays", "plays | the trumpet, plays the | trumpet"),
        (
            "Sie spielt jetzt Schlagzeug.",
            "spielt jetzt Schlagzeug | jetzt",
            "spielt | jetzt Schlagzeug, spielt jetzt | Schlagzeug",
        ),
        ("I left the choir, I sing alone now.", "left the choir | sing alone", "left | the choir, left the | choir"),
    ],
)
def test_a_relation_that_ends_before_the_next_clause_has_swallowed_its_object(text: str, line: str, ways: str) -> None:
    relation, value = line.split(" | ")
    assert ", ".join(map(" | ".join, parted_otherwise("the user", relation, value, text))) == ways


@pytest.mark.parametrize(
    ("text", "relation", "value"),
    [
        ("My aunt Bea moved to Hull and flies a glider.", "moved to", "Hull"),
        ("I have a parrot, Coco.", "has a parrot", "Coco"),
        ("My friend Emma, a vet, lives in Hull.", "is a", "vet"),
        ("Thomas, a teacher, rows.", "works as", "teacher"),
        ("Bea plays chess with Tom and Ada.", "plays chess with", "Ada"),
        ("She lives in sunny Hull.", "lives in", "Hull"),
        ("Bea is a nurse and lives in Hull.", "job", "nurse"),
        ("我在书店工作，住在成都。", "在书店工作", "住在成都"),
        ("", "lives in", "Hull"),
    ],
)
def test_another_has_not(text: str, relation: str, value: str) -> None:
    assert parted_otherwise("the user", relation, value, text) == []


def test_the_subject_is_no_object_of_its_own() -> None:
    ways = parted_otherwise("Tove", "takes dance lessons", "Tove", "Tove takes dance lessons.")
    assert ways == [("takes", "dance lessons"), ("takes dance", "lessons")]
    assert parted_otherwise("Tove", "is now my boat", "Tove", "I sail on Tove now.") == []
