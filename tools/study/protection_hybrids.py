"""A study of hybrids: whether children of the best strings are better for Chaos than the pool alone.

`galapagos study protection --hybrids` plays series of games of scripted users against modes that breed. After each
setup, when all strings have been rated on it, four choices are compared. Each takes the lowest learned rating: of the
pool alone; of the pool and the hybrids; of the pool and as many children of ten parents drawn at random; of the pool
and as many mutants of the ten best strings. The last two are controls, bred, rated and kept like hybrids: they show
what a choice among more candidates gains without crossover of good strings. The game goes on as without the study.

A low rating of few tests is partly luck. So all choices are tested again, with fresh dice that no rating has used:
on the setup whose ratings led to the choice, and, because Chaos plays the choice a turn later, on the next setup.
The turns of a game are averaged; intervals are Student's, over games. Reference: "Advanced Protection, part Future
Work".
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final

from core.protection.rules import CHAOS, HUMAN
from core.random import Random
from engines.protection.adaptation import ADVANCED, Mode
from engines.protection.chaos import (
    CHILDREN,
    PARENTS,
    Breed,
    Chaos,
    RatingJob,
    breed,
    hybrids_to_test,
    learned,
    rate,
)
from engines.protection.game import ProtectionGame, hybrid_purpose
from engines.protection.genome import Genome
from engines.protection.profile import STRINGS, Profile
from engines.protection.series import play_games
from engines.seeds import SeededStreams
from engines.statistics import Estimate, mean, score
from tools.cli import counted
from tools.study.protection_series import ADAPTING, Plan, Task, finish, read_plan, series_of, shown

MODES: Final = ("best",)  # the default: it plays the lowest rating, which is the choice that is compared
GAMES: Final = 10  # the default
SEEDS: Final = 1  # the default
FRESH: Final = 200  # tests of each choice
MUTATED: Final = 10  # bits of a mutant that are flipped, about one in a hundred
GOAL: Final = 0.10  # of the value of the human's units, to be gained
RATED, PLAYED = "rated", "played"
BOARDS: Final = MappingProxyType({
    RATED: "On the setup whose ratings led to the choice:",
    PLAYED: "On the next setup, against which Chaos plays the choice:",
})  # fmt: skip
ALL: Final = "all users"
STRONG: Final = "users who won more than 2/3"
HEAD: Final = (
    "user            mode        games  won   units    pool  with hybrids  difference                of the units      "
    "         promised  better  chosen"
)
LEGEND: Final = (
    "Ratings are dollars a turn, the human's change of value less Chaos's, by fresh tests; below 0 is good for Chaos, and\n"
    "so is a difference below 0. units: mean value of the human's units. difference: rating with hybrids less rating of\n"
    "the pool alone, mean of the games with its 95 % interval; also as a share of the value of the units in a game.\n"
    "promised: the difference of the learned ratings, which chose. better: share of games with a difference below 0.\n"
    "chosen: share of turns in which a hybrid had the lowest rating. The interval of several users is over all their\n"
    "games; other users would vary more."
)


# -- What is compared ------------------------------------------------------------------------------


def breed_at_random(strings: Sequence[Genome], ratings: Sequence[int], rng: Random) -> list[Genome]:
    """Return as many children as `breed`, of parents drawn at random."""
    return breed(strings, [rng.below(1 << 30) for _ in ratings], rng)


def mutants(strings: Sequence[Genome], ratings: Sequence[int], rng: Random) -> list[Genome]:
    """Return as many mutants of the best strings as `breed` makes children of them."""
    best = sorted(range(len(strings)), key=lambda index: ratings[index])[:PARENTS]
    return [_mutant(strings[best[rng.below(len(best))]], rng) for _ in range(CHILDREN)]


def _mutant(genome: Genome, rng: Random) -> Genome:
    for _ in range(MUTATED):
        genome = genome.mutate(rng)
    return genome


# For each control: what makes its strings, and of how many of the best strings these have their parents.
CONTROLS: Final[Mapping[str, tuple[Breed, int]]] = MappingProxyType({
    "random": (breed_at_random, STRINGS),
    "mutants": (mutants, PARENTS),
})  # fmt: skip
CHOICES: Final = ("pool", "hybrids", *CONTROLS)
WORDS: Final = MappingProxyType({
    "random": "children of parents drawn at random",
    "mutants": "mutants of the best strings",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTurn:
    """The ratings of a turn's choices, in the order of CHOICES."""

    units: int  # the value of the human's units
    learned: tuple[int, ...]  # the ratings that chose
    rated: tuple[int, ...]  # by fresh tests on the setup whose ratings led to the choices
    played: tuple[int, ...]  # by fresh tests of the choices before this setup; empty if there were none
    is_hybrid: bool  # whether a hybrid had the lowest rating


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedGame:
    """The winner and the compared turns of a game: those with units and hybrids."""

    winner: int
    turns: tuple[ComparedTurn, ...]


class Comparison:
    """Compares the choices after each setup of a series; it learns the controls as Chaos learns its hybrids."""

    def __init__(self, tests: int) -> None:
        self._tests: Final = tests
        self._controls = {name: Profile() for name in CONTROLS}
        self._before: list[Genome] = []  # the choices after the setup before this one
        self._turns: list[ComparedTurn] = []

    def watch(self, game: ProtectionGame, chaos: Chaos) -> None:
        """Compare the choices of a Chaos that has learned from the setup of a game."""
        self._learn_controls(game, chaos)
        profiles = (replace(chaos.profile, hybrids=()), chaos.profile, *self._controls.values())
        pairs = [lowest(profile, chaos.pool) for profile in profiles]
        before, self._before = self._before, []
        if not chaos.profile.hybrids:
            return
        self._before = now = [genome for _, genome in pairs]
        units = game.state.units_value()
        if not units:
            return
        found = self._fresh_ratings(game, chaos, [*now, *before])
        self._turns.append(
            ComparedTurn(
                units=units,
                learned=tuple(rating for rating, _ in pairs),
                rated=tuple(found[genome] for genome in now),
                played=tuple(found[genome] for genome in before),
                is_hybrid=now[0] != now[1],
            )
        )

    def take_turns(self) -> tuple[ComparedTurn, ...]:
        """Return the turns since the last call."""
        turns, self._turns = tuple(self._turns), []
        return turns

    def _learn_controls(self, game: ProtectionGame, chaos: Chaos) -> None:
        """Breed and rate the strings of the controls on a setup, and keep the best, by the rule for hybrids."""
        if chaos.latest is None:
            raise ValueError("the choices are compared after Chaos has rated the setup")
        for name, (make, parents) in CONTROLS.items():
            profile, streams = self._controls[name], _streams(game, name)
            rng = streams.stream(hybrid_purpose(game.state.turn))
            tested = hybrids_to_test(profile, chaos.pool, rng, make)
            found = _rate(game, chaos, tested, streams, chaos.tests) if tested else ()
            latest = (*chaos.latest.ratings[:STRINGS], *found)
            self._controls[name] = learned(profile, tested, latest, parents)

    def _fresh_ratings(
        self, game: ProtectionGame, chaos: Chaos, genomes: Sequence[Genome]
    ) -> dict[Genome, int]:
        """Return the ratings of genomes by new tests; equal genomes have the same."""
        distinct = list(dict.fromkeys(genomes))
        found = _rate(game, chaos, distinct, _streams(game, "fresh"), self._tests)
        return dict(zip(distinct, found, strict=True))


def lowest(profile: Profile, pool: Sequence[Genome]) -> tuple[int, Genome]:
    """Return the lowest learned rating of a pool and a profile's hybrids, with its string; the first of equals."""
    hybrids = ((each.rating, each.genome) for each in profile.hybrids)
    return min((*zip(profile.ratings, pool, strict=True), *hybrids), key=lambda pair: pair[0])


def _rate(
    game: ProtectionGame, chaos: Chaos, genomes: Sequence[Genome], streams: SeededStreams, tests: int
) -> tuple[int, ...]:
    code = b"".join(genome.code for genome in genomes)
    return rate(RatingJob.of(game.state, code, streams, tests, real_money=chaos.real_money)).ratings


def _streams(game: ProtectionGame, purpose: str) -> SeededStreams:
    """Return streams of random numbers that neither the game nor Chaos uses."""
    return SeededStreams(game.streams.stream_seed(f"study|{purpose}"))


# -- The series ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridPlan(Plan):
    """The plan of a study of hybrids."""

    fresh: int = FRESH  # tests of each choice


Compared = Mapping[str, Sequence[ComparedGame]]  # series by the key of their task


def play(args: Namespace) -> tuple[HybridPlan, Compared]:
    """Play every series that is not in the file. Raises ValueError or OSError if the plan cannot be played."""
    modes = list(dict.fromkeys(args.mode.split(","))) if args.mode else MODES
    for name in modes:
        if not Mode(name, 0).breeds:
            breeding = ", ".join(each for each in ADAPTING if Mode(each, 0).breeds)
            raise ValueError(f"the mode {name} has no hybrids; choose of {breeding}")
    plan = read_plan(args, HybridPlan, modes, GAMES, SEEDS)
    return plan, finish(args, plan, play_compared, ComparedGame)


def play_compared(task: Task) -> list[ComparedGame]:
    """Play the games of a series and compare the choices of each turn. Runs in a worker process."""
    if not isinstance(task.plan, HybridPlan):
        raise TypeError("a study of hybrids has a plan of its own")
    comparison = Comparison(task.plan.fresh)
    return [
        ComparedGame(winner=outcome.winner, turns=comparison.take_turns())
        for outcome in play_games(*series_of(task), comparison.watch)
    ]


# -- Measures --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """The rating of one choice less that of another, over games; intervals are None for less than two games."""

    dollars: float
    share: float  # of the mean value of the human's units in a game
    dollars_interval: Estimate | None
    share_interval: Estimate | None
    better: float  # share of games in which it is below 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The measures on one of BOARDS."""

    pool: float  # mean rating in dollars
    hybrids: float  # likewise, of the choice among pool and hybrids
    gains: Mapping[str, Gain]  # of the choice with hybrids, and with each control, over the pool alone
    beyond: Mapping[str, Gain]  # of the choice with hybrids over that with each control


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The measures of a user or of several against a mode; `boards` lacks a board without a compared turn."""

    who: str
    mode: str
    users: int
    games: int  # with a compared turn
    won: Estimate | None  # the share of games with a winner that the users won
    units: float  # mean value of the human's units
    promised: float  # mean difference of the learned ratings, with hybrids less pool alone
    chosen: float  # share of turns in which a hybrid had the lowest rating
    boards: Mapping[str, Board]

    @property
    def is_strong(self) -> bool:
        """Whether more than two thirds of the games were won, the share above which Chaos plays hybrids."""
        return self.won is not None and self.won.value > ADVANCED


def measured(plan: Plan, found: Compared) -> list[Measure]:
    """Return the measures of each user and mode, and then of groups: all users, and those above two thirds.

    A group of a single user, or of those above two thirds if they are all, would repeat the measures before it.
    """
    measures: list[Measure] = []
    groups: list[Measure] = []
    for mode in plan.modes:
        games = {name: _games(plan, found, name, mode) for name in plan.users}
        users = {name: _measure(shown(name), mode, [each]) for name, each in games.items() if each}
        strong = [name for name, each in users.items() if each.is_strong]
        measures += users.values()
        if len(users) > 1:
            groups.append(_measure(ALL, mode, [games[name] for name in users]))
        if 0 < len(strong) < len(users):
            groups.append(_measure(STRONG, mode, [games[name] for name in strong]))
    return [*measures, *groups]


def _games(plan: Plan, found: Compared, name: str, mode: str) -> list[ComparedGame]:
    keys = [Task(plan=plan, user=name, mode=mode, seed=seed).key for seed in range(1, plan.seeds + 1)]
    return [game for key in keys for game in found.get(key, ())]


def _measure(who: str, mode: str, users: Sequence[Sequence[ComparedGame]]) -> Measure:
    games = [game for each in users for game in each]
    counts = [sum(game.winner == winner for game in games) for winner in (CHAOS, HUMAN)]
    compared = [game.turns for game in games if game.turns]
    turns = [turn for each in compared for turn in each]
    boards = ((name, _board(name, compared)) for name in BOARDS)
    return Measure(
        who=who,
        mode=mode,
        users=len(users),
        games=len(compared),
        won=score(counts) if sum(counts) else None,
        units=_mean_of([[turn.units for turn in each] for each in compared]),
        promised=_mean_of([[turn.learned[1] - turn.learned[0] for turn in each] for each in compared]),
        chosen=fmean(turn.is_hybrid for turn in turns) if turns else 0.0,
        boards={name: board for name, board in boards if board},
    )


def _board(name: str, games: Sequence[Sequence[ComparedTurn]]) -> Board | None:
    """Return the measures on a board; None if no turn has ratings on it."""
    pairs = [[(turn.units, ratings) for turn in turns if (ratings := getattr(turn, name))] for turns in games]
    pairs = [each for each in pairs if each]
    if not pairs:
        return None
    return Board(
        pool=_mean_of([[ratings[0] for _, ratings in game] for game in pairs]),
        hybrids=_mean_of([[ratings[1] for _, ratings in game] for game in pairs]),
        gains={choice: _gain(pairs, row, 0) for row, choice in enumerate(CHOICES) if row},
        beyond={choice: _gain(pairs, 1, row) for row, choice in enumerate(CHOICES) if row > 1},
    )


def _gain(games: Sequence[Sequence[tuple[int, tuple[int, ...]]]], one: int, other: int) -> Gain:
    dollars = [fmean(ratings[one] - ratings[other] for _, ratings in game) for game in games]
    units = [fmean(units for units, _ in game) for game in games]
    shares = [difference / value for difference, value in zip(dollars, units, strict=True)]
    return Gain(
        dollars=fmean(dollars),
        share=fmean(shares),
        dollars_interval=mean(dollars) if len(dollars) > 1 else None,
        share_interval=mean(shares) if len(shares) > 1 else None,
        better=fmean(each < 0 for each in dollars),
    )


def _mean_of(games: Sequence[Sequence[float]]) -> float:
    """Return the mean over games of the mean over the turns of a game; 0 for no games."""
    return fmean(fmean(each) for each in games) if games else 0.0


# -- The report ------------------------------------------------------------------------------------


def text(plan: HybridPlan, found: Compared) -> str:
    measures = measured(plan, found)
    lines = [
        f"{counted(len(plan.users), 'user')}, {counted(plan.games, 'game')} in a series, {counted(plan.seeds, 'series', 'series')} "
        f"of each, rules {plan.rules}, aim {plan.aim:.2f}, {counted(plan.replicates, 'test')} of each string, {plan.fresh} fresh tests of "
        "each choice",
        *(line for name in BOARDS for line in _board_lines(name, measures)),
        "",
        *(_strong_line(mode, measures) for mode in plan.modes),
        "",
        LEGEND,
    ]
    return "\n".join(lines)


def data(plan: HybridPlan, found: Compared) -> dict[str, Any]:
    return {
        "plan": plan.hash,
        "users": list(map(shown, plan.users)),
        "games": plan.games,
        "seeds": plan.seeds,
        "rules": plan.rules,
        "fresh": plan.fresh,
        "hybrids": [asdict(each) for each in measured(plan, found)],
    }


def _strong_line(mode: str, measures: Sequence[Measure]) -> str:
    users = [each for each in measures if each.mode == mode and each.who not in (ALL, STRONG)]
    count = sum(each.is_strong for each in users)
    return f"{mode}: {count or 'none'} of {counted(len(users), 'user')} won more than 2/3 of the games."


def _board_lines(name: str, measures: Sequence[Measure]) -> Iterator[str]:
    """Yield the table of a board, and its sentences on each group of users, or on each user if there is no group."""
    compared = [(each, each.boards[name]) for each in measures if name in each.boards]
    yield from ("", BOARDS[name], "")
    if not compared:
        yield "Nothing was compared: the games had no turn with both units and hybrids."
        return
    yield HEAD
    groups = [pair for pair in compared if pair[0].who in (ALL, STRONG)]
    for pair in compared:
        if pair not in groups:
            yield _table_line(*pair)
    for measure, board in groups or compared:
        yield ""
        yield from _sentences(measure, board)


def _table_line(measure: Measure, board: Board) -> str:
    gain = board.gains["hybrids"]
    won = f"{measure.won.value:.2f}" if measure.won else "-"
    return (
        f"{measure.who:15} {measure.mode:11} {measure.games:>5} {won:>4} {measure.units:>7,.0f} {board.pool:>+7,.0f} "
        f"{board.hybrids:>+13,.0f}  {_dollars(gain):24}  {_share(gain):26} {measure.promised:>+8,.0f} "
        f"{gain.better:>7.0%} {measure.chosen:>7.0%}"
    )


def _sentences(measure: Measure, board: Board) -> Iterator[str]:
    gain = board.gains["hybrids"]
    count = counted(measure.users, "user")
    who = {ALL: count, STRONG: f"{count} who won more than 2/3 of the games"}.get(measure.who, measure.who)
    yield (
        f"{measure.mode}, {who}, {counted(measure.games, 'game')}: with hybrids {_dollars(gain)} dollars a turn, "
        f"{_share(gain)} of the value of the units; better in {gain.better:.0%} of the games."
    )
    yield f"  {_verdict(gain)} {_goal(gain)}"
    for name, words in WORDS.items():
        control, beyond = board.gains[name], board.beyond[name]
        yield f"  With {words} instead: {_share(control)}. {_beyond(beyond)} ({_share(beyond)})."


def _verdict(gain: Gain) -> str:
    match _sign(gain):
        case -1:
            return "Hybrids are better for Chaos than the pool alone."
        case 1:
            return "Hybrids are worse for Chaos than the pool alone."
        case _:
            return "A difference from the pool alone is not shown."


def _goal(gain: Gain) -> str:
    goal = f"The goal, -{GOAL * 100:.0f} % of the value,"
    interval = gain.share_interval
    if interval is None or interval.low <= -GOAL < interval.high:
        return f"{goal} is neither reached nor missed for certain."
    return f"{goal} is {'reached' if interval.high <= -GOAL else 'missed'}."


def _beyond(beyond: Gain) -> str:
    words = {-1: "Hybrids are better than these", 1: "Hybrids are worse than these"}
    return words.get(_sign(beyond), "A difference of hybrids from these is not shown")


def _sign(gain: Gain) -> int:
    """Return -1 or 1 if the whole interval of a gain is below or above 0, otherwise 0."""
    interval = gain.share_interval
    return 0 if interval is None else (interval.low > 0) - (interval.high < 0)


def _dollars(gain: Gain) -> str:
    return f"{gain.dollars_interval or gain.dollars:+,.0f}"


def _share(gain: Gain) -> str:
    return f"{gain.share_interval or gain.share:+.1%}"
