"""The triples at one node of a store."""

import pytest
from pyoxigraph import NamedNode, Quad, Store

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.edges import Edges


class Counted:
    """A store that counts its queries."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.queries = 0

    def query(self, query: str) -> object:
        self.queries += 1
        return self._store.query(query)


def test_the_predicates_of_a_hub_are_looked_for_once_from_each_end_and_not_out_of_time() -> None:
    osk, member = NamedNode("e:Osk"), NamedNode("e:member")
    store = Store()
    store.add(Quad(osk, member, NamedNode("e:Ann")))
    counted = Counted(store)
    edges = Edges("test", counted)  # type: ignore[arg-type]  # no more of it is read
    with pytest.raises(KnowledgeBaseUnreachable, match="took too long"):
        edges.predicates(osk, Deadline.after(0), outwards=True)
    assert counted.queries == 0
    found = [edges.predicates(osk, Deadline.after(9), outwards=outwards) for outwards in (True, False) * 3]
    assert found == [(member,), ()] * 3
    assert counted.queries == 2
