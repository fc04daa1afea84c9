"""A game over the JSON lines at the terminal: played, kept in a file where that is wished, and what stops it early."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from protocols.jsonl.connection import Refused

USAGE: Final = 2


def kept(
    play: Callable[[], object],
    lines: Callable[[], Iterator[str]],
    record: Path | None,
    afterwards: Callable[[], None] = lambda: None,
) -> int:
    """Play; of a game that came to its end write the `lines`, then go on `afterwards`. The command's exit status."""
    try:
        if record:
            record.open("a", encoding="utf-8").close()  # rather no game than one that cannot be kept
        ended = play()
        if ended and record:
            record.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
        if ended:
            afterwards()
    except Refused as error:
        print(f"galapagos play: {error}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"galapagos play: cannot write {record}: {error.strerror}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("\nThe game is left unfinished.")
        raise
    return 0
