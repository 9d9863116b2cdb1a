"""What is said in words of ours and not the model's, by language; English where a language is missing."""

from collections.abc import Mapping, Sequence

from assistant.language import language_of

ByLanguage = Mapping[str, str]

_LISTED_AT_MOST = 200  # names

NOTHING_FOUND = {
    "en": "I don't know: I looked, and found nothing about this.",
    "zh": "我不知道：我查找过，没有找到相关的内容。",
    "de": "Das weiß ich nicht: Ich habe gesucht und nichts dazu gefunden.",
    "fr": "Je ne sais pas : j'ai cherché et n'ai rien trouvé à ce sujet.",
    "es": "No lo sé: he buscado y no he encontrado nada sobre esto.",
}
NOT_IN_EVIDENCE = {
    "en": "I don't know: what I found does not say.",
    "zh": "我不知道：找到的内容里没有提到。",
    "de": "Das weiß ich nicht: Was ich gefunden habe, sagt es nicht.",
    "fr": "Je ne sais pas : ce que j'ai trouvé ne le dit pas.",
    "es": "No lo sé: lo que he encontrado no lo dice.",
}
UNREACHABLE = {
    "en": "I don't know: I could not look everywhere, {names} did not answer.",
    "zh": "我不知道：没能查遍所有来源，{names}没有回应。",
    "de": "Das weiß ich nicht: Ich konnte nicht überall nachsehen, keine Antwort kam von {names}.",
    "fr": "Je ne sais pas : je n'ai pas pu chercher partout, aucune réponse de {names}.",
    "es": "No lo sé: no he podido buscar en todas partes, sin respuesta de {names}.",
}
# What the user knows our own knowledge bases by.
_KNOWLEDGE_BASES: Mapping[str, ByLanguage] = {
    "personal": {
        "en": "your memory",
        "zh": "你的记忆",
        "de": "deinem Gedächtnis",
        "fr": "votre mémoire",
        "es": "tu memoria",
    },
    "world": {
        "en": "built-in knowledge",
        "zh": "内置知识",
        "de": "dem eingebauten Wissen",
        "fr": "la base intégrée",
        "es": "la base integrada",
    },
    "wikipedia": {"en": "Wikipedia", "zh": "维基百科"},
    "wikidata": {"en": "Wikidata", "zh": "维基数据"},
    "cn-dbpedia": {"en": "CN-DBpedia"},
}
NO_MODEL = {
    "en": "I can't answer without the language model; please ask again once it is there.",
    "zh": "语言模型还没有就绪，暂时无法回答；请稍后再问。",
    "de": "Ohne das Sprachmodell kann ich nicht antworten; frag bitte noch einmal, wenn es da ist.",
    "fr": "Sans le modèle de langue, je ne peux pas répondre ; redemandez quand il sera prêt.",
    "es": "No puedo responder sin el modelo de lenguaje; vuelve a preguntar cuando esté listo.",
}
NO_MODEL_BUT_MEMORY = {
    "en": "I can't answer without the language model, but this is what your memory holds:",
    "zh": "语言模型还没有就绪，不过你的记忆里有这些内容：",
    "de": "Ohne das Sprachmodell kann ich nicht antworten, aber das steht in deinem Gedächtnis:",
    "fr": "Sans le modèle de langue, je ne peux pas répondre, mais voici ce que contient votre mémoire :",
    "es": "No puedo responder sin el modelo de lenguaje, pero esto es lo que hay en tu memoria:",
}
OWN_KNOWLEDGE = {
    "en": "I found nothing that says so; from general knowledge, unchecked: ",
    "zh": "没有查到依据；以下只是模型自己的知识，未经核实：",
    "de": "Ich habe keinen Beleg gefunden; aus allgemeinem Wissen, ungeprüft: ",
    "fr": "Je n'ai pas trouvé de source ; de mémoire, sans vérification : ",
    "es": "No he encontrado ninguna fuente; de memoria, sin comprobar: ",
}
# Behind a sentence that the evidence does not support.
NOT_FROM_SOURCES = {
    "en": " (not from your sources)",
    "zh": "（并非出自你的资料）",
    "de": " (nicht aus deinen Quellen)",
    "fr": " (pas tiré de vos sources)",
    "es": " (no procede de tus fuentes)",
    "pt": " (não consta nas suas fontes)",
    "it": " (non proviene dalle tue fonti)",
    "ru": " (не из ваших источников)",
    "ja": "（あなたの資料にはありません）",
}
REMARK = {"en": " ({remark})", "zh": "（{remark}）"}
# What a search left out on its way.
STEP_LEFT_OUT = {
    "en": "{relation} was left out",
    "zh": "没有用上“{relation}”",
    "de": "„{relation}“ blieb außer Betracht",
    "fr": "« {relation} » n'a pas été pris en compte",
    "es": "«{relation}» no se ha tenido en cuenta",
}
FIRST_FOLLOWED = {
    "en": "only the first {followed} of {found} were followed",
    "zh": "{found}个里只查了前{followed}个",
    "de": "von {found} wurden nur die ersten {followed} verfolgt",
    "fr": "sur {found}, seuls les {followed} premiers ont été suivis",
    "es": "de {found} solo se siguieron los primeros {followed}",
}
FIRST_READ = {
    "en": "only the first {read} triples of {name} were read",
    "zh": "{name}的三元组只读了前{read}条",
    "de": "von {name} wurden nur die ersten {read} Tripel gelesen",
    "fr": "de {name}, seuls les {read} premiers triplets ont été lus",
    "es": "de {name} solo se leyeron las primeras {read} tripletas",
}
NOT_ASKED = {
    "en": "what has it as {relation} could not be asked",
    "zh": "没能查到谁的“{relation}”是它",
    "de": "was es als „{relation}“ hat, ließ sich nicht erfragen",
    "fr": "impossible de demander ce qui l'a pour « {relation} »",
    "es": "no se ha podido preguntar qué lo tiene como «{relation}»",
}
NO_FIGURE = {
    "en": "what has no number or date was left out",
    "zh": "没有数字或日期的没有算进去",
    "de": "was weder Zahl noch Datum hat, blieb außer Betracht",
    "fr": "ce qui n'a ni nombre ni date a été laissé de côté",
    "es": "lo que no tiene número ni fecha se ha dejado fuera",
}
TAKEN_FOR = {
    "en": "there is no {name} here; this is about {other}",
    "zh": "这里没有{name}；这说的是{other}",
    "de": "{name} gibt es hier nicht; es geht um {other}",
    "fr": "il n'y a pas de {name} ici ; il s'agit de {other}",
    "es": "aquí no hay {name}; esto trata de {other}",
}
FIRST_ROWS = {
    "en": "only the first {shown} of {found} rows",
    "zh": "{found}行里只列出前{shown}行",
    "de": "nur die ersten {shown} von {found} Zeilen",
    "fr": "seulement les {shown} premières lignes sur {found}",
    "es": "solo las primeras {shown} filas de {found}",
}
FOUND_SO_MANY = {
    "en": "I found {count}:",
    "zh": "找到 {count} 个：",
    "de": "Ich habe {count} gefunden:",
    "fr": "J'en ai trouvé {count} :",
    "es": "He encontrado {count}:",
}
YES = {"en": "yes", "zh": "是", "de": "ja", "fr": "oui", "es": "sí"}
NO = {"en": "no", "zh": "否", "de": "nein", "fr": "non", "es": "no"}
VERDICT = {"en": "{verdict}: {says}{cited}.", "zh": "{verdict}：{says}{cited}。"}
ALSO = {
    "en": "Also:",
    "zh": "还有：",
    "de": "Außerdem:",
    "fr": "Aussi :",
    "es": "También:",
}
REMEMBERED = {
    "en": "I will remember:",
    "zh": "我记住了：",
    "de": "Ich merke mir:",
    "fr": "Je retiens :",
    "es": "Lo recordaré:",
}
CLOSED = {
    "en": "That is history now:",
    "zh": "以下成为过去：",
    "de": "Das ist jetzt Vergangenheit:",
    "fr": "C'est du passé :",
    "es": "Eso ya es pasado:",
}
UNTIL = {
    "en": "until {day}",
    "zh": "到{day}为止",
    "de": "bis {day}",
    "fr": "jusqu'au {day}",
    "es": "hasta {day}",
}
KEPT_AS_TEXT = {
    "en": "I will remember what you said.",
    "zh": "你说的我记下了。",
    "de": "Ich merke mir, was du gesagt hast.",
    "fr": "Je retiens ce que tu as dit.",
    "es": "Recordaré lo que has dicho.",
}


def listed(text: str, phrase: ByLanguage, names: Sequence[str], most: int | None = None) -> str:
    """The phrase in the language of `text`, which may give their number, then the names, at most so many of them, and
    not thousands."""
    most = min(most or _LISTED_AT_MOST, _LISTED_AT_MOST)
    space, comma = ("", "、") if language_of(text) == "zh" else (" ", ", ")
    more = f"{comma}… (+{len(names) - most})" if len(names) > most else ""
    return f"{worded(text, phrase, count=len(names))}{space}{comma.join(names[:most])}{more}"


def naming(text: str, phrase: ByLanguage, names: Sequence[str]) -> str:
    """The phrase in the language of `text`, with the names in it."""
    return worded(text, phrase, names=("、" if language_of(text) == "zh" else ", ").join(names))


def knowledge_base(text: str, name: str) -> str:
    """What a knowledge base is called in the language of `text`; one that the user has added as they named it."""
    return worded(text, _KNOWLEDGE_BASES.get(name, {"en": name}))


def worded(text: str, phrase: ByLanguage, **values: object) -> str:
    """The phrase in the language of `text`, with the values in their places."""
    wording = phrase.get(language_of(text), phrase["en"])
    return wording.format(**values) if values else wording
