"""Embedders, and statements as a model would read them out of a text."""

import hashlib
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sqlalchemy import Connection
from sqlalchemy import text as sql

from memory.folding import terms
from memory.types import Extraction, FactKind, Held, Mention, Span, Statement, Vectors
from memory.user_memory import UserMemory

NOW = Held()


class WordEmbedder:
    """Adds up a fixed random vector for each word: texts with common words are near. Quick, and always the same."""

    def __init__(self, name: str = "words", size: int = 32) -> None:
        self.name = name
        self.size = size

    def query(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._embed(text) for text in texts])

    passage = query

    def _embed(self, text: str) -> Vectors:
        total = np.full(self.size, 1e-3, dtype=np.float32)
        for term in terms(text):
            seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8])
            total += np.random.default_rng(seed).normal(size=self.size).astype(np.float32)
        return total / np.linalg.norm(total)


class SlowEmbedder(WordEmbedder):
    """One that takes a tenth of a second for each text, as real ones do for long ones; it counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded = 0
        self.called = threading.Event()

    def passage(self, texts: Sequence[str]) -> Vectors:
        self.called.set()
        time.sleep(0.1 * len(texts))
        self.embedded += len(texts)
        return super().query(texts)


def back_to(connection: Connection, version: str) -> None:
    """Give records the tables of an earlier version, from "0008" to "0010", so that opening them migrates them."""
    for statement in (
        "ALTER TABLE fact_sources DROP COLUMN since",
        "ALTER TABLE fact_sources DROP COLUMN ahead",
        "DROP TABLE logins",
        "ALTER TABLE passages DROP COLUMN page",
        "ALTER TABLE places DROP COLUMN guessed",
        "DROP INDEX facts_closed_in",
        "DROP INDEX facts_once_closed_in",
        "ALTER TABLE facts DROP COLUMN closed_in",
        "ALTER TABLE facts DROP COLUMN once_closed_in",
        "DROP INDEX facts_once_closed_by",
        "DROP INDEX facts_current",
        "ALTER TABLE facts DROP COLUMN once_closed_by",
        "ALTER TABLE facts DROP COLUMN once_valid_to",
        "CREATE UNIQUE INDEX facts_current ON facts (subject_id, digest) WHERE valid_to IS NULL",
        f"UPDATE alembic_version SET version_num = '{version}'",
    ):
        connection.execute(sql(statement))


def said(text: str, subject: str, relation: str, object_: str, kind: FactKind = FactKind.TRIPLE) -> Statement:
    """A statement that rests on the whole of `text`."""
    return Statement(kind, subject, relation, object_, Span(0, len(text)))


def read(
    text: str,
    *triples: tuple[str, str, str],
    aliases: dict[str, tuple[str, ...]] | None = None,
    ends: Sequence[str] = (),
    held: Held = NOW,
) -> Extraction:
    """What a model would read out of `text`; every subject, and every capitalised object, is a mention.

    `ends` are the ids of the facts that hold no more with the first of the triples, which is so as `held` says.
    """
    aliases = aliases or {}
    names = dict.fromkeys(name for s, _, o in triples for name in (s, o) if not name.islower())
    statements = [said(text, *triple) for triple in triples]
    statements[:1] = [replace(first, ends=tuple(ends), held=held) for first in statements[:1]]
    return Extraction(tuple(Mention(name, aliases.get(name, ())) for name in names), tuple(statements))


def spoken(sender: str, text: str) -> dict[str, str]:
    """A message of an assistant's export, by "human" or "assistant"."""
    return {"sender": sender, "created_at": "2025-06-12T18:04:00", "text": text}


def talk_of(messages: Sequence[dict[str, str]], title: str = "") -> bytes:
    """An assistant's export of one talk."""
    return json.dumps([{"name": title, "chat_messages": [*messages]}]).encode()


def denied(text: str, *triple: str) -> Extraction:
    """What a model would read out of `text`, which says that a triple is not so."""
    subject, relation, object_ = triple
    told = read(text, (subject, relation, object_))
    return replace(told, statements=tuple(replace(statement, denied=True) for statement in told.statements))


def holding(user: UserMemory, subject: str, relation: str) -> list[str]:
    """The ids of the facts that hold of a subject in that relation."""
    known = [fact for fact in user.facts(limit=1000) if (fact.subject, fact.relation) == (subject, relation)]
    return [fact.id for fact in known if fact.valid_to is None]


def put_right_again_and_again(user: UserMemory) -> None:
    """Tell where Anna lives, and put it right four times, from town to town and back: five facts, four mistakes."""
    mistaken: list[str] = []
    for town in ("Rome", "Oslo", "Bergen", "Oslo", "Bergen"):
        text = f"No, Anna lives in {town}."
        _, stored = user.note(text, read(text, ("Anna", "lives in", town), ends=mistaken), corrects=mistaken)
        mistaken = [fact.id for fact in stored.added]
