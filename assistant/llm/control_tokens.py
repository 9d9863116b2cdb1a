"""Text in which a model's server finds no control token: those are for its template alone.

A server fills its chat template in and reads the whole for tokens, so that `<|im_end|>` in a document would end the
message that quotes it, and what follows would speak with the system's voice. Here each such mark gets an invisible
character (U+2060 WORD JOINER) behind its first one: it reads the same and is no token any more. Replies lose that
character again, so that what they quote is as it was.

Where the model's own tokens are known, as the embedded model's are from its file, none of them is left in a text,
whatever it looks like. Those of other servers nobody tells; they are known by their shape, and the few that look like
HTML by their names.
"""

import re
from collections.abc import Collection

_JOINER = "\N{WORD JOINER}"

# Where a mark begins; only its first character is taken, so that marks within marks are found, too. Ordinary text has
# most of these shapes seldom and loses nothing where it has them: HTML's tags, types in code and indices in brackets
# are mostly none of them.
_MARK = re.compile(
    r"""
      [<\[] (?= [|｜] [^\s|｜]                                # <|im_end|>  <｜User｜>  [|system|]  <|turn>
              | [^\s<>\[\]|｜]{1,64} [|｜] [>\]] )             # <turn|>
    | < (?= <?/?\ ?[A-Z]{2,64}\ ?>                            # <<SYS>>  <PRE>  < EOT >
          | /?[\w▁]{1,64} [_▁:\d-] [\w▁:-]{0,64} >            # <start_of_turn>  <unused7>  <seed:bos>  <0x0A>
          | /?(?: s | [bes]o[ipdmst] | pad | unk | mask | cls | sep | eod | think | thinking | thought | reasoning
                | image | img | audio | video | tool | tools | repo | reponame | filename | commit | empty | output
                | system | user | assistant )> )
    | \[ (?= /?[A-Z][A-Z_]{2,64} (?:_?\d{1,4})? \]            # [INST]  [/TOOL_RESULTS]
           | g?MASK\] | [bes]MASK\] | control_\d{1,4}\] | e~\[ )
    | \] (?= ~!?b[\[\]] | <\] )                               # ]~b]  ]<]image[>[
    """,
    re.VERBOSE,
)


class ControlTokens:
    """The marks that messages may not contain: all of those shapes, and the `known` tokens of a model, in any shape."""

    def __init__(self, known: Collection[str] = ()) -> None:
        """Tokens of one character cannot be told from the character, and are left."""
        unlike = [token for token in known if len(token) > 1 and neutral_by_shape(token) == token]
        self._unlike = tuple(sorted(unlike))
        self._begins = re.compile(f"[{re.escape(''.join(sorted({token[0] for token in unlike})))}]") if unlike else None

    def neutral(self, text: str) -> str:
        """The text with every mark broken; a text without any is returned as it is."""
        text = neutral_by_shape(text)
        if self._begins is None:
            return text
        starts = [m.start() for m in self._begins.finditer(text) if text.startswith(self._unlike, m.start())]
        parts = (text[a : b + 1] for a, b in zip([0, *(at + 1 for at in starts)], starts, strict=False))
        return _JOINER.join([*parts, text[starts[-1] + 1 :]]) if starts else text


def neutral_by_shape(text: str) -> str:
    """The text with every mark broken that looks like one of some model's."""
    return _MARK.sub(rf"\g<0>{_JOINER}", text)


def restored(text: str) -> str:
    """A reply, or a piece of one, as it would be had nothing been broken in what the model read."""
    return text.replace(_JOINER, "")
