"""The state of a population as a text: how every run stores it, and how a run that goes on reads it.

A state is a frozen msgspec.Struct. Its text is part of a run's hash, so it is spaced as json.dumps() spaces it, and its
fields are stored in the order in which they are declared. A text may come from a stranger: types and values are checked.
"""

import json
from typing import Annotated, Any, TypeVar

import msgspec

S = TypeVar("S")

Count = Annotated[int, msgspec.Meta(ge=0)]  # an ID is one, too


def dump_state(state: Any) -> str:
    """Return a state as JSON."""
    return json.dumps(msgspec.to_builtins(state))


def load_state(text: str, kind: type[S]) -> S | None:
    """Return the state that dump_state() wrote, or None for no text: the run has no founders yet.

    Raises ValueError, with the place in the text, if that is no state of this kind.
    """
    try:
        return msgspec.json.decode(text, type=kind) if text else None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its state is damaged, or of another version of the program: {error}") from None
