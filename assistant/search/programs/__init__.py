"""Programs that the model writes over the unified functions (KnowledGPT, section 3.2)."""
