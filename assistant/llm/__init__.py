"""Language models: one client, the embedded server behind it, and the scripted double."""
