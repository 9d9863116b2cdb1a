"""The embedded embedding model: multilingual-e5-small, in 4 bits, run by ONNX Runtime."""
