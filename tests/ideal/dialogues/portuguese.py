from tests.ideal.dialogue import Dialogue, Fact_, Said

BRAGA = "Iraci – mora em: Braga"
SENHA = "the user – senha do Wi-Fi: girassol9"

PORTUGUESE = [
    Dialogue(
        (
            Said(
                "Minha irmã Iraci mora em Braga desde 2019.",
                "pt remember",
                (Fact_("the user|irmã|Iraci"), Fact_("Iraci|mora em|Braga", since="2019")),
            ),
            Said(
                "Em maio de 2024 ela mudou-se para Faro.",
                "pt remember",
                (Fact_("Iraci|mora em|Faro", since="2024-05", instead=(BRAGA,)),),
            ),
        ),
        holds=frozenset({"the user – irmã: Iraci", "Iraci – mora em: Faro (since 2024-05-01)"}),
        past=frozenset({f"{BRAGA} (since 2019-01-01) (until 2024-05-01)"}),
    ),
    Dialogue(
        (
            Said("Não moro em Lisboa.", "pt remember"),
            Said("Toco violão.", "pt remember", (Fact_("the user|toca|violão"),)),
            Said("Já não toco violão.", "pt remember", over=("the user – toca: violão",)),
            Said("Desfaz isso.", "pt undo"),
        ),
        holds=frozenset({"the user – toca: violão"}),
    ),
    Dialogue(
        (
            Said("A senha do Wi-Fi é girassol9.", "pt remember", (Fact_("the user|senha do Wi-Fi|girassol9"),)),
            Said("Meu carro é um Fiat.", "pt remember", (Fact_("the user|carro|Fiat"),)),
            Said("Esquece o meu carro.", "pt forget: carro"),
            Said("Sim.", "pt yes"),
        ),
        holds=frozenset({SENHA}),
    ),
    Dialogue(
        (
            Said("O meu filho tem 7 anos.", "pt remember", (Fact_("the user|idade do filho|7 anos"),)),
            Said(
                "Enganei-me, ele tem 8 anos.",
                "pt correct",
                (Fact_("the user|idade do filho|8 anos", instead=("the user – idade do filho: 7 anos",)),),
                wrong=("the user – idade do filho: 7 anos",),
            ),
        ),
        holds=frozenset({"the user – idade do filho: 8 anos"}),
        never=frozenset({"the user – idade do filho: 7 anos"}),
    ),
]
