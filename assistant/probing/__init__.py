"""What a small model knows of an answer and does not say: a linear probe of its hidden state, and its training."""
