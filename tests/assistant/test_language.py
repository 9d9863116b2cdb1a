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
        ("《The Lord of the Rings》的作者是谁", "zh"),
        ("東京はどこですか", "ja"),
        ("東京都知事は誰", "ja"),
        ("오스트리아의 수도는 어디인가요", "ko"),
        ("Какая столица Австрии?", "ru"),
        ("Кто написал The Lord of the Rings?", "ru"),
        ("Was ist die Hauptstadt von Österreich?", "de"),
        ("Quelle est la capitale de l'Autriche et quelle est sa population ?", "fr"),
        ("¿Cuál es la capital de Austria y cuántos habitantes son?", "es"),
        ("Hauptstadt Frankreich?", "de"),
        ("Capitale de la France ?", "fr"),
        ("Qual è la capitale della Francia?", "it"),
        ("Chi ha scritto I promessi sposi?", "it"),
        ("Qual é a capital da França?", "pt"),
        ("Quem escreveu Os Lusíadas?", "pt"),
        ("Wat is de hoofdstad van Frankrijk?", "nl"),
        ("Wie heeft de Nachtwacht geschilderd?", "nl"),
        ("Jaka jest stolica Francji?", "pl"),
        ("Kto napisał Lalkę?", "pl"),
        ("Vad heter Sveriges huvudstad?", "sv"),
        ("Hur många invånare har Norge?", "sv"),
        ("Türkiye'nin başkenti neresi?", "tr"),
        ("Яка столиця Франції?", "uk"),
        ("ЄВРОПА", "uk"),
        ("Ποια είναι η πρωτεύουσα;", "el"),
        ("מהי בירת צרפת?", "he"),
        ("ما هي عاصمة فرنسا؟", "ar"),
        ("เมืองหลวงของฝรั่งเศสคือ", "th"),
        ("फ्रांस की राजधानी क्या है?", "hi"),
    ],
)
def test_the_language_of_a_question(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Who is Lech Wałęsa?",
        "What is β-carotene?",
        "The official name 대한민국 for South Korea is written in what system?",
        "da Vinci birthplace",
        "MIT founder",
        "Do penguins come ashore?",
        "How tall is Kim Clijsters?",
        "Was Malta a colony?",
        "Is Die Hard a film?",
        "Tell me about Che Guevara",
        "Che Guevara birthplace",
        "List films with Uma Thurman",
        "Uma Thurman films",
        "tell me about wat arun",
        "Tell me about Bir Tawil",
        "Bir Tawil area",
        "give me songs by Que",
    ],
)
def test_foreign_names_and_letters_do_not_hide_english(text):
    assert language_of(text) == "en"
