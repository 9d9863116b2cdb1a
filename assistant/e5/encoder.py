"""multilingual-e5-small (Wang et al., Multilingual E5 Text Embeddings, 2024) on ONNX Runtime.

The graph is that of BERT with the weights in their 4 bits (MatMulNBits): eight of each activation, four of each weight,
multiplied as whole numbers on whatever the processor has for that. One text is encoded at a time, by the thread that
asks: nothing is padded, a vector does not depend on its neighbours, and threads share the graph.
"""

from typing import Any

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from assistant.e5.pieces import Pieces
from assistant.e5.weights import BLOCK, Vocabulary, Weights
from memory.types import Vectors

_OPSET, _IR_VERSION = 21, 10  # of ONNX
_FAST = "com.microsoft"  # the domain of ONNX Runtime's own operators
_IN_WHOLE_NUMBERS = 4  # accuracy level of MatMulNBits: activations in eight bits
_ERROR = 3  # log level; ONNX Runtime warns of what it optimises


class Encoder:
    """Texts to unit vectors, in the forms that the model was trained on: "query: " and "passage: " before them."""

    def __init__(self, vocabulary: Vocabulary, weights: Weights) -> None:
        self.size = weights.width
        self._weights = weights
        self._pieces = Pieces(vocabulary)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # beside the language model, two took a question from 18 ms to over a second
        options.log_severity_level = _ERROR
        graph = _Graph(weights).made()
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def query(self, text: str) -> Vectors:
        """A question's vector, of shape (384,)."""
        return self._encoded(f"query: {text}")

    def passage(self, text: str) -> Vectors:
        """The vector of a text that is searched, of shape (384,)."""
        return self._encoded(f"passage: {text}")

    def _encoded(self, text: str) -> Vectors:
        """The vector of the beginning of a text: as much as the model was trained on."""
        ids = self._pieces.ids(text, self._weights.positions)
        vector: Vectors = self._session.run(None, {"embedded": self._weights.embedded(ids)[None]})[0][0]
        return vector


class _Graph:
    """Writes the layers down, from the vectors of tokens (1, tokens, width) to that of the text (1, width)."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def made(self) -> bytes:
        """The graph as ONNX."""
        weights = self._weights
        state = self._node("LayerNormalization", ["embedded", *self._norm("emb.ln")], axis=-1, epsilon=weights.epsilon)
        for layer in range(weights.layers):
            state = self._layer(state, f"l{layer}")
        mean = self._node("ReduceMean", [state, self._constant("tokens", np.array([1]))], keepdims=0)
        vector = self._node("LpNormalization", [mean], axis=-1, p=2)
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "tokens", weights.width])],
            [helper.make_tensor_value_info(vector, TensorProto.FLOAT, [1, weights.width])],
            self._constants,
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FAST, 1)]
        return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION).SerializeToString())

    def _layer(self, state: str, layer: str) -> str:
        parts = self._nodes_of("Split", [self._linear(state, layer, "q", "k", "v")], 3, axis=-1, num_outputs=3)
        attended = self._node("MultiHeadAttention", parts, _FAST, num_heads=self._weights.heads)
        state = self._added(state, self._linear(attended, layer, "ao"), f"{layer}.aln")
        inner = self._node("Gelu", [self._linear(state, layer, "fi")], _FAST)
        return self._added(state, self._linear(inner, layer, "fo"), f"{layer}.oln")

    def _linear(self, state: str, layer: str, *parts: str) -> str:
        """These matrices of a layer side by side, and what is added."""
        names = [f"{layer}.{part}" for part in parts]
        packed = self._weights.packed([f"{name}.w" for name in names])
        rows, blocks = packed.scales.shape
        matrix = self._constant(f"{names[0]}.w", packed.weights)
        scales = self._constant(f"{names[0]}.s", packed.scales.reshape(-1))
        bias = self._constant(f"{names[0]}.b", np.concatenate([self._weights.floats(f"{name}.b") for name in names]))
        sizes = {"K": blocks * BLOCK, "N": rows, "block_size": BLOCK, "bits": 4}
        return self._node(
            "MatMulNBits", [state, matrix, scales, "", "", bias], _FAST, **sizes, accuracy_level=_IN_WHOLE_NUMBERS
        )

    def _added(self, state: str, change: str, norm: str) -> str:
        return self._node(
            "SkipLayerNormalization", [state, change, *self._norm(norm)], _FAST, epsilon=self._weights.epsilon
        )

    def _norm(self, name: str) -> list[str]:
        return [self._constant(f"{name}.{part}", self._weights.floats(f"{name}.{part}")) for part in ("w", "b")]

    def _constant(self, name: str, values: np.ndarray[Any, Any]) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(self, kind: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:
        return self._nodes_of(kind, inputs, 1, domain, **attributes)[0]

    def _nodes_of(self, kind: str, inputs: list[str], count: int, domain: str = "", **attributes: Any) -> list[str]:
        """A node's outputs, named by its place."""
        outputs = [f"{len(self._nodes)}.{number}" for number in range(count)]
        self._nodes.append(helper.make_node(kind, inputs, outputs, domain=domain, **attributes))
        return outputs
