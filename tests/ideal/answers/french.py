from tests.ideal.evidence import (
    BARCO,
    BEES,
    FAMILY,
    MYSELF,
    OPUS,
    PHONES,
    RECIPE,
    RENT,
    ROOF,
    RYOKAN,
    STATUTS,
    TRAIN,
    Ideal,
)

FRENCH = [
    Ideal("Combien d'eau faut-il ?", (RECIPE,), "Il faut 1,5 litre d'eau [1]."),
    Ideal("Et pour le double ?", (RECIPE,), "3 litres d'eau et 800 g de lentilles [1]."),
    Ideal(
        "Pourquoi le toit n'a-t-il pas été réparé ?",
        (ROOF,),
        "Parce que les ardoises sont arrivées avec trois semaines de retard [1].",
    ),
    Ideal("Quel est le loyer annuel ?", (RENT,), "11 040 € par an [1]."),
    Ideal("Qui est la sœur et où habite-t-elle ?", FAMILY, "Votre sœur est Anna Berg [1] et elle habite à Tromsø [2]."),
    Ideal(
        "Donne les étapes en liste numérotée.",
        (RECIPE,),
        "1. Faire revenir deux oignons [1].\n2. Ajouter l'eau et les lentilles [1].\n3. Cuire 35 minutes [1].",
    ),
    Ideal("Quand joue Lena Voss ?", (OPUS,), "Le 12 mars 2026 [1]."),
    Ideal(
        "Combien de temps cuire ?",
        (RECIPE,),
        "35 minutes [1]. Les lentilles corail cuisent plus vite.",
        ("Les lentilles corail cuisent plus vite.",),
        " (pas tiré de tes sources)",
    ),
    Ideal("Où est-ce que j'habite ?", MYSELF, "Tu habites à Gand (Ghent) [1]."),
    Ideal("Quel est mon métier ?", MYSELF, "Tu es relieur : « bookbinder » [2]."),
    Ideal(
        "Combien de temps dure le trajet ?",
        (TRAIN,),
        "Cinq heures et trente-cinq minutes, de 7 h 12 à 12 h 47 [1].",
    ),
    Ideal("Combien coûtent deux billets ?", (TRAIN,), "2 × 64,80 € = 129,60 € [1]."),
    Ideal(
        "Comment quitter l'association ?",
        (STATUTS,),
        "Par une lettre au président, un mois avant le 1er janvier [1], c.-à-d. au plus tard le 1er décembre [1].",
    ),
    Ideal("Quel téléphone est le plus avantageux ?", (PHONES,), "L'Alma : 8 € par heure d'autonomie, contre 9 € [1]."),
    Ideal(
        "Fais un tableau des deux bateaux.",
        (BARCO,),
        "| bateau | longueur | places |\n|---|---|---|\n| Andorinha | 7,50 m | 6 |\n| Gaivota | 9 m | 8 |\n\n"
        "Source : ta note [1].",
    ),
    Ideal("Est-ce que les chiens sont admis à l'auberge ?", (RYOKAN,), "Non, les chiens n'y sont pas admis [1]."),
    Ideal("Combien de ruches restent-elles ?", (BEES,), "Deux ; la troisième a été perdue à cause des guêpes [1]."),
    Ideal(
        "Et le quai du train ?",
        (TRAIN,),
        "Voie 5 [1].",
        said="et le quai ?",
        before=("À quelle heure part le train ?", "À 7 h 12 [1]."),
    ),
    Ideal(
        "Résume le billet.",
        (TRAIN,),
        "Départ de Nantes à 7 h 12, arrivée à Dijon à 12 h 47 [1]. "
        "D'après M. Roy, la voie n° 5 est rénovée depuis 2021. Prix : 64,80 € [1].",
        ("D'après M. Roy, la voie n° 5 est rénovée depuis 2021.",),
        " (pas tiré de tes sources)",
    ),
]
