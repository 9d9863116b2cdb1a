"""What is remembered: facts, entities and documents, to search and to forget; and the place to drop documents."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import gradio as gr

from assistant.errors import NothingThere
from memory.types import THE_USER, Fact, FactKind, Forgotten, KnownEntity, Recalled, Source, StillOnDisk
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded, warn
from ui.patience import patiently
from ui.rows import button, confirmation, icon, rows
from ui.words import SHOWN, counted, listed, some_of

_PAGE = 50
_BEST_MATCHES = 5
_PROPOSED = 5
_WORDS = 60  # characters shown of what was said
_BIG = 10  # facts that go without a question being asked
_KINDS = ("Facts", "People and things", "Documents")
_INVITATION = (
    "<p>Drop documents anywhere on this page, or choose them here.</p>"
    "<small>Text, PDF, Word, web pages, CSV, JSON, e-books and mail. They can be searched at once.</small>"
)
_WORKING = '<div class="lk-confirm lk-undo" role="status"><span>At work …</span></div>'
_STATES = {
    "queued": "waiting to be read",
    "reading": "being read",
    "paused": "reading is paused",
    "ready": "",
    "cancelled": "reading was stopped",
}


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
            gr.HTML(_INVITATION, apply_default_css=False, js_on_load=None)
            self.files = gr.UploadButton("Choose files", file_count="multiple", elem_id="lk-files", size="sm")
            self.folder = gr.UploadButton("Choose a folder", file_count="directory", elem_id="lk-folder", size="sm")
            self.address = gr.Textbox(
                show_label=False,
                label="Address of a web page",
                placeholder="https://… – a web page to remember",
                submit_btn="Fetch",
                visible=pages,
                elem_id="lk-address",
            )
        self.progress = rows("", "lk-memory-progress")
        self.waiting = gr.HTML(elem_id="lk-waiting", apply_default_css=False, js_on_load=None)
        with gr.Row(elem_id="lk-memory-bar"):
            self.kind = gr.Radio(list(_KINDS), value=_KINDS[0], show_label=False, label="Show", elem_id="lk-kind")
            self.search = gr.Textbox(
                show_label=False, label="Search memory", placeholder="Search what is remembered", elem_id="lk-search"
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
            changed(guarded(self._one_or_two), [self.view], [self.merging], **QUIET)

    def html(self, view: View) -> str:
        """The list as HTML."""
        undo = _undo(view.gone) if view.gone else ""
        if self._user.is_empty():
            return (
                f'{undo}<div class="lk-nothing"><h2>Nothing remembered yet</h2><p>Tell me something worth keeping, '
                "or drop a document above.</p></div>"
            )
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
            nothing = "Nothing here matches." if view.search else "Nothing here yet."
            parts.append(f'<p class="lk-quiet">{nothing}</p>')
        if len(items) > view.limit:
            parts.append(button("more", "", "Show more", "lk-more"))
        return "".join(parts)

    def _clicked(self, event: gr.EventData, view: View) -> Iterator[tuple[Any, ...]]:
        yield from patiently(lambda: self._done(event, view), lambda: (view, f"{_WORKING}{self.html(view)}"))

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
            warn(str(failure))
            return failure.forgotten

    def _one_or_two(self, view: View) -> str:
        """What may be one thing, to merge; and what was merged or taken apart, to undo."""
        if view.kind != _KINDS[1] or view.search:
            return ""
        likely = [
            _row(
                "entity",
                f"<b>{escape(one.name)}</b> <span>may be</span> <b>{escape(other.name)}</b>",
                escape(" · ".join(filter(None, (one.description, other.description)))),
                button("merge", f"{one.id} {other.id}", f"Merge {one.name} into {other.name}", content="Merge"),
            )
            for one, other in self._user.likely_duplicates()[:_PROPOSED]
        ]
        merged = [
            _row(
                "entity",
                f"<b>{escape(merge.name)}</b> <span>is</span> <b>{escape(merge.into)}</b>",
                f"merged on {merge.at:%-d %B %Y}",
                button("unmerge", merge.id, f"Take {merge.name} and {merge.into} apart again", content="Undo"),
            )
            for merge in self._user.merges()
        ]
        apart = [
            _row(
                "entity",
                f"<b>{escape(one.name)}</b> <span>is not</span> <b>{escape(other.name)}</b>",
                escape(" · ".join(self._known_by(entity) for entity in (one, other))),
                button("merge", f"{one.id} {other.id}", f"Let {one.name} and {other.name} be one", content="Undo"),
            )
            for one, other in self._user.taken_apart()[:_PROPOSED]
        ]
        return "".join(
            f'<section class="lk-best"><h3>{title}</h3><ul class="lk-rows">{"".join(items)}</ul></section>'
            for title, items in (("Likely the same", likely), ("Merged", merged), ("Taken apart", apart))
            if items
        )

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
        origin = f"{'said in the chat' if fact.source == 'chat' else escape(fact.source)} · {fact.learned:%-d %B %Y}"
        return _row(
            "fact",
            line,
            origin,
            button("fact", fact.id, f"Forget: {fact.subject} {said}", "lk-icon", content=icon("delete")),
        )

    def _entity(self, entity: KnownEntity, sources: int, view: View, *, namesake: bool) -> str:
        described = self._known_by(entity) if namesake else entity.description
        named = f"{entity.name} ({described})" if namesake and described else entity.name
        if entity.id == view.confirming:
            question = f"Forget {named} and {counted(entity.facts, 'fact')}?"
            return f"<li>{confirmation(question, 'entity', entity.id)}</li>"
        aliases = f" <span>also {escape(', '.join(entity.aliases))}</span>" if entity.aliases else ""
        line = f"<b>{escape(entity.name)}</b>{aliases}"
        several = sources > 1 and THE_USER.name not in (entity.name, *entity.aliases)
        unfold = button("sources", entity.id, counted(sources, "source"), "lk-unfold") if several else ""
        parts = (escape(described), counted(entity.facts, "fact"), unfold)
        detail = " · ".join(part for part in parts if part)
        if several and entity.id == view.unfolded:
            detail += self._sources_of(entity)
        action = "ask" if entity.facts > _BIG else "entity"
        forget = button(action, entity.id, f"Forget {named}", "lk-icon", content=icon("delete"))
        return _row("entity", line, detail, forget)

    def _sources_of(self, entity: KnownEntity) -> str:
        """What speaks of an entity: each may mean another one of that name."""
        held = self._speaking_of(entity)
        offered = [
            button("apart", f"{entity.id} {source.id}", f"Another one in {called}")
            for source in held[:SHOWN]
            if (called := self._called(source))
        ]
        more = [f"<span>and {counted(len(held) - SHOWN, 'more source')}</span>"] if len(held) > SHOWN else []
        return f'<span class="lk-apart">{"".join(offered + more)}</span>'

    def _known_by(self, entity: KnownEntity) -> str:
        """What tells an entity from its namesake."""
        return entity.description or some_of([*filter(None, map(self._called, self._speaking_of(entity)))])

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
        return f"“{said if len(said) <= _WORDS else said[:_WORDS].rstrip() + ' …'}”"

    def _source(self, source: Source, view: View) -> str:
        if source.id == view.confirming:
            question = f"Forget {source.name} and all that was learned from it ({counted(source.facts, 'fact')})?"
            return f"<li>{confirmation(question, 'source', source.id)}</li>"
        state = source.error or _STATES[source.state]
        read = f"{source.passages_read} of {source.passages} passages read" if source.state != "ready" else ""
        facts = [
            f"{source.characters:,} characters",
            counted(source.facts, "fact"),
            read,
            state,
            f"{source.added:%-d %B %Y}",
        ]
        detail = " · ".join(escape(part) for part in facts if part)
        forget = button("ask", source.id, f"Forget {source.name}", "lk-icon", content=icon("delete"))
        return _row("document", f"<b>{escape(source.name)}</b>", detail, forget)


def waiting_html(records: int) -> str:
    """What the page says while records wait to be embedded; empty without any."""
    told = f"Not indexed by meaning yet, and so found by their words alone: {counted(records, 'record')}."
    return f'<p class="lk-quiet">{told}</p>' if records else ""


def _row(symbol: str, line: str, detail: str, offered: str) -> str:
    return f"<li>{icon(symbol)}<div><p>{line}</p><small>{detail}</small></div>{offered}</li>"


def _closed(fact: Fact) -> str:
    ended = "put right" if fact.mistaken else f"until {fact.valid_to:%-d %B %Y}" if fact.valid_to else ""
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
    return f'<section class="lk-best"><h3>Best matches</h3><ul>{items}</ul></section>'


def _undo(gone: Forgotten) -> str:
    counts = [(gone.facts, "fact"), (gone.passages, "passage"), (gone.sources, "document")]
    said = ": ".join(filter(None, ("Forgotten", listed([counted(n, noun) for n, noun in counts if n]))))
    again = button("undo", gone.undo_id, "Undo") if gone.undo_id else ""
    stays = " A sentence that says it stays, since other facts rest on it." if gone.kept_by else ""
    if gone.naming:
        stays += f" Sentences that have those words stay, since there they may say something else: {gone.naming}."
    return f'<div class="lk-confirm lk-undo" role="status"><span>{said}.{stays}</span>{again}</div>'
