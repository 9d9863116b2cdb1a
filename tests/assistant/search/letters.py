"""An embedder by letters: what shares letters is alike."""

import numpy as np


class Letters:
    """Enough to tell "Who wrote Emma?" from "Where was she born?", with no model."""

    name, size = "letters", 26

    def query(self, texts):
        counts = np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-6)

    passage = query
