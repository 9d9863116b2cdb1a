"""Bytes to text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.encodings import decode

_LETTERS = st.characters(exclude_categories=("Cs", "Cc"))


@given(st.text(_LETTERS))
def test_utf_8_comes_back(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@pytest.mark.parametrize("text", ["Der Bär fährt über Köln.", "Où est le café à Orléans ? Là-bas, près du château."])
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_accents_are_not_taken_for_chinese(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("text", ["她在格拉茨养蜂。", "Marta（玛尔塔）keeps 12 hives."])
@pytest.mark.parametrize("encoding", ["gb18030", "gb2312", "utf-16"])
def test_chinese_is_seen(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Марфа Тихая избрана председателем совета дома.", "cp1251"),
        ("Марфа Тихая избрана председателем совета дома.", "koi8-r"),
        ("Марфа Тихая избрана председателем совета дома.", "cp866"),
        ("Źródło wody znajduje się pod wzgórzem, a mieszkańcy chodzą tam codziennie.", "cp1250"),
        ("Źródło wody znajduje się pod wzgórzem, a mieszkańcy chodzą tam codziennie.", "iso8859-2"),
        ("Kütüphane her gün saat dokuzda açılır, çocuklar için ücretsizdir.", "cp1254"),
        ("Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα από τις εννέα το πρωί.", "cp1253"),
        ("הספרייה פתוחה בכל יום משעה תשע בבוקר עד שש בערב.", "cp1255"),
        ("المكتبة مفتوحة كل يوم من الساعة التاسعة صباحا حتى السادسة مساء.", "cp1256"),
        ("図書館は毎朝九時に開きます。月曜日は休みです。", "shift_jis"),
        ("図書館は毎朝九時に開きます。月曜日は休みです。", "euc_jp"),
        ("図書館は毎朝九時に開きます。月曜日は休みです。", "iso2022_jp"),
        ("圖書館每天上午九點開門，星期一除外。", "big5"),
        ("도서관은 매일 아침 아홉 시에 문을 엽니다.", "euc_kr"),
        ("L'été dernier, la forêt brûlait près de l'école.", "mac_roman"),
        ("Die Bücherei öffnet um neun.", "utf-16-le"),
    ],
)
def test_the_encodings_of_old_files(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_line_ends_are_made_one() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", bytes(range(32)) * 9, b"\xff\xfe\x00"])
def test_what_is_no_text(data: bytes) -> None:
    assert decode(data) is None


@pytest.mark.parametrize(
    "text",
    [
        "Straße 5",
        "Grüße aus Köln",
        "It’s “fine” – ok",
        "¿Qué tal?",
        "Élève à Paris",
        "Rent: 900 €\nBus: 50 €\n",
        "Não há pão",
    ],
)
def test_a_short_text_of_western_europe(text: str) -> None:
    assert decode(text.encode("cp1252")) == text


def test_of_damaged_utf_8_the_rest_is_read() -> None:
    assert decode("Grüße aus Köln. ".encode() * 20 + b"\xff").startswith("Grüße aus Köln.")
    assert decode(("日本語のテキスト。" * 20).encode()[:-1]).startswith("日本語のテキスト。")
