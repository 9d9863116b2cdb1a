"""The library of books, and a question asked of it."""

import pytest

from tests.assistant.search.queries.asking_books import Search
from tests.assistant.search.queries.books import library


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory):
    kb = library(tmp_path_factory.mktemp("books"))
    yield kb
    kb.close()


@pytest.fixture
def search(tmp_path):
    return Search(tmp_path)
