from assistant.stemming import root, roots, stem


def test_forms_of_a_word_have_one_stem():
    assert stem("films") == stem("film") == "film"
    assert stem("directed") == stem("directing")


def test_what_is_not_plain_english_stays_as_it_is():
    assert stem("电影") == "电影"
    assert stem("élus") == "élus"


def test_irregular_forms_have_the_root_of_their_word():
    assert root("children") == root("child")
    assert root("went") == root("going") == root("go")
    assert root("films") == stem("film")


def test_forms_of_one_word_have_one_root():
    assert roots("who wrote it") & roots("written by") == roots("write")
