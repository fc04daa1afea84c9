"""The command `galapagos rank`: ranks warriors of Core War among themselves, against a fixed set, or of a run."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.config import RUN_FILE
from engines.corewar import ranking
from engines.corewar.battles import Sampling, Tally, fight_pairs, pair_tasks
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.experiment import living
from engines.corewar.presets import PRESETS, Preset, exact_rounds
from engines.corewar.ranking import Generality, Standing, by_score
from engines.evolution.population import derive_seed
from engines.evolution.run_store import RunStore
from engines.evolution.selection import shuffled
from engines.match.pairing import Points, elimination_of, winner_of
from engines.statistics import mean
from engines.worker_pool import TaskError, WorkerPool, Workers
from protocols.redcode.library import NamedWarrior
from tools.cli import FAILED, CommandError, counted, positive_int, progress_bar, seed_int
from tools.files import visible
from tools.warriors import collect, preset_of_source

SHOWN: Final = 5  # members of a tribe in the tables of a run
ROUNDS: Final = 100  # of a pair in a run: "a minimum of 10 but 100 should be sufficient"
PRELOAD: Final = ("engines.corewar.battles",)
POLL_SECONDS: Final = 0.1
HEAD: Final = f"{'#':>4}  {'Score':>6}  {'95 %':^15}{'W':>8}{'L':>8}{'T':>8}  "
GENERALITY: Final = f"{'General':>8}{'Defeats':>9}{'Ties':>6}{'Loses':>7}  "


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos rank a.red b.red c.red             all against each other, 100 rounds a pair\n"
        "  galapagos rank evolved/ --rules nano         folders; a nano score is exact\n"
        "  galapagos rank nano.red --against nanobm07/  rules from the line ;redcode-nano of nano.red\n"
        "  galapagos rank mine.red --against wilkies/   a benchmark: (3W+T)*100/rounds, the mean over the set\n"
        "  galapagos rank a.red --against wilkies/ --rules 94 --fights 20    for warriors that learn in P-space\n"
        "  galapagos rank a.red --generality humans/ --rounds 24             the share of them that it defeats or ties with\n"
        "  galapagos rank RUN                           the end of an evolution: each tribe, all against each other, and\n"
        "                                               an elimination tournament of the best of all tribes"
    )
    add = parser.add_argument
    add(
        "warriors",
        nargs="+",
        type=Path,
        metavar="WARRIOR",
        help="a Redcode file, a folder of them, or the folder of a run",
    )
    sets = parser.add_mutually_exclusive_group()
    sets.add_argument(
        "--against",
        nargs="+",
        type=Path,
        metavar="SET",
        help="the files or folders of a fixed set of opponents (default: the warriors fight each other)",
    )
    sets.add_argument(
        "--generality",
        nargs="+",
        type=Path,
        metavar="SET",
        help="as --against, and count the opponents that each warrior defeats, ties with and loses to",
    )
    add(
        "--rules",
        choices=list(PRESETS),
        help="the hill whose rules apply (default: that of the first warrior's ;redcode line; a run has its own rules)",
    )
    add(
        "--rounds",
        type=positive_int,
        metavar="N",
        help="the rounds of each pair (default: 100; under nano rules, all places)",
    )
    places = parser.add_mutually_exclusive_group()
    places.add_argument(
        "--seed",
        type=seed_int,
        default=1,
        metavar="S",
        help="the seed of the places of the warriors (default: 1)",
    )
    places.add_argument(
        "--checksum",
        action="store_true",
        help="derive the places from the code of the warriors, as pMARS does with -f",
    )
    places.add_argument(
        "--exact",
        action="store_true",
        help="fight from every place with either warrior first, as pMARS does with -P, so that scores are exact",
    )
    add(
        "--fights",
        type=positive_int,
        default=1,
        metavar="N",
        help="repeat the rounds of each pair N times, with empty P-space at the start of each (default: 1)",
    )
    add(
        "--entrants",
        type=positive_int,
        default=1,
        metavar="N",
        help="with a run: the best N of each tribe enter the tournament (default: 1)",
    )
    add(
        "--workers",
        type=positive_int,
        default=os.cpu_count() or 1,
        metavar="K",
        help="the number of worker processes (default: one per core)",
    )
    add("--json", action="store_true", help="print the result of every pair as JSON")


def run(args: Namespace) -> int:
    """Fight all pairs, print the ranking and return 0.

    Raises CommandError, with 1 for a failure during the fights, 2 for wrong arguments.
    """
    skipped: list[str] = []
    try:
        contest = _contest(args, skipped)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    for line in skipped:
        print(visible(f"galapagos rank: {line}"), file=sys.stderr)
    try:
        result = asyncio.run(_fight(contest, args.workers))
    except (TaskError, OSError) as error:
        raise CommandError(error, FAILED) from None
    print(json.dumps(result.data()) if args.json else visible(result.text()))
    return 0


def _contest(args: Namespace, skipped: list[str]) -> "Contest | RunContest":
    """Return the contest of the arguments. Raises ValueError or OSError if they describe none."""
    if any((path / RUN_FILE).is_file() for path in args.warriors):
        return RunContest.of(args)
    contest = Contest.of(args, skipped)
    contest.pairs()
    return contest


async def _fight(contest: "Contest | RunContest", workers: int) -> "ContestResult | RunResult":
    async with Workers(workers, preload=PRELOAD) as pool:
        return await contest.fight(pool)


# -- Warriors of files: each against each, or all against a fixed set -----------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A contest of warriors against the opponents, or without opponents against each other."""

    preset: Preset
    sampling: Sampling
    fights: int  # of each pair; P-space is empty at the beginning of each
    warriors: tuple[NamedWarrior, ...]
    opponents: tuple[NamedWarrior, ...]
    shows_generality: bool

    @classmethod
    def of(cls, args: Namespace, skipped: list[str]) -> "Contest":
        """Return the contest of the arguments. Raises ValueError or OSError if they describe none."""
        if args.fights > 1 and args.checksum:
            raise ValueError("--fights cannot be used with --checksum, because all fights would be the same")
        preset = PRESETS[args.rules] if args.rules else preset_of_source(args.warriors[0])
        if preset.is_melee:
            raise ValueError(
                f"the {preset.name} hill is a melee of all warriors, and cannot be fought in pairs"
            )
        return cls(
            preset=preset,
            sampling=_sampling(args, preset.rules, preset.is_exact, preset.rounds),
            fights=args.fights,
            warriors=tuple(collect(args.warriors, preset, skipped)),
            opponents=tuple(collect(args.against or args.generality or [], preset, skipped)),
            shows_generality=bool(args.generality),
        )

    @property
    def is_exact(self) -> bool:
        return _is_exact(self.sampling, self.preset.rules)

    def pairs(self) -> list[tuple[NamedWarrior, NamedWarrior]]:
        """Return the pairs that fight. Raises ValueError if there are too few warriors."""
        return (
            ranking.benchmark_pairs(self.warriors, self.opponents)
            if self.opponents
            else ranking.round_robin_pairs(self.warriors)
        )

    def standings(self, tallies: Sequence[Tally]) -> list[Standing]:
        if self.opponents:
            return ranking.benchmark_standings(len(self.opponents), tallies, self.is_exact)
        return ranking.round_robin_standings(len(self.warriors), tallies, self.is_exact)

    async def fight(self, pool: WorkerPool) -> "ContestResult":
        """Fight all pairs. Raises TaskError if a task of a worker fails."""
        pairs = self.pairs()
        warriors = [(first.warrior, second.warrior) for first, second in pairs for _ in range(self.fights)]
        tallies = await _fought(pool, self.preset.rules, self.sampling, warriors, counted(len(pairs), "pair"))
        return ContestResult(
            contest=self, series=[tallies[number :: self.fights] for number in range(self.fights)]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestResult:
    """The tallies of a contest: one for each pair, in the order of the pairs, for each series of fights."""

    contest: Contest
    series: Sequence[Sequence[Tally]]

    @property
    def standings(self) -> list[Standing]:
        return _over_series([self.contest.standings(tallies) for tallies in self.series])

    def text(self) -> str:
        contest = self.contest
        lines = [self._heading(), HEAD + (GENERALITY if contest.shows_generality else "") + "Name, author"]
        for place, standing in enumerate(self.standings, 1):
            named = contest.warriors[standing.seat]
            row = _row(place, standing, contest.is_exact)
            if contest.shows_generality:
                row += _generality_columns(self.generality(standing.seat))
            lines.append(f"{row}{named.label}, {named.author}")
        return "\n".join(lines)

    def generality(self, seat: int) -> Generality:
        """Return the generality of a warrior against the set, from the rounds of all series together."""
        count = len(self.contest.opponents)
        fights = zip(*(tallies[count * seat : count * (seat + 1)] for tallies in self.series), strict=True)
        return Generality.of(
            [sum(getattr(tally, kind) for tally in met) for kind in ("losses", "ties", "wins")]
            for met in fights
        )

    def data(self) -> dict[str, object]:
        """Return the result for JSON, with every pair and fight."""
        contest = self.contest
        return {
            "rules": contest.preset.name,
            "rounds": contest.sampling.rounds,
            "fights": contest.fights,
            "seed": contest.sampling.seed,
            "exact": contest.is_exact,
            "standings": [
                {
                    "file": contest.warriors[standing.seat].source,
                    "name": contest.warriors[standing.seat].label,
                }
                | asdict(standing)
                | (asdict(self.generality(standing.seat)) if contest.shows_generality else {})
                for standing in self.standings
            ],
            "pairs": [
                {"first": first.source, "second": second.source} | asdict(tally) | {"score": tally.score}
                for tallies in self.series
                for (first, second), tally in zip(contest.pairs(), tallies, strict=True)
            ],
        }

    def _heading(self) -> str:
        contest = self.contest
        opponents = (
            counted(len(contest.opponents), "opponent")
            if contest.opponents
            else counted(len(contest.warriors), "warrior")
        )
        fights = f"{contest.fights} fights of " if contest.fights > 1 else ""
        return (
            f"{opponents}, {contest.preset.name} rules, {fights}{counted(contest.sampling.rounds, 'round')} a pair, "
            f"{_places(contest.sampling)}"
        )


def _over_series(series: Sequence[Sequence[Standing]]) -> list[Standing]:
    """Return the standings over all series of fights, with intervals of the means of the series.

    Series differ only by chance; single rounds do not, because a warrior may learn from one round for the next.
    """
    if len(series) == 1:
        return list(series[0])
    by_seat = zip(
        *(sorted(standings, key=lambda standing: standing.seat) for standings in series), strict=True
    )
    return by_score([
        Standing(
            seat=fights[0].seat,
            score=mean([standing.score.value for standing in fights]),
            wins=sum(standing.wins for standing in fights),
            losses=sum(standing.losses for standing in fights),
            ties=sum(standing.ties for standing in fights),
        )
        for fights in by_seat
    ])  # fmt: skip


# -- The end of a run: each tribe, each against each, and an elimination tournament between the tribes ----
#
# Reference: Evolving Warriors, sections Comparisons and Results and Discussion, where both were done by hand, "a rather
# tedious task".


@dataclass(frozen=True, slots=True, kw_only=True)
class Living:
    """A member of a tribe at the end of the run."""

    id: int
    tribe: int
    warrior: Warrior


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match of the tournament; the tally is that of the first member."""

    first: Living
    second: Living
    tally: Tally
    winner: int  # ID


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContest:
    """The tribes at the end of a run, and the best of each for the tournament."""

    folder: Path
    config: TribesConfig
    sampling: Sampling
    seed: int
    entrants: int  # of each tribe in the tournament
    tribes: Sequence[Sequence[Living]]

    @classmethod
    def of(cls, args: Namespace) -> "RunContest":
        """Return the contest of a run. Raises ValueError or OSError for wrong arguments or a run without tribes."""
        if len(args.warriors) > 1 or args.against or args.generality or args.rules or args.fights > 1:
            raise ValueError(
                "a run is ranked alone and by its own rules; leave out other warriors, --against, --generality, --rules and --fights"
            )
        (folder,) = args.warriors
        with RunStore.open(folder) as store:
            if store.game != "corewar":
                raise ValueError(f"{folder} is a run of {store.game}, not of tribes of warriors")
            config, tribes = TribesConfig.loads(store.config), living(store)
        if not 1 <= args.entrants <= config.tribe_size:
            raise ValueError(f"--entrants must be 1 to {config.tribe_size}, the size of a tribe")
        return cls(
            folder=folder,
            config=config,
            sampling=_sampling(args, config.rules, config.rounds is None, ROUNDS),
            seed=args.seed,
            entrants=args.entrants,
            tribes=[
                [Living(id=member.id, tribe=number, warrior=member.warrior) for member in members]
                for number, members in enumerate(tribes)
            ],
        )

    @property
    def is_exact(self) -> bool:
        return _is_exact(self.sampling, self.config.rules)

    async def fight(self, pool: WorkerPool) -> "RunResult":
        """Rank the tribes and play the tournament. Raises TaskError if a task of a worker fails."""
        standings = await self._ranked(pool)
        best = [
            (self.tribes[number][standing.seat], standing.score.value)
            for number, ranked in enumerate(standings)
            for standing in ranked[: self.entrants]
        ]
        entrants = [member for member, _ in sorted(best, key=lambda entrant: -entrant[1])]
        drawn = shuffled(range(len(entrants)), Random(derive_seed(self.seed, 0)))
        rounds: list[list[Match]] = []
        elimination = elimination_of(drawn)
        points: Points = []
        while True:
            try:
                pairs = elimination.send(points) if rounds else next(elimination)
            except StopIteration as end:
                champion = entrants[end.value[0]]
                return RunResult(contest=self, standings=standings, rounds=rounds, champion=champion)
            left = len(entrants) - sum(map(len, rounds))
            seats = [(entrants[first], entrants[second]) for first, second in pairs]
            tallies = await self._fought(pool, seats, 1 + len(rounds), f"tournament, {left} left")
            points = [(tally.points, tally.reversed().points) for tally in tallies]
            rounds.append([
                Match(
                    first=entrants[pair[0]],
                    second=entrants[pair[1]],
                    tally=tally,
                    winner=entrants[winner_of(pair, made)].id,
                )
                for pair, tally, made in zip(pairs, tallies, points, strict=True)
            ])  # fmt: skip

    async def _ranked(self, pool: WorkerPool) -> list[list[Standing]]:
        """Return the standings of each tribe, the best first."""
        by_tribe = [ranking.round_robin_pairs(members) for members in self.tribes]
        pairs = [pair for pairs in by_tribe for pair in pairs]
        tallies = iter(
            await self._fought(
                pool, pairs, 0, f"{counted(len(pairs), 'pair')} in {counted(len(by_tribe), 'tribe')}"
            )
        )
        return [
            ranking.round_robin_standings(len(members), [next(tallies) for _ in pairs], self.is_exact)
            for members, pairs in zip(self.tribes, by_tribe, strict=True)
        ]

    async def _fought(
        self, pool: WorkerPool, pairs: Sequence[tuple[Living, Living]], stage: int, title: str
    ) -> list[Tally]:
        """Fight the pairs of a stage; each stage draws its own places."""
        sampling = self.sampling
        if sampling.seed is not None:
            sampling = replace(sampling, seed=derive_seed(self.seed, 1, stage))
        warriors = [(first.warrior, second.warrior) for first, second in pairs]
        return await _fought(pool, self.config.rules, sampling, warriors, title)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The standings of the tribes, the matches of the tournament and its winner."""

    contest: RunContest
    standings: Sequence[Sequence[Standing]]  # of each tribe, the best first
    rounds: Sequence[Sequence[Match]]  # of the tournament
    champion: Living

    def text(self) -> str:
        return "\n".join(self._lines())

    def data(self) -> dict[str, object]:
        """Return the result for JSON, with every member of the tribes."""
        contest = self.contest
        return {
            "run": str(contest.folder),
            "rounds": contest.sampling.rounds,
            "seed": contest.sampling.seed,
            "exact": contest.is_exact,
            "tribes": [
                [{"id": members[standing.seat].id} | _score(standing) for standing in ranked]
                for members, ranked in zip(contest.tribes, self.standings, strict=True)
            ],
            "tournament": [
                [
                    {"first": match.first.id, "second": match.second.id, "winner": match.winner}
                    | _score(self._standing(match.tally))
                    for match in matches
                ]
                for matches in self.rounds
            ],
            "champion": self.champion.id,
            "tribe": self.champion.tribe,
        }

    def _lines(self) -> Iterator[str]:
        contest = self.contest
        yield (
            f"{counted(len(contest.tribes), 'tribe')} of {contest.config.tribe_size}, all against each other, "
            f"{counted(contest.sampling.rounds, 'round')} a pair, {_places(contest.sampling)}"
        )
        for number, (members, ranked) in enumerate(zip(contest.tribes, self.standings, strict=True)):
            yield f"\nTribe {number}\n{HEAD}ID"
            for place, standing in enumerate(ranked[:SHOWN], 1):
                yield f"{_row(place, standing, contest.is_exact)}{members[standing.seat].id}"
        for number, matches in enumerate(self.rounds, 1):
            yield f"\nTournament, round {number}"
            for match in matches:
                yield self._match(match)
        yield f"\nChampion: {self.champion.id} of tribe {self.champion.tribe}"
        yield f"see more:  galapagos genome explain {contest.folder} {self.champion.id}"

    def _match(self, match: Match) -> str:
        """Return a line for a match of the tournament, with the winner's score."""
        is_first = match.winner == match.first.id
        winner, other = (match.first, match.second) if is_first else (match.second, match.first)
        score = self._standing(match.tally if is_first else match.tally.reversed())
        interval = "exact" if self.contest.is_exact else f"[{score.score.low:.1f}, {score.score.high:.1f}]"
        return (
            f"  {winner.id} of tribe {winner.tribe} beats {other.id} of tribe {other.tribe}: "
            f"{score.score.value:.1f} {interval}, {score.wins} won, {score.losses} lost, {score.ties} tied"
        )

    def _standing(self, tally: Tally) -> Standing:
        return ranking.standing(0, [tally], self.contest.is_exact)


def _score(standing: Standing) -> dict[str, object]:
    return {key: value for key, value in asdict(standing).items() if key != "seat"}


# -- Helpers ------------------------------------------------------------------------------------------


def _sampling(args: Namespace, rules: Rules, is_exact: bool, rounds: int) -> Sampling:
    """Return the sampling of the arguments; by default `rounds` rounds of a pair, or all places if `is_exact`."""
    exact = args.exact or (is_exact and args.rounds is None and not args.checksum)
    usual = exact_rounds(rules) if exact else rounds
    return Sampling(rounds=args.rounds or usual, seed=None if args.checksum else args.seed, exact=exact)


async def _fought(
    pool: WorkerPool, rules: Rules, sampling: Sampling, pairs: Sequence[tuple[Warrior, Warrior]], title: str
) -> list[Tally]:
    """Fight pairs in worker processes and return their tallies in order. Raises TaskError if a task fails."""
    work = list(pair_tasks(rules, sampling, pairs))
    with progress_bar() as bar:
        shown = bar.add_task(title, total=len(pairs))
        fights = asyncio.ensure_future(pool.map(fight_pairs, work))
        while not fights.done():
            await asyncio.wait([fights], timeout=POLL_SECONDS)
            bar.update(shown, completed=len(pairs) * pool.done // len(work))
    return [tally for tallies in fights.result() for tally in tallies]


def _generality_columns(generality: Generality) -> str:
    return f"{generality.share:>8.1%}{generality.defeated:>9}{generality.tied:>6}{generality.lost:>7}  "


def _row(place: int, standing: Standing, exact: bool) -> str:
    """Return a row of the table under HEAD, up to the column of the warrior's name."""
    score = standing.score
    interval = "exact" if exact else f"[{score.low:5.1f}, {score.high:5.1f}]"
    counts = f"{standing.wins:8}{standing.losses:8}{standing.ties:8}"
    return f"{place:4}  {score.value:6.2f}  {interval:^15}{counts}  "


def _places(sampling: Sampling) -> str:
    """Return in words how the places of the warriors are chosen."""
    if sampling.exact:
        return "every place"
    return "places by checksum" if sampling.seed is None else f"seed {sampling.seed}"


def _is_exact(sampling: Sampling, rules: Rules) -> bool:
    """Return whether each place and starter occurs equally often."""
    return sampling.exact and sampling.rounds % exact_rounds(rules) == 0
