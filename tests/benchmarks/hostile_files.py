"""Files that are made to bring down what reads them, of every kind that can be read, with parameters drawn by a seed.

Each is made of few building blocks, repeated or nested, so that making one is quick; none has much more than 10 MB.
"""

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle

_BYTES = 4 * 2**20  # of a file's text, at most twice as many


@dataclass(frozen=True, slots=True)
class HostileFile:
    """One file: `name` has the suffix by which it is read, `kind` says what is wrong with it."""

    name: str
    kind: str
    data: bytes


_Make = Callable[[random.Random], bytes]


def files(seed: int, count: int) -> list[HostileFile]:
    """That many files, the same for the same seed; all kinds in turn, those of one kind with other parameters."""
    drawn = random.Random(seed)
    kinds = drawn.sample(list(_KINDS), len(_KINDS))
    return [
        HostileFile(f"{number}{suffix}", kind, make(drawn))
        for number, (suffix, kind, make) in zip(range(count), cycle(kinds), strict=False)
    ]


def good(suffix: str) -> bytes:
    """A small file of a kind with nothing wrong: it says that the hive is blue."""
    return _GOOD[suffix]()


def _times(drawn: random.Random, unit: bytes) -> bytes:
    return unit * (drawn.randint(_BYTES // 2, 2 * _BYTES) // len(unit))


def _repeated(*units: bytes) -> _Make:
    """One of some units, again and again, with what begins or ends it."""

    def make(drawn: random.Random) -> bytes:
        return drawn.choice((b"", b"The hive is blue.\n\n", b"x")) + _times(drawn, drawn.choice(units)) + b"a"

    return make


def _nested(*pairs: tuple[bytes, bytes]) -> _Make:
    """One of some pairs, within itself, closed or not."""

    def make(drawn: random.Random) -> bytes:
        opened, closed = drawn.choice(pairs)
        depth = drawn.choice((1_000, 30_000, 300_000))
        return opened * depth + b"1" + closed * drawn.choice((0, depth))

    return make


def _zipped(parts: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return out.getvalue()


def _lying(data: bytes, size: int) -> bytes:
    """An archive that says of each of its parts that it has that many bytes once it is unpacked."""
    lying = bytearray(data)
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = lying.find(mark)
        while at >= 0:
            lying[at + place : at + place + 4] = struct.pack("<L", size)
            at = lying.find(mark, at + 4)
    return bytes(lying)


_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _word(body: bytes, head: bytes = b"", more: tuple[tuple[str, bytes], ...] = ()) -> bytes:
    rels = (
        f'<Relationships><Relationship Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>'
    )
    main = head + f'<w:document xmlns:w="{_WORD}"><w:body>'.encode() + body + b"</w:body></w:document>"
    return _zipped([("_rels/.rels", rels.encode()), ("word/document.xml", main), *more])


_PARAGRAPH = b"<w:p><w:r><w:t>The hive is blue.</w:t></w:r></w:p>"


def _book(pages: list[tuple[str, bytes]], listed: int = 1, head: str = "") -> bytes:
    items = "".join(f'<item id="{name}" href="{name}"/>' for name, _ in pages)
    order = "".join(f'<itemref idref="{name}"/>' for name, _ in pages) * listed
    opf = f"{head}<package><manifest>{items}</manifest><spine>{order}</spine></package>"
    container = '<container><rootfile full-path="a.opf"/></container>'
    return _zipped([("META-INF/container.xml", container.encode()), ("a.opf", opf.encode()), *pages])


def _laughs(drawn: random.Random) -> bytes:
    """Entities of entities, and one that names a file."""
    width, depth = drawn.randint(5, 20), drawn.randint(8, 30)
    grown = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * width}">' for n in range(1, depth))
    outside = '<!ENTITY f SYSTEM "file:///dev/zero">'
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{outside}{grown}]>'.encode()


def _laughing_word(drawn: random.Random) -> bytes:
    body = b"<w:p><w:r><w:t>&f;&l5;&l9;</w:t></w:r></w:p>" * 10
    return _word(body if drawn.random() < 0.5 else b'<w:p w:x="&l7;"/>', _laughs(drawn))


def _laughing_book(drawn: random.Random) -> bytes:
    page = _laughs(drawn) + b"<html><body title='&l7;'>&f;&l9;</body></html>"
    return _book([("a.xhtml", page)], head=_laughs(drawn).decode())


def _bomb(drawn: random.Random) -> bytes:
    """Much from little: 200 MB and more of one letter."""
    return drawn.choice((b" ", b"a", b"<p>")) * drawn.randint(60, 90) * 2**20


def _word_bomb(drawn: random.Random) -> bytes:
    data = _word(_PARAGRAPH + _bomb(drawn))
    return _lying(data, drawn.randint(1, 2**16)) if drawn.random() < 0.5 else data


def _book_bomb(drawn: random.Random) -> bytes:
    data = _book([(f"{n}.html", page) for page in [_bomb(drawn)] for n in range(3)])
    return _lying(data, drawn.randint(1, 2**16)) if drawn.random() < 0.5 else data


def _many_parts(drawn: random.Random) -> bytes:
    count = drawn.randint(5_000, 20_000)
    return _book([(f"{n}.html", b"<p>The hive is blue.") for n in range(count)])


def _wide_table(drawn: random.Random) -> bytes:
    span = b'<w:tcPr><w:gridSpan w:val="%d"/><w:vMerge/></w:tcPr>' % drawn.choice((10**4, 10**9, 10**18))
    cell = b"<w:tc>%s%s</w:tc>" % (span, _PARAGRAPH)
    return _word(b"<w:tbl>" + (b"<w:tr>" + cell * 20 + b"</w:tr>") * drawn.randint(100, 5_000) + b"</w:tbl>")


def _nested_word(drawn: random.Random) -> bytes:
    depth = drawn.choice((50, 1_000, 50_000))
    return _word(b"<w:tbl><w:tr><w:tc>" * depth + _PARAGRAPH + b"</w:tc></w:tr></w:tbl>" * depth)


def _styles(drawn: random.Random) -> bytes:
    count = drawn.randint(1_000, 20_000)
    chain = "".join(
        f'<w:style w:styleId="s{n}"><w:basedOn w:val="s{(n + 1) % count}"/></w:style>' for n in range(count)
    )
    rels = f'<Relationships><Relationship Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>'
    body = b'<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr>%s</w:p>' % (b"<w:r><w:t>a </w:t></w:r>" * count)
    styles = f'<w:styles xmlns:w="{_WORD}">{chain}</w:styles>'
    return _word(body, more=(("word/_rels/document.xml.rels", rels.encode()), ("word/styles.xml", styles.encode())))


def _attributes(drawn: random.Random) -> bytes:
    count = drawn.randint(100_000, 600_000)
    return b"<p " + b" ".join(b"a%d=%d" % (n, n) for n in range(count)) + b">The hive is blue."


def _formatted(drawn: random.Random) -> bytes:
    count = drawn.randint(2_000, 20_000)
    return b"".join(b"<b id=%d>" % n for n in range(count)) + b"<p>a</b>" * count


def _selectors(drawn: random.Random) -> bytes:
    chain = drawn.choice(("div ", "div > ", "p ~ ", ":not(.a) ", ":nth-last-child(2n) ", ":has(p) ", ":is(p, div) "))
    rules = "".join(f"{chain * drawn.randint(1, 200)}.c{n} {{display:none}}\n" for n in range(drawn.randint(10, 3_000)))
    classes = " ".join(f"c{n}" for n in range(300))
    body = f'<div><p class="{classes}">a</p>' * drawn.randint(100, 3_000)
    return f"<style>{rules}{'{' * drawn.choice((0, 10**6))}</style>{body}".encode()


def _table(drawn: random.Random) -> bytes:
    columns = drawn.randint(100_000, 1_000_000)
    if drawn.random() < 0.3:
        return b'"' + b"a" * drawn.randint(10**6, 10**7) + b'"\n1\n'
    if drawn.random() < 0.5:
        return (b"," * columns + b"\n") * 8
    return b"n" * columns + b"\n" + b"v\n" * columns


def _quoted(drawn: random.Random) -> bytes:
    return b"".join(drawn.choice((b'"', b"'", b",", b";", b" ", b"\n", b'""', b'",')) for _ in range(30_000))


def _paths(drawn: random.Random) -> bytes:
    depth, width = drawn.randint(100, 900), drawn.randint(100, 5_000)
    key = "k" * width
    return (f'{{"a": 1, "{key}": ' * depth + "1" + "}" * depth).encode()


def _wide(drawn: random.Random) -> bytes:
    return json.dumps({"n" * drawn.randint(10**5, 10**6): list(range(drawn.randint(10**4, 10**5)))}).encode()


_HEAD = b"From: a@example.org\nSubject: The hive is blue.\n"


def _parts(drawn: random.Random) -> bytes:
    depth = drawn.choice((100, 900, 10_000))
    opened = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    return _HEAD + b"".join(opened) + b"Content-Type: text/plain\n\n" + b"a\n" * drawn.randint(10**4, 10**5)


def _heads(drawn: random.Random) -> bytes:
    unit = drawn.choice(
        (b"a@b.org, ", b"(", b'"', b"<", b"=?utf-8?q?=41?= ", b"a:;", b"=?utf-8?b?", b"\\", b"[", b";a=")
    )
    head = drawn.choice((b"To", b"Subject", b"Content-Type", b"Date", b"Content-Disposition", b"Cc"))
    return _HEAD + head + b": " + unit * drawn.randint(10**4, 10**6) + b"\n\nThe hive is blue.\n"


def _many_heads(drawn: random.Random) -> bytes:
    return _HEAD + b"To: a@b.org\n" * drawn.randint(10**5, 5 * 10**5) + b"\nThe hive is blue.\n"


def _encoded(drawn: random.Random) -> bytes:
    kind = drawn.choice((b"quoted-printable", b"base64", b"x-uuencode"))
    return (
        _HEAD
        + b"Content-Transfer-Encoding: "
        + kind
        + b"\n\n"
        + _times(drawn, drawn.choice((b"=41", b"=", b"QUFB", b"=\n")))
    )


def _pdf(objects: list[bytes], root: int = 1) -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, root, len(out))
    return bytes(out) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


_CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"


def _stream(data: bytes, head: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), head, data)


def _page(more: bytes = b"") -> bytes:
    return b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R %s >>" % more


def _pages_again(drawn: random.Random) -> bytes:
    """One page, listed many thousand times, or a tree of pages in which each is listed twice."""
    if drawn.random() < 0.5:
        count = drawn.randint(10_000, 500_000)
        kids = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b"3 0 R " * count, count)
        return _pdf([_CATALOG, kids, _page(), _stream(b"BT (The hive is blue.) Tj ET")])
    depth = drawn.randint(15, 40)
    nodes = [b"<< /Type /Pages /Kids [%d 0 R %d 0 R] /Count 2 >>" % (n + 1, n + 1) for n in range(5, 5 + depth)]
    return _pdf([_CATALOG, b"<< /Type /Pages /Kids [5 0 R] /Count 9 >>", _page(), _stream(b""), *nodes, _page()])


def _page_loop(drawn: random.Random) -> bytes:
    kids = drawn.choice((b"[2 0 R 3 0 R]", b"[3 0 R 2 0 R 2 0 R]", b"2 0 R"))
    return _pdf([_CATALOG, b"<< /Type /Pages /Parent 2 0 R /Kids %s /Count 99999999 >>" % kids, _page(), _stream(b"")])


def _references(drawn: random.Random) -> bytes:
    loop = [b"%d 0 R" % (number + 1) for number in range(5, 5 + drawn.randint(2, 20_000))] + [b"5 0 R"]
    kids = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return _pdf([_CATALOG, kids, _page(b"/Resources 5 0 R"), b"5 0 R", *loop])


def _inflated(drawn: random.Random) -> bytes:
    data = zlib.compress(drawn.choice((b" ", b"(a) Tj ", b"q ")) * drawn.randint(20, 60) * 2**20, 9)
    head = b"/Filter /FlateDecode"
    if drawn.random() < 0.5:
        data, head = zlib.compress(data, 9), b"/Filter [/FlateDecode /FlateDecode]"
    return _pdf([_CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", _page(), _stream(data, head)])


def _forms(drawn: random.Random) -> bytes:
    """Forms that show the next one many times."""
    depth, width = drawn.randint(6, 12), drawn.randint(5, 15)
    shown = [
        _stream(b"/F Do " * width, b"/Type /XObject /Subtype /Form /Resources << /XObject << /F %d 0 R >> >>" % (n + 1))
        for n in range(5, 5 + depth)
    ]
    last = _stream(b"BT (The hive is blue.) Tj ET", b"/Type /XObject /Subtype /Form")
    page = _page(b"/Resources << /XObject << /F 5 0 R >> >>")
    kids = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return _pdf([_CATALOG, kids, page, _stream(b"/F Do"), *shown, last])


def _tables_of_places(drawn: random.Random) -> bytes:
    """A table of places that goes on with itself, or that says to have millions of entries."""
    pdf = _pdf([_CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", _page(), _stream(b"BT (a) Tj ET")])
    start = pdf.index(b"xref\n0")
    if drawn.random() < 0.5:
        return pdf.replace(b"/Root", b"/Prev %d /Root" % start)
    return pdf.replace(b"xref\n0 5", b"xref\n0 %d" % drawn.randint(10**6, 10**9))


def _nested_values(drawn: random.Random) -> bytes:
    opened, closed = drawn.choice(((b"[", b"]"), (b"<< /A ", b">>"), (b"(", b")")))
    depth = drawn.randint(1_000, 200_000)
    return _pdf([_CATALOG, b"<< /Type /Pages /Kids [3 0 R] /X %s >>" % (opened * depth + closed * depth)])


_TAGS = (
    (b"<div>", b"</div>"),
    (b"<table><tr><td>", b"</td></tr></table>"),
    (b"<b>", b"</b>"),
    (b"<ul><li>a", b"</ul>"),
)
_LINES = (
    b". ",
    b"A. ",
    b"...",
    b"!?",
    b"\n",
    b" \n",
    b"\xe3\x80\x80\n",
    b"1 ",
    b"123,",
    b"a\xcc\xa3\xcc\x81",
    b"a b\n",
)
_SIGNS = (
    b"- - ",
    b"\xe2\x82\xac\n\n",
    b"a",
    b"_",
    b"\xe4\xb8\xad",
    b"\xcc\x81\xcc\xa3",
    b"\xf0\x9f\x98\x80",
    b"\n- ",
    b"(",
)
_CODES = (
    b"\xff\xfe\x00\xd8",
    b"\xfe\xff\xd8\x00\x00a",
    b"+AGE-",
    b"\xff\xfea\x00",
    b"\xff",
    b"\x81\x30\x81\x30",
    b"\x00",
)
_MARKS = (b"# a\n\nb\n\n", b"# a #", b"# " + b" " * 1000, b"```\n\n", b"| a ", b"> ", b"#" * 1000 + b"\n", b"[[", b"`")

_KINDS: tuple[tuple[str, str, _Make], ...] = (
    (".txt", "one unit again and again", _repeated(*_LINES)),
    (".txt", "signs without end", _repeated(*_SIGNS)),
    (".txt", "odd encodings", lambda drawn: _times(drawn, drawn.choice(_CODES))),
    (".md", "one unit again and again", _repeated(*_LINES, *_MARKS)),
    (".md", "code without end", lambda drawn: b"```\n" + _times(drawn, drawn.choice((b"\n", b" \n", b"\n- ")))),
    (
        ".md",
        "a heading without end",
        lambda drawn: b"# " + _times(drawn, drawn.choice((b"a ", b"# ", b"#", b" "))) + b"b",
    ),
    (
        ".html",
        "one unit again and again",
        _repeated(b"<!--", b"<", b"<p>", b"<![CDATA[", b"&amp", b"&#x", b"<a b=", b"</p>"),
    ),
    (".html", "nested", _nested(*_TAGS)),
    (".html", "attributes", _attributes),
    (".html", "formatted again and again", _formatted),
    (".html", "style sheets", _selectors),
    (
        ".htm",
        "cells",
        lambda drawn: b"<table><tr>" + _times(drawn, drawn.choice((b"<td>a", b"<td><p>a", b"<tr><td>a"))),
    ),
    (".csv", "wide, long or of one cell", _table),
    (".csv", "quotes", _quoted),
    (".json", "nested", _nested((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]"))),
    (".json", "long paths", _paths),
    (".json", "a long name", _wide),
    (
        ".json",
        "one unit again and again",
        lambda drawn: b"[" + _times(drawn, drawn.choice((b"[],", b"1,", b'"",'))) + b"1]",
    ),
    (".eml", "nested parts", _parts),
    (".eml", "a head without end", _heads),
    (".eml", "many heads", _many_heads),
    (".eml", "encoded", _encoded),
    (".eml", "nested pages", lambda drawn: _HEAD + b"Content-Type: text/html\n\n" + _nested(*_TAGS)(drawn)),
    (".pdf", "pages again and again", _pages_again),
    (".pdf", "pages in a loop", _page_loop),
    (".pdf", "references in a loop", _references),
    (".pdf", "inflated", _inflated),
    (".pdf", "forms in forms", _forms),
    (".pdf", "tables of places", _tables_of_places),
    (".pdf", "nested values", _nested_values),
    (".docx", "entities", _laughing_word),
    (".docx", "much from little", _word_bomb),
    (".docx", "a wide table", _wide_table),
    (".docx", "nested tables", _nested_word),
    (".docx", "styles in a loop", _styles),
    (
        ".epub",
        "one page again and again",
        lambda drawn: _book([("a.html", b"<p>a" * 9999)], drawn.randint(5_000, 50_000)),
    ),
    (".epub", "entities", _laughing_book),
    (".epub", "much from little", _book_bomb),
    (".epub", "many parts", _many_parts),
)


def _good_text() -> Iterator[tuple[str, bytes]]:
    for suffix in (".txt", ".md"):
        yield suffix, b"The hive is blue."
    for suffix in (".html", ".htm"):
        yield suffix, b"<p>The hive is blue.</p>"


_GOOD: dict[str, Callable[[], bytes]] = {
    **{suffix: (lambda data=data: data) for suffix, data in _good_text()},
    ".csv": lambda: b"said\nThe hive is blue.\n",
    ".json": lambda: b'["The hive is blue."]',
    ".eml": lambda: _HEAD + b"\nThe hive is blue.\n",
    ".pdf": lambda: _pdf(
        [
            _CATALOG,
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            _page(b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"),
            _stream(b"BT /F 9 Tf (The hive is blue.) Tj ET"),
        ]
    ),
    ".docx": lambda: _word(_PARAGRAPH),
    ".epub": lambda: _book([("a.html", b"<p>The hive is blue.</p>")]),
}
