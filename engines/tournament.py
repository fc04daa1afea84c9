"""Tournaments: kinds of pairing, and many games between two or more engines, several at a time.

Players are numbers from 0. A kind of pairing is a generator: it yields the groups of a round, is sent what
their members made of it, and returns the players, best first. It plays no game and draws no number.

Every opening is played twice, with the seats exchanged, since one game says more about the opening
than about the players. A game's random numbers derive from the seed and the game's place in the
schedule, and results are taken in that order, so the outcome does not depend on `concurrency`
(unless the time control is a clock on the wall).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from core.game import Game, State
from core.random import Random
from engines.engine import Engine, EngineError
from engines.match import Ending, Result, play
from engines.statistics import Estimate, Sprt, Verdict, bradley_terry
from engines.time_control import TimeControl

Kind = Literal["round_robin", "gauntlet", "swiss", "ladder"]
Group = tuple[int, ...]
Points = Sequence[Sequence[float]]  # of each group, one for each of its members; more is better
Rounds = Generator[list[Group], Points, list[int]]
EngineFactory = Callable[[], Awaitable[Engine]]

BYE: Final = 1.0  # point for whoever sits a round out, as for winning everything
SWISS_TRIES: Final = 2000  # to pair a round of players who have not met
CLOSE_SECONDS: Final = 10.0  # then a broken engine is left to itself
SEEDS: Final = 2**31


def rounds(kind: Kind, players: int, seats: int) -> Rounds:
    """The rounds of a tournament with tables of so many seats. ValueError if there are too few players."""
    if not 2 <= seats <= players:
        raise ValueError(f"{seats} seats need as many players, not {players}")
    return ROUNDS[kind](players, seats)


def count(kind: Kind, players: int, seats: int) -> int:
    """How many groups all rounds have together; it does not depend on what comes of them."""
    pairing, total = rounds(kind, players, seats), 0
    groups = next(pairing)
    while True:
        total += len(groups)
        try:
            groups = pairing.send([[0.0] * seats for _ in groups])
        except StopIteration:
            return total


def round_robin(players: int, seats: int) -> Rounds:
    """Every group meets, in one round."""
    return _at_once(list(combinations(range(players), seats)), players)


def gauntlet(players: int, seats: int) -> Rounds:
    """Every group with the first player meets, in one round."""
    others = combinations(range(1, players), seats - 1)
    return _at_once([(0, *group) for group in others], players)


def swiss(players: int, seats: int) -> Rounds:
    """Equals meet: so many rounds as single knock-out would take, each time with neighbours not met before.

    Who is left over has a bye, the last one first, and nobody twice before everybody had one.
    """
    points, byes = [0.0] * players, [0] * players
    met: Counter[Group] = Counter()
    for _ in range((players - 1).bit_length()):
        by_need = sorted(range(players), key=lambda player: (byes[player], points[player], -player))
        resting = by_need[: players % seats]
        order = sorted(set(range(players)).difference(resting), key=lambda player: (-points[player], player))
        groups = unmet_pairs(order, met) if seats == 2 else []
        groups = groups or _neighbours(order, met, seats)
        results = yield groups
        _add(points, groups, results)
        for player in resting:
            points[player] += BYE
            byes[player] += 1
        met.update(pair for group in groups for pair in combinations(sorted(group), 2))
    return _best_first(points)


def ladder(players: int, seats: int) -> Rounds:
    """Neighbours meet and change rungs by what they made of it; the last named can climb to the top.

    For two seats this is sorting by odd-even transposition, whose rounds are as many as players.
    """
    order = list(range(players))
    for number in range(players):
        first = number % 2 * (seats // 2)
        rungs = range(first, players - seats + 1, seats)
        if not rungs:
            continue
        results = yield [tuple(order[rung : rung + seats]) for rung in rungs]
        for rung, points in zip(rungs, results, strict=True):
            group = order[rung : rung + seats]
            by_points = sorted(range(seats), key=lambda member: -points[member])
            order[rung : rung + seats] = [group[member] for member in by_points]
    return order


ROUNDS: Final[Mapping[Kind, Callable[[int, int], Rounds]]] = {
    "round_robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "ladder": ladder,
}


def _at_once(groups: list[Group], players: int) -> Rounds:
    points = [0.0] * players
    results = yield groups
    _add(points, groups, results)
    return _best_first(points)


def _add(points: list[float], groups: Sequence[Group], results: Points) -> None:
    for group, result in zip(groups, results, strict=True):
        for player, own in zip(group, result, strict=True):
            points[player] += own


def _best_first(points: Sequence[float]) -> list[int]:
    return sorted(range(len(points)), key=lambda player: -points[player])


def unmet_pairs(order: Sequence[int], met: Counter[Group]) -> list[Group]:
    """Pairs of players who have not met, neighbours in the order where possible.

    Empty if there are no such pairs for all, or none are found in SWISS_TRIES: a search to the end could take
    time that is exponential in the players.
    """
    tries = SWISS_TRIES

    def paired(left: Sequence[int]) -> list[Group] | None:
        nonlocal tries
        if not left:
            return []
        tries -= 1
        first, *others = left
        for partner in others:
            if tries <= 0:
                return None
            if not met[min(first, partner), max(first, partner)]:
                rest = paired([other for other in others if other != partner])
                if rest is not None:
                    return [(first, partner), *rest]
        return None

    return paired(order) or []


def _neighbours(order: Sequence[int], met: Counter[Group], seats: int) -> list[Group]:
    """Groups from the top, of those who have met least."""
    left, groups = list(order), []
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            meetings = [sum(met[min(one, other), max(one, other)] for one in group) for other in left]
            group.append(left.pop(meetings.index(min(meetings))))
        groups.append(tuple(group))
    return groups


# -- Playing them ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player by name, and what starts its engine; each game that is played at a time has one of its own."""

    name: str
    factory: EngineFactory


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A finished game: `seats` are the indices of the entrants, the first seat first."""

    index: int  # games 2n and 2n + 1 are a pair
    round: int  # the number of its opening, which counts on when the openings are through
    seats: tuple[int, int]
    result: Result

    @property
    def culprit(self) -> int | None:
        """The entrant who resigned or was at fault."""
        return None if self.result.culprit is None else self.seats[self.result.culprit]

    def half_points(self, entrant: int) -> int:
        """What `entrant`, who sat in it, made of the game: 0 for a loss, 1 for a draw, 2 for a win."""
        own, other = self.result.returns
        if self.seats[0] != entrant:
            own, other = other, own
        return 2 if own > other else 0 if own < other else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """Who did what against whom. Entrants are given by their index in `names`."""

    names: tuple[str, ...]
    games: tuple[Played, ...]
    order: tuple[int, ...] = ()  # best first by the kind of pairing, once all its rounds are played

    def singles(self, first: int, second: int) -> tuple[int, int, int]:
        """Losses, draws and wins of `first` against `second`."""
        counts = Counter(played.half_points(first) for played in self._between(first, second))
        return counts[0], counts[1], counts[2]

    def pairs(self, first: int, second: int) -> tuple[int, int, int, int, int]:
        """How often `first` made 0, 1/2, 1, 1 1/2 and 2 points of a complete pair of games."""
        points: dict[int, list[int]] = {}
        for played in self._between(first, second):
            points.setdefault(played.index // 2, []).append(played.half_points(first))
        counts = Counter(sum(both) for both in points.values() if len(both) == 2)
        return counts[0], counts[1], counts[2], counts[3], counts[4]

    def ratings(self) -> list[Estimate]:
        """Elo around the mean of all entrants."""
        pairings = combinations(range(len(self.names)), 2)
        results = [(first, second, self.singles(first, second)) for first, second in pairings]
        return bradley_terry(len(self.names), results)

    def endings(self) -> Counter[Ending]:
        return Counter(played.result.ending for played in self.games)

    def forfeits(self, entrant: int) -> int:
        """Games that `entrant` lost by a fault of its own."""
        return sum(played.result.ending.is_forfeit and played.culprit == entrant for played in self.games)

    def _between(self, first: int, second: int) -> list[Played]:
        return [played for played in self.games if {first, second} == set(played.seats)]


async def run(
    game: Game,
    entrants: Sequence[Entrant],
    control: TimeControl,
    seed: int,
    *,
    games: int,
    openings: Sequence[State] = (),
    concurrency: int = 1,
    sprt: Sprt | None = None,
    progress: Callable[[Played], None] = lambda played: None,
    margin_seconds: float = 0.1,
    stall_seconds: float = 60.0,
    max_actions: int | None = None,
    pairing: Kind = "round_robin",
    done: Sequence[Played] = (),
) -> Crosstable:
    """Play `games` games of every two entrants who meet, or fewer once `sprt` has its verdict.

    `done` are the first games of the schedule, if they were played before; `progress` is called for each of
    the others in the order of the schedule. An engine that crashed or stalled is closed and started anew.
    ValueError for a schedule that cannot be; what a factory raises passes.
    """
    if game.players != 2 or len(entrants) < 2:
        raise ValueError("a tournament is for games of two, and for two entrants or more")
    if games < 2 or games % 2:
        raise ValueError(f"games come in pairs with the seats exchanged: {games} is not even")
    if sprt and len(entrants) != 2:
        raise ValueError("SPRT compares two entrants")

    async def referee(job: _Job, engines: Sequence[Engine]) -> Result:
        opening = openings[job.round % len(openings)] if openings else None
        return await play(
            game,
            engines,
            control,
            Random(job.game_seed),
            opening,
            margin_seconds=margin_seconds,
            stall_seconds=stall_seconds,
            max_actions=max_actions,
        )

    collector = _ResultCollector(done, sprt, progress)
    all_rounds = rounds(pairing, len(entrants), 2)
    rng = Random(seed)
    pairs, first = next(all_rounds), 0
    order: tuple[int, ...] = ()
    async with _engine_slots(entrants, concurrency) as slots:
        while not collector.has_verdict:
            jobs = list(_schedule(pairs, games // 2, rng, first))
            await collector.play(jobs[max(len(collector.games) - first, 0) :], slots, referee)
            points = _points(pairs, collector.games[first : first + len(jobs)], games)
            first += len(jobs)
            try:
                pairs = all_rounds.send(points)
            except StopIteration as end:
                order = tuple(end.value)
                break
    names = tuple(entrant.name for entrant in entrants)
    return Crosstable(names=names, games=tuple(collector.games), order=order)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A game to be played."""

    index: int
    round: int
    seats: tuple[int, int]
    game_seed: int  # a pair shares it: the same cards for both
    engine_seeds: tuple[int, int]


_Referee = Callable[[_Job, Sequence[Engine]], Awaitable[Result]]


def _schedule(pairs: Sequence[Group], openings: int, rng: Random, first: int) -> Iterator[_Job]:
    """Opening after opening, over each two games of every pair; the first of all has the number `first`."""
    index = first
    for number in range(openings):
        for one, other in pairs:
            game_seed = rng.below(SEEDS)
            for seats in ((one, other), (other, one)):
                seeds = (int(rng.below(SEEDS)), int(rng.below(SEEDS)))
                yield _Job(
                    index=index, round=number, seats=seats, game_seed=int(game_seed), engine_seeds=seeds
                )
                index += 1


def _points(pairs: Sequence[Group], played: Sequence[Played], games: int) -> list[list[float]]:
    """The score of both members of each pair, 0 to 1."""
    points = {pair: [0.0, 0.0] for pair in pairs}
    for game in played:
        pair = game.seats if game.seats in points else game.seats[::-1]
        for member, entrant in enumerate(pair):
            points[pair][member] += game.half_points(entrant) / (2 * games)
    return list(points.values())


class _ResultCollector:
    """What the slots share: the games to play, and their results in the order of the schedule."""

    def __init__(self, done: Sequence[Played], sprt: Sprt | None, progress: Callable[[Played], None]) -> None:
        self.games = list(done)
        self.has_verdict = False
        self._sprt = sprt
        self._progress = progress
        self._jobs: Iterator[_Job] = iter(())
        self._early: dict[int, Played] = {}  # finished, but an earlier game is not
        self._pairs = [0, 0, 0, 0, 0]
        self._tasks: list[asyncio.Task[None]] = []
        for count in range(2, len(done) + 1, 2):
            self._judge(done[count - 2 : count])

    async def play(self, jobs: Sequence[_Job], slots: Sequence["_EngineSlot"], referee: _Referee) -> None:
        self._jobs = iter(jobs)
        try:
            async with asyncio.TaskGroup() as group:
                self._tasks = [group.create_task(self._play(slot, referee)) for slot in slots]
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _play(self, slot: "_EngineSlot", referee: _Referee) -> None:
        for job in self._jobs:
            engines = [
                await slot.engine(entrant, seed)
                for entrant, seed in zip(job.seats, job.engine_seeds, strict=True)
            ]
            result = await referee(job, engines)
            played = Played(index=job.index, round=job.round, seats=job.seats, result=result)
            if result.ending in (Ending.CRASH, Ending.STALL) and played.culprit is not None:
                await slot.discard(played.culprit)
            self._collect(played)

    def _collect(self, played: Played) -> None:
        self._early[played.index] = played
        while not self.has_verdict and (following := self._early.pop(len(self.games), None)) is not None:
            self.games.append(following)
            self._progress(following)
            if len(self.games) % 2 == 0:
                self._judge(self.games[-2:])
        if self.has_verdict:
            for task in self._tasks:
                task.cancel()

    def _judge(self, pair: Sequence[Played]) -> None:
        if self._sprt:
            self._pairs[sum(game.half_points(0) for game in pair)] += 1
            self.has_verdict = self._sprt.verdict(self._pairs) is not Verdict.CONTINUE


@asynccontextmanager
async def _engine_slots(entrants: Sequence[Entrant], concurrency: int) -> AsyncIterator[list["_EngineSlot"]]:
    """One for each game that is played at a time."""
    slots = [_EngineSlot(entrants) for _ in range(concurrency)]
    try:
        yield slots
    finally:
        for slot in slots:
            await slot.close()


class _EngineSlot:
    """The engines of one slot, started when first needed."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self._entrants = entrants
        self._engines: dict[int, Engine] = {}

    async def engine(self, entrant: int, seed: int) -> Engine:
        """The entrant's engine; if it plays by chance, that is to say has an option Seed, seeded."""
        if entrant not in self._engines:
            self._engines[entrant] = await self._entrants[entrant].factory()
        engine = self._engines[entrant]
        if any(option.name == "Seed" for option in engine.options):
            with suppress(EngineError):  # the game begins with new_game(), which will find it dead too
                await engine.configure("Seed", str(seed))
        return engine

    async def discard(self, entrant: int) -> None:
        with suppress(EngineError, TimeoutError):
            await asyncio.wait_for(self._engines.pop(entrant).close(), CLOSE_SECONDS)

    async def close(self) -> None:
        for entrant in list(self._engines):
            await self.discard(entrant)
