import pytest

from assistant.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Which countries border Austria?", "en"),
        ("Nairobi", "en"),
        ("", "en"),
        ("奥地利有哪些邻国？", "zh"),
        ("Kenya的首都是哪里", "zh"),
        ("東京はどこですか", "ja"),
        ("오스트리아의 수도는 어디인가요", "ko"),
        ("Какая столица Австрии?", "ru"),
        ("Was ist die Hauptstadt von Österreich?", "de"),
        ("Quelle est la capitale de l'Autriche et quelle est sa population ?", "fr"),
        ("¿Cuál es la capital de Austria y cuántos habitantes son?", "es"),
    ],
)
def test_the_language_of_a_question(text, language):
    assert language_of(text) == language
