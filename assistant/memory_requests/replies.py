"""What is said after something was done with the memory, in the user's language."""

from collections.abc import Sequence

from assistant.citations import as_text
from assistant.phrases import worded

_LISTED = 8

_WORDINGS = {
    "forgotten": {
        "en": "Forgotten: {count}, for good unless you say “undo” within ten minutes.",
        "zh": "已忘记{count}；十分钟内说“撤销”可以恢复。",
    },
    "forgotten for good": {
        "en": "Forgotten: {count}, for good.",
        "zh": "已彻底忘记{count}，无法恢复。",
    },
    "taken back": {
        "en": "Taken back; forgotten again: {count}. “Bring it back” within ten minutes undoes that.",
        "zh": "已撤销，我不再记得{count}；十分钟内说“恢复”可以找回。",
    },
    "taken back for good": {
        "en": "Taken back; forgotten again: {count}.",
        "zh": "已撤销，我不再记得{count}。",
    },
    "remembered again": {
        "en": "I remember it again:",
        "zh": "我又记住了：",
    },
    "nothing to undo": {
        "en": "There is nothing to undo or to forget: nothing was remembered or forgotten just before.",
        "zh": "没有可以撤销或忘记的内容：刚才没有记住或忘记任何事。",
    },
    "spoken of since": {
        "en": "Nothing was forgotten: what was said last is nothing that I remember. Say what I should forget, or "
        "“undo” to take back what you told me last.",
        "zh": "没有忘记任何内容：刚才说的不在我的记忆里。请说明要忘记什么，或者说“撤销”来撤销上一条记住的内容。",
    },
    "too late to undo": {
        "en": "That cannot be undone any more: what is forgotten is gone for good after ten minutes, or once "
        "Lorekeeper ends; a command with no page running forgets for good at once.",
        "zh": "已经无法恢复：忘记的内容十分钟后或 Lorekeeper 退出时就彻底删除；"
        "没有运行页面时，用命令忘记的会立即彻底删除。",
    },
    "forgotten already": {
        "en": "What I remembered last is forgotten already. “Undo” once more takes back the step before it.",
        "zh": "上一条记住的内容已经忘记了；再说一次“撤销”，可以撤销它之前的一步。",
    },
    "nothing to forget": {
        "en": "I remember nothing about “{what}”, so there is nothing to forget.",
        "zh": "我没有关于“{what}”的记忆，没有什么可忘记的。",
    },
    "only in documents": {
        "en": "Nothing was forgotten: that is not a fact I remember, but what your documents say ({documents}). "
        "“Forget {document}” forgets a whole document.",
        "zh": "没有忘记任何内容：这不是我记住的事实，而是你的文件里的内容（{documents}）。"
        "说“忘记{document}”可以忘记整个文件。",
    },
    "left in documents": {
        "en": "What your documents say of it stays ({documents}). “Forget {document}” forgets a whole document.",
        "zh": "你的文件里的有关内容仍然保留（{documents}）。说“忘记{document}”可以忘记整个文件。",
    },
    "sentence stays": {
        "en": "A sentence that says it stays, since this rests on it:",
        "zh": "说到它的那句话仍然保留，因为下面的内容出自那句话：",
    },
    "named still": {
        "en": "Sentences that have those words stay, since there they may say something else: {n}.",
        "zh": "还有{n}句话含有这些词，可能另有所指，仍然保留。",
    },
    "document forgotten": {
        "en": "The whole document {document} is forgotten.",
        "zh": "已忘记整个文件{document}。",
    },
    "nothing told then": {
        "en": "You told me nothing then, so there is nothing to forget.",
        "zh": "那段时间你没有告诉我什么，没有可忘记的内容。",
    },
    "nothing uploaded then": {
        "en": "You uploaded nothing then, so there is nothing to sum up.",
        "zh": "那段时间你没有上传文件，没有可总结的内容。",
    },
    "said by documents": {
        "en": "Nothing was forgotten: I remember nothing about “{what}” but what your documents say ({documents}). "
        "“Forget {document}” forgets a whole document.",
        "zh": "没有忘记任何内容：关于“{what}”，只有你的文件里提到（{documents}）。说“忘记{document}”可以忘记整个文件。",
    },
    "forget this?": {
        "en": "Shall I forget {count}? Say “yes”, and it is done.",
        "zh": "要忘记{count}吗？回答“是”即可。",
    },
    "forget document?": {
        "en": "Shall I forget the whole document {document}, with {count}? Say “yes”, and it is done.",
        "zh": "要忘记整个文件{document}（{count}）吗？回答“是”即可。",
    },
    "not asked any more": {
        "en": "Nothing was forgotten: I no longer wait for a yes to that. Say once more what I should forget.",
        "zh": "没有忘记任何内容：这个问题已经过去了。请再说一次要忘记什么。",
    },
    "forget everything?": {
        "en": "That would remove all that I remember, all documents and all conversations, and could not be undone. "
        "If you are sure, say “yes”.",
        "zh": "这会删除所有记忆、文件和对话，而且无法恢复。如果确定，请回答“是”。",
    },
    "everything forgotten": {
        "en": "Everything is forgotten, for good.",
        "zh": "一切都已彻底忘记。",
    },
    "no document": {
        "en": "You have not uploaded a document yet.",
        "zh": "你还没有上传文件。",
    },
}


_COUNTED = {
    "facts": {"en": "{n} facts", "zh": "{n}条事实"},
    "fact": {"en": "1 fact", "zh": "1条事实"},
    "words": {"en": "what was said", "zh": "相关内容"},
}


def counted(text: str, facts: int) -> str:
    """How much went, in the language of `text`; never what: a reply is saved, and what is forgotten must not be."""
    return worded(text, _COUNTED["words" if not facts else "fact" if facts == 1 else "facts"], n=facts)


def reply(text: str, wording: str, facts: Sequence[str] = (), **values: str) -> str:
    """The wording in the language of `text`, with the facts that it is about as a list."""
    by_language = _WORDINGS[wording]
    said = worded(text, by_language, **{name: as_text(value) for name, value in values.items()})
    more = [f"- … (+{len(facts) - _LISTED})"] if len(facts) > _LISTED else []
    return "\n".join([said, *(f"- {as_text(fact)}" for fact in facts[:_LISTED]), *more])
