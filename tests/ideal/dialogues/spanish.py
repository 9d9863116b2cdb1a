from tests.ideal.dialogue import Dialogue, Fact_, Said

CADIZ = "the user – vive en: Cádiz"
PANADERO = "the user – trabajo: panadero"

SPANISH = [
    Dialogue(
        (
            Said("Vivo en Cádiz desde 2015.", "es remember", (Fact_("the user|vive en|Cádiz", since="2015"),)),
            Said("Me he mudado a Vigo.", "es remember", (Fact_("the user|vive en|Vigo", instead=(CADIZ,)),)),
        ),
        holds=frozenset({"the user – vive en: Vigo"}),
        past=frozenset({f"{CADIZ} (since 2015-01-01)"}),
    ),
    Dialogue(
        (
            Said("No vivo en Madrid.", "es remember"),
            Said("Soy panadero.", "es remember", (Fact_("the user|trabajo|panadero"),)),
            Said("Ya no soy panadero.", "es remember", over=(PANADERO,)),
        ),
        past=frozenset({PANADERO}),
    ),
    Dialogue(
        (
            Said("Mi hija se llama Lola.", "es remember", (Fact_("the user|hija|Lola"),)),
            Said(
                "No, se llama Lina.",
                "es correct",
                (Fact_("the user|hija|Lina", instead=("the user – hija: Lola",)),),
                wrong=("the user – hija: Lola",),
            ),
        ),
        holds=frozenset({"the user – hija: Lina"}),
        never=frozenset({"the user – hija: Lola"}),
    ),
    Dialogue(
        (
            Said(
                "Mi perro es Rayo y mi gata es Luna.",
                "es remember",
                (Fact_("the user|perro|Rayo"), Fact_("the user|gata|Luna")),
            ),
            Said("Olvida lo de Luna.", "es forget: Luna"),
            Said("Sí, adelante.", "es yes"),
            Said("Espera, recupéralo.", "es restore"),
            Said("Olvida a mi perro.", "es forget: perro"),
            Said("Sí.", "es yes"),
        ),
        holds=frozenset({"the user – gata: Luna"}),
    ),
]
