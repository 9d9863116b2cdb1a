from tests.ideal.dialogue import Dialogue, Fact_, Said

TVER = "the user – живёт в: Твери"
BARSIK = "the user – кот: Барсик"

RUSSIAN = [
    Dialogue(
        (
            Said("Я живу в Твери.", "ru remember", (Fact_("the user|живёт в|Твери"),)),
            Said(
                "С марта 2023 года я живу в Омске.",
                "ru remember",
                (Fact_("the user|живёт в|Омске", since="2023-03", instead=(TVER,)),),
            ),
        ),
        holds=frozenset({"the user – живёт в: Омске (since 2023-03-01)"}),
        past=frozenset({f"{TVER} (until 2023-03-01)"}),
    ),
    Dialogue(
        (
            Said("Я не живу в Москве.", "ru remember"),
            Said("Моя тётя Рая врач.", "ru remember", (Fact_("the user|тётя|Рая"), Fact_("Рая|работа|врач"))),
            Said("Она больше не врач.", "ru correct", over=("Рая – работа: врач",)),
        ),
        holds=frozenset({"the user – тётя: Рая"}),
        past=frozenset({"Рая – работа: врач"}),
    ),
    Dialogue(
        (
            Said("Моего кота зовут Барсик.", "ru remember", (Fact_("the user|кот|Барсик"),)),
            Said("Мою собаку зовут Жучка.", "ru remember", (Fact_("the user|собака|Жучка"),)),
            Said("Забудь всё про Жучку.", "ru forget: Жучку", chosen=("the user – собака: Жучка",)),
            Said("Да.", "ru yes"),
        ),
        holds=frozenset({BARSIK}),
    ),
    Dialogue(
        (
            Said("Моего кота зовут Барсик.", "ru remember", (Fact_("the user|кот|Барсик"),)),
            Said("Забудь это.", "ru forget: that"),
            Said("Нет, верни.", "ru restore"),
        ),
        holds=frozenset({BARSIK}),
    ),
]
