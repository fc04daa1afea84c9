"""What a run shows of itself as text: lines for people and log files, JSON for programs, or only its end."""

import json
import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final, Protocol

from engines.evolution.evolution import Generation
from engines.run.run import Progress
from tools.evolve.tally import Tally

LINE_SECONDS: Final = 5.0  # between lines

Report = Callable[[Generation[Any]], str]
Facts = Mapping[str, object]


class View(Protocol):
    """Where the events of a session go. Facts are what JSON holds."""

    def begun(self, facts: Facts) -> None: ...

    def advanced(self, progress: Progress, tally: Tally) -> None: ...

    def noted(self, text: str) -> None:
        """Something that has to be said at once, to whoever has pressed Ctrl-C."""
        ...

    def ended(self, facts: Facts, text: str) -> None: ...


class Quiet:
    """Nothing but the end."""

    def begun(self, facts: Facts) -> None:
        pass

    def advanced(self, progress: Progress, tally: Tally) -> None:
        pass

    def noted(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def ended(self, facts: Facts, text: str) -> None:
        print(text, flush=True)


class Lines(Quiet):
    """A line every few seconds, or the whole report of each generation."""

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self._next = 0.0

    def begun(self, facts: Facts) -> None:
        begins = "goes on" if facts["resumed"] else "begins"
        print(f"{facts['game']} {begins}: seed {facts['seed']}, workers {facts['workers']}", flush=True)

    def advanced(self, progress: Progress, tally: Tally) -> None:
        if self._report:
            print(f"{self._report(progress.generation)}\n{summary(tally)}\n", flush=True)
        elif monotonic() >= self._next:
            self._next = monotonic() + LINE_SECONDS
            print(f"{summary(tally)}, hash {progress.hash[:12]}", flush=True)


class JsonLines(Quiet):
    """One JSON object a line: begun, generation, ..., ended."""

    def begun(self, facts: Facts) -> None:
        self._print("begun", facts)

    def advanced(self, progress: Progress, tally: Tally) -> None:
        generation = progress.generation
        self._print(
            "generation",
            {
                "number": generation.number,
                "hash": progress.hash,
                "games": len(generation.contests),
                "games_so_far": tally.games,
                "seconds": round(progress.seconds, 6),
                "bookkeeping": round(progress.bookkeeping, 6),
                "statistics": generation.statistics,
            },
        )

    def ended(self, facts: Facts, text: str) -> None:
        self._print("ended", facts)

    def _print(self, event: str, facts: Facts) -> None:
        print(json.dumps({"event": event, **facts}), flush=True)


def summary(tally: Tally) -> str:
    """How far and how fast, in one line."""
    parts = [f"generation {tally.generation:,}"]
    if tally.games:  # some evolutions grade without a game on record
        parts += [f"{tally.games:,} games", f"{tally.games_per_second:,.2f} games/s"]
    parts.append(f"elapsed {duration(tally.elapsed)}")
    if tally.remaining is not None:
        parts.append(f"remaining {duration(tally.remaining)}")
    parts.append(f"bookkeeping {tally.bookkeeping:.1%}")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, as a clock shows them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
