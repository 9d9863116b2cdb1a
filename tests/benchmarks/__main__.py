"""`python -m tests.benchmarks NAME --data DIR [--limit N] [--seed S] [--out FILE] [options]`"""

import argparse
import json
import sys

from assistant.errors import LorekeeperError, UserMistake
from tests.benchmarks.beam import Beam
from tests.benchmarks.commonsenseqa import CommonsenseQA
from tests.benchmarks.conversation import Conversation
from tests.benchmarks.coverage import Coverage
from tests.benchmarks.documents import Documents
from tests.benchmarks.harness import add_arguments, run
from tests.benchmarks.hostile import Hostile
from tests.benchmarks.hotpotqa import HotpotQA
from tests.benchmarks.kb_scale import KnowledgeBaseScale
from tests.benchmarks.kqapro import KqaPro
from tests.benchmarks.languages import Languages
from tests.benchmarks.linking import EntityLinking
from tests.benchmarks.medqa import MedQA
from tests.benchmarks.memory_scale import MemoryScale
from tests.benchmarks.metaqa import MetaQA
from tests.benchmarks.musique import MuSiQue
from tests.benchmarks.nlpcc import Nlpcc, NlpccMultiHop
from tests.benchmarks.openbookqa import OpenBookQA
from tests.benchmarks.paths import Paths
from tests.benchmarks.paths_scale import PathsScale
from tests.benchmarks.personamem import PersonaMem
from tests.benchmarks.popular import Popular
from tests.benchmarks.routing import Routing
from tests.benchmarks.survival import Survival
from tests.benchmarks.truthfulness import Truthfulness
from tests.benchmarks.turn import TurnCost
from tests.benchmarks.updates import Updates
from tests.benchmarks.world import World

_BENCHMARKS = (
    Beam,
    CommonsenseQA,
    Conversation,
    Coverage,
    Documents,
    EntityLinking,
    Hostile,
    HotpotQA,
    KnowledgeBaseScale,
    KqaPro,
    Languages,
    MedQA,
    MemoryScale,
    MetaQA,
    MuSiQue,
    Nlpcc,
    NlpccMultiHop,
    OpenBookQA,
    Paths,
    PathsScale,
    PersonaMem,
    Popular,
    Routing,
    Truthfulness,
    Survival,
    TurnCost,
    Updates,
    World,
)


def main() -> int:
    """Run the benchmark that the command line names; exit status 130 where it was stopped."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    names = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    for benchmark in _BENCHMARKS:
        own = names.add_parser(benchmark.name, description=sys.modules[benchmark.__module__].__doc__)
        add_arguments(own)
        benchmark.add_arguments(own)
        own.set_defaults(benchmark=benchmark)
    options = parser.parse_args()
    try:
        result = run(options.benchmark(options), options)
    except KeyboardInterrupt:
        print("Stopped; the same command goes on from here.", file=sys.stderr)
        return 130
    except LorekeeperError as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, UserMistake) else 1
    print(json.dumps(result, ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
