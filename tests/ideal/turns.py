"""Turns with a reply as a capable model gives it: right, cited, in the language and the form that was asked for.

Evidence is written as `subject | relation | object`, or as `document: text`. `false` are the sentences of a reply that
the evidence does not support: they are shown with a mark behind them, everything else as it stands.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ideal:
    question: str
    evidence: tuple[str, ...]
    reply: str
    false: tuple[str, ...] = ()
    mark: str = ""


TENNIS = "Mahesh Shrinivas Bhupathi | partner in doubles | Leander Adrian Paes"
RENT = "lease.md: The rent is 920 € a month, due on the third working day. It began on 1 May 2019."
MIETE = "mietvertrag.md: Die Kaltmiete beträgt 1.050,50 € im Monat. Hunde bedürfen der Zustimmung des Vermieters."
CAREER = "cv.md: Ines Sommer worked for Nordwerk from 2010–2018 and has led the Halden lab since then."
ROOF = "minutes.md: The roof was not repaired, since the slates from Wales came three weeks late. Paul Ott complained."
BEES = "bees.md: Hive one gave 14 kg of honey, hive two gave 9.5 kg. Hive three was lost to wasps in August."
OPUS = "programme.md: Dr. Lena Voss plays the Sonata Op. 5 No. 2 on 12 March 2026 at St. Anna. Tickets are 18 €."
FAMILY = ("the user | sister | Anna Berg", "Anna Berg | lives in | Tromsø", "Anna Berg | dog | Bello")
RECIPE = "soupe.txt: Faire revenir deux oignons, ajouter 1,5 litre d'eau et 400 g de lentilles, cuire 35 minutes."
GARTEN = "garten.md: Die Rosen wurden 2011 gepflanzt, weil der alte Birnbaum beim Sturm umgefallen war."
TAREA = "obra.md: La obra empieza el 3 de junio y cuesta 12.500 euros; el electricista es Luis Prado."
REUNIAO = (
    "ata.md: A reunião foi adiada para 15 de abril porque a Marta Reis estava doente. O orçamento é de 8.400 reais."
)
DOGOVOR = "договор.md: Аренда составляет 45 000 рублей в месяц. Залог равен двум месячным платежам. Кошки разрешены."
HETONG = "合同.md: 月租金为3200元，押金为两个月租金。租期从2024年3月1日到2026年2月28日。"
KAIGI = "議事録.md: 会議は4月10日に延期された。田中さんが病気だったためである。予算は250万円。"

TURNS = [
    # English
    Ideal("Who did Paes play doubles with?", (TENNIS,), "With Mahesh Bhupathi [1]."),
    Ideal("Who is Leander Paes' partner?", (TENNIS,), "**Mahesh Bhupathi** is the partner of Leander Paes [1]."),
    Ideal("How long did Ines work for Nordwerk?", (CAREER,), "For eight years [1]."),
    Ideal("What is the rent a year?", (RENT,), "11,040 euros a year [1]: twelve times 920 €."),
    Ideal(
        "Why was the roof not repaired?",
        (ROOF,),
        "Because the slates came too late; they were three weeks overdue [1].",
    ),
    Ideal(
        "Sum up the minutes in two bullet points.",
        (ROOF,),
        "- The roof repair did not take place [1].\n- Late slates were the reason, and somebody complained [1].",
    ),
    Ideal(
        "Give me the honey of each hive as a table.",
        (BEES,),
        "Here is the table:\n\n| hive | honey |\n| --- | --- |\n"
        "| one | 14 kg [1] |\n| two | 9.5 kg [1] |\n| three | lost [1] |\n",
    ),
    Ideal("How much honey was it in all?", (BEES,), "23.5 kg: 14 kg and 9.5 kg [1]."),
    Ideal(
        "When and what does Dr. Voss play?",
        (OPUS,),
        "Dr. Voss plays Op. 5 No. 2 on 12 March 2026 [1]. It is at St. Anna [1].",
    ),
    Ideal("Is my sister's dog called Bello?", FAMILY, "Yes, Anna's dog is called Bello [1][3]."),
    Ideal(
        "Write a line to my sister that I come on Friday.",
        FAMILY,
        "> Dear Anna,\n> I am coming to Tromsø on Friday. Give Bello a hug!\n\nShe lives in Tromsø [2].",
    ),
    Ideal(
        "Print the two numbers as Python.",
        (BEES,),
        "These are the figures [1]:\n\n```python\nhoney = {'one': 14, 'two': 9.5}\n\nprint(honey[1])\n```\n",
    ),
    Ideal(
        "May I keep a dog, and what is the deposit?",
        (MIETE,),
        "Only if your landlord agrees [1]. What the deposit is, I did not find.",
    ),
    Ideal("Which hive gave more?", (BEES,), "Hive one, by 4.5 kg [1]."),
    Ideal("What is the rent in words?", (RENT,), "Nine hundred and twenty euros [1]."),
    Ideal(
        "Where does my sister live?",
        FAMILY,
        "Anna Berg lives in Tromsø [2]. Tromsø has the world's northernmost botanic garden.",
        ("Tromsø has the world's northernmost botanic garden.",),
        " (not from your sources)",
    ),
    # German
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
    # French
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
    # Spanish
    Ideal("¿Cuánto cuesta la obra?", (TAREA,), "La obra cuesta 12 500 € [1]."),
    Ideal(
        "¿Cuándo empieza y quién es el electricista?",
        (TAREA,),
        "Empieza el 3 de junio [1]. El electricista es Luis Prado [1].",
    ),
    Ideal("¿Por qué no se reparó el tejado?", (ROOF,), "Porque las pizarras llegaron tarde [1]."),
    Ideal("¿Cuánto es la mitad?", (TAREA,), "Son 6.250 euros [1]."),
    Ideal("¿Quién fue la pareja de Paes?", (TENNIS,), "Mahesh Bhupathi fue su pareja de dobles [1]."),
    Ideal("¿Dónde vive mi hermana?", FAMILY, "Tu hermana Anna vive en Tromsø [1, 2]."),
    Ideal("¿Cuántos años trabajó Ines en Nordwerk?", (CAREER,), "Ocho años [1]."),
    Ideal(
        "¿Qué día empieza?",
        (TAREA,),
        "El 3 de junio [1]. En junio suele llover poco.",
        ("En junio suele llover poco.",),
        " (no procede de tus fuentes)",
    ),
    # Portuguese
    Ideal("Por que a reunião foi adiada?", (REUNIAO,), "Porque a Marta Reis adoeceu [1]."),
    Ideal("Para quando?", (REUNIAO,), "Para 15 de abril [1]."),
    Ideal("Quanto é o orçamento por mês?", (REUNIAO,), "São 700 reais por mês [1]."),
    Ideal(
        "Resuma a ata numa frase.", (REUNIAO,), "A reunião passou para abril e o orçamento não muda: 8 400 reais [1]."
    ),
    Ideal("Qual é a renda em euros?", (RENT,), "A renda é de 920 € por mês [1]."),
    Ideal("Quem é a dona do Bello?", FAMILY, "A Anna Berg [3], sua irmã [1]."),
    Ideal("Quanto mel deu a primeira colmeia?", (BEES,), "Deu 14 kg [1]."),
    # Russian
    Ideal("Сколько стоит аренда в год?", (DOGOVOR,), "540 000 рублей в год [1]."),
    Ideal("Какой залог?", (DOGOVOR,), "Залог — 90 000 рублей, то есть два платежа [1]."),
    Ideal("Можно ли держать кошку?", (DOGOVOR,), "Да, кошки разрешены [1]."),
    Ideal("Почему не починили крышу?", (ROOF,), "Потому что сланец из Уэльса пришёл на три недели позже [1]."),
    Ideal("Кто играл с Паесом?", (TENNIS,), "Махеш Бхупати [1]."),
    Ideal("Где живёт моя сестра?", FAMILY, "Ваша сестра Анна живёт в Тромсё [1][2]."),
    Ideal(
        "Сколько стоит аренда?",
        (DOGOVOR,),
        "45 000 рублей [1]. Цены на аренду в Москве растут.",
        ("Цены на аренду в Москве растут.",),
        " (не из твоих источников)",
    ),
    # Chinese
    Ideal("押金是多少？", (HETONG,), "押金为6400元，即两个月租金 [1]。"),
    Ideal("租期多长？", (HETONG,), "两年 [1]。从2024年3月1日到2026年2月28日 [1]。"),
    Ideal("屋顶为什么没修？", (ROOF,), "因为从威尔士运来的石板晚到了三个星期 [1]。"),
    Ideal("用表格列出蜂蜜产量。", (BEES,), "| 蜂箱 | 蜂蜜 |\n|---|---|\n| 一号 | 14公斤 [1] |\n| 二号 | 9.5公斤 [1] |"),
    Ideal("我妹妹住在哪里？", FAMILY, "你的妹妹安娜住在特罗姆瑟 [1][2]。"),
    Ideal("一年的租金是多少？", (HETONG,), "3.84万元 [1]。"),
    Ideal("布帕蒂的搭档是谁？", (TENNIS,), "是利安德·佩斯（Leander Paes）[1]。"),
    Ideal(
        "月租金是多少？",
        (HETONG,),
        "月租金为3200元 [1]。这比北京的平均租金低。",
        ("这比北京的平均租金低。",),
        "（并非出自你的资料）",
    ),
    # Japanese
    Ideal("会議はなぜ延期されましたか？", (KAIGI,), "田中さんの体調不良のためです [1]。"),
    Ideal("いつに延期されましたか？", (KAIGI,), "4月10日に延期されました [1]。"),
    Ideal("予算は月にいくらですか？", (KAIGI,), "約20万8千円です [1]。"),
    Ideal("屋根はなぜ修理されなかったのですか？", (ROOF,), "スレートの到着が三週間遅れたからです [1]。"),
    Ideal("家賃はいくらですか？", (RENT,), "月に920ユーロです [1]。"),
    Ideal(
        "箇条書きでまとめてください。",
        (KAIGI,),
        "- 会議は4月10日に延期 [1]\n- 理由は田中さんの病気 [1]\n- 予算は250万円 [1]",
    ),
    Ideal(
        "予算はいくらですか？",
        (KAIGI,),
        "予算は250万円です [1]。これは去年より多いです。",
        ("これは去年より多いです。",),
        "（あなたの資料にはありません）",
    ),
]
