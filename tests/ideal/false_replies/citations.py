"""Citations and addresses that are wrong: code tells that in every language."""

from tests.ideal.evidence import (
    ALTA,
    BARCO,
    BEES,
    CAREER,
    CHAGUAN,
    DOGOVOR,
    FAMILY,
    GARTEN,
    GYM,
    HETONG,
    HUERTO,
    KAIGI,
    LETTER,
    MIETE,
    MYSELF,
    PEAKS,
    PUMPE,
    RECIPE,
    RENT,
    REUNIAO,
    ROOF,
    RYOKAN,
    SAD,
    TAREA,
    TRAIN,
    TRIP,
    VEREIN,
    False_,
)
from tests.ideal.marks import DE, EN, ES, FR, JA, PT, RU, ZH

# Of what is not there, for what stands in no other evidence either.
MISSING = [
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
    False_("Who signed the letter?", (LETTER,), "Uncle Bo signed it [3].", "Uncle Bo signed it."),
    False_("How do I leave the gym?", (GYM,), "Call them before noon [8].", "Call them before noon."),
    False_("Wer prüft die Pumpe?", (PUMPE,), "Die Firma Lahn prüft sie [2].", "Die Firma Lahn prüft sie."),
    False_("À quelle heure ?", (TRAIN,), "À 8 h 40 [3].", "À 8 h 40."),
    False_("¿Quién riega?", (HUERTO,), "Riega Marta [4].", "Riega Marta."),
    False_("Кто поливает?", (SAD,), "Поливает Иван [5].", "Поливает Иван."),
    False_("茶馆在哪里？", (CHAGUAN,), "在和平路 [2][3]。", "在和平路。"),
    False_("温泉はありますか？", (RYOKAN,), "はい、露天風呂があります [2]。", "はい、露天風呂があります。"),
    False_("Quanto mede o barco?", (BARCO,), "Mede 12 m [1, 7].", "Mede 12 m [1]."),
]

# Of an address that stands nowhere.
ADDRESSES = [
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
    False_(
        "Wie kündige ich?",
        (VEREIN,),
        "Per E-Mail an vorstand@verein.example [1]. Frist ist der 30.9. [1].",
        "Per E-Mail an vorstand@verein.example [1]." + DE + " Frist ist der 30.9. [1].",
    ),
    False_(
        "¿Cómo y dónde pido la baja?",
        (ALTA,),
        "En https://telefono.example.es/baja [1].",
        "En https://telefono.example.es/baja [1]." + ES,
    ),
    False_(
        "Onde reservo o barco?",
        (BARCO,),
        "Em barcos@doca.example.pt [1].",
        "Em barcos@doca.example.pt [1]." + PT,
    ),
    False_("Куда писать?", (SAD,), "Пиши на sad@example.ru [1].", "Пиши на sad@example.ru [1]." + RU),
    False_("怎么联系茶馆？", (CHAGUAN,), "邮箱是cha@example.cn [1]。", "邮箱是cha@example.cn [1]。" + ZH),
    False_(
        "予約はどこでできますか？",
        (RYOKAN,),
        "https://ryokan.example.jp で予約できます [1]。",
        "https://ryokan.example.jp で予約できます [1]。" + JA,
    ),
    False_(
        "List the ways to reach them.",
        (GYM,),
        "- by letter to Halle Nord [1]\n- by mail to out@halle.example [1]\n",
        "- by letter to Halle Nord [1]\n- by mail to out@halle.example [1]" + EN + "\n",
    ),
    False_(
        "Print a link to the map.",
        (ROOF,),
        "```\nhttps://map.example.com/7\n```\n",
        "```\nhttps://map.example.com/7\n```\n\n" + EN + "\n",
    ),
]

# Of what holds nothing of it, while other evidence does.
ELSEWHERE = [
    False_("Where does my sister live?", FAMILY, "Anna Berg lives in Tromsø [3]."),
    False_("How much honey did hive two give?", (RENT, BEES), "It gave 9.5 kg [1].", "It gave 9.5 kg [2]."),
    False_("Wie hoch ist die Miete?", (GARTEN, MIETE), "Sie beträgt 1.050,50 € [1].", "Sie beträgt 1.050,50 € [2]."),
    False_("Quand ?", (RECIPE, "note.md: Le dîner est le 14 juin."), "Le 14 juin [1].", "Le 14 juin [2]."),
    False_("¿Quién es el electricista?", (ROOF, TAREA), "Es Luis Prado [1].", "Es Luis Prado [2]."),
    False_("预算多少？", (HETONG, KAIGI), "250万円 [1]。", "250万円 [2]。"),
    False_("How high is Little Osk?", PEAKS, "It has 1,870 m [1].", "It has 1,870 m [2]."),
    False_("When is check-in?", TRIP, "From 15:00 [1].", "From 15:00 [2]."),
    False_("Where do I live?", MYSELF, "You live in Ghent [3].", "You live in Ghent [1]."),
    False_("Wer prüft die Pumpe?", (MIETE, PUMPE), "Prof. Dr. Anke Ritz [1].", "Prof. Dr. Anke Ritz [2]."),
    False_("Combien coûte le billet ?", (RECIPE, TRAIN), "64,80 € [1].", "64,80 € [2]."),
    False_("Кто поливает сад?", (DOGOVOR, SAD), "Это Степан Лунин [1].", "Это Степан Лунин [2]."),
    False_("普洱多少钱？", (HETONG, CHAGUAN), "每壶88元 [1]。", "每壶88元 [2]。"),
    False_("Qual é o orçamento?", (BARCO, REUNIAO), "São 8400 reais [1].", "São 8400 reais [2]."),
    False_("一人いくらですか？", (KAIGI, RYOKAN), "18,000円です [1]。", "18,000円です [2]。"),
]
