"""A study of programs as text: each figure of the thesis with what luck and bookkeeping alone would give.

Every strength comes with its games, its interval and the customs it depends on; a single run is called one.
"""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

from engines.acquire.match import Score
from engines.statistics import Estimate
from tools.study.acquire.curves import curve, rate
from tools.study.acquire.games import CHAMPION, CONTROL, PANEL, YARDSTICKS, GroupGames
from tools.study.acquire.pairs import GAMES, Pairs
from tools.study.acquire.runs import Group, Run

WIDTH: Final = 110
SHOWN: Final = 5  # of the pairs that met again


def text(studied: Sequence[GroupGames], games: int, pairs: tuple[Run, Run, Pairs] | None) -> str:
    """All of it; `games` were played for each comparison."""
    runs = sum(len(each.runs) for each in studied)
    lines = [
        f"Programs of Acquire: {_number(runs, 'run')}, {_number(len(studied), 'configuration')}, "
        f"{games:,} fresh games a comparison, two with each bag",
        "Intervals are 95 %: Student's over runs, of wins at least Wilson's over the games; a tie is half a win",
    ]
    for each in studied:
        lines += ["", *_group(each)]
    if len(studied) > 1:
        lines += ["", *_comparison(studied)]
    if pairs:
        lines += ["", *_pairs(*pairs)]
    return "\n".join(lines)


def strength(studied: GroupGames, fighter: str, member: str) -> Estimate | None:
    """The win rate of the runs' champions, or of their controls; None where no run has one."""
    scores = [each.panel[fighter][member] for each in studied.runs if fighter in each.panel]
    return rate(scores) if scores else None


def _group(studied: GroupGames) -> Iterator[str]:
    group = studied.group
    yield _title(group)
    yield fill(f"  {group.config.rules}; {group.config.conduct}", WIDTH, subsequent_indent="  ")
    yield from (
        f"  seed {run.seed}: {run.games:,} games, hash {run.hash[:12]}, {run.folder}" for run in group.runs
    )
    yield "  Size (Figures 4.1, 4.2), first to last generation"
    for quantity in ("nodes", "levels", "genotypes", "behaviours"):
        line = curve(group, quantity)
        form = ".2f" if quantity in ("nodes", "levels") else ",.0f"
        yield f"    {quantity:12}{_interval(line[0], form)} to {_interval(line[-1], form)}"
    yield "  Best fitness (Figures 4.3 to 4.6), beside the best of as many equal players"
    best, luck = curve(group, "best"), curve(group, "best_by_luck")
    for name, place in (("first", 0), ("last", -1)):
        yield f"    {name:12}{_interval(best[place], '.4f')}, by luck {_interval(luck[place], '.4f')}"
    yield from _mean(group)
    yield from _samples(studied)
    yield from _ancestors(studied)
    yield from _panel(studied)


def _title(group: Group) -> str:
    config = group.config
    seeds = ", ".join(str(run.seed) for run in group.runs)
    runs = "a single run, seed" if len(group.runs) == 1 else f"{len(group.runs)} runs, seeds"
    return (
        f"{group.name}: {runs} {seeds}; population {config.population:,}, "
        f"{group.length} generations, {config.games} games each"
    )


def _mean(group: Group) -> Iterator[str]:
    means = curve(group, "mean")
    yield (
        f"  Mean fitness (Figures 4.7, 4.8): {min(each.value for each in means):.4f} to "
        f"{max(each.value for each in means):.4f}"
    )
    if group.config.fitness != "money":
        yield (
            "    an identity: both sides are credited, so all games together have the mean 1/2, "
            "whoever plays how well"
        )


def _samples(studied: GroupGames) -> Iterator[str]:
    yield "  A random sample of those born in a generation"
    for number in studied.runs[0].samples:
        for member in YARDSTICKS:
            scores = [each.samples[number][member] for each in studied.runs if number in each.samples]
            yield f"    generation {number:3} against {member:12}{_rates(scores)}"


def _ancestors(studied: GroupGames) -> Iterator[str]:
    length = studied.group.length
    if length > 1:
        yield "  The last best against the best of each earlier generation (Figures 4.9, 4.10)"
        for number in sorted({0, length // 2, length - 2}):
            yield f"    generation {number:3} {_rates([each.tournament[number] for each in studied.runs])}"
    for each in studied.runs:
        if each.champion:
            below = [number for number, score in enumerate(each.champion) if score.win_rate.high < 0.5]
            yield (
                f"    seed {each.run.seed}: its champion is below one half, interval and all, against "
                f"{len(below)} of {len(each.champion)} bests"
                + (f": of generations {', '.join(map(str, below))}" if below else "")
            )


def _panel(studied: GroupGames) -> Iterator[str]:
    yield "  Wins of the champion, tested anew before it was named, and of the control, against the panel"
    if not any(each.run.champion for each in studied.runs):
        yield "    no champion: the runs ended before their first examination"
    for member in PANEL:
        shown = [
            f"{fighter} {_rates([each.panel[fighter][member] for each in studied.runs if fighter in each.panel])}"
            for fighter in (CHAMPION, CONTROL)
            if any(fighter in each.panel for each in studied.runs)
        ]
        yield f"    {member:12}{'; '.join(shown)}"


def _comparison(studied: Sequence[GroupGames]) -> Iterator[str]:
    yield "Side by side: wins of the champions, mean over the runs; rows whose intervals meet are not told apart"
    width = max(len(each.group.name) for each in studied)
    for each in studied:
        parts = [
            f"{member} {_interval(found, '.1%') if found else 'no champion'}"
            for member in YARDSTICKS
            for found in [strength(each, CHAMPION, member)]
        ]
        yield f"  {each.group.name:{width}}  {_number(len(each.runs), 'run'):8}{'; '.join(parts)}"


def _pairs(places: Run, buys: Run, pairs: Pairs) -> Iterator[str]:
    yield (
        f"All {len(pairs.names):,} pairs of bests (section 4.3), of seeds {places.seed} and {buys.seed}: wins in "
        f"{GAMES} games, beside what is to be expected of equal pairs"
    )
    for wins, (count, expected) in enumerate(zip(pairs.counts, pairs.expected, strict=True)):
        yield f"  {wins:2} wins {count:6,}{expected:10,.1f}"
    yield (
        f"  The first {len(pairs.top)} met again, {pairs.retests[0].games:,} games each among themselves; generations"
        " of their programs, Elo around their mean"
    )
    for place, rating in list(zip(pairs.top, pairs.ratings, strict=True))[:SHOWN]:
        yield f"  {pairs.names[place]!s:10} {rating.value:+5.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"


def _rates(scores: Sequence[Score]) -> str:
    """With the games of all runs together."""
    return f"{_interval(rate(scores), '.1%')} in {sum(score.games for score in scores):,}"


def _interval(estimate: Estimate, form: str) -> str:
    if estimate.low == estimate.high:
        return f"{estimate.value:{form}}"
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
