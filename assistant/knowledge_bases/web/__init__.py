"""The one way out of the machine, with its limits and its log."""
