"""How far a run is, how fast it goes, and when its goal will be reached."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from engines.run.run import Progress

WINDOW_SECONDS: Final = 60.0  # over which the speed is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """When to stop; None: never. Generations (after the founders) and games are those of the whole run."""

    generations: int | None = None
    games: int | None = None
    seconds: float | None = None  # from now


class Tally:
    """What a session has done so far, in a run that may have begun earlier."""

    def __init__(
        self, goal: Goal, generation: int, games: int, clock: Callable[[], float] = perf_counter
    ) -> None:
        """`generation` is the last one on record, -1 before the founders."""
        self.goal = goal
        self.generation = generation
        self.games = games
        self._clock = clock
        self._began = clock()
        self._seconds = 0.0  # of the generations of this session
        self._bookkeeping = 0.0  # of these
        self._past = deque([(self._began, generation, games)])  # at most WINDOW_SECONDS of it

    def add(self, progress: Progress) -> None:
        self.generation = progress.generation.number
        self.games += len(progress.generation.contests)
        self._seconds += progress.seconds
        self._bookkeeping += progress.bookkeeping
        now = self._clock()
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
        """Seconds since the session began."""
        return self._clock() - self._began

    @property
    def games_per_second(self) -> float:
        """Of late; 0 before there is anything to tell it from."""
        return self._speeds()[1]

    @property
    def bookkeeping(self) -> float:
        """The share of the time in which nobody played."""
        return self._bookkeeping / self._seconds if self._seconds else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds to the goal at the present speed; None if there is no goal, or no speed yet."""
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
        """Generations and games a second."""
        (start, generation, games), (end, *_) = self._past[0], self._past[-1]
        seconds = end - start
        if not seconds:
            return 0.0, 0.0
        return (self.generation - generation) / seconds, (self.games - games) / seconds
