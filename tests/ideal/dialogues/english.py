from tests.ideal.dialogue import Dialogue, Fact_, Said

OSLO = "the user – lives in: Oslo"

ENGLISH = [
    Dialogue(
        (
            Said("I live in Oslo.", "en remember", (Fact_("the user|lives in|Oslo"),)),
            Said(
                "I've been living in Bergen since May 2019.",
                "en remember",
                (Fact_("the user|lives in|Bergen", since="2019-05", instead=(OSLO,)),),
            ),
        ),
        holds=frozenset({"the user – lives in: Bergen (since 2019-05-01)"}),
        past=frozenset({f"{OSLO} (until 2019-05-01)"}),
    ),
    Dialogue(
        (
            Said("I don't live in Rome.", "en remember"),
            Said("I'm a baker.", "en remember", (Fact_("the user|job|baker"),)),
            Said("I'm not a baker any more.", "en remember", over=("the user – job: baker",)),
        ),
        past=frozenset({"the user – job: baker"}),
    ),
    Dialogue(
        (
            Said(
                "My sister Iraci paints. My brother Tormod bakes.",
                "en remember",
                (
                    Fact_("the user|sister|Iraci"),
                    Fact_("Iraci|does|paints"),
                    Fact_("the user|brother|Tormod", sentence=2),
                    Fact_("Tormod|does|bakes", sentence=2),
                ),
            ),
            Said("Forget everything about Iraci.", "en forget: Iraci"),
            Said("Yes.", "en yes"),
        ),
        holds=frozenset({"the user – brother: Tormod", "Tormod – does: bakes"}),
    ),
    Dialogue(
        (
            Said("I work at Acme.", "en remember", (Fact_("the user|works at|Acme"),)),
            Said("On Saturdays I work at Bolt.", "en remember", (Fact_("the user|works at|Bolt"),)),
        ),
        holds=frozenset({"the user – works at: Acme", "the user – works at: Bolt"}),
    ),
    Dialogue(
        (
            Said("Our dog is called Rex.", "en remember", (Fact_("the user|dog|Rex"),)),
            Said(
                "No, he's called Max!",
                "en correct",
                (Fact_("the user|dog|Max", instead=("the user – dog: Rex",)),),
                wrong=("the user – dog: Rex",),
            ),
        ),
        holds=frozenset({"the user – dog: Max"}),
        never=frozenset({"the user – dog: Rex"}),
    ),
    Dialogue(
        (
            Said("We have a dog, Rex.", "en remember", (Fact_("the user|dog|Rex"),)),
            Said("We have a second dog now, Max.", "en remember", (Fact_("the user|dog|Max"),)),
            Said("undo", "en undo"),
            Said("No, bring it back.", "en restore"),
        ),
        holds=frozenset({"the user – dog: Rex", "the user – dog: Max"}),
    ),
]
