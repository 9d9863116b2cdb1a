from tests.ideal.dialogue import Dialogue, Fact_, Said

OSLO = "the user – wohnt in: Oslo"
KASSEL = "Wanda – arbeitet in: Kassel"

GERMAN = [
    Dialogue(
        (
            Said(
                "Hallo! Unser Jüngster heißt Emil und geht ab morgen zur Schule.",
                "de remember+chat",
                (Fact_("the user|jüngster Sohn|Emil", sentence=2),),
                answer="Hallo! Dann viel Freude zum Schulanfang!",
            ),
            Said("Danke dir!", "de chat", answer="Gern geschehen."),
            Said("Vergiss das.", "de forget: that"),  # what is meant is not sure
        ),
        holds=frozenset({"the user – jüngster Sohn: Emil"}),
    ),
    Dialogue(
        (
            Said("Ich wohne nicht in Oslo.", "de remember"),
            Said("Ich wohne in Gera.", "de remember", (Fact_("the user|wohnt in|Gera"),)),
        ),
        holds=frozenset({"the user – wohnt in: Gera"}),
    ),
    Dialogue(
        (
            Said("Ich wohne in Oslo.", "de remember", (Fact_("the user|wohnt in|Oslo"),)),
            Said(
                "Ich bin nach Bergen gezogen.",
                "de remember",
                (Fact_("the user|wohnt in|Bergen", instead=(OSLO,)),),
            ),
        ),
        holds=frozenset({"the user – wohnt in: Bergen"}),
        past=frozenset({OSLO}),
    ),
    Dialogue(
        (Said("Früher habe ich in Oslo gewohnt.", "de remember", (Fact_("the user|wohnt in|Oslo", until="past"),)),),
        past=frozenset({OSLO}),
    ),
    Dialogue(
        (
            Said("Ich wohne in Oslo.", "de remember", (Fact_("the user|wohnt in|Oslo"),)),
            Said("Ich wohne auch in Bergen.", "de remember", (Fact_("the user|wohnt in|Bergen"),)),
            Said(
                "Ich wohne nur noch in Bergen.",
                "de remember",
                (Fact_("the user|wohnt in|Bergen", instead=(OSLO,)),),
            ),
            Said("Mach das rückgängig.", "de undo"),
        ),
        holds=frozenset({OSLO, "the user – wohnt in: Bergen"}),
    ),
    Dialogue(
        (
            Said("Ich wohne in Oslo.", "de remember", (Fact_("the user|wohnt in|Oslo"),)),
            Said(
                "Im Mai 2041 ziehe ich nach Jena.",
                "de remember",
                (Fact_("the user|wohnt in|Jena", since="2041-05", instead=(OSLO,)),),
            ),
        ),
        holds=frozenset({OSLO, "the user – wohnt in: Jena (since 2041-05-01)"}),
    ),
    Dialogue(
        (
            Said(
                "Seit Mai 2019 arbeite ich bei Lahn & Söhne, davor war ich von 2015 bis 2018 bei Nordwerk.",
                "de remember",
                (
                    Fact_("the user|arbeitet bei|Lahn & Söhne", since="2019-05"),
                    Fact_("the user|arbeitete bei|Nordwerk", since="2015", until="2018"),
                ),
            ),
        ),
        holds=frozenset({"the user – arbeitet bei: Lahn & Söhne (since 2019-05-01)"}),
        past=frozenset({"the user – arbeitete bei: Nordwerk (since 2015-01-01) (until 2018-12-31)"}),
    ),
    Dialogue(
        (
            Said(
                "Meine Schwester Wanda arbeitet in Kassel.",
                "de remember",
                (Fact_("the user|Schwester|Wanda"), Fact_("Wanda|arbeitet in|Kassel")),
            ),
            Said(
                "Das stimmt nicht mehr, sie ist jetzt in Trier.",
                "de correct",
                (Fact_("Wanda|arbeitet in|Trier", instead=(KASSEL,)),),
            ),
        ),
        holds=frozenset({"the user – Schwester: Wanda", "Wanda – arbeitet in: Trier"}),
        past=frozenset({KASSEL}),
    ),
    Dialogue(
        (
            Said(
                "Meine Schwester Wanda arbeitet in Kassel.",
                "de remember",
                (Fact_("the user|Schwester|Wanda"), Fact_("Wanda|arbeitet in|Kassel")),
            ),
            Said(
                "Nein, ich meinte Trier, nicht Kassel.",
                "de correct",
                (Fact_("Wanda|arbeitet in|Trier", instead=(KASSEL,)),),
                wrong=(KASSEL,),
            ),
            Said("Rückgängig, bitte.", "de undo"),
        ),
        holds=frozenset({"the user – Schwester: Wanda", KASSEL}),
    ),
    Dialogue(
        (
            Said("Meine Katze heißt Mia.", "de remember", (Fact_("the user|Katze|Mia"),)),
            Said("Mein Hund heißt Bello.", "de remember", (Fact_("the user|Hund|Bello"),)),
            Said("Vergiss alles über Mia.", "de forget: Mia"),
            Said("Ja.", "de yes"),
        ),
        holds=frozenset({"the user – Hund: Bello"}),
    ),
    Dialogue(
        (
            Said("Ich arbeite als Gärtner.", "de remember", (Fact_("the user|Beruf|Gärtner"),)),
            Said("Meine Schuhgröße ist 43.", "de remember", (Fact_("the user|Schuhgröße|43"),)),
            Said(
                "Streich, womit ich mein Geld verdiene.",
                "de forget: womit ich mein Geld verdiene",
                chosen=("the user – Beruf: Gärtner",),
            ),
            Said("Ja, bitte.", "de yes"),
            Said("Hol das doch wieder zurück.", "de restore"),
        ),
        holds=frozenset({"the user – Beruf: Gärtner", "the user – Schuhgröße: 43"}),
    ),
]
