from tests.ideal.evidence import (
    CAREER,
    FAMILY,
    GARTEN,
    HUERTO,
    LETTER,
    MIETE,
    MYSELF,
    OPUS,
    PEAKS,
    PHONES,
    PUMPE,
    RENT,
    ROOF,
    RYOKAN,
    VEREIN,
    Ideal,
)

GERMAN = [
    Ideal("Wie hoch ist die Jahresmiete?", (MIETE,), "12.606 € im Jahr [1]."),
    Ideal("Wie hoch ist die Miete?", (RENT,), "Die Miete beträgt 920 Euro im Monat [1]."),
    Ideal("Warum wurden die Rosen gepflanzt?", (GARTEN,), "Weil der alte Birnbaum bei einem Sturm umgestürzt war [1]."),
    Ideal("Wie lange war Ines Sommer bei Nordwerk?", (CAREER,), "Acht Jahre, von 2010 bis 2018 [1]."),
    Ideal(
        "Fass das Protokoll in einem Satz zusammen.",
        (ROOF,),
        "Das Dach blieb unrepariert, da der Schiefer verspätet kam [1].",
    ),
    Ideal("Wann spielt Dr. Voss?", (OPUS,), "Am 12. März 2026, z. B. die Sonate Op. 5 Nr. 2 [1]."),
    Ideal("Darf ich einen Hund halten?", (MIETE,), "Ja, mit Zustimmung des Vermieters [1]."),
    Ideal("Wie heißt der Hund meiner Schwester?", FAMILY, "Der Hund deiner Schwester Anna heißt Bello [1][3]."),
    Ideal(
        "Was ist mehr, die Miete oder 1000 Euro?", (MIETE,), "Die Miete: Sie ist mit 1.050,50 € um 50,50 € höher [1]."
    ),
    Ideal(
        "Seit wann stehen die Rosen?",
        (GARTEN,),
        "Seit 2011 [1]. Rosen blühen meist von Juni bis Oktober.",
        ("Rosen blühen meist von Juni bis Oktober.",),
        " (nicht aus deinen Quellen)",
    ),
    Ideal("Wo wohne ich?", MYSELF, "Du wohnst in Ghent [1]."),
    Ideal("Was darf ich nicht essen?", MYSELF, "Walnüsse, denn du bist dagegen allergisch [3]."),
    Ideal(
        "Mit welchem Druck läuft die Pumpe?",
        (PUMPE,),
        "Mit max. 2,4 bar, d. h. mit 80 l/min [1]. Das sind 4.800 l in der Stunde [1].",
    ),
    Ideal("Wer prüft die Pumpe und wann?", (PUMPE,), "Prof. Dr. Anke Ritz, am 3. Mai [1]."),
    Ideal(
        "Wie komme ich aus dem Verein raus?",
        (VEREIN,),
        "Indem du dem Vorstand bis zum 30.9. schriftlich erklärst, dass du austrittst [1]. "
        "Wirksam wird das am 31.12. [1].",
    ),
    Ideal(
        "Welches Handy lohnt sich mehr?",
        (PHONES,),
        "Nach Akkustunden das Alma: 240 € : 30 h = 8 € je Stunde, beim Brio sind es 9 € [1].",
    ),
    Ideal(
        "Vergleiche die Gipfel als Tabelle.",
        PEAKS,
        "| Gipfel | Höhe |\n| --- | ---: |\n| Great Osk | 2.310 m [1] |\n| Little Osk | 1.870 m [2] |",
    ),
    Ideal("Welcher Gipfel ist höher?", PEAKS, "Der Great Osk, um 440 m [1][2]."),
    Ideal("Wie viele Tomatenpflanzen leben noch?", (HUERTO,), "21: von 24 sind 3 eingegangen [1]."),
    Ideal("Was kostet die Pension für zwei Personen?", (RYOKAN,), "36.000 Yen, mit Frühstück und Abendessen [1]."),
    Ideal(
        "Schreib den Austritt als Brief.",
        (VEREIN,),
        "Sehr geehrte Damen und Herren,\n\nhiermit erkläre ich meinen Austritt zum 31.12. [1].\n\n"
        "Mit freundlichen Grüßen\n\nDie Frist läuft am 30.9. ab [1].",
    ),
    Ideal(
        "Was hat Tante Ilse geschrieben?",
        (LETTER,),
        "„Never sell the boat, whatever they offer.“ [1] Das heißt: Verkauft das Boot nie [1].",
    ),
    Ideal(
        "Und die Miete für ein halbes Jahr?",
        (MIETE,),
        "6.303 € [1].",
        said="und für ein halbes Jahr?",
        before=("Wie hoch ist die Miete?", "Sie beträgt 1.050,50 € im Monat [1]."),
    ),
    Ideal(
        "Wer prüft die Pumpe?",
        (PUMPE,),
        "Das macht Prof. Dr. Ritz [1]. Sie lehrt u. a. in Gera und hat z. B. 2019 das Buch „Pumpen“ geschrieben. "
        "Der Termin ist am 3. Mai [1].",
        ("Sie lehrt u. a. in Gera und hat z. B. 2019 das Buch „Pumpen“ geschrieben.",),
        " (nicht aus deinen Quellen)",
    ),
]
