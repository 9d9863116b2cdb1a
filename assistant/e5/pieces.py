"""A text in the pieces of multilingual-e5's vocabulary, which is that of XLM-RoBERTa: SentencePiece's unigrams."""

import re

from sentencepiece import SentencePieceProcessor
from sentencepiece.sentencepiece_model_pb2 import ModelProto  # type: ignore[attr-defined]

from assistant.e5.weights import Vocabulary

_SPACES = re.compile(" {2,}")


class Pieces:
    """Cuts texts; threads may share it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._begin, self._end = vocabulary.begin, vocabulary.end
        self._replaced = vocabulary.replaced
        self._processor = SentencePieceProcessor(model_proto=_model(vocabulary).SerializeToString())

    def ids(self, text: str, most: int) -> list[int]:
        """The pieces of the beginning of a text, at most `most` with the signs of begin and end around them."""
        normal = _SPACES.sub(" ", text.translate(self._replaced))
        return [self._begin, *self._processor.EncodeAsIds(normal)[: most - 2], self._end]


def _model(vocabulary: Vocabulary) -> ModelProto:
    """The vocabulary as SentencePiece has it, without a normaliser: only those who trained it have its tables."""
    model, kinds = ModelProto(), ModelProto.SentencePiece
    for piece, score in vocabulary.pieces:
        model.pieces.add(piece=piece, score=score)
    signs = {"bos": vocabulary.begin, "eos": vocabulary.end, "pad": vocabulary.padding, "unk": vocabulary.unknown}
    for name, number in signs.items():
        setattr(model.trainer_spec, f"{name}_id", number)
        setattr(model.trainer_spec, f"{name}_piece", model.pieces[number].piece)
        model.pieces[number].type = kinds.UNKNOWN if number == vocabulary.unknown else kinds.CONTROL
    model.trainer_spec.vocab_size = len(model.pieces)
    model.normalizer_spec.remove_extra_whitespaces = False
    return model
