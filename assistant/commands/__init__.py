"""The commands of the command line; `app.py` reads the arguments and calls one of these."""
