from tests.ideal.evidence import (
    BEES,
    CAREER,
    FAMILY,
    GYM,
    LETTER,
    MIETE,
    MYSELF,
    OPUS,
    PEAKS,
    PHONES,
    RENT,
    ROOF,
    RYOKAN,
    TENNIS,
    TRAIN,
    TRIP,
    YEARS,
    Ideal,
)

ENGLISH = [
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
    Ideal("Where do I live?", MYSELF, "You live in Ghent [1]."),
    Ideal("What should a cake for me not have in it?", MYSELF, "Walnuts: you are allergic to them [3]."),
    Ideal(
        "Introduce me in two sentences.",
        MYSELF,
        "You are a bookbinder [2] and live in Ghent [1]. Walnuts are not for you [3].",
    ),
    Ideal(
        "Which phone is better value?",
        (PHONES,),
        "By the hour of battery, the Alma: 8 € an hour against 9 € for the Brio [1].",
    ),
    Ideal(
        "Compare the two phones in a table.",
        (PHONES,),
        "|  | Alma | Brio |\n|:--|--:|--:|\n| price | 240 € | 360 € |\n| battery | 30 h | 40 h |\n\n"
        "Both are from your notes [1].",
    ),
    Ideal(
        "How do I get out of my gym contract?",
        (GYM,),
        "Write a letter to Halle Nord at least 30 days before the end of the term [1]. "
        "Otherwise it goes on for another 12 months [1].",
    ),
    Ideal("What does the gym cost a year?", (GYM,), "12 × 29 € = 348 € [1]."),
    Ideal(
        "Plan my first day in Porto.",
        TRIP,
        "### 3 June\n\n1. **09:40** – flight QX 118 [1]\n2. **15:00** – check-in at Casa Lua [2]\n\n"
        "Breakfast for two is 19 € [2].",
    ),
    Ideal(
        "What exactly did Aunt Ilse write?",
        (LETTER,),
        'She wrote: "Never sell the boat, whatever they offer." [1]\n\nThe letter is of 20 April 1987 [1].',
    ),
    Ideal("How much higher is Great Osk than Little Osk?", PEAKS, "440 m: 2,310 m [1] against 1,870 m [2]."),
    Ideal("Is Little Osk higher than 2000 metres?", PEAKS, "No. It has 1,870 m [2]."),
    Ideal("How many years did it take to build the mill?", YEARS, "8 years [1]."),
    Ideal("How many hives are left?", (BEES,), "Two of three [1]."),
    Ideal(
        "Does my lease allow a cat?",
        (MIETE,),
        "It speaks of dogs only, which need the landlord's consent [1]; of cats it says nothing.",
    ),
    Ideal("Is the cancellation of the inn free?", (RYOKAN,), "Yes, up to three days before [1]."),
    Ideal("What do two nights there cost for the two of us?", (RYOKAN,), "72,000 yen: 4 × 18,000 yen [1]."),
    Ideal("When does the train from Nantes leave?", (TRAIN,), "At 7:12 a.m., from platform 5 [1]."),
    Ideal(
        "And what about Little Osk?",
        PEAKS,
        "That one has 1,870 m [2].",
        said="and the little one?",
        before=("How high is Great Osk?", "Great Osk has 2,310 m [1]."),
    ),
    Ideal(
        "What happened to the roof, and why? Explain it at length.",
        (ROOF,),
        "The roof was not repaired [1].\n\nThe reason lies with the slates: they had been ordered from Wales, and they "
        "came three weeks late [1]. Roofs in Wales are often of slate.\n\nPaul Ott, for one, was not pleased [1].",
        ("Roofs in Wales are often of slate.",),
        " (not from your sources)",
    ),
    Ideal(
        "Where is the concert of Dr. Voss?",
        (OPUS,),
        "Dr. Voss plays at St. Anna [1]. The church was built by Mr. J. Orme in 1790. Tickets are 18 € [1].",
        ("The church was built by Mr. J. Orme in 1790.",),
        " (not from your sources)",
    ),
]
