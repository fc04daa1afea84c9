"""`galapagos rank`: warriors of Core War in order of their score, among themselves or against a fixed set."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from engines.corewar.battles import Tally
from engines.corewar.presets import PRESETS, Preset, exact_rounds
from engines.corewar.ranking import benchmark, round_robin
from engines.corewar.ranking.bouts import Draw, fight, tasks
from engines.corewar.ranking.standing import Standing
from engines.executor import TaskError, processes
from tools.warriors import Named, collect

FAILED, USAGE, INTERRUPTED = 1, 2, 130
PRELOAD: Final = ("engines.corewar.ranking.bouts",)
POLL_SECONDS: Final = 0.1


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos rank a.red b.red c.red             each against each, 100 rounds\n"
        "  galapagos rank evolved/ --rules nano         folders; a nano score is exact\n"
        "  galapagos rank mine.red --against wilkies/   a benchmark: (3W+T)*100/rounds, the mean over the set"
    )
    add = parser.add_argument
    add("warriors", nargs="+", type=Path, metavar="WARRIOR", help="a file of Redcode, or a folder of them")
    add("--against", nargs="+", type=Path, metavar="SET", help="warriors that the others are measured by")
    add("--rules", choices=list(PRESETS), default="94nop", help="the hill whose rules hold (94nop)")
    add("--rounds", type=int, metavar="N", help="of each pair (100; nano: all places)")
    places = parser.add_mutually_exclusive_group()
    places.add_argument("--seed", type=int, default=1, metavar="S", help="of the places (1)")
    places.add_argument(
        "--checksum", action="store_true", help="places from the warriors' own code, as pMARS's -f"
    )
    places.add_argument(
        "--exact", action="store_true", help="every place and starter once, as pMARS's -P: no chance left"
    )
    add("--workers", type=int, default=os.cpu_count() or 1, metavar="K", help="processes (one a processor)")
    add("--json", action="store_true", help="print JSON, with each pair")


def run(args: Namespace) -> int:
    """0 when all have fought, 1 for what fails on the way, 2 for wrong arguments."""
    skipped: list[str] = []
    try:
        contest = _Contest.of(args, skipped)
        pairs = contest.pairs()
    except (ValueError, OSError) as error:
        return _failed(error, USAGE)
    for line in skipped:
        print(f"galapagos rank: {line}", file=sys.stderr)
    try:
        tallies = asyncio.run(_fought(contest, pairs, args.workers))
    except (TaskError, OSError) as error:
        return _failed(error, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(_data(contest, tallies)) if args.json else _text(contest, tallies))
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contest:
    """Who fights whom, and how; without a set, each of the warriors each other one."""

    preset: Preset
    draw: Draw
    warriors: tuple[Named, ...]
    set: tuple[Named, ...]

    @classmethod
    def of(cls, args: Namespace, skipped: list[str]) -> "_Contest":
        """ValueError or OSError for arguments that make no contest."""
        if args.workers < 1 or args.seed < 0:
            raise ValueError("--workers must be 1 or more, --seed 0 or more")
        preset = PRESETS[args.rules]
        if preset.is_melee:
            raise ValueError(f"{preset.name} is fought all at once, not in pairs")
        return cls(
            preset=preset,
            draw=_draw(args, preset),
            warriors=tuple(collect(args.warriors, preset, skipped)),
            set=tuple(collect(args.against or [], preset, skipped)),
        )

    @property
    def is_exact(self) -> bool:
        return self.draw.exact and self.draw.rounds % exact_rounds(self.preset.rules) == 0

    def pairs(self) -> list[tuple[Named, Named]]:
        """ValueError when there are too few warriors."""
        return benchmark.pairs(self.warriors, self.set) if self.set else round_robin.pairs(self.warriors)

    def standings(self, tallies: Sequence[Tally]) -> list[Standing]:
        if self.set:
            return benchmark.standings(len(self.set), tallies, self.is_exact)
        return round_robin.standings(len(self.warriors), tallies, self.is_exact)


def _draw(args: Namespace, preset: Preset) -> Draw:
    exact = args.exact or (preset.is_exact and args.rounds is None and not args.checksum)
    usual = exact_rounds(preset.rules) if exact else preset.rounds
    return Draw(
        rounds=usual if args.rounds is None else args.rounds,
        seed=None if args.checksum else args.seed,
        exact=exact,
    )


async def _fought(contest: _Contest, pairs: Sequence[tuple[Named, Named]], workers: int) -> list[Tally]:
    """What came of the pairs, in their order."""
    warriors = [(first.warrior, second.warrior) for first, second in pairs]
    work = list(tasks(contest.preset.rules, contest.draw, warriors))
    async with processes(min(workers, len(work)), preload=PRELOAD) as crew:
        with _bar() as bar:
            shown = bar.add_task(f"{len(pairs)} pairs", total=len(work))
            fights = asyncio.ensure_future(crew.map(fight, work))
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


# -- After it --------------------------------------------------------------------------------------


def _text(contest: _Contest, tallies: Sequence[Tally]) -> str:
    lines = [_heading(contest), f"{'#':>4}  {'Score':>6}  {'95 %':^15}{'W':>8}{'L':>8}{'T':>8}  Name, author"]
    for place, each in enumerate(contest.standings(tallies), 1):
        named = contest.warriors[each.seat]
        interval = "exact" if contest.is_exact else f"[{each.score.low:5.1f}, {each.score.high:5.1f}]"
        lines.append(
            f"{place:4}  {each.score.value:6.2f}  {interval:^15}{each.wins:8}{each.losses:8}{each.ties:8}"
            f"  {named.label}, {named.author}"
        )
    return "\n".join(lines)


def _heading(contest: _Contest) -> str:
    opponents = f"{len(contest.set)} opponents" if contest.set else f"{len(contest.warriors)} warriors"
    draw = contest.draw
    places = (
        "every place" if draw.exact else "places by checksum" if draw.seed is None else f"seed {draw.seed}"
    )
    return f"{opponents}, {contest.preset.name} rules, {draw.rounds} rounds a pair, {places}"


def _data(contest: _Contest, tallies: Sequence[Tally]) -> dict[str, object]:
    """The same for JSON, with every pair."""
    return {
        "rules": contest.preset.name,
        "rounds": contest.draw.rounds,
        "seed": contest.draw.seed,
        "exact": contest.is_exact,
        "standings": [
            {"file": contest.warriors[each.seat].source, "name": contest.warriors[each.seat].label}
            | asdict(each)
            for each in contest.standings(tallies)
        ],
        "pairs": [
            {"first": first.source, "second": second.source} | asdict(tally) | {"score": tally.score}
            for (first, second), tally in zip(contest.pairs(), tallies, strict=True)
        ],
    }


def _failed(error: Exception, status: int) -> int:
    print(f"galapagos rank: {error}", file=sys.stderr)
    return status
