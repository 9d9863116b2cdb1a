"""Training of the path policy (KnowGPT, section 3.1.3); the only place that loads PyTorch for it."""
