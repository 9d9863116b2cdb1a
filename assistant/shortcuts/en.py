"""English forms; see `assistant.shortcuts`."""

from assistant.understanding import Understanding

FORMS = (
    ("(please )?undo( that| it)?(,? please)?", Understanding("undo", language="en")),
    ("(please )?(bring|put) (that|it) back(,? please)?", Understanding("restore", language="en")),
    ("(please )?forget that(,? please)?", Understanding("forget", about="that", language="en")),
    (
        "(please )?forget (the last thing i (said|told you)|what i just (said|told you))",
        Understanding("forget", about="last", language="en"),
    ),
    ("(please )?forget everything", Understanding("forget", about="everything", language="en")),
    ("yes(,? please)?|yes,? (do it|forget (it|that|them|everything))", Understanding("yes", language="en")),
)
