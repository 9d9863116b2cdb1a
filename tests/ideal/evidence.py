"""What turns have as evidence, and what a turn with an ideal reply or a false one is.

Evidence is written as `subject | relation | object`, or as `document: text`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ideal:
    """A question and a reply as a capable model gives it: right, cited, in the language and form that was asked for.

    `false` are the sentences of a reply that the evidence does not support: they are shown with a `mark` behind them,
    everything else as it stands. A follow-up has its own words (`said`) and what was said `before` it, in turns, the
    user first; `question` is what it means then. Of one that is `known` not to be shown so, that says why.
    """

    question: str
    evidence: tuple[str, ...]
    reply: str
    false: tuple[str, ...] = ()
    mark: str = ""
    said: str = ""
    before: tuple[str, ...] = ()
    known: str = ""


@dataclass(frozen=True)
class False_:
    """A reply that says something false, in front of a judge to whom all of it is supported.

    What code can tell of it is `shown`: with a mark, or another citation, or none. Everything else is left to the
    judge, but for what is `passed`: bare names and numbers, of which code only looks whether they stand in what is
    cited.
    """

    question: str
    evidence: tuple[str, ...]
    reply: str
    shown: str = ""
    passed: bool = False


TENNIS = "Mahesh Shrinivas Bhupathi | partner in doubles | Leander Adrian Paes"
FAMILY = ("the user | sister | Anna Berg", "Anna Berg | lives in | Tromsø", "Anna Berg | dog | Bello")
MYSELF = ("the user | lives in | Ghent", "the user | job | bookbinder", "the user | allergic to | walnuts")

# English
RENT = "lease.md: The rent is 920 € a month, due on the third working day. It began on 1 May 2019."
CAREER = "cv.md: Ines Sommer worked for Nordwerk from 2010–2018 and has led the Halden lab since then."
ROOF = "minutes.md: The roof was not repaired, since the slates from Wales came three weeks late. Paul Ott complained."
BEES = "bees.md: Hive one gave 14 kg of honey, hive two gave 9.5 kg. Hive three was lost to wasps in August."
OPUS = "programme.md: Dr. Lena Voss plays the Sonata Op. 5 No. 2 on 12 March 2026 at St. Anna. Tickets are 18 €."
PHONES = "phones.md: The Alma costs 240 € and its battery lasts 30 h. The Brio costs 360 € and its battery lasts 40 h."
GYM = (
    "gym.md: Membership costs 29 € a month and renews itself after 12 months. It ends by a letter to Halle Nord, "
    "30 days before the end of the term."
)
TRIP = (
    "itinerary.md: On 3 June we fly to Porto at 09:40 with QX 118.",
    "hotel.md: Casa Lua: check-in is from 15:00, breakfast costs 9.50 € a person.",
)
LETTER = 'letter.md: Aunt Ilse wrote: "Never sell the boat, whatever they offer." She signed it on 20 April 1987.'
PEAKS = ("Great Osk | height in metres | 2310", "Little Osk | height in metres | 1870")
YEARS = ("mill.md: The mill was built from 1804 to 1812.", "crew.md: The crew was of 8 men.")

# German
MIETE = "mietvertrag.md: Die Kaltmiete beträgt 1.050,50 € im Monat. Hunde bedürfen der Zustimmung des Vermieters."
GARTEN = "garten.md: Die Rosen wurden 2011 gepflanzt, weil der alte Birnbaum beim Sturm umgefallen war."
PUMPE = "pumpe.md: Die Pumpe P 7 läuft mit max. 2,4 bar, d. h. mit 80 l/min. Prof. Dr. Anke Ritz prüft sie am 3. Mai."
VEREIN = "satzung.md: Der Austritt ist zum 31.12. möglich; er ist dem Vorstand bis zum 30.9. schriftlich zu erklären."

# French
RECIPE = "soupe.txt: Faire revenir deux oignons, ajouter 1,5 litre d'eau et 400 g de lentilles, cuire 35 minutes."
TRAIN = "billet.md: Le train part de Nantes à 7 h 12, voie 5, et arrive à Dijon à 12 h 47. Le billet coûte 64,80 €."
STATUTS = "statuts.md: Toute démission est adressée au président par lettre, un mois avant le 1er janvier."

# Spanish
TAREA = "obra.md: La obra empieza el 3 de junio y cuesta 12.500 euros; el electricista es Luis Prado."
HUERTO = "huerto.md: Plantamos 24 tomateras y 16 pimientos. Se riegan a las 7:30 y a las 21:00. Murieron 3 tomateras."
ALTA = "telefono.md: La baja se pide por escrito 15 días antes; la permanencia termina el 1 de marzo de 2027."

# Portuguese
REUNIAO = (
    "ata.md: A reunião foi adiada para 15 de abril porque a Marta Reis estava doente. O orçamento é de 8.400 reais."
)
BARCO = (
    "barco.md: O barco Andorinha tem 7,5 m e leva 6 pessoas. O barco Gaivota tem 9 m e leva 8. O aluguer é de 120 €."
)

# Russian
DOGOVOR = "договор.md: Аренда составляет 45 000 рублей в месяц. Залог равен двум месячным платежам. Кошки разрешены."
SAD = "сад.md: 3 июня посадили 12 яблонь и 8 груш. Две яблони погибли из-за мороза. Поливает сад Степан Лунин."

# Chinese
HETONG = "合同.md: 月租金为3200元，押金为两个月租金。租期从2024年3月1日到2026年2月28日。"
CHAGUAN = "茶馆.md: 龙井每壶68元，可续水三次；普洱每壶88元，可续水六次。周一休息。退会须提前三十天书面通知。"

# Japanese
KAIGI = "議事録.md: 会議は4月10日に延期された。田中さんが病気だったためである。予算は250万円。"
RYOKAN = "旅館.md: 一泊二食付きで一人18,000円。チェックインは15時から。3日前までの取り消しは無料。犬は泊まれない。"
