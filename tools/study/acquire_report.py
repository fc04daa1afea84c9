"""Studies of Acquire's players as text, with CSV tables (tools/study/acquire_tables.py) and figures.

Each figure of the thesis comes with the baseline of luck or bookkeeping alone, and every strength with its games, its
interval and the options it depends on. A single run is reported as such.
"""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import Final

from engines.acquire.match import Score
from engines.statistics import Estimate
from engines.worker_pool import WorkerPool, Workers
from tools.plot.canvas import check
from tools.study.acquire_figures import figures
from tools.study.acquire_games import (
    CHAMPION,
    CONTROL,
    LAST_BEST,
    PANEL,
    YARDSTICKS,
    GroupGames,
    PairsOfRuns,
    play_pairs,
    play_panel,
    rate,
)
from tools.study.acquire_pairs import GAMES, Pairs
from tools.study.acquire_runs import Champion, Group, Run, grouped, joined
from tools.study.acquire_tables import tables

REPORT: Final = "report.txt"
WIDTH: Final = 110
SHOWN: Final = 5  # pairs that played again
INTERVALS: Final = "Intervals are 95 %: Student's over runs, and for win rates at least Wilson's over games. A tie is half a win."


def study(folders: Sequence[Path], out: Path, form: str, games: int, workers: int) -> str:
    """Write the report, the tables and the figures to `out`, and return the report.

    Raises ValueError or OSError if the runs cannot be studied or the files cannot be written.
    """
    check()
    groups = grouped([Run.read(folder) for folder in folders])
    out.mkdir(parents=True, exist_ok=True)
    studied, pairs = asyncio.run(_played(groups, games, Workers(workers)))
    report = text(studied, games, pairs)
    write(out, report, studied, pairs, form)
    return report


def write(
    out: Path, report: str, studied: Sequence[GroupGames], pairs: PairsOfRuns | None, form: str
) -> None:
    """Write a report, the tables and the figures. Raises OSError if a file cannot be written."""
    (out / REPORT).write_text(f"{report}\n", encoding="utf-8")
    for name, table in tables(studied, pairs).items():
        (out / name).write_text(table, encoding="utf-8")
    for figure in figures(studied, pairs):
        figure.save(out, form)


def compare(folders: Sequence[Path], games: int, workers: int) -> str:
    """Return a report on the champions of runs of any kind against the panel.

    Raises ValueError or OSError if a run cannot be read or has no champion.
    """
    champions = [Champion.read(folder) for folder in folders]
    champions += joined(champions)
    groups: dict[str, list[Champion]] = {}
    for champion in champions:
        groups.setdefault(_champion_name(champion, champions), []).append(champion)
    return asyncio.run(_compared(groups, games, Workers(workers)))


async def _played(
    groups: Sequence[Group], games: int, pool: WorkerPool
) -> tuple[list[GroupGames], PairsOfRuns | None]:
    async with pool:
        studied = [await GroupGames.played(group, games, pool) for group in groups]
        return studied, await play_pairs(groups, games, pool)


async def _compared(groups: dict[str, list[Champion]], games: int, pool: WorkerPool) -> str:
    lines = [
        f"Champions of Acquire: {games:,} new games against each opponent, two with each order of tiles",
        INTERVALS,
    ]
    async with pool:
        for name, group in groups.items():
            counts = sorted({min(each.games for each in group), max(each.games for each in group)})
            evolved = " to ".join(f"{count:,}" for count in counts)
            first = group[0]
            lines += ["", f"{name}: {_seeds(group)}"]
            lines += [
                f"  {first.rules.name}, evolved in {evolved} games each; {first.entrant.describe_options()}"
            ]
            lines += [
                f"  against {member:12}{found:.1%}"
                for member, found in (await play_panel(group, games, pool)).items()
            ]
    return "\n".join(lines)


def _champion_name(champion: Champion, all: Sequence[Champion]) -> str:
    """Return the name of a champion's group: the kind of its run, and the settings that vary within that kind."""
    alike = [each.settings for each in all if each.settings.keys() == champion.settings.keys()]
    varied = (
        f"{key} {value}"
        for key, value in champion.settings.items()
        if key == "evolve" or len({each[key] for each in alike}) > 1
    )
    return ", ".join(varied)


# -- The report ------------------------------------------------------------------------------------


def text(studied: Sequence[GroupGames], games: int, pairs: PairsOfRuns | None) -> str:
    """Return the whole report; `games` were played for each comparison."""
    runs = sum(len(each.group.runs) for each in studied)
    lines = [
        f"Programs of Acquire: {_number(runs, 'run')}, {_number(len(studied), 'configuration')}, "
        f"{games:,} new games for each comparison, two with each order of tiles",
        INTERVALS,
    ]
    for each in studied:
        lines += ["", *_group(each)]
    if len(studied) > 1:
        lines += ["", *_comparison(studied)]
    if pairs:
        lines += ["", *_pairs(*pairs)]
    return "\n".join(lines)


def _group(studied: GroupGames) -> Iterator[str]:
    group = studied.group
    yield _title(group)
    yield fill(f"  {group.config.rules}; {group.config.options}", WIDTH, subsequent_indent="  ")
    yield from (
        f"  seed {run.seed}: {run.games:,} games, hash {run.hash[:12]}, {run.folder}" for run in group.runs
    )
    yield "  Size of programs (Figures 4.1, 4.2) in the first and in the last generation"
    for quantity in ("nodes", "levels", "genotypes", "behaviours"):
        line = group.curve(quantity)
        form = ".2f" if quantity in ("nodes", "levels") else ",.0f"
        yield f"    {quantity:12}{_interval(line[0], form)} to {_interval(line[-1], form)}"
    yield "  Best fitness (Figures 4.3 to 4.6), and that of the luckiest among as many players of equal strength"
    best, luck = group.curve("best"), group.curve("best_by_luck")
    for name, place in (("first", 0), ("last", -1)):
        yield f"    {name:12}{_interval(best[place], '.4f')}, by luck {_interval(luck[place], '.4f')}"
    yield from _mean(group)
    yield from _samples(studied)
    yield from _ancestors(studied)
    yield from _panel(studied)


def _title(group: Group) -> str:
    config = group.config
    return (
        f"{group.name}: {_seeds(group.runs)}; population {config.population:,}, "
        f"{group.length} generations, {config.games} games each"
    )


def _seeds(runs: Sequence[Run] | Sequence[Champion]) -> str:
    several = "a single run, seed" if len(runs) == 1 else f"{len(runs)} runs, seeds"
    return f"{several} {', '.join(str(run.seed) for run in runs)}"


def _mean(group: Group) -> Iterator[str]:
    means = group.curve("mean")
    yield (
        f"  Mean fitness (Figures 4.7, 4.8): {min(each.value for each in means):.4f} to "
        f"{max(each.value for each in means):.4f}"
    )
    if group.config.fitness != "money":
        yield (
            "    Both players of a game are credited, so the mean is always 1/2, "
            "whatever the strength of the players."
        )


def _samples(studied: GroupGames) -> Iterator[str]:
    yield "  Win rates of a random sample of the offspring of a generation"
    for number in studied.group.runs[0].samples:
        for member in YARDSTICKS:
            scores = studied.of_runs("samples", generation=number, opponent=member)
            yield f"    generation {number:3} against {member:12}{_rates(scores)}"


def _ancestors(studied: GroupGames) -> Iterator[str]:
    length = studied.group.length
    if length > 1:
        yield "  Win rate of the last generation's best against the best of earlier generations (Figures 4.9, 4.10)"
        for number in sorted({0, min(length // 2, length - 2), length - 2}):
            scores = studied.of_runs("tournament", LAST_BEST, generation=number)
            yield f"    generation {number:3} {_rates(scores)}"
    for run in studied.group.runs:
        met = {
            row.generation: score
            for row, score in studied.scores.items()
            if (row.table, row.seed, row.player) == ("tournament", run.seed, CHAMPION)
        }
        if met:
            below = [number for number, score in met.items() if score.win_rate.high < 0.5]
            yield (
                f"    seed {run.seed}: the interval of its champion's win rate is below 1/2 against "
                f"{len(below)} of {len(met)} bests"
                + (f" (generations {', '.join(map(str, below))})" if below else "")
            )


def _panel(studied: GroupGames) -> Iterator[str]:
    yield "  Win rates against the panel: of the champion, which new games chose, and of the best of generation 0"
    if not any(run.champion for run in studied.group.runs):
        yield "    There is no champion, because the runs ended before their first examination."
    for member in PANEL:
        shown = [
            f"{player} {_rates(scores)}"
            for player in (CHAMPION, CONTROL)
            if (scores := studied.of_runs("panel", player, opponent=member))
        ]
        yield f"    {member:12}{'; '.join(shown)}"


def _comparison(studied: Sequence[GroupGames]) -> Iterator[str]:
    yield "Champions side by side: mean win rate over the runs; overlapping intervals show no difference"
    width = max(len(each.group.name) for each in studied)
    for each in studied:
        parts = [
            f"{member} {_interval(found, '.1%') if found else 'no champion'}"
            for member in YARDSTICKS
            for found in [each.strength(CHAMPION, member)]
        ]
        yield f"  {each.group.name:{width}}  {_number(len(each.group.runs), 'run'):8}{'; '.join(parts)}"


def _pairs(places: Run, buys: Run, pairs: Pairs) -> Iterator[str]:
    yield (
        f"All {len(pairs.names):,} pairs of bests (section 4.3), of seeds {places.seed} and {buys.seed}: pairs by "
        f"their wins in {GAMES} games, and as many as expected if all pairs were equal"
    )
    for wins, (count, expected) in enumerate(zip(pairs.counts, pairs.expected, strict=True)):
        yield f"  {wins:2} wins {count:6,}{expected:10,.1f}"
    yield (
        f"  The {len(pairs.top)} best played {pairs.retests[0].games:,} games each against one another; the generations"
        " of their programs, and Elo relative to their mean"
    )
    for place, rating in list(zip(pairs.top, pairs.ratings, strict=True))[:SHOWN]:
        yield f"  {pairs.names[place]!s:10} {rating:+.0f}"


def _rates(scores: Sequence[Score]) -> str:
    """Return the win rate with its interval and the number of games of all runs."""
    return f"{_interval(rate(scores), '.1%')} in {sum(score.games for score in scores):,}"


def _interval(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}}" if estimate.low == estimate.high else f"{estimate:{form}}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
