"""Which relation is followed: the nearest one, or the one to which the model rewrites what was asked.

Section 4.3 of KnowledGPT has the model rewrite the asked relation to the knowledge base's own names. Here it is asked
only where no relation is clearly meant by its likeness (section 3.2.4): it takes one of the nearest, each shown with a
value, or none, with one token to reply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from assistant import prompting
from assistant.errors import ModelReplyUnreadable, ModelUnavailable
from assistant.knowledge_bases.base import RelationPolicy
from assistant.knowledge_bases.relations import FLOOR, NEAR_TIE, THRESHOLD_MARGIN, Asked, RelationRanker, certainty
from assistant.llm.client import LanguageModel
from assistant.types import Certainty

_OFFERED = 5
_VALUE_CHARACTERS = 24
_SURE = 0.5  # a small model hardly ever says none of them: what it is less sure of has to be the nearest one too
_NONE = "N"


@dataclass
class RelationChoice:
    """Chooses relations in one run of one program on one knowledge base; the model is asked once at most.

    Without a `model`, and where all relations above a threshold are followed, likeness decides alone.
    """

    question: str
    ranker: RelationRanker
    policy: RelationPolicy
    model: LanguageModel | None = None
    _rewritten: dict[tuple[str, ...], Asked | None] = field(default_factory=dict, init=False)

    def chosen(
        self, name: str, values: Mapping[Asked, str], aliases: Sequence[str], *, may_ask: bool = True
    ) -> dict[Asked, Certainty]:
        """The relations that are followed, the likest first, and how surely each is what `aliases` call.

        `name` is the entity's, `values` has one value for each of its relations.

        Raises:
            Interrupted: the turn was stopped while the model was asked.
        """
        ranked = self.ranker.rank(list(values), aliases)
        if not ranked:
            return {}
        best = ranked[0][0]
        if (
            may_ask
            and certainty(best) < Certainty.CLEAR
            and self.policy == "best"
            and self._is_asked(name, values, aliases, ranked)
        ):
            taken = self._rewritten[tuple(aliases)]
            return {
                relation: max(Certainty.DOUBTFUL, certainty(likeness))
                for likeness, relation in ranked
                if relation == taken
            }
        margin = NEAR_TIE if self.policy == "best" else THRESHOLD_MARGIN
        return {relation: certainty(likeness) for likeness, relation in ranked if likeness >= max(FLOOR, best - margin)}

    def rewritten(self, aliases: Sequence[str]) -> str:
        """What the model took `aliases` to be; empty where it did not, or was not asked."""
        taken = self._rewritten.get(tuple(aliases))
        return taken.shown if taken else ""

    def _is_asked(
        self, name: str, values: Mapping[Asked, str], aliases: Sequence[str], ranked: Sequence[tuple[float, Asked]]
    ) -> bool:
        """Whether the model has said what `aliases` are; the same reply holds for every entity of the run."""
        if self.model is not None and not self._rewritten:
            try:
                self._rewritten[tuple(aliases)] = self._by_model(self.model, name, values, ranked)
            except (ModelUnavailable, ModelReplyUnreadable):
                self.model = None
        return tuple(aliases) in self._rewritten

    def _by_model(
        self, model: LanguageModel, name: str, values: Mapping[Asked, str], ranked: Sequence[tuple[float, Asked]]
    ) -> Asked | None:
        offered = [relation for _, relation in ranked[:_OFFERED]]
        letters = ascii_uppercase[: len(offered)]
        lines = [
            f"{letter}. {relation.shown}: {values[relation][:_VALUE_CHARACTERS]}"
            for letter, relation in zip(letters, offered, strict=True)
        ]
        messages = prompting.load("relation").render(question=self.question, name=name, relations="\n".join(lines))
        *weights, none = model.weigh(messages, [*letters, _NONE], purpose="relation")
        likeliest = weights.index(max(weights))
        nearest = likeliest == 0 and ranked[0][0] >= FLOOR and weights[0] > none
        return offered[likeliest] if nearest or weights[likeliest] > _SURE else None
