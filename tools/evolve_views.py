"""The progress of a run, and the views that show it: lines, JSON lines, a live display, or only the end."""

import json
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic, perf_counter
from types import TracebackType
from typing import Any, Final, Protocol, Self

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from engines.evolution.population import Generation
from engines.evolution.run import GenerationRecorded
from engines.worker_pool import WorkerPool
from tools.cli import counted
from tools.evolve_best import BestSoFar

WINDOW_SECONDS: Final = 60.0  # the period of the measured speed
LINE_SECONDS: Final = 5.0  # between lines
FRAMES: Final = 4  # of the live display, a second

Report = Callable[[Generation[Any]], str]
Facts = Mapping[str, object]  # for JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The limits at which a session stops, each None if there is none.

    Generations (after the founders) and games are those of the whole run.
    """

    generations: int | None = None
    games: int | None = None
    seconds: float | None = None  # from now


class Tally:
    """The progress, the speed and the remaining time of a session. The run may have started earlier."""

    def __init__(
        self, goal: Goal, generation: int, games: int, clock: Callable[[], float] = perf_counter
    ) -> None:
        """Start a session; `generation` is the last one on record, -1 before the founders."""
        self.goal = goal
        self.generation = generation
        self.games = games
        self._clock = clock
        self._began = clock()
        self._seconds = 0.0  # of the generations of this session
        self._bookkeeping = 0.0  # seconds of these that were not spent on games
        self._past = deque([(self._began, generation, games)])  # of the last WINDOW_SECONDS

    def add(self, progress: GenerationRecorded) -> None:
        self.generation = progress.generation.number
        self.games += len(progress.generation.contests)
        self._seconds += progress.seconds
        self._bookkeeping += progress.bookkeeping
        now = self._clock()
        if not self.games:  # founders that did not play say nothing about the time of the others
            self._past.clear()
        self._past.append((now, self.generation, self.games))
        while len(self._past) > 2 and self._past[1][0] < now - WINDOW_SECONDS:
            self._past.popleft()

    @property
    def is_reached(self) -> bool:
        goal = self.goal
        return (
            (goal.generations is not None and self.generation >= goal.generations)
            or (goal.games is not None and self.games >= goal.games)
            or (goal.seconds is not None and self.elapsed >= goal.seconds)
        )

    @property
    def elapsed(self) -> float:
        """The seconds since the start of the session."""
        return self._clock() - self._began

    @property
    def games_per_second(self) -> float:
        """The speed over the last WINDOW_SECONDS; 0 before the first game."""
        return self._speeds()[1]

    @property
    def bookkeeping(self) -> float:
        """The share of the time that was not spent on games."""
        return self._bookkeeping / self._seconds if self._seconds else 0.0

    @property
    def remaining(self) -> float | None:
        """The seconds to the goal at the present speed; None without a goal or before a speed is known."""
        goal, (generations, games) = self.goal, self._speeds()
        ahead = []
        if goal.generations is not None and generations:
            ahead.append((goal.generations - self.generation) / generations)
        if goal.games is not None and games:
            ahead.append((goal.games - self.games) / games)
        if goal.seconds is not None:
            ahead.append(goal.seconds - self.elapsed)
        return max(min(ahead), 0.0) if ahead else None

    def _speeds(self) -> tuple[float, float]:
        """Return generations and games a second."""
        (start, generation, games), (end, *_) = self._past[0], self._past[-1]
        seconds = end - start
        if not seconds:
            return 0.0, 0.0
        return (self.generation - generation) / seconds, (self.games - games) / seconds


class View(Protocol):
    """A view of the events of a session."""

    def begin(self, facts: Facts) -> None: ...

    def advance(self, progress: GenerationRecorded, tally: Tally) -> None: ...

    def notice(self, text: str) -> None:
        """Show a message at once, such as the answer to Ctrl-C."""
        ...

    def end(self, facts: Facts, text: str) -> None: ...


class Quiet:
    """A view of the end only."""

    def begin(self, facts: Facts) -> None:
        pass

    def advance(self, progress: GenerationRecorded, tally: Tally) -> None:
        pass

    def notice(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def end(self, facts: Facts, text: str) -> None:
        print(text, flush=True)


class Lines(Quiet):
    """A view as text: a line every few seconds, or the whole report of each generation."""

    def __init__(self, report: Report | None, best: BestSoFar) -> None:
        self._report = report
        self._best = best
        self._next = 0.0

    def begin(self, facts: Facts) -> None:
        verb = "continues" if facts["resumed"] else "starts"
        if facts["done"]:
            verb = f"has reached generation {int(str(facts['generation'])):,} already"
        print(f"The run of {facts['game']} {verb}: {_terms(facts)}", flush=True)

    def advance(self, progress: GenerationRecorded, tally: Tally) -> None:
        self._best.add(progress.generation.number, progress.generation.statistics)
        if self._report:
            details = f"bookkeeping {tally.bookkeeping:.1%}, hash {progress.hash}"
            print(
                f"{self._report(progress.generation)}\n{summary(tally)}, {details}\n{self._best.text()}\n",
                flush=True,
            )
        elif monotonic() >= self._next:
            self._next = monotonic() + LINE_SECONDS
            best = self._best.text()
            print(f"{summary(tally)}{best and f'; {best}'}", flush=True)


class JsonLines(Quiet):
    """A view as JSON lines, one object for each event: begun, generation, ..., ended."""

    def __init__(self, best: BestSoFar) -> None:
        self._best = best

    def begin(self, facts: Facts) -> None:
        self._print("begun", facts)

    def advance(self, progress: GenerationRecorded, tally: Tally) -> None:
        generation = progress.generation
        self._best.add(generation.number, generation.statistics)
        self._print(
            "generation",
            {
                "number": generation.number,
                "hash": progress.hash,
                "games": len(generation.contests),
                "games_so_far": tally.games,
                "seconds": round(progress.seconds, 6),
                "bookkeeping": round(progress.bookkeeping, 6),
                "best": self._best.id(),
                "statistics": generation.statistics,
            },
        )

    def end(self, facts: Facts, text: str) -> None:
        self._print("ended", facts)

    def _print(self, event: str, facts: Facts) -> None:
        print(json.dumps({"event": event, **facts}), flush=True)


class LiveView:
    """A live display of the progress and the report of the last generation, as a context.

    The last picture stays on the screen.
    """

    def __init__(
        self, report: Report, best: BestSoFar, tally: Tally, pool: WorkerPool, console: Console
    ) -> None:
        self._report = report
        self._best = best
        self._best_text = ""
        self._tally = tally
        self._pool = pool
        self._console = console
        self._title = ""
        self._note = ""
        self._text = ""
        self._last: GenerationRecorded | None = None
        self._next = 0.0
        self._live = Live(console=console, get_renderable=self._picture, refresh_per_second=FRAMES)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._note = ""
        if self._last:
            self._text = self._report(self._last.generation)
            self._best_text = self._best.text()
        self._live.stop()

    def begin(self, facts: Facts) -> None:
        self._title = (
            f"{facts['game']} in {facts['run']}, {_terms(facts)}; Ctrl-C stops the run after this generation"
        )

    def advance(self, progress: GenerationRecorded, tally: Tally) -> None:
        self._last = progress
        self._best.add(progress.generation.number, progress.generation.statistics)
        if monotonic() >= self._next:  # a generation may take only a millisecond, as long as its report
            self._next = monotonic() + 1 / FRAMES
            self._text = self._report(progress.generation)
            self._best_text = self._best.text()

    def notice(self, text: str) -> None:
        self._note = text

    def end(self, facts: Facts, text: str) -> None:
        self._console.print(Text(f"\n{text}"))

    def _picture(self) -> RenderableType:
        done = ""
        if self._pool.wanted:
            done = f", {self._pool.done} of {self._pool.wanted} games of the next generation"
        head = [
            Text(self._title, style="dim"),
            Text(summary(self._tally) + done, style="bold"),
            Text(self._best_text),
        ]
        if self._note:
            head.append(Text(self._note, style="yellow"))
        return Group(*head, Text(), side_by_side(self._text))


def summary(tally: Tally) -> str:
    """Return progress and speed, in one line."""
    parts = [f"generation {tally.generation:,}"]
    if tally.games:  # some evolutions record no games
        parts += [counted(tally.games, "game"), f"{tally.games_per_second:,.2f} games/s"]
    parts.append(f"elapsed {duration(tally.elapsed)}")
    if tally.remaining is not None:
        parts.append(f"remaining {duration(tally.remaining)}")
    return ", ".join(parts)


def _terms(facts: Facts) -> str:
    return f"seed {facts['seed']}, {counted(int(str(facts['workers'])), 'worker')}"


def duration(seconds: float) -> str:
    """Return hours, minutes and seconds as H:MM:SS."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def side_by_side(report: str) -> RenderableType:
    """Return the parts of a report in as many columns as fit the screen."""
    parts = [Text(part.strip("\n"), no_wrap=True, overflow="ellipsis") for part in report.split("\n\n\n")]
    return Columns(parts, padding=(0, 4))
