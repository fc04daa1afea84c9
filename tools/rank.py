"""The tables of a ranking: a line for each warrior, and in words how they fought."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import ranking
from engines.corewar.battles import Sampling, Tally, fight_pairs, pair_tasks
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.experiment import living
from engines.corewar.presets import PRESETS, Preset, exact_rounds
from engines.corewar.ranking import Standing, by_score, standing
from engines.evolution.population import derive_seed
from engines.evolution.run_store import NAME, RunStore
from engines.statistics import mean
from engines.worker_pool import TaskError, WorkerPool, process_pool
from protocols.warriors import Named
from tools.warriors import collect

__all__ = ["add_arguments", "run"]


HEAD: Final = f"{'#':>4}  {'Score':>6}  {'95 %':^15}{'W':>8}{'L':>8}{'T':>8}  "


def row(place: int, each: Standing, exact: bool) -> str:
    """Under HEAD; the warrior's name is still to be added."""
    interval = "exact" if exact else f"[{each.score.low:5.1f}, {each.score.high:5.1f}]"
    return f"{place:4}  {each.score.value:6.2f}  {interval:^15}{each.wins:8}{each.losses:8}{each.ties:8}  "


def places(draw: Sampling) -> str:
    """How they were drawn."""
    if draw.exact:
        return "every place"
    return "places by checksum" if draw.seed is None else f"seed {draw.seed}"


def is_exact(draw: Sampling, rules: Rules) -> bool:
    """Whether each place and starter comes equally often."""
    return draw.exact and draw.rounds % exact_rounds(rules) == 0


# Bouts fought by workers, with a bar for whoever watches.


PRELOAD: Final = ("engines.corewar.battles",)
POLL_SECONDS: Final = 0.1


async def fought(
    crew: WorkerPool, rules: Rules, draw: Sampling, pairs: Sequence[tuple[Warrior, Warrior]], title: str
) -> list[Tally]:
    """What came of the pairs, in their order. TaskError."""
    work = list(pair_tasks(rules, draw, pairs))
    with _bar() as bar:
        shown = bar.add_task(title, total=len(work))
        fights = asyncio.ensure_future(crew.map(fight_pairs, work))
        while not fights.done():
            await asyncio.wait([fights], timeout=POLL_SECONDS)
            bar.update(shown, completed=crew.done)
    return [tally for tallies in fights.result() for tally in tallies]


def _bar() -> Progress:
    """Progress on stderr, silent where nobody watches."""
    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )


# A contest of warriors from files: each against each, or all against a fixed set.


USUAL: Final = "94nop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who fights whom, and how; without a set, each of the warriors each other one."""

    preset: Preset
    draw: Sampling
    fights: int  # of each pair; P-space is empty at the beginning of each
    warriors: tuple[Named, ...]
    set: tuple[Named, ...]

    @classmethod
    def of(cls, args: Namespace, skipped: list[str]) -> "Contest":
        """ValueError or OSError for arguments that make no contest."""
        if args.fights > 1 and args.checksum:
            raise ValueError("--fights with --checksum would all be the same one")
        preset = PRESETS[args.rules or USUAL]
        if preset.is_melee:
            raise ValueError(f"{preset.name} is fought all at once, not in pairs")
        return cls(
            preset=preset,
            draw=_draw(args, preset),
            fights=args.fights,
            warriors=tuple(collect(args.warriors, preset, skipped)),
            set=tuple(collect(args.against or [], preset, skipped)),
        )

    @property
    def is_exact(self) -> bool:
        return is_exact(self.draw, self.preset.rules)

    def pairs(self) -> list[tuple[Named, Named]]:
        """ValueError when there are too few warriors."""
        return (
            ranking.benchmark_pairs(self.warriors, self.set)
            if self.set
            else ranking.round_robin_pairs(self.warriors)
        )

    def standings(self, tallies: Sequence[Tally]) -> list[Standing]:
        if self.set:
            return ranking.benchmark_standings(len(self.set), tallies, self.is_exact)
        return ranking.round_robin_standings(len(self.warriors), tallies, self.is_exact)

    async def fight(self, crew: WorkerPool) -> "Fought":
        """TaskError."""
        pairs = self.pairs()
        warriors = [(first.warrior, second.warrior) for first, second in pairs for _ in range(self.fights)]
        tallies = await fought(crew, self.preset.rules, self.draw, warriors, f"{len(pairs)} pairs")
        return Fought(contest=self, series=[tallies[number :: self.fights] for number in range(self.fights)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """What came of a contest: of each series of fights the tallies of all pairs, in their order."""

    contest: Contest
    series: Sequence[Sequence[Tally]]

    @property
    def standings(self) -> list[Standing]:
        return _over_series([self.contest.standings(tallies) for tallies in self.series])

    def text(self) -> str:
        contest = self.contest
        lines = [self._heading(), HEAD + "Name, author"]
        for place, each in enumerate(self.standings, 1):
            named = contest.warriors[each.seat]
            lines.append(f"{row(place, each, contest.is_exact)}{named.label}, {named.author}")
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """For JSON, with every pair and fight."""
        contest = self.contest
        return {
            "rules": contest.preset.name,
            "rounds": contest.draw.rounds,
            "fights": contest.fights,
            "seed": contest.draw.seed,
            "exact": contest.is_exact,
            "standings": [
                {"file": contest.warriors[each.seat].source, "name": contest.warriors[each.seat].label}
                | asdict(each)
                for each in self.standings
            ],
            "pairs": [
                {"first": first.source, "second": second.source} | asdict(tally) | {"score": tally.score}
                for tallies in self.series
                for (first, second), tally in zip(contest.pairs(), tallies, strict=True)
            ],
        }

    def _heading(self) -> str:
        contest = self.contest
        opponents = f"{len(contest.set)} opponents" if contest.set else f"{len(contest.warriors)} warriors"
        fights = f"{contest.fights} fights of " if contest.fights > 1 else ""
        return (
            f"{opponents}, {contest.preset.name} rules, {fights}{contest.draw.rounds} rounds a pair, "
            f"{places(contest.draw)}"
        )


def _draw(args: Namespace, preset: Preset) -> Sampling:
    exact = args.exact or (preset.is_exact and args.rounds is None and not args.checksum)
    usual = exact_rounds(preset.rules) if exact else preset.rounds
    return Sampling(
        rounds=usual if args.rounds is None else args.rounds,
        seed=None if args.checksum else args.seed,
        exact=exact,
    )


def _over_series(series: Sequence[Sequence[Standing]]) -> list[Standing]:
    """Each warrior over all series of fights. These are alike but for chance, so the interval is their means'.

    Rounds are not: a warrior that learns from one round for the next makes series of them.
    """
    if len(series) == 1:
        return list(series[0])
    by_seat = zip(*(sorted(standings, key=lambda each: each.seat) for standings in series), strict=True)
    return by_score([
        Standing(
            seat=fights[0].seat,
            score=mean([each.score.value for each in fights]),
            wins=sum(each.wins for each in fights),
            losses=sum(each.losses for each in fights),
            ties=sum(each.ties for each in fights),
        )
        for fights in by_seat
    ])  # fmt: skip


# The end of a run of tribes: each tribe ranked, each against each, and an elimination tournament between the tribes.
#
# Reference: Evolving Warriors, sections Comparisons and Results and Discussion, where both were done by hand, "a rather
# tedious task".


SHOWN: Final = 5  # of a tribe, by text()
ROUNDS: Final = 100  # of a pair: "a minimum of 10 but 100 should be sufficient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Living:
    """A member of a tribe at the end of the run."""

    id: int
    tribe: int
    warrior: Warrior


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Of the tournament; the tally is the first one's."""

    first: Living
    second: Living
    tally: Tally
    winner: int  # ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Finale:
    """What is to be fought."""

    folder: Path
    config: TribesConfig
    draw: Sampling
    seed: int
    entrants: int  # of each tribe in the tournament
    tribes: Sequence[Sequence[Living]]

    @classmethod
    def of(cls, args: Namespace) -> "Finale":
        """ValueError or OSError for arguments, or a run, without tribes to be ranked."""
        if len(args.warriors) > 1 or args.against or args.rules or args.fights > 1:
            raise ValueError(
                "a run is ranked alone, by its own rules: without --against, --rules and --fights"
            )
        (folder,) = args.warriors
        with RunStore.open(folder) as store:
            if store.game != "corewar":
                raise ValueError(f"{folder} is a run of {store.game}, not of tribes of warriors")
            config, tribes = TribesConfig.loads(store.config), living(store)
        if not 1 <= args.entrants <= config.tribe_size:
            raise ValueError(f"--entrants must be 1 to {config.tribe_size}, the size of a tribe")
        exact = args.exact or (config.rounds is None and args.rounds is None and not args.checksum)
        usual = exact_rounds(config.rules) if exact else ROUNDS
        return cls(
            folder=folder,
            config=config,
            draw=Sampling(
                rounds=usual if args.rounds is None else args.rounds,
                seed=None if args.checksum else args.seed,
                exact=exact,
            ),
            seed=args.seed,
            entrants=args.entrants,
            tribes=[
                [Living(id=member.id, tribe=number, warrior=member.warrior) for member in members]
                for number, members in enumerate(tribes)
            ],
        )

    @property
    def is_exact(self) -> bool:
        return is_exact(self.draw, self.config.rules)

    async def fight(self, crew: WorkerPool) -> "Finished":
        """TaskError."""
        standings = await self._ranked(crew)
        best = [
            (self.tribes[number][each.seat], each.score.value)
            for number, ranked in enumerate(standings)
            for each in ranked[: self.entrants]
        ]
        entrants = [each for each, _ in sorted(best, key=lambda entrant: -entrant[1])]
        left = ranking.draw_order(len(entrants), Random(derive_seed(self.seed, 0)))
        rounds: list[list[Match]] = []
        while len(left) > 1:
            pairs = ranking.elimination_pairs(left)
            title = f"tournament, {len(left)} left"
            seats = [(entrants[first], entrants[second]) for first, second in pairs]
            tallies = await self._fought(crew, seats, 1 + len(rounds), title)
            rounds.append([
                Match(
                    first=entrants[pair[0]],
                    second=entrants[pair[1]],
                    tally=tally,
                    winner=entrants[ranking.elimination_winner(pair, tally)].id,
                )
                for pair, tally in zip(pairs, tallies, strict=True)
            ])  # fmt: skip
            left = ranking.next_round(left, tallies)
        return Finished(finale=self, standings=standings, rounds=rounds, champion=entrants[left[0]])

    async def _ranked(self, crew: WorkerPool) -> list[list[Standing]]:
        """Of each tribe, the best first."""
        by_tribe = [ranking.round_robin_pairs(members) for members in self.tribes]
        pairs = [pair for pairs in by_tribe for pair in pairs]
        tallies = iter(await self._fought(crew, pairs, 0, f"{len(pairs):,} pairs in {len(by_tribe)} tribes"))
        return [
            ranking.round_robin_standings(len(members), [next(tallies) for _ in pairs], self.is_exact)
            for members, pairs in zip(self.tribes, by_tribe, strict=True)
        ]

    async def _fought(
        self, crew: WorkerPool, pairs: Sequence[tuple[Living, Living]], stage: int, title: str
    ) -> list[Tally]:
        """Each stage from places of its own."""
        draw = (
            self.draw if self.draw.seed is None else replace(self.draw, seed=derive_seed(self.seed, 1, stage))
        )
        warriors = [(first.warrior, second.warrior) for first, second in pairs]
        return await fought(crew, self.config.rules, draw, warriors, title)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What came of it."""

    finale: Finale
    standings: Sequence[Sequence[Standing]]  # of each tribe, the best first
    rounds: Sequence[Sequence[Match]]  # of the tournament
    champion: Living

    def text(self) -> str:
        return "\n".join(self._lines())

    def data(self) -> dict[str, object]:
        """For JSON, with everybody."""
        finale = self.finale
        return {
            "run": str(finale.folder),
            "rounds": finale.draw.rounds,
            "seed": finale.draw.seed,
            "exact": finale.is_exact,
            "tribes": [
                [{"id": members[each.seat].id} | _score(each) for each in ranked]
                for members, ranked in zip(finale.tribes, self.standings, strict=True)
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
        finale = self.finale
        yield (
            f"{len(finale.tribes)} tribes of {finale.config.tribe_size}, each against each, "
            f"{finale.draw.rounds} rounds a pair, {places(finale.draw)}"
        )
        for number, (members, ranked) in enumerate(zip(finale.tribes, self.standings, strict=True)):
            yield f"\nTribe {number}\n{HEAD}ID"
            for place, each in enumerate(ranked[:SHOWN], 1):
                yield f"{row(place, each, finale.is_exact)}{members[each.seat].id}"
        for number, matches in enumerate(self.rounds, 1):
            yield f"\nTournament, round {number}"
            for match in matches:
                yield self._match(match)
        yield f"\nChampion: {self.champion.id} of tribe {self.champion.tribe}"
        yield f"see more:  galapagos genome explain {finale.folder} {self.champion.id}"

    def _match(self, match: Match) -> str:
        """As the winner sees it."""
        is_first = match.winner == match.first.id
        winner, other = (match.first, match.second) if is_first else (match.second, match.first)
        score = self._standing(match.tally if is_first else match.tally.reversed())
        interval = "exact" if self.finale.is_exact else f"[{score.score.low:.1f}, {score.score.high:.1f}]"
        return (
            f"  {winner.id} of tribe {winner.tribe} beats {other.id} of tribe {other.tribe}: "
            f"{score.score.value:.1f} {interval}, {score.wins} won, {score.losses} lost, {score.ties} tied"
        )

    def _standing(self, tally: Tally) -> Standing:
        return standing(0, [tally], self.finale.is_exact)


def _score(each: Standing) -> dict[str, object]:
    return {key: value for key, value in asdict(each).items() if key != "seat"}


# `galapagos rank`: warriors of Core War in order of their score: among themselves, against a fixed set, or of a run.


FAILED, USAGE, INTERRUPTED = 1, 2, 130


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos rank a.red b.red c.red             each against each, 100 rounds\n"
        "  galapagos rank evolved/ --rules nano         folders; a nano score is exact\n"
        "  galapagos rank mine.red --against wilkies/   a benchmark: (3W+T)*100/rounds, the mean over the set\n"
        "  galapagos rank a.red --against wilkies/ --rules 94 --fights 20    for warriors that learn in P-space\n"
        "  galapagos rank RUN                           the end of an evolution: each tribe, each against each, and\n"
        "                                               an elimination tournament of the best of all tribes"
    )
    add = parser.add_argument
    add(
        "warriors",
        nargs="+",
        type=Path,
        metavar="WARRIOR",
        help="a file of Redcode, a folder of them, or a run's",
    )
    add("--against", nargs="+", type=Path, metavar="SET", help="warriors that the others are measured by")
    add("--rules", choices=list(PRESETS), help=f"the hill whose rules hold ({USUAL}; a run's own)")
    add("--rounds", type=int, metavar="N", help="of each pair (100; nano: all places)")
    places = parser.add_mutually_exclusive_group()
    places.add_argument("--seed", type=int, default=1, metavar="S", help="of the places (1)")
    places.add_argument(
        "--checksum", action="store_true", help="places from the warriors' own code, as pMARS's -f"
    )
    places.add_argument(
        "--exact", action="store_true", help="every place and starter once, as pMARS's -P: no chance left"
    )
    add(
        "--fights",
        type=int,
        default=1,
        metavar="N",
        help="of each pair; P-space is empty before each (1)",
    )
    add(
        "--entrants",
        type=int,
        default=1,
        metavar="N",
        help="of a run: the best N of each tribe are eliminated (1)",
    )
    add("--workers", type=int, default=os.cpu_count() or 1, metavar="K", help="processes (one a processor)")
    add("--json", action="store_true", help="print JSON, with each pair")


def run(args: Namespace) -> int:
    """0 when all have fought, 1 for what fails on the way, 2 for wrong arguments."""
    skipped: list[str] = []
    try:
        contest = _prepared(args, skipped)
    except (ValueError, OSError) as error:
        return _failed(error, USAGE)
    for line in skipped:
        print(f"galapagos rank: {line}", file=sys.stderr)
    try:
        fought = asyncio.run(_fought(contest, args.workers))
    except (TaskError, OSError) as error:
        return _failed(error, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(fought.data()) if args.json else fought.text())
    return 0


def _prepared(args: Namespace, skipped: list[str]) -> Contest | Finale:
    """ValueError or OSError for arguments that make no contest."""
    if args.workers < 1 or args.seed < 0:
        raise ValueError("--workers must be 1 or more, --seed 0 or more")
    if args.fights < 1:
        raise ValueError("--fights must be 1 or more")
    if any((path / NAME).is_file() for path in args.warriors):
        return Finale.of(args)
    contest = Contest.of(args, skipped)
    contest.pairs()
    return contest


async def _fought(contest: Contest | Finale, workers: int) -> Fought | Finished:
    async with process_pool(workers, preload=PRELOAD) as crew:
        return await contest.fight(crew)


def _failed(error: Exception, status: int) -> int:
    print(f"galapagos rank: {error}", file=sys.stderr)
    return status
