from tests.ideal.dialogue import Dialogue, Fact_, Said

NANTES = "the user – habite à: Nantes"
LEO = "the user – neveu: Léo"

FRENCH = [
    Dialogue(
        (
            Said("J'habite à Nantes.", "fr remember", (Fact_("the user|habite à|Nantes"),)),
            Said(
                "J'ai déménagé à Dijon en mars 2021.",
                "fr remember",
                (Fact_("the user|habite à|Dijon", since="2021-03", instead=(NANTES,)),),
            ),
        ),
        holds=frozenset({"the user – habite à: Dijon (since 2021-03-01)"}),
        past=frozenset({f"{NANTES} (until 2021-03-01)"}),
    ),
    Dialogue(
        (
            Said("Je n'habite pas à Lyon.", "fr remember"),
            Said("Je suis allergique aux noix.", "fr remember", (Fact_("the user|allergique|noix"),)),
            Said("En fait, je ne suis pas allergique aux noix.", "fr correct", wrong=("the user – allergique: noix",)),
        ),
        never=frozenset({"the user – allergique: noix"}),
    ),
    Dialogue(
        (
            Said(
                "Mon neveu Léo a neuf ans. Ma nièce Zoé joue de la harpe.",
                "fr remember",
                (
                    Fact_("the user|neveu|Léo"),
                    Fact_("Léo|âge|neuf ans"),
                    Fact_("the user|nièce|Zoé", sentence=2),
                    Fact_("Zoé|joue de|la harpe", sentence=2),
                ),
            ),
            Said("Oublie tout sur Zoé.", "fr forget: Zoé"),
            Said("Oui.", "fr yes"),
        ),
        holds=frozenset({LEO, "Léo – âge: neuf ans"}),
    ),
    Dialogue(
        (
            Said("Mon neveu s'appelle Léo.", "fr remember", (Fact_("the user|neveu|Léo"),)),
            Said("Il habite à Lorient.", "fr remember", (Fact_("Léo|habite à|Lorient"),)),
            Said("Annule ça.", "fr undo"),
        ),
        holds=frozenset({LEO}),
    ),
]
