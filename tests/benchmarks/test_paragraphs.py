"""The three searches of a corpus, and their score."""

from tests.benchmarks.paragraphs import Paragraph, searches
from tests.memory.samples import WordEmbedder


def test_each_way_of_searching_is_scored_by_the_gold_paragraphs() -> None:
    filling = [Paragraph(f"Matter {n}", f"The director of the number {n} was born in the year {n}.") for n in range(30)]
    film = Paragraph("Ed Wood (film)", "A film of 1994 about a director, with Bela Lugosi in it.")
    actor = Paragraph("Bela Lugosi", "He came from Lugos and played counts.")
    with searches([*filling, film, actor], WordEmbedder()) as found:
        scores = found.recall_at_5("Where was the actor of the film about Ed Wood born?", [30, 31])
        assert scores["recall_at_5"] == 1.0
        assert scores["recall_at_5_bm25"] == 0.5
        assert set(scores) == {"recall_at_5", "recall_at_5_one_look", "recall_at_5_bm25", "recall_at_5_dense"}
