"""Wrong numbers, dates and sums: one that stands nowhere may have been computed, so that the judge decides."""

from tests.ideal.evidence import (
    BARCO,
    BEES,
    CHAGUAN,
    DOGOVOR,
    GYM,
    HETONG,
    HUERTO,
    KAIGI,
    MIETE,
    OPUS,
    PEAKS,
    PHONES,
    PUMPE,
    RECIPE,
    RENT,
    REUNIAO,
    RYOKAN,
    SAD,
    STATUTS,
    TAREA,
    TRAIN,
    VEREIN,
    YEARS,
    False_,
)
from tests.ideal.marks import DE, EN, ES, FR, JA, PT, RU, ZH

NUMBERS = [
    False_("What is the rent?", (RENT,), "The rent is 950 € a month [1]."),
    False_("What is the rent a year?", (RENT,), "It comes to 11,400 euros [1]."),
    False_("Wie hoch ist die Miete?", (MIETE,), "Die Miete beträgt 1.150,50 € [1]."),
    False_("¿Cuánto cuesta?", (TAREA,), "Cuesta 15.200 euros [1]."),
    False_("押金是多少？", (HETONG,), "押金为3600元 [1]。"),
    False_("Wann spielt sie?", (OPUS,), "15. März 2026 [1]."),
    False_("What does the Brio cost?", (PHONES,), "The Brio costs 340 € [1]."),
    False_("How high is Great Osk?", PEAKS, "It is 3,210 m high [1]."),
    False_("How many children has Paul?", ("a.md: Paul has children.",), "1 [1]."),
    False_("Mit welchem Druck?", (PUMPE,), "Mit max. 24 bar [1]."),
    False_("Combien d'oignons ?", (RECIPE,), "Il faut 3 oignons [1]."),
    False_("¿Cuántas tomateras murieron?", (HUERTO,), "Murieron 13 tomateras [1]."),
    False_("Quantas pessoas leva o Gaivota?", (BARCO,), "Leva 18 pessoas [1]."),
    False_("Сколько яблонь посадили?", (SAD,), "Посадили 20 яблонь [1]."),
    False_("龙井可以续水几次？", (CHAGUAN,), "可以续水5次 [1]。"),
    False_("一人いくらですか？", (RYOKAN,), "一人28,000円です [1]。"),
    # What a number is of, code does not know.
    False_("What does the Brio cost?", (PHONES,), "240 € [1].", passed=True),
    False_("How many hives are there?", (BEES,), "14 [1].", passed=True),
    False_("Wie hoch ist er?", (PUMPE,), "Er ist 80 [1].", passed=True),
    False_("Quanto mede o Gaivota?", (BARCO,), "O Gaivota mede 7,5 [1].", passed=True),
]

DATES = [
    False_("When is the concert?", (OPUS,), "On 12 May 2026 [1]."),
    False_("When did the lease begin?", (RENT,), "It began on 1 May 2018 [1]."),
    False_("Bis wann muss ich austreten?", (VEREIN,), "Bis zum 31.10. [1]."),
    False_("Quand démissionner ?", (STATUTS,), "Un mois avant le 1er juin [1]."),
    False_("¿Cuándo empieza la obra?", (TAREA,), "Empieza el 3 de julio [1]."),
    False_("Para quando foi adiada?", (REUNIAO,), "Foi adiada para 25 de abril [1]."),
    False_("Когда сажали?", (SAD,), "Сажали 3 июля [1]."),
    False_("租期到什么时候？", (HETONG,), "到2025年2月28日 [1]。"),
    False_("会議はいつですか？", (KAIGI,), "会議は5月10日です [1]。"),
    # The day of something else.
    False_("When was the mill finished?", YEARS, "1804 [1].", passed=True),
]

SUMS = [
    # Those that are written out, code computes itself.
    False_("What does the gym cost a year?", (GYM,), "12 × 29 € = 358 € [1].", "12 × 29 € = 358 € [1]." + EN),
    False_(
        "Was kostet sie im Jahr?",
        (MIETE,),
        "1.050,50 € × 12 = 12.506 € [1]. Das ist viel [1].",
        "1.050,50 € × 12 = 12.506 € [1]." + DE + " Das ist viel [1].",
    ),
    False_(
        "Combien coûtent deux billets ?",
        (TRAIN,),
        "En tout, 2 × 64,80 € = 139,60 € [1].",
        "En tout, 2 × 64,80 € = 139,60 € [1]." + FR,
    ),
    False_(
        "¿Y cuánto cuestan los dos plazos?",
        (TAREA,),
        "Son 12 500 € / 2 = 6 520 € [1].",
        "Son 12 500 € / 2 = 6 520 € [1]." + ES,
    ),
    False_(
        "E quanto é para uma pessoa?",
        (BARCO,),
        "Fica em 120 € ÷ 8 = 16 € [1].",
        "Fica em 120 € ÷ 8 = 16 € [1]." + PT,
    ),
    False_(
        "Сколько стоит аренда за полгода?",
        (DOGOVOR,),
        "6 × 45 000 рублей = 280 000 рублей [1].",
        "6 × 45 000 рублей = 280 000 рублей [1]." + RU,
    ),
    False_("两壶龙井多少钱？", (CHAGUAN,), "68元 × 2 = 146元 [1]。", "68元 × 2 = 146元 [1]。" + ZH),
    False_(
        "二人で二泊するといくらですか？",
        (RYOKAN,),
        "18,000円 × 4 = 82,000円です [1]。",
        "18,000円 × 4 = 82,000円です [1]。" + JA,
    ),
    False_("How much honey was it in all?", (BEES,), "24.5 kg in all: 14 kg and 9.5 kg [1]."),
    False_("How many years did it take?", YEARS, "12 years, from 1804 to 1812 [1]."),
    False_("Was kosten zwei Monate?", (MIETE,), "Zwei Monate kosten 2.201 € [1]."),
    False_("Combien coûtent trois billets ?", (TRAIN,), "Ils coûtent 184,40 € [1]."),
    False_("¿Cuántas plantas quedan?", (HUERTO,), "Quedan 40 plantas [1]."),
    False_("Quanto é por pessoa?", (BARCO,), "São 20 € por pessoa no Gaivota [1]."),
    False_("Сколько стоит аренда в год?", (DOGOVOR,), "450 000 рублей в год [1]."),
    False_("押金是多少？", (HETONG,), "押金是9600元，即两个月租金 [1]。"),
    False_("二人でいくらですか？", (RYOKAN,), "二人で38,000円です [1]。"),
]
