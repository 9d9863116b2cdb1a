from assistant.stemming import stem


def test_forms_of_a_word_have_one_stem():
    assert stem("films") == stem("film") == "film"
    assert stem("directed") == stem("directing")


def test_what_is_not_plain_english_stays_as_it_is():
    assert stem("电影") == "电影"
    assert stem("élus") == "élus"
