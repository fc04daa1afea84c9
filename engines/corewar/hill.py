"""A hill: the warriors that hold its places, and what a challenge makes of it. Pure functions over results.

The challenger meets everybody on the hill; all are ranked by their mean score against the others, and
who does not fit on the hill falls off. Age is the number of successful challenges survived, one's own
among them; a challenge that fails ages nobody. Nobody fights against himself.
"""

import asyncio
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Final, Literal, TypeVar, get_args

from core.corewar.warrior import Warrior
from engines.corewar import battles
from engines.corewar.battles import Fight, Tally, fingerprint
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import Preset
from engines.worker_pool import TaskError, WorkerPool

Fate = Literal["on the hill", "pushed off", "killed", "removed"]
FATES: Final[tuple[Fate, ...]] = get_args(Fate)


class HillError(ValueError):
    """A challenge that is refused; the hill stays as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A warrior on a hill, or before it."""

    id: int
    warrior: Warrior
    age: int

    @property
    def label(self) -> str:
        return f"{self.warrior.name} by {self.warrior.author}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenger:
    """A warrior that asks for a place, and those of his author's whom he sends away first."""

    warrior: Warrior
    source: str
    kills: tuple[str, ...] = ()  # names
    is_test: bool = False  # fight, but change nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Hill:
    """A hill between two challenges."""

    preset: Preset
    challenges: int  # so far
    next_id: int
    entries: tuple[Entry, ...] = ()
    battles: dict[tuple[int, int], Tally]  # of two IDs, the lower first and from its view; no melee's


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table. Wins, losses and ties are percentages of all rounds."""

    id: int
    name: str
    author: str
    wins: float
    losses: float
    ties: float
    score: float
    age: int
    fate: Fate = "on the hill"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """The challenger against one opponent, from the challenger's view."""

    opponent: str
    author: str
    wins: int
    losses: int
    ties: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """What came of a challenge: all that a report tells."""

    number: int  # the first is 1; a test has the number that it would have had
    seconds: float  # since 1970, when the last battle was over
    challenger: int  # his ID
    name: str
    author: str
    is_test: bool
    score: float
    meetings: tuple[Meeting, ...]  # none in a melee
    table: tuple[Row, ...]  # the hill's places by rank, then who was pushed off, killed, removed

    @property
    def pushed_off(self) -> Row | None:
        return next((row for row in self.table if row.fate == "pushed off"), None)


# -- Before the battles ----------------------------------------------------------------------------


def killed(hill: Hill, challenger: Challenger) -> tuple[Entry, ...]:
    """Those whom the challenger sends away: only his own author's."""
    return tuple(
        entry
        for entry in hill.entries
        if entry.warrior.name in challenger.kills and entry.warrior.author == challenger.warrior.author
    )


def opponents(hill: Hill, challenger: Challenger) -> tuple[Entry, ...]:
    """Those whom the challenger will meet. HillError if his code is among them."""
    gone = killed(hill, challenger)
    stay = tuple(entry for entry in hill.entries if entry not in gone)
    mark = fingerprint(challenger.warrior)
    for entry in stay:
        if fingerprint(entry.warrior) == mark:
            raise HillError(f"this code is on the hill already: {entry.label}")
    return stay


def fights(hill: Hill, challenger: Challenger) -> list[Fight]:
    """The battles of a challenge, the challenger first in each. HillError as opponents()."""
    preset, others = hill.preset, opponents(hill, challenger)
    crowds = [others] if preset.is_melee and others else [(other,) for other in others]
    return [
        Fight(
            rules=preset.rules,
            warriors=(challenger.warrior, *(other.warrior for other in crowd)),
            rounds=preset.rounds,
            is_exact=preset.is_exact,
        )
        for crowd in crowds
    ]


# -- After them ------------------------------------------------------------------------------------


def concluded(
    hill: Hill, challenger: Challenger, outcomes: Sequence[Sequence[Tally]], seconds: float
) -> tuple[Challenge, Hill]:
    """What came of fights(), given their tallies in order; and the hill after it, a test's too."""
    others, gone = opponents(hill, challenger), killed(hill, challenger)
    entry = Entry(id=hill.next_id, warrior=challenger.warrior, age=0)
    if hill.preset.is_melee:
        battles: dict[tuple[int, int], Tally] = {}
        meetings: tuple[Meeting, ...] = ()
        tallies = _of_melee((entry, *others), outcomes)
    else:
        met = list(zip(others, outcomes, strict=True))
        battles = hill.battles | {(other.id, entry.id): outcome[1] for other, outcome in met}
        meetings = tuple(_meeting(other, outcome[0]) for other, outcome in met)
        tallies = _of_pairs((*others, entry), battles)
    ranked = sorted((*others, entry), key=lambda each: (-_score(tallies[each.id]), -each.age, each.id))
    kept, pushed = ranked[: hill.preset.places], ranked[hill.preset.places :]
    if entry in kept:
        kept = [replace(each, age=each.age + 1) for each in kept]
    after = replace(
        hill,
        challenges=hill.challenges + 1,
        next_id=hill.next_id + 1,
        entries=tuple(kept),
        battles=_among(kept, battles),
    )
    challenge = Challenge(
        number=after.challenges,
        seconds=seconds,
        challenger=entry.id,
        name=entry.warrior.name,
        author=entry.warrior.author,
        is_test=challenger.is_test,
        score=_score(tallies[entry.id]),
        meetings=meetings,
        table=(
            *(_row(each, tallies[each.id], "on the hill") for each in kept),
            *(_row(each, tallies[each.id], "pushed off") for each in pushed),
            *(_row(each, [], "killed") for each in gone),
        ),
    )
    return challenge, after


def removed(hill: Hill, name: str, author: str = "") -> Hill:
    """Without the warriors of this name, by its owner's will. HillError if it is nobody's, or several authors'."""
    gone = [
        entry for entry in hill.entries if entry.warrior.name == name and author in ("", entry.warrior.author)
    ]
    if not gone:
        raise HillError(f"nobody on the hill is called {name}" + (f" and by {author}" if author else ""))
    if len({entry.warrior.author for entry in gone}) > 1:
        raise HillError(f"several are called {name}: {', '.join(entry.label for entry in gone)}")
    kept = [entry for entry in hill.entries if entry not in gone]
    return replace(hill, entries=tuple(kept), battles=_among(kept, hill.battles))


def standing(challenge: Challenge, hill: Hill) -> Challenge:
    """The hill's last challenge, those who have been removed since below; scores wait for the next one."""
    ids = {entry.id for entry in hill.entries}
    rows = [
        replace(row, fate="removed") if row.fate == "on the hill" and row.id not in ids else row
        for row in challenge.table
    ]
    return replace(challenge, table=tuple(sorted(rows, key=lambda row: FATES.index(row.fate))))


def _of_melee(crowd: Sequence[Entry], outcomes: Sequence[Sequence[Tally]]) -> dict[int, list[Tally]]:
    """Everybody's one tally; nobody's where there was nobody to fight."""
    if not outcomes:
        return {entry.id: [] for entry in crowd}
    return {entry.id: [tally] for entry, tally in zip(crowd, outcomes[0], strict=True)}


def _of_pairs(entries: Sequence[Entry], battles: dict[tuple[int, int], Tally]) -> dict[int, list[Tally]]:
    """Everybody's tallies against each of the others; `entries` by rising ID."""
    tallies: dict[int, list[Tally]] = {entry.id: [] for entry in entries}
    for first, second in combinations(sorted(tallies), 2):
        tally = battles[first, second]
        tallies[first].append(tally)
        tallies[second].append(Tally.of_two(wins=tally.losses, losses=tally.wins, ties=tally.ties))
    return tallies


def _among(entries: Sequence[Entry], battles: dict[tuple[int, int], Tally]) -> dict[tuple[int, int], Tally]:
    ids = {entry.id for entry in entries}
    return {pair: tally for pair, tally in battles.items() if ids.issuperset(pair)}


def _score(tallies: Sequence[Tally]) -> float:
    """The mean over the opponents; 0 without any."""
    return sum(tally.score for tally in tallies) / len(tallies) if tallies else 0.0


def _row(entry: Entry, tallies: Sequence[Tally], fate: Fate) -> Row:
    percent = 100 / max(sum(tally.rounds for tally in tallies), 1)
    return Row(
        id=entry.id,
        name=entry.warrior.name,
        author=entry.warrior.author,
        wins=percent * sum(tally.wins for tally in tallies),
        losses=percent * sum(tally.losses for tally in tallies),
        ties=percent * sum(tally.ties for tally in tallies),
        score=_score(tallies),
        age=entry.age,
        fate=fate,
    )


def _meeting(other: Entry, tally: Tally) -> Meeting:
    return Meeting(
        opponent=other.warrior.name,
        author=other.warrior.author,
        wins=tally.wins,
        losses=tally.losses,
        ties=tally.ties,
        score=tally.score,
    )


# A hill's keeper: lets challengers in, one at a time, and their battles be fought by worker processes.


MEMORY_BYTES: Final = 256 << 20  # that a task may take
START_SECONDS: Final = 10.0  # of the processor, for whatever it is
STATUS: Final = Path("/proc/self/statm")  # in pages
LEAST_TICKS: Final = 5_000_000  # in a second of a battle, a twentieth of the usual

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class Arena:
    """A crew that several hills share: it does one list of tasks at a time, within bounds."""

    def __init__(self, crew: WorkerPool) -> None:
        self._crew = crew
        self._lock = asyncio.Lock()

    async def map(
        self, function: Callable[[Task], Outcome], tasks: Sequence[Task], seconds: float = START_SECONDS
    ) -> list[Outcome]:
        """As WorkerPool.map(), but no task may take more of the processor, nor MEMORY_BYTES: TaskError."""
        async with self._lock:
            try:
                return await self._crew.map(partial(bounded, seconds, function), tasks)
            except MemoryError:
                raise TaskError(f"a task takes more than {MEMORY_BYTES >> 20} MiB") from None


class ChallengeQueue:
    """The keeper of one hill."""

    def __init__(self, store: HillStore, arena: Arena) -> None:
        self.store = store
        self._arena = arena
        self._queue = asyncio.Lock()  # first come, first served

    async def challenge(self, challenger: Challenger) -> Challenge:
        """Fight everybody on the hill; what came of it is on the disk before it is told, unless it is a test.

        HillError for a code that is on the hill already, TaskError for battles that cannot be fought.
        """
        async with self._queue, self.store.turn() as turn:
            tasks = fights(turn.hill, challenger)
            ticks = max((fight.ticks for fight in tasks), default=0)
            tallies = await self._arena.map(battles.play, tasks, START_SECONDS + ticks / LEAST_TICKS)
            challenge, after = concluded(turn.hill, challenger, tallies, time.time())
            if not challenger.is_test:
                await turn.write(challenge, challenger, after)
            return challenge

    async def replay(self, past: HillStore) -> None:
        """Let all who have challenged another hill challenge this one, and go when they were removed there.

        Who cannot, since under these rules his twin is still on the hill, stays away.
        """
        removals = past.removals()
        for number, challenger in enumerate(past.challengers(), 1):
            with suppress(HillError):
                await self.challenge(challenger)
            for after, name, author in removals:
                if after == number:
                    with suppress(HillError):
                        await self.store.remove(name, author)


def bounded(seconds: float, function: Callable[[Task], Outcome], task: Task) -> Outcome:
    """function(task), in a worker process. Too much memory is a MemoryError; too much time ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with (
        _at_most(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1),
        _at_most(resource.RLIMIT_AS, _address_space() + MEMORY_BYTES),
    ):
        return function(task)


@contextmanager
def _at_most(kind: int, amount: int) -> Iterator[None]:
    soft, hard = before = resource.getrlimit(kind)
    resource.setrlimit(kind, (min(each for each in (soft, hard, amount) if each >= 0), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


def _address_space() -> int:
    """Bytes that this process has reserved; where no Linux tells, more than it can have."""
    if not STATUS.exists():
        return 1 << 47
    return int(STATUS.read_text().split()[0]) * resource.getpagesize()
