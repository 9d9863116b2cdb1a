"""Replies that say something false, in front of a judge who finds that all of it is supported, and of one who knows.

What code can tell in every language is marked, or its citation put right or taken away: `shown` is the reply with that.
Everything else is left to the judge; but for what is `passed`: bare names and words of the question, of which code only
looks whether they stand in what is cited.
"""

from dataclasses import dataclass

from tests.ideal.turns import (
    BEES,
    CAREER,
    DOGOVOR,
    FAMILY,
    GARTEN,
    HETONG,
    KAIGI,
    MIETE,
    OPUS,
    RECIPE,
    RENT,
    REUNIAO,
    ROOF,
    TAREA,
    TENNIS,
)


@dataclass(frozen=True)
class False_:
    question: str
    evidence: tuple[str, ...]
    reply: str
    shown: str = ""
    passed: bool = False


EN, DE = " (not from your sources)", " (nicht aus deinen Quellen)"
FR = " (pas tiré de tes sources)"

FALSE = [
    # A citation that is not there, for what stands in no other evidence either.
    False_("Where was Ines born?", (CAREER,), "She was born in Bergen [4].", "She was born in Bergen."),
    False_("What is the deposit?", (RENT,), "It is two months of rent [2].", "It is two months of rent."),
    False_("Wie alt ist Anna?", FAMILY, "Anna ist 34 Jahre alt [7].", "Anna ist 34 Jahre alt."),
    False_(
        "Wer pflegt die Rosen?",
        (GARTEN,),
        "Die Rosen pflegt der Nachbar Kurt [3].",
        "Die Rosen pflegt der Nachbar Kurt.",
    ),
    False_("Quel vin servir ?", (RECIPE,), "Le vin est un Cahors de 2015 [2].", "Le vin est un Cahors de 2015."),
    False_(
        "¿Quién paga los costes de la obra?",
        (TAREA,),
        "La obra la paga el ayuntamiento [5].",
        "La obra la paga el ayuntamiento.",
    ),
    False_("房东叫什么？", (HETONG,), "房东叫王建国 [3]。", "房东叫王建国。"),
    False_("Как зовут хозяина?", (DOGOVOR,), "Хозяина зовут Олег [2].", "Хозяина зовут Олег."),
    False_("議長は誰ですか？", (KAIGI,), "議長は鈴木さんです [9]。", "議長は鈴木さんです。"),
    False_(
        "Quem é que presidiu à reunião?",
        (REUNIAO,),
        "Quem presidiu foi o João Lima [6].",
        "Quem presidiu foi o João Lima.",
    ),
    # An address that stands nowhere.
    False_(
        "How do I reach Paul?", (ROOF,), "Write to paul.ott@example.org [1].", "Write to paul.ott@example.org [1]." + EN
    ),
    False_(
        "Where are the minutes?",
        (ROOF,),
        "They are at https://minutes.example.com/roof [1].",
        "They are at https://minutes.example.com/roof [1]." + EN,
    ),
    False_(
        "Wo steht das?",
        (MIETE,),
        "Es steht auf https://mieter.example.de/hunde [1].",
        "Es steht auf https://mieter.example.de/hunde [1]." + DE,
    ),
    False_(
        "Où écrire ?",
        (RECIPE,),
        "Le mieux est d'écrire à chef@cuisine.example [1].",
        "Le mieux est d'écrire à chef@cuisine.example [1]." + FR,
    ),
    # A citation that holds nothing of it, while other evidence does.
    False_("Where does my sister live?", FAMILY, "Anna Berg lives in Tromsø [3]."),
    False_("How much honey did hive two give?", (RENT, BEES), "It gave 9.5 kg [1].", "It gave 9.5 kg [2]."),
    False_("Wie hoch ist die Miete?", (GARTEN, MIETE), "Sie beträgt 1.050,50 € [1].", "Sie beträgt 1.050,50 € [2]."),
    False_("Quand ?", (RECIPE, "note.md: Le dîner est le 14 juin."), "Le 14 juin [1].", "Le 14 juin [2]."),
    False_("¿Quién es el electricista?", (ROOF, TAREA), "Es Luis Prado [1].", "Es Luis Prado [2]."),
    False_("预算多少？", (HETONG, KAIGI), "250万円 [1]。", "250万円 [2]。"),
    # A number that is wrong: it could have been computed.
    False_("What is the rent?", (RENT,), "The rent is 950 € a month [1]."),
    False_("What is the rent a year?", (RENT,), "It comes to 11,400 euros [1]."),
    False_("Wie hoch ist die Miete?", (MIETE,), "Die Miete beträgt 1.150,50 € [1]."),
    False_("¿Cuánto cuesta?", (TAREA,), "Cuesta 15.200 euros [1]."),
    False_("押金是多少？", (HETONG,), "押金为3600元 [1]。"),
    False_("Wann spielt sie?", (OPUS,), "15. März 2026 [1]."),
    # What is true of another one.
    False_("Which hive was lost?", (BEES,), "Hive one was lost to wasps in August [1]."),
    False_(
        "Who complained?",
        ("a.md: Paul Ott sang.", "b.md: Ida Lund complained."),
        "Paul Ott complained [1].",
        passed=True,
    ),
    False_("Wer hat einen Hund?", ("Kurt | Katze | Mia", "Anna | Hund | Bello"), "Kurt hat den Hund Bello [2]."),
    False_("Who plays with Paes?", (TENNIS, "Rohan Bopanna | partner | Aisam Qureshi"), "Aisam Qureshi does [2]."),
    False_("Who complained in June?", (ROOF,), "Ida complained in June [1]."),
    False_("Who?", ("a.md: Paul Ott met Ida Lund.",), "Paul Lund [1].", passed=True),
    False_("Give both hives as a table.", (BEES,), "| hive | honey |\n|---|---|\n| one | 9.5 kg [1] |"),
    # What is turned round.
    False_("May I keep a dog?", (MIETE,), "No, never: your landlord may not agree to one [1]."),
    False_("Was the roof repaired?", (ROOF,), "The roof was repaired with slates from Wales [1]."),
    False_("Можно кошку?", (DOGOVOR,), "Нет, кошки запрещены [1]."),
]

# In a chat reply, while nothing was remembered or forgotten: known to be shown.
CLAIMS = [
    ("My boat is called Ilse, by the way.", "Noted: I have saved that your boat is called Ilse."),
    ("Never mind that.", "I have deleted everything about it from my memory."),
    ("Ach, egal.", "Gut, ich habe das aus meinem Gedächtnis gelöscht."),
    ("顺便说一句，我喜欢茶。", "我已经记下来了：你喜欢茶。"),
]
