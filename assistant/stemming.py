"""The stems of English words, by NLTK's Snowball stemmer, under which "films" and "film" are one word."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memory.folding import terms

if TYPE_CHECKING:
    from nltk.stem.snowball import EnglishStemmer

_CACHED = 200_000
# Each word with its irregular forms; without those that are a word of their own as well: "saw", "found", "left".
_IRREGULAR = """
child children; man men; woman women; foot feet; tooth teeth; goose geese; mouse mice; louse lice; ox oxen; wife wives;
knife knives; wolf wolves; half halves; shelf shelves; thief thieves; loaf loaves; calf calves; hoof hooves; elf elves;
scarf scarves; criterion criteria; phenomenon phenomena; bacterium bacteria; fungus fungi; cactus cacti; nucleus nuclei;
radius radii; larva larvae; crisis crises; thesis theses; hypothesis hypotheses; oasis oases; analysis analyses;
index indices; matrix matrices; vertex vertices;
go went gone; buy bought; bring brought; teach taught; catch caught; fight fought; seek sought; eat ate eaten;
drink drank; drive drove driven; write wrote written; ride rode ridden; rise risen; speak spoken; break broken;
steal stole stolen; choose chose chosen; freeze froze frozen; wear wore worn; tear tore torn; swear swore sworn;
give gave given; take took taken; shake shook shaken; know knew known; grow grew grown; throw threw thrown;
fly flew flown; draw drew drawn; blow blew blown; sing sang; ring rang; swim swam swum; begin began begun; run ran;
come came; become became; sit sat; stand stood; understand understood; tell told; sell sold; hold held; keep kept;
sleep slept; weep wept; sweep swept; deal dealt; mean meant; build built; send sent; spend spent; lose lost;
pay paid; lay laid; make made; hear heard; dig dug;
stick stuck; strike struck; sink sank; get got gotten; forget forgot forgotten; forgive forgave forgiven;
hide hid hidden; bite bitten; fall fell fallen; see seen; do did done; show shown; prove proven; wake woke woken;
flee fled; breed bred; bleed bled; slide slid; spin spun; swing swung; sting stung; spring sprang sprung; shine shone;
creep crept; leap leapt; dream dreamt; learn learnt; burn burnt; kneel knelt
"""
_LEMMAS = {form: word for word, *forms in (line.split() for line in _IRREGULAR.split(";")) for form in forms}


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """The stem of a folded word; words with accents or in another script stay as they are."""
    return str(_stemmer().stem(word)) if word.isascii() else word


def root(word: str) -> str:
    """The stem of the word that a folded word is a form of: "children" are more than one "child".

    For the names of common things; titles, such as "Taken", are names of their own.
    """
    return stem(_LEMMAS.get(word, word))


def stems(text: str) -> set[str]:
    """The stems of a text's terms."""
    return {stem(term) for term in terms(text)}


def roots(text: str) -> set[str]:
    """The roots of a text's terms: "wrote" and "written by" have one."""
    return {root(term) for term in terms(text)}


@cache
def _stemmer() -> "EnglishStemmer":
    from nltk.stem.snowball import EnglishStemmer  # brings SciPy along: a second that no start should wait for

    return EnglishStemmer()
