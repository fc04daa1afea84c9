"""The state of a population as text: how every run stores its state, and how a resumed run reads it.

A state is a frozen msgspec.Struct that holds all that the future of a population depends on, in addition to the
configuration, the seed and the record. It contains no state of a random generator, because every random number
derives from the seed and the number of the generation. Individuals are usually given by their IDs, since their
genomes are on record.

The text is JSON, and is part of a run's hash, so it must never change for the same state: it is spaced as
json.dumps() spaces it, and fields are stored in the order of their declaration. msgspec's own encoder writes no
spaces, so it would change the hash of every run. A new field, or another order of fields, changes the hash as well.

A text may come from a stranger, because runs are shared. load_state() therefore checks types and values. The empty
text is the state of a run without founders; excerpts of runs have it too, and cannot be continued.
"""

import json
from typing import Annotated, Any, TypeVar

import msgspec

S = TypeVar("S")

Count = Annotated[int, msgspec.Meta(ge=0)]  # IDs are counts, too


def dump_state(state: Any) -> str:
    """Return a state as JSON."""
    return json.dumps(msgspec.to_builtins(state))


def load_state(text: str, kind: type[S]) -> S | None:
    """Return the state that dump_state() wrote, or None for an empty text: the run has no founders yet.

    Raises ValueError, with the place in the text, if the text is no state of this kind.
    """
    try:
        return msgspec.json.decode(text, type=kind) if text else None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its state is damaged, or of another version of the program: {error}") from None
