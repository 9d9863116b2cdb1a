"""The child process that serves the embedded model: `python -m assistant.llm.serving`.

It reads one line of JSON from standard input, `{"model": path, "key": text, "states": path, "thrifty": bool,
"cache_mib": number}` (a command line is not secret; into the folder `states` it saves what a slot holds, when it is
asked to; where it is `thrifty`, what slots hold takes half the memory), and writes one to standard output,
`{"address": url}` when it is ready or `{"error": text}` when it cannot be. It ends when its parent does. Nothing heavy
is imported here but the server itself.
"""

import contextlib
import json
import os
import select
import sys

SLOTS = 2  # one short call is then served beside another's long prompt
CONTEXT_TOKENS = 8192
# Between two batches, here about two seconds apart, other slots get their turn and a stop is noticed. What a message
# adds to a head is one batch; in batches of 64 tokens it is read a fifth slower.
BATCH_TOKENS = 128
CACHE_MIB = 768  # prompt heads that no slot holds at the moment; 36 tokens of the built-in model a MiB


def main() -> None:
    """Serve until the parent is gone."""
    parent = os.getppid()
    request = json.loads(sys.stdin.buffer.readline())
    # Threads that wait by spinning take the processor from the one they wait for as soon as anything else runs. To spin
    # for a moment only writes 1.8 times as fast beside two busy neighbours on two cores, and 0.94 times as fast alone.
    os.putenv("GOMP_SPINCOUNT", "4000")
    try:
        from xllamacpp import CommonParams, Server, ggml_type  # type: ignore[import-untyped]

        parameters = CommonParams()
        parameters.model.path = request["model"]
        parameters.api_keys = [request["key"]]
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0  # any that is free
        parameters.n_parallel = SLOTS
        parameters.n_ctx = SLOTS * CONTEXT_TOKENS
        parameters.n_batch = parameters.n_ubatch = BATCH_TOKENS
        parameters.cache_ram_mib = request["cache_mib"]
        # Else a slot's content is kept each time that the other one begins, and again with its next prompt, until all
        # the room is taken by copies of one head, and the others have to be read anew.
        parameters.cache_idle_slots = False
        parameters.enable_reasoning = 0  # calls are short, and most have the form of their reply laid down
        if request["thrifty"]:
            parameters.cache_type_k = parameters.cache_type_v = ggml_type.GGML_TYPE_Q8_0
        parameters.slot_save_path = f"{request['states']}/"
        parameters.verbosity = 2  # errors and warnings
        parameters.cors_origins = "http://127.0.0.1:0"  # which is no page at all
        parameters.ui = parameters.endpoint_slots = False
        server = Server(parameters)
    except (ImportError, RuntimeError) as error:
        _reply({"error": str(error)})
        sys.exit(1)
    with contextlib.suppress(BrokenPipeError):  # the parent ended while the model was loaded
        _reply({"address": server.listening_address})
        _wait_for_the_end_of(parent)
    os._exit(0)  # neither the server's threads nor a generation under way need be waited for


def _wait_for_the_end_of(parent: int) -> None:
    """Standard input ends with the parent, unless a process that the parent forked still holds the other end."""
    while os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin.buffer], [], [], 1.0)
        if readable and not os.read(sys.stdin.fileno(), 1024):
            return


def _reply(reply: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
