"""Records, vectors, keywords and graph agree after any sequence of what can be done with a memory."""

import json
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import text as sql

from memory.errors import NothingThere, UserMistake
from memory.records import merging
from memory.store import Memory
from memory.types import Extraction, Fact, FactKind
from tests.memory.samples import WordEmbedder, denied, read, said

_NAMES = st.sampled_from(["Ann", "ann", "Bo", "Cy", "张伟", "Oslo", "tea"])
_RELATIONS = st.sampled_from(["knows", "Knows", "lives in"])
_CHARACTERS = st.sampled_from(["a doctor of law", "a keeper of bees", "kind and never late"])
_TRIPLES = st.lists(st.tuples(_NAMES, _RELATIONS, _NAMES), min_size=1, max_size=3)


class Memories(RuleBasedStateMachine):
    """One user's memory, and what it has to hold: who said what, by source."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name) / "home", WordEmbedder())
        self.user = self.memory.of("eve")
        self.said: dict[str, set[str]] = {}

    @rule(triples=_TRIPLES, alias=st.sampled_from([(), ("Annie",), ("Bo",)]))
    def note(self, triples: list[tuple[str, str, str]], alias: tuple[str, ...]) -> None:
        words = ". ".join(" ".join(triple) for triple in triples)
        source, stored = self.user.note(words, read(words, *triples, aliases={"Ann": alias}))
        self.said[source.id] = {fact.id for fact in (*stored.added, *stored.confirmed)}

    @rule(triples=_TRIPLES, number=st.integers(0, 3))
    def document(self, triples: list[tuple[str, str, str]], number: int) -> None:
        source = self.user.add_document(f"{number}.txt", f"A document of the number {number}.".encode())
        self.said.setdefault(source.id, set())
        for passage_id, passage in self.user.passages(source.id):
            extraction = read(passage.text, *triples)
            stored = self.user.store(source.id, passage_id, extraction)
            self.said[source.id] |= {fact.id for fact in (*stored.added, *stored.confirmed)}

    @rule(name=_NAMES, kind=st.sampled_from([FactKind.DESCRIPTION, FactKind.ASPECT]), what=_CHARACTERS)
    def describe(self, name: str, kind: FactKind, what: str) -> None:
        words = f"{name} is {what}."
        relation = "description" if kind is FactKind.DESCRIPTION else "character"
        source, stored = self.user.note(words, Extraction((), (said(words, name, relation, words, kind),)))
        self.said[source.id] = {fact.id for fact in (*stored.added, *stored.confirmed)}

    @precondition(lambda self: self.said)
    @rule(data=st.data())
    def forget_source(self, data: st.DataObject) -> None:
        self._forget(data.draw(st.sampled_from(sorted(self.said))))

    def _forget(self, source_id: str) -> None:
        self.user.forget(source=source_id)
        del self.said[source_id]

    @precondition(lambda self: any(self.said.values()))
    @rule(data=st.data())
    def forget_fact(self, data: st.DataObject) -> None:
        fact_id = data.draw(st.sampled_from(sorted(set().union(*self.said.values()))))
        told = {fact.id: self._just(fact) for fact in self.user.facts(limit=1000)}
        self.user.forget(facts=[fact_id])
        self._gone({id_ for id_, just in told.items() if just == told[fact_id]})

    @rule(name=_NAMES)
    def forget_entity(self, name: str) -> None:
        try:
            found = self.user.find_entities(name)
            about = {fact.id for entity in found[:1] for fact in self.user.facts_of(entity.id)}
            self.user.forget(entity=found[0].id if found else name)
        except (NothingThere, UserMistake):
            return
        self._gone(about)

    @precondition(lambda self: any(self.said.values()))
    @rule(data=st.data())
    def forget_time(self, data: st.DataObject) -> None:
        since = data.draw(st.sampled_from(sorted({fact.learned for fact in self.user.facts(limit=1000)})))
        before = {fact.id for fact in self.user.facts(limit=1000) if fact.learned < since}
        self.user.forget(since=since)
        left = {fact.id for fact in self.user.facts(limit=1000)}
        assert left <= before
        assert all(source.added < since for source in self.user.sources())
        self._read_again()

    @rule()
    def forget_everything(self) -> None:
        self.user.forget(everything=True)
        self.said.clear()

    @precondition(lambda self: self._ending())
    @rule(data=st.data(), relation=_RELATIONS, object_=_NAMES, corrects=st.booleans(), forget=st.booleans())
    def end(self, data: st.DataObject, relation: str, object_: str, corrects: bool, forget: bool) -> None:
        """Tell something of an entity that ends some of what is known of it, and maybe let that be forgotten again."""
        known = data.draw(st.sampled_from(self._ending()))
        ended = data.draw(st.lists(st.sampled_from([fact.id for fact in known]), min_size=1, unique=True))
        name, before = known[0].subject, self._over()
        words = f"No, {name} {relation} {object_}."
        wrong = ended[:1] if corrects else []
        source, stored = self.user.note(words, read(words, (name, relation, object_), ends=ended), corrects=wrong)
        self.said[source.id] = {fact.id for fact in (*stored.added, *stored.confirmed)}
        (told,) = (*stored.added, *stored.confirmed)
        assert told.valid_to is None
        assert {fact.id for fact in stored.closed} == set(ended) - {told.id}
        assert self._over() - before == set(ended) - {told.id}
        assert {fact.id for fact in stored.closed if fact.mistaken} == set(wrong) - {told.id}
        if forget:
            self._forget(source.id)
            assert self._over() == before

    @precondition(lambda self: self._ending())
    @rule(data=st.data(), forget=st.booleans())
    def deny(self, data: st.DataObject, forget: bool) -> None:
        """Deny something that is known, and maybe let that be forgotten again."""
        known = data.draw(st.sampled_from([fact for facts in self._ending() for fact in facts]))
        before = self._over()
        words = f"{known.subject} never {known.relation} {known.object}."
        source, stored = self.user.note(words, denied(words, known.subject, known.relation, known.object))
        self.said[source.id] = {fact.id for fact in stored.added}
        assert known.id in {fact.id for fact in stored.closed} == self._over() - before - self.said[source.id]
        assert {self._words(fact) for fact in (*stored.closed, *stored.added)} == {self._words(known)}
        if forget:
            self._forget(source.id)
            assert self._over() == before

    @precondition(lambda self: self.said)
    @rule(data=st.data())
    def forget_and_undo(self, data: st.DataObject) -> None:
        before = self._contents(), self._known()
        source_id = data.draw(st.sampled_from(sorted(self.said)))
        fact_ids = sorted(self.said[source_id])
        if fact_ids and data.draw(st.booleans()):
            gone = self.user.forget(facts=fact_ids[:1], undoable=True)
        else:
            gone = self.user.forget(source=source_id, undoable=True)
        self.user.undo(gone.undo_id)
        assert (self._contents(), self._known()) == before
        self._read_again()

    @precondition(lambda self: self.said)
    @rule(data=st.data(), triples=_TRIPLES)
    def forget_and_undo_later(self, data: st.DataObject, triples: list[tuple[str, str, str]]) -> None:
        gone = self.user.forget(source=data.draw(st.sampled_from(sorted(self.said))), undoable=True)
        self.note(triples, ())
        self.user.undo(gone.undo_id)
        self._read_again()

    @rule(triples=_TRIPLES)
    def take_in(self, triples: list[tuple[str, str, str]]) -> None:
        words = ". ".join(" ".join(triple) for triple in triples)
        file = Path(self.folder.name) / "other"
        other = self.memory.of("bob")
        other.note(words, read(words, *triples))
        other.export(file)
        other.forget(everything=True)
        self.user.import_(file)
        self._read_again()
        assert self.user.import_(file) == 0

    @rule(triples=_TRIPLES, version=st.integers(0, 2))
    def changed_file(self, triples: list[tuple[str, str, str]], version: int) -> None:
        source = self.user.add_document("plan.txt", f"The plan, version {version}.".encode(), "/plan.txt")
        for passage_id, passage in self.user.passages(source.id, unread=True):
            self.user.store(source.id, passage_id, read(passage.text, *triples))
        assert [held.id for held in self.user.sources() if held.name == "plan.txt"] == [source.id]
        self._read_again()

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        known = sorted(entity.id for entity in self.user.entities(limit=1000))
        if len(known) < 2:
            return
        one, into = data.draw(st.lists(st.sampled_from(known), min_size=2, max_size=2, unique=True))
        facts = {fact.id for entity in (one, into) for fact in self.user.facts_of(entity)}
        names = {name for entity in (one, into) for name in self._names(entity)}
        merge_id = self.user.merge(one, into)
        assert self.user.entity(one) == self.user.entity(into)
        assert {fact.id for fact in self.user.facts_of(into)} == facts
        assert self._names(into) == names
        assert self.user.merges()[0].id == merge_id

    @precondition(lambda self: self.user.merges())
    @rule(data=st.data())
    def unmerge(self, data: st.DataObject) -> None:
        merge = data.draw(st.sampled_from(self.user.merges()))
        self.user.unmerge(merge.id)
        assert merge.id not in {left.id for left in self.user.merges()}
        assert self.user.entity(merge.entity_id).id != self.user.entity(merge.into_id).id

    @rule(data=st.data())
    def merge_and_unmerge(self, data: st.DataObject) -> None:
        known = sorted(entity.id for entity in self.user.entities(limit=1000))
        if len(known) < 2:
            return
        before = self._exported()
        one, into = data.draw(st.lists(st.sampled_from(known), min_size=2, max_size=2, unique=True))
        self.user.unmerge(self.user.merge(one, into))
        assert self._exported() == before

    @rule(data=st.data())
    def take_apart(self, data: st.DataObject) -> None:
        known = {entity.id: entity for entity in self.user.entities(limit=1000)}
        spoken_of = {id_: self.user.sources_of(id_) for id_ in sorted(known)}
        assert self.user.number_of_sources(list(known)) == {id_: len(held) for id_, held in spoken_of.items()}
        of_several = [id_ for id_, held in spoken_of.items() if len(held) > 1]
        if not of_several:
            return
        id_ = data.draw(st.sampled_from(of_several))
        source = data.draw(st.sampled_from(spoken_of[id_]))
        before, names, told = self._told(), self._names(id_), self._told_of(id_)
        told_here = self._told_of(id_, source.id)
        own = self.user.take_apart(id_, source.id)
        after = {entity.id for entity in self.user.entities(limit=1000)}
        rest = id_ if own != id_ else min(after - known.keys())  # of merged ones, another may stand for them now
        assert after - known.keys() == {own, rest} - {id_}
        assert {own, rest} in [{one.id, other.id} for one, other in self.user.taken_apart()]
        assert self.user.sources_of(own) == [source]
        assert source not in self.user.sources_of(rest)
        assert self._told_of(own) == told_here
        assert self._told_of(own) | self._told_of(rest) == told
        assert self._names(own) | self._names(rest) >= names  # what no source names is called as in its facts
        assert all({own, rest} != {one.id, other.id} for one, other in self.user.likely_duplicates())
        self._read_again()
        if data.draw(st.booleans()):
            self.user.merge(own, rest)
            assert self._told() == before
            assert self._told_of(rest) == told
            assert self._names(rest) >= names

    @rule()
    def restart(self) -> None:
        self.memory.close()
        self.memory = Memory(Path(self.folder.name) / "home", WordEmbedder())
        self.user = self.memory.of("eve")

    @precondition(lambda self: self.said)
    @rule()
    def move(self) -> None:
        files = [Path(self.folder.name) / name for name in ("one", "two")]
        self.user.export(files[0])
        other = self.memory.of("bob")
        other.import_(files[0])
        other.export(files[1])
        other.forget(everything=True)
        assert files[0].read_bytes() == files[1].read_bytes()

    @invariant()
    def all_agree(self) -> None:
        facts = self.user.facts(limit=1000)
        assert {fact.id for fact in facts} == set().union(*self.said.values())
        assert {source.id for source in self.user.sources()} == set(self.said)
        for source_id, fact_ids in self.said.items():
            assert {fact.id for fact in self.user.facts(source_id=source_id, limit=1000)} == fact_ids
        ends = {entity for fact in facts for entity in (fact.subject_id, fact.object_id) if entity}
        listed = self.user.entities(limit=1000)
        assert {entity.id for entity in listed} == ends
        for entity in listed:
            about = [fact for fact in facts if entity.id in (fact.subject_id, fact.object_id)]
            assert entity.facts == len(about)
            assert {fact.subject for fact in about if fact.subject_id == entity.id} <= {entity.name}
            assert entity in self.user.find_entities(entity.name, limit=1000)
        merges = self.user.merges()
        assert {self.user.entity(id_).id for merge in merges for id_ in (merge.entity_id, merge.into_id)} <= ends
        assert {f"f{fact}" for fact in self.user._graph.facts()} == {fact.id for fact in facts if fact.object_id}
        status = self.memory.status()
        assert status.agrees
        assert status.vectors == len(facts) + len(ends) + len(merges) + len(self.said)
        with self.memory._database.reading() as connection:
            assert connection.execute(sql("SELECT count(*) FROM words")).scalar_one() == status.vectors
            assert connection.execute(sql("PRAGMA foreign_key_check")).all() == []
            assert all(len(pair) == 2 for pair in merging.kept_apart(connection, self.user._id))  # never one and apart

    def _told(self) -> set[tuple[object, ...]]:
        """What is known, but for who is meant by a name."""
        return {
            (fact.relation, fact.object, fact.valid_from, fact.valid_to, bool(fact.object_id), source.id)
            for source in self.user.sources()
            for fact in self.user.facts(source_id=source.id, limit=1000)
        }

    def _ending(self) -> list[list[Fact]]:
        """The triples that hold, by their subjects: of those whose name nothing else has."""
        holding: dict[str, list[Fact]] = defaultdict(list)
        for fact in sorted(self.user.facts(limit=1000), key=lambda fact: int(fact.id[1:])):
            if fact.kind is FactKind.TRIPLE and fact.valid_to is None:
                holding[fact.subject_id].append(fact)
        called: Counter[str] = Counter()
        for entity in self.user.entities(limit=1000):
            called.update({name.casefold() for name in (entity.name, *entity.aliases)})
        return [facts for facts in holding.values() if called[facts[0].subject.casefold()] == 1]

    def _over(self) -> set[str]:
        """The facts that hold no more."""
        return {fact.id for fact in self.user.facts(limit=1000) if fact.valid_to}

    def _words(self, fact: Fact) -> tuple[str, str, str]:
        return fact.subject_id, fact.relation.casefold(), fact.object.casefold()

    def _just(self, fact: Fact) -> tuple[object, ...]:
        """What a fact says, and when: of two that were taken apart and merged again, each may say so."""
        said = (fact.kind, fact.relation.casefold(), fact.object.casefold())
        return (fact.subject_id, *said, fact.object_id, fact.learned, fact.valid_to)

    def _told_of(self, entity_id: str, source_id: str | None = None) -> set[tuple[object, ...]]:
        """What is known of an entity, of all sources or of one, but for when it held."""
        ids = {fact.id for fact in self.user.facts(source_id=source_id, limit=1000)}
        return {
            (fact.subject_id == entity_id, fact.object_id == entity_id, fact.relation, fact.object)
            for fact in self.user.facts_of(entity_id)
            if fact.id in ids
        }

    def _read_again(self) -> None:
        """What every source says, where facts have other ids or sources than before."""
        self.said = {
            source.id: {fact.id for fact in self.user.facts(source_id=source.id, limit=1000)}
            for source in self.user.sources()
        }

    def _contents(self) -> list[object]:
        """What every source says, without ids."""
        return sorted(
            (
                source.name,
                self.user.source_text(source.id),
                sorted(
                    (
                        fact.kind,
                        fact.subject,
                        fact.relation,
                        fact.object,
                        fact.learned,
                        str(fact.valid_to),
                        bool(fact.object_id),
                    )
                    for fact in self.user.facts(source_id=source.id, limit=1000)
                ),
            )
            for source in self.user.sources()
        )

    def _known(self) -> list[tuple[object, ...]]:
        """What there is, without ids."""
        return sorted(
            (entity.name, sorted(entity.aliases), entity.description, entity.facts)
            for entity in self.user.entities(limit=1000)
        )

    def _names(self, entity_id: str) -> set[str]:
        entity = self.user.entity(entity_id)
        return {entity.name, *entity.aliases}

    def _exported(self) -> list[dict[str, object]]:
        """All records, without what was taken apart."""
        path = Path(self.folder.name) / "exported"
        if not self.said:
            return []
        self.user.export(path)
        nodes = json.loads(path.read_bytes())["@graph"]
        return [{name: value for name, value in node.items() if name != "apart_from"} for node in nodes]

    def _gone(self, fact_ids: set[str]) -> None:
        """A note from the chat goes with its last fact."""
        kinds = {source.id: source.kind for source in self.user.sources()}
        for source_id in list(self.said):
            left = self.said[source_id] - fact_ids
            if source_id not in kinds:
                assert not left
                del self.said[source_id]
            else:
                self.said[source_id] = left

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()


TestMemories = Memories.TestCase
TestMemories.settings = settings(
    max_examples=10,
    stateful_step_count=10,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # to shrink a failure would take minutes
    suppress_health_check=list(HealthCheck),
)
