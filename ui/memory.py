"""What is remembered: facts, entities and documents, to search and to forget; and the place to drop documents."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import Any

import gradio as gr

from assistant.errors import NothingThere, one_line
from assistant.memory_requests.replies import NAMED_STILL
from assistant.messages import Phrase, tell
from assistant.messages.shared import FACTS, NOT_INDEXED, PASSAGES, SOURCES
from memory.types import THE_USER, Fact, FactKind, Forgotten, KnownEntity, Recalled, Source, StillOnDisk
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded, warn
from ui.patience import patiently
from ui.rows import button, confirmation, icon, rows
from ui.words import DOCUMENTS, SHOWN, labelled, listed

_PAGE = 50
_BEST_MATCHES = 5
_PROPOSED = 5
_WORDS = 60  # characters shown of what was said
_BIG = 10  # facts that go without a question being asked
_KINDS = ("Facts", "People and things", "Documents")
_INVITED = (
    Phrase("Drop documents anywhere on this page, or choose them here."),
    Phrase("PDF, Office files, web pages, mail, chats, tables, e-books and any text. They can be searched at once."),
)
_STATES = {
    "queued": Phrase("waiting to be read"),
    "reading": Phrase("being read"),
    "paused": Phrase("reading is paused"),
    "cancelled": Phrase("reading was stopped"),
}
_FORGET_ENTITY = Phrase("Forget {name} and {n} fact?", "Forget {name} and {n} facts?")
_FORGET_SOURCE = Phrase(
    "Forget {name} and all that was learned from it ({n} fact)?",
    "Forget {name} and all that was learned from it ({n} facts)?",
)
_MORE_SOURCES = Phrase("and {n} more source", "and {n} more sources")


@dataclass(frozen=True, slots=True)
class View:
    """What the list shows; `confirming` is the id of the row that asks whether to forget, `unfolded` that of the entity
    whose sources are shown.

    `gone` is what was forgotten last, which can still be brought back.
    """

    kind: str = _KINDS[0]
    search: str = ""
    limit: int = _PAGE
    confirming: str = ""
    unfolded: str = ""
    gone: Forgotten | None = None


class MemoryPanel:
    """The panel: upload, search, list."""

    def __init__(self, user: UserMemory, *, pages: bool) -> None:
        """With `pages`, those of the web can be remembered too."""
        self._user = user
        self.view = gr.State(View())
        with gr.Row(elem_id="lk-upload"):
            gr.HTML(labelled.within("<p>{}</p><small>{}</small>", *_INVITED), apply_default_css=False, js_on_load=None)
            files, folder = labelled("Choose files"), labelled("Choose a folder")
            self.files = gr.UploadButton(files, file_count="multiple", elem_id="lk-files", size="sm")
            self.folder = gr.UploadButton(folder, file_count="directory", elem_id="lk-folder", size="sm")
            self.address = gr.Textbox(
                show_label=False,
                label=labelled("Address of a web page"),
                placeholder=labelled("https://… – a web page to remember"),
                submit_btn=labelled("Fetch"),
                visible=pages,
                elem_id="lk-address",
            )
        self.progress = rows("", "lk-memory-progress")
        self.waiting = gr.HTML(elem_id="lk-waiting", apply_default_css=False, js_on_load=None)
        with gr.Row(elem_id="lk-memory-bar"):
            kinds = list(
                zip((labelled("Facts"), labelled("People and things"), labelled("Documents")), _KINDS, strict=True)
            )
            self.kind = gr.Radio(kinds, value=_KINDS[0], show_label=False, label=labelled("Show"), elem_id="lk-kind")
            self.search = gr.Textbox(
                show_label=False,
                label=labelled("Search memory"),
                placeholder=labelled("Search what is remembered"),
                elem_id="lk-search",
            )
        self.merging = rows("", "lk-merging")
        self.list = rows("", "lk-memory")

    def connect(self) -> None:
        """Wire the handlers."""

        def narrowed(kind: str, search: str) -> tuple[Any, ...]:
            view = View(kind=kind, search=search.strip())
            return view, self.html(view)

        gr.on(  # as one event, so that of two changes the later one is also shown last
            [self.kind.change, self.search.change],
            guarded(narrowed),
            [self.kind, self.search],
            [self.view, self.list],
            trigger_mode="always_last",
            **QUIET,
        )
        self.list.click(guarded(self._clicked), [self.view], [self.view, self.list], **QUIET)
        merged = self.merging.click(guarded(self._clicked), [self.view], [self.view, self.list], **QUIET)
        for changed in (self.list.change, merged.then):  # apart, since the list must not wait for names to be compared
            changed(guarded(self.one_or_two), [self.view], [self.merging], **QUIET)

    def html(self, view: View) -> str:
        """The list as HTML."""
        undo = _undo(view.gone) if view.gone else ""
        if self._user.is_empty():
            nothing = tell("Nothing remembered yet")
            invited = tell("Tell me something worth keeping, or drop a document above.")
            return f'{undo}<div class="lk-nothing"><h2>{nothing}</h2><p>{invited}</p></div>'
        best = self._user.recall(view.search, _BEST_MATCHES) if view.search else []
        parts = [undo, _best_matches(best) if best else ""]
        match view.kind:
            case "Facts":
                items = [self._fact(f) for f in self._user.facts(view.search, limit=view.limit + 1)]
            case "Documents":
                items = [self._source(s, view) for s in self._sources(view.search)]
            case _:
                known = self._user.entities(view.search, limit=view.limit + 1)
                sources = self._user.number_of_sources([entity.id for entity in known])
                called = Counter(entity.name for entity in known)
                items = [
                    self._entity(entity, sources.get(entity.id, 0), view, namesake=called[entity.name] > 1)
                    for entity in known
                ]
        parts.append(f'<ul class="lk-rows">{"".join(items[: view.limit])}</ul>')
        if not items and not best:
            nothing = tell("Nothing here matches.") if view.search else tell("Nothing here yet.")
            parts.append(f'<p class="lk-quiet">{nothing}</p>')
        if len(items) > view.limit:
            parts.append(button("more", "", tell("Show more"), "lk-more"))
        return "".join(parts)

    def one_or_two(self, view: View) -> str:
        """What may be one thing, to merge; and what was merged or taken apart, to undo; as HTML."""
        if view.kind != _KINDS[1] or view.search:
            return ""
        likely = [
            _row(
                "entity",
                tell("{one} <span>may be</span> {other}", **_bold(one.name, other.name)),
                escape(" · ".join(filter(None, (one.description, other.description)))),
                button(
                    "merge",
                    f"{one.id} {other.id}",
                    tell("Merge {one} into {other}", one=one.name, other=other.name),
                    content=tell("Merge"),
                ),
            )
            for one, other in self._user.likely_duplicates()[:_PROPOSED]
        ]
        merged = [
            _row(
                "entity",
                tell("{one} <span>is</span> {other}", **_bold(merge.name, merge.into)),
                tell("merged on {day}", day=merge.at),
                button(
                    "unmerge",
                    merge.id,
                    tell("Take {one} and {other} apart again", one=merge.name, other=merge.into),
                    content=tell("Undo"),
                ),
            )
            for merge in self._user.merges()
        ]
        apart = [
            _row(
                "entity",
                tell("{one} <span>is not</span> {other}", **_bold(one.name, other.name)),
                escape(" · ".join(self._known_by(entity) for entity in (one, other))),
                button(
                    "merge",
                    f"{one.id} {other.id}",
                    tell("Let {one} and {other} be one", one=one.name, other=other.name),
                    content=tell("Undo"),
                ),
            )
            for one, other in self._user.taken_apart()[:_PROPOSED]
        ]
        return "".join(
            f'<section class="lk-best"><h3>{title}</h3><ul class="lk-rows">{"".join(items)}</ul></section>'
            for title, items in (
                (tell("Likely the same"), likely),
                (tell("Merged"), merged),
                (tell("Taken apart"), apart),
            )
            if items
        )

    def _clicked(self, event: gr.EventData, view: View) -> Iterator[tuple[Any, ...]]:
        yield from patiently(lambda: self._done(event, view), lambda: (view, f"{_working()}{self.html(view)}"))

    def _done(self, event: gr.EventData, view: View) -> tuple[Any, ...]:
        asked = replace(view, confirming="", gone=None)
        match event.action:
            case "ask":
                asked = replace(view, confirming=event.id)
            case "more":
                asked = replace(view, limit=view.limit + _PAGE)
            case "fact":
                asked = replace(asked, gone=self._forgotten(facts=[event.id]))
            case "source":
                asked = replace(asked, gone=self._forgotten(source=event.id))
            case "entity":
                asked = replace(asked, gone=self._forgotten(entity=event.id))
            case "undo":
                self._user.undo(event.id)
            case "sources":
                asked = replace(asked, unfolded="" if event.id == view.unfolded else event.id)
            case "apart":
                self._user.take_apart(*event.id.split())
            case "merge":
                self._user.merge(*event.id.split())
            case "unmerge":
                self._user.unmerge(event.id)
        return asked, self.html(asked)

    def _forgotten(self, **what: Any) -> Forgotten:
        """Forget so that it can be undone, also where the disk cannot follow yet."""
        try:
            return self._user.forget(**what, undoable=True)
        except StillOnDisk as failure:
            warn(one_line(failure))
            return failure.forgotten

    def _sources(self, search: str) -> list[Source]:
        found = [s for s in self._user.sources() if s.kind != "chat" and search.casefold() in s.name.casefold()]
        return sorted(found, key=lambda s: s.added, reverse=True)

    def _fact(self, fact: Fact) -> str:
        said = fact.object
        relation = f"<span>{escape(fact.relation)}</span> "
        if fact.kind is FactKind.DESCRIPTION:
            said = said.removeprefix(fact.subject).lstrip()  # most begin with whom they describe
            relation = "" if said != fact.object else "– "
        line = f"<b>{escape(fact.subject)}</b> {relation}{escape(said)}{_closed(fact)}"
        source = tell("said in the chat") if fact.source == "chat" else escape(fact.source)
        return _row(
            "fact",
            line,
            f"{source} · {_day(fact.learned)}",
            button(
                "fact",
                fact.id,
                tell("Forget: {what}", what=f"{fact.subject} {said}"),
                "lk-icon",
                content=icon("delete"),
            ),
        )

    def _entity(self, entity: KnownEntity, sources: int, view: View, *, namesake: bool) -> str:
        described = self._known_by(entity) if namesake else entity.description
        named = f"{entity.name} ({described})" if namesake and described else entity.name
        if entity.id == view.confirming:
            question, forget = tell(_FORGET_ENTITY, n=entity.facts, name=named), tell("Forget")
            return f"<li>{confirmation(question, 'entity', entity.id, forget)}</li>"
        also = tell("also {names}", names=escape(", ".join(entity.aliases)))
        aliases = f" <span>{also}</span>" if entity.aliases else ""
        line = f"<b>{escape(entity.name)}</b>{aliases}"
        several = sources > 1 and THE_USER.name not in (entity.name, *entity.aliases)
        unfold = button("sources", entity.id, tell(SOURCES, n=sources), "lk-unfold") if several else ""
        parts = (escape(described), tell(FACTS, n=entity.facts), unfold)
        detail = " · ".join(part for part in parts if part)
        if several and entity.id == view.unfolded:
            detail += self._sources_of(entity)
        action = "ask" if entity.facts > _BIG else "entity"
        forget = button(action, entity.id, tell("Forget {name}", name=named), "lk-icon", content=icon("delete"))
        return _row("entity", line, detail, forget)

    def _sources_of(self, entity: KnownEntity) -> str:
        """What speaks of an entity: each may mean another one of that name."""
        held = self._speaking_of(entity)
        offered = [
            button("apart", f"{entity.id} {source.id}", tell("Another one in {source}", source=called))
            for source in held[:SHOWN]
            if (called := self._called(source))
        ]
        more = [f"<span>{tell(_MORE_SOURCES, n=len(held) - SHOWN)}</span>"] if len(held) > SHOWN else []
        return f'<span class="lk-apart">{"".join(offered + more)}</span>'

    def _known_by(self, entity: KnownEntity) -> str:
        """What tells an entity from its namesake."""
        return entity.description or listed([*filter(None, map(self._called, self._speaking_of(entity)))], SHOWN)

    def _speaking_of(self, entity: KnownEntity) -> list[Source]:
        """What speaks of an entity, documents first, the newest of each kind first; nothing where it has gone."""
        try:
            held = self._user.sources_of(entity.id)
        except NothingThere:
            return []
        return sorted(held, key=lambda source: (source.kind != "chat", source.added), reverse=True)

    def _called(self, source: Source) -> str:
        """The name of a document; of what was said in the chat, the words, or none where it has gone meanwhile."""
        if source.kind != "chat":
            return source.name
        try:
            said = " ".join(self._user.source_text(source.id).split())
        except NothingThere:
            return ""
        return tell("“{words}”", words=said if len(said) <= _WORDS else said[:_WORDS].rstrip() + " …")

    def _source(self, source: Source, view: View) -> str:
        if source.id == view.confirming:
            question, forget = tell(_FORGET_SOURCE, n=source.facts, name=source.name), tell("Forget")
            return f"<li>{confirmation(question, 'source', source.id, forget)}</li>"
        facts = [tell("{count} characters", count=source.characters), tell(FACTS, n=source.facts)]
        if source.state != "ready":
            facts += [
                tell("{done} of {total} passages read", done=source.passages_read, total=source.passages),
                *([] if source.error else [tell(_STATES[source.state])]),
            ]
        facts += [source.error] if source.error else []
        detail = " · ".join(map(escape, [*facts, _day(source.added)]))
        forget_it = tell("Forget {name}", name=source.name)
        forget = button("ask", source.id, forget_it, "lk-icon", content=icon("delete"))
        return _row("document", f"<b>{escape(source.name)}</b>", detail, forget)


def waiting_html(records: int) -> str:
    """What the page says while records wait to be embedded; empty without any."""
    return f'<p class="lk-quiet">{tell(NOT_INDEXED, n=records)}</p>' if records else ""


def _working() -> str:
    words = tell("At work …")
    return f'<div class="lk-confirm lk-undo" role="status"><span>{words}</span></div>'


def _day(at: datetime) -> str:
    return tell("{day}", day=at)


def _bold(one: str, other: str) -> dict[str, str]:
    return {"one": f"<b>{escape(one)}</b>", "other": f"<b>{escape(other)}</b>"}


def _row(symbol: str, line: str, detail: str, offered: str) -> str:
    return f"<li>{icon(symbol)}<div><p>{line}</p><small>{detail}</small></div>{offered}</li>"


def _closed(fact: Fact) -> str:
    until = tell("until {day}", day=fact.valid_to) if fact.valid_to else ""
    ended = tell("put right") if fact.mistaken else until
    return f' <em class="lk-closed">{ended}</em>' if ended else ""


def _told(hit: Recalled) -> str:
    """What a fact among the matches says and whether it has ended, before its sentence, which may tell several."""
    fact = hit.fact
    if fact is None:
        return ""
    said = f" <span>{escape(fact.relation)}</span> {escape(fact.object)}" if fact.kind is FactKind.TRIPLE else ""
    return f"<b>{escape(fact.subject)}</b>{said}{_closed(fact)}<br>"


def _best_matches(found: Sequence[Recalled]) -> str:
    items = "".join(
        f"<li><p>{_told(hit)}{escape(hit.text[:400])}</p><small>{escape(hit.source)}</small></li>" for hit in found
    )
    title = tell("Best matches")
    return f'<section class="lk-best"><h3>{title}</h3><ul>{items}</ul></section>'


def _undo(gone: Forgotten) -> str:
    counts = [(gone.facts, FACTS), (gone.passages, PASSAGES), (gone.sources, DOCUMENTS)]
    what = [tell(counted, n=number) for number, counted in counts if number]
    said = [tell("Forgotten: {what}.", what=what) if what else tell("Forgotten.")]
    if gone.kept_by:
        said.append(tell("A sentence that says it stays, since other facts rest on it."))
    if gone.naming:
        said.append(tell(NAMED_STILL, n=gone.naming))
    again = button("undo", gone.undo_id, tell("Undo")) if gone.undo_id else ""
    return f'<div class="lk-confirm lk-undo" role="status"><span>{" ".join(said)}</span>{again}</div>'
