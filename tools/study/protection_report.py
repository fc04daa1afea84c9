"""The report of a study of adaptation: measures of each user, summaries of each rule of choice, as text and data."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import comb
from statistics import fmean, median, pstdev
from typing import Any, Final, Self

from core.protection.rules import CHAOS, HUMAN
from engines.protection.bots import SWITCHED, SWITCHES_EVERY
from engines.protection.series import MAX_TURNS, Outcome
from engines.statistics import Estimate, mean, score
from tools.study.protection_series import STARTER, Finished, Plan, Task, shown

WINDOW: Final = 10  # games
NEAR: Final = 0.10
NEARLY: Final = 0.15
EARLY: Final = 5  # turns
STRONGEST: Final = 2 / 3  # of the games: no user should win more
COMPETENT: Final = (0.2, 0.8)  # win share against the starter string
BINS: Final = 10  # of a histogram
SWITCHER: Final = "switcher"  # the user that changes plans
HEAD: Final = (
    "user            choice      share of late games    settled  losses (<= 5 turns)  open  turns  strings"
)
BAR: Final = 50  # characters, for all users
LEGEND: Final = (
    "share: games won by the user among decided games after the first third, with Wilson's 95 % interval.\n"
    "settled: median number of games until ten in a row are within .15 of the aim. open: games that reach\n"
    "turn 60. turns: median of a game. strings: mean number of different strings in a game."
)


# -- Each user ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The measures of a user against a rule of choice, over all seeds. Shares are of games with a winner."""

    user: str
    mode: str
    share: Estimate | None  # of the late games that the human won; None if no late game has a winner
    distance: float | None  # of the share from the aim
    whole: float | None  # the share of all games that the human won
    settled: float | None  # median games until ten in a row are nearly at the aim; None if most never are
    early_losses: int  # within five turns
    losses: int
    open: int  # at turn 60, with or without a winner
    unfinished: int  # without a winner
    games: int
    turns: float  # median length of a game
    strings: float  # mean number of different strings in a game


def late_games(plan: Plan, games: Sequence[Outcome]) -> Sequence[Outcome]:
    """Return the last two thirds of the games of a series: of 60 games those from the 21st on."""
    return games[plan.games // 3 :]


def measured(plan: Plan, finished: Finished) -> list[Measure]:
    """Return the measures of each user and mode with finished series."""
    found = []
    for name in plan.users:
        for mode in plan.modes:
            keys = [Task(plan=plan, user=name, mode=mode, seed=seed + 1).key for seed in range(plan.seeds)]
            series = [finished[key] for key in keys if key in finished]
            if series:
                found.append(_measure(plan, name, mode, series))
    return found


def games_until_settled(aim: float, games: Sequence[Outcome]) -> int | None:
    """Return the games until the share of wins in the last ten is first nearly the aim; None if it never is.

    Games without a winner do not count.
    """
    decided = [game.winner == HUMAN for game in games if game.winner in (HUMAN, CHAOS)]
    for end in range(WINDOW, len(decided) + 1):
        if abs(sum(decided[end - WINDOW : end]) / WINDOW - aim) <= NEARLY + 1e-9:
            return end
    return None


def _measure(plan: Plan, name: str, mode: str, series: Sequence[Sequence[Outcome]]) -> Measure:
    games = [game for each in series for game in each]
    last = [game for each in series for game in late_games(plan, each)]
    counts = [sum(game.winner == winner for game in last) for winner in (CHAOS, HUMAN)]
    share = score(counts) if sum(counts) else None
    decided = [game.winner == HUMAN for game in games if game.winner in (HUMAN, CHAOS)]
    settled = sorted(_games_or_infinity(games_until_settled(plan.aim, each)) for each in series)
    middle = median(settled)
    losses = [game for game in games if game.winner == CHAOS]
    return Measure(
        user=name,
        mode=mode,
        share=share,
        distance=abs(share.value - plan.aim) if share else None,
        whole=fmean(decided) if decided else None,
        settled=middle if middle < float("inf") else None,
        early_losses=sum(game.turns <= EARLY for game in losses),
        losses=len(losses),
        open=sum(game.turns >= MAX_TURNS for game in games),
        unfinished=sum(game.winner not in (HUMAN, CHAOS) for game in games),
        games=len(games),
        turns=median(game.turns for game in games),
        strings=sum(len(set(game.strings)) for game in games) / len(games),
    )


def _games_or_infinity(games: int | None) -> float:
    return float("inf") if games is None else games


# -- Each rule of choice ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The summary of a rule of choice over all users."""

    mode: str
    users: int
    held: Estimate  # the share of users who won the aimed share of all their games within .10
    near: int  # users within .10 of the aim
    nearly: int  # within .15
    competent: int  # users with a share of .2 to .8 against the starter
    competent_near: int
    strongest: float  # the highest share
    too_strong: int  # users above 2/3
    spread: float  # standard deviation of the shares
    early_losses: float  # share of losses
    novice_early_losses: float | None
    open: float  # share of games


def summaries(plan: Plan, measures: Sequence[Measure]) -> list[Summary]:
    starter = {each.user: each.share.value for each in measures if each.mode == STARTER and each.share}
    competent = {name for name, share in starter.items() if COMPETENT[0] <= share <= COMPETENT[1]}
    return [
        _summary(mode, [each for each in measures if each.mode == mode], competent, plan.aim)
        for mode in plan.modes
        if any(each.mode == mode for each in measures)
    ]


def _summary(mode: str, measures: Sequence[Measure], competent: set[str], aim: float) -> Summary:
    shares = [each.share.value for each in measures if each.share]
    near = {each.user for each in measures if each.distance is not None and each.distance <= NEAR + 1e-9}
    held = sum(each.whole is not None and abs(each.whole - aim) <= NEAR + 1e-9 for each in measures)
    novices = [each for each in measures if each.user == "novice"]
    return Summary(
        mode=mode,
        users=len(measures),
        held=score([len(measures) - held, held]),
        near=len(near),
        nearly=sum(each.distance is not None and each.distance <= NEARLY + 1e-9 for each in measures),
        competent=len(competent & {each.user for each in measures}),
        competent_near=len(near & competent),
        strongest=max(shares, default=0.0),
        too_strong=sum(share > STRONGEST for share in shares),
        spread=pstdev(shares) if shares else 0.0,
        early_losses=_part(
            sum(each.early_losses for each in measures), sum(each.losses for each in measures)
        ),
        novice_early_losses=_part(novices[0].early_losses, novices[0].losses) if novices else None,
        open=_part(sum(each.open for each in measures), sum(each.games for each in measures)),
    )


def _part(some: int, all_of_them: int) -> float:
    return some / all_of_them if all_of_them else 0.0


# -- The spread of a population: "Advanced Protection", part "Results", expects a bell curve around one half --


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The distribution of the users' shares under one rule of choice."""

    mode: str
    users: int  # users with a won or lost late game
    share: Estimate | None  # the mean of their shares, by Student's t; None for fewer than two users
    is_centred: bool  # whether the interval contains the aim
    deviation: float
    histogram: tuple[int, ...]  # users by share, ten bins


def spreads(modes: Sequence[str], measures: Sequence[Measure], aim: float) -> list[Spread]:
    return [
        _spread(mode, [each.share.value for each in measures if each.mode == mode and each.share], aim)
        for mode in modes
    ]


def _spread(mode: str, shares: Sequence[float], aim: float) -> Spread:
    share = mean(shares) if len(shares) > 1 else None
    bins = [min(int(share * BINS), BINS - 1) for share in shares]
    return Spread(
        mode=mode,
        users=len(shares),
        share=share,
        is_centred=share is not None and share.low <= aim <= share.high,
        deviation=pstdev(shares) if shares else 0.0,
        histogram=tuple(bins.count(each) for each in range(BINS)),
    )


# -- Recovery: how soon Chaos adapts again after a user has changed the plan --------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """The recovery after a switch of plan under one rule of choice, by the number of games since the switch."""

    mode: str
    distances: tuple[float, ...]  # of the human's share from the aim, the mean over the plans
    by_chance: tuple[float, ...]  # the expected distances if games are won with the aim's probability


def recoveries(plan: Plan, finished: Finished) -> list[Recovery]:
    """Return the recovery of each rule of choice; none if the user that changes plans has not played."""
    if SWITCHER not in plan.users:
        return []
    found = []
    for mode in plan.modes:
        tasks = [Task(plan=plan, user=SWITCHER, mode=mode, seed=seed) for seed in range(1, plan.seeds + 1)]
        series = [finished[task.key] for task in tasks if task.key in finished]
        if any(len(games) > SWITCHES_EVERY for games in series):
            found.append(_recovery(mode, series, plan.aim))
    return found


def _recovery(mode: str, series: Sequence[Sequence[Outcome]], aim: float) -> Recovery:
    distances, chances = [], []
    for after in range(SWITCHES_EVERY):
        cells = [cell for cell in _cells(series, after) if cell]
        distances.append(fmean(abs(fmean(cell) - aim) for cell in cells) if cells else 0.0)
        chances.append(fmean(_chance_distance(len(cell), aim) for cell in cells) if cells else 0.0)
    return Recovery(mode=mode, distances=tuple(distances), by_chance=tuple(chances))


def _cells(series: Sequence[Sequence[Outcome]], after: int) -> Iterator[list[bool]]:
    """Yield for each plan whether the human has won, in the games that are `after` games after a switch to it."""
    for plan in range(len(SWITCHED)):
        yield [
            game.winner == HUMAN
            for games in series
            for number, game in enumerate(games)
            if number >= SWITCHES_EVERY  # earlier games are before the first switch
            and number // SWITCHES_EVERY % len(SWITCHED) == plan
            and number % SWITCHES_EVERY == after
            and game.winner in (HUMAN, CHAOS)
        ]


def _chance_distance(games: int, aim: float) -> float:
    """Return the expected distance from the aim of the share of wins in `games` games won with that probability."""
    return sum(
        comb(games, wins) * aim**wins * (1 - aim) ** (games - wins) * abs(wins / games - aim)
        for wins in range(games + 1)
    )


# -- The report ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The results of a study; `spreads` only for a population, `recoveries` only if a user changes plans."""

    plan: Plan
    measures: Sequence[Measure]
    summaries: Sequence[Summary]
    spreads: Sequence[Spread]
    recoveries: Sequence[Recovery]

    @classmethod
    def of(cls, plan: Plan, finished: Finished, *, is_population: bool) -> Self:
        measures = measured(plan, finished)
        return cls(
            plan=plan,
            measures=measures,
            summaries=summaries(plan, measures),
            spreads=spreads(plan.modes, measures, plan.aim) if is_population else (),
            recoveries=recoveries(plan, finished),
        )


def text(study: Study) -> str:
    """Return the report as text: a population by its spread, other users one by one."""
    plan = study.plan
    users = [HEAD, *(_measure_line(each, plan.aim) for each in study.measures), ""]
    lines = [
        f"{_number(len(plan.users), 'user')}, {_number(plan.games, 'game')}, {_number(plan.seeds, 'seed')}, "
        f"rules {plan.rules}, aim {plan.aim:.2f}, {_number(plan.replicates, 'test')} of each string, "
        f"skill {plan.skill:.2f}",
        "",
        *(users if not study.spreads else ()),
        *(line for each in study.spreads for line in _spread_lines(each)),
        *(_summary_line(each) for each in study.summaries),
        *(_recovery_line(each) for each in study.recoveries),
        "",
        LEGEND,
    ]
    return "\n".join(lines)


def data(study: Study) -> dict[str, Any]:
    plan = study.plan
    return {
        "plan": plan.hash,
        "users": list(plan.users),
        "games": plan.games,
        "seeds": plan.seeds,
        "rules": plan.rules,
        "aim": plan.aim,
        "measures": [asdict(each) for each in study.measures],
        "summaries": [asdict(each) for each in study.summaries],
        "spreads": [asdict(each) for each in study.spreads],
        "recoveries": [asdict(each) for each in study.recoveries],
    }


def _spread_lines(spread: Spread) -> Iterator[str]:
    """Yield the lines of a spread, with a bar for each tenth."""
    centred = "centred on the aim" if spread.is_centred else "not centred on the aim"
    yield f"{spread.mode}: {spread.users} users, {_interval(spread.share)}, {centred}; deviation {spread.deviation:.2f}"
    for place, count in enumerate(spread.histogram):
        yield f"  {place / BINS:.1f} {'#' * round(count * BAR / max(spread.users, 1)):{BAR}} {count:>4}"
    yield ""


def _recovery_line(recovery: Recovery) -> str:
    pairs = zip(recovery.distances, recovery.by_chance, strict=True)
    distances = ", ".join(f"{distance:.2f} ({chance:.2f})" for distance, chance in pairs)
    return f"{recovery.mode}, game by game after a switch of plan: {distances} from the aim (in parentheses: expected by chance)"


def _measure_line(measure: Measure, aim: float) -> str:
    mark = "*" if measure.distance is not None and measure.distance <= NEAR + 1e-9 else " "
    settled = "never" if measure.settled is None else f"{measure.settled:.0f}"
    return (
        f"{shown(measure.user):15} {measure.mode:11} {_interval(measure.share)} {mark}   {settled:>5}  "
        f"{measure.losses:>6} ({measure.early_losses:>3})          {measure.open:>5}  {measure.turns:>5.0f}  "
        f"{measure.strings:>5.1f}"
    )


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _interval(share: Estimate | None) -> str:
    return f"{share:.2f}" if share else f"{'no game decided':17}"


def _summary_line(summary: Summary) -> str:
    novice = summary.novice_early_losses
    return (
        f"{summary.mode}: of all games within .10 of the aim {summary.held:.0%} of {_number(summary.users, 'user')};"
        f" of late games {summary.near} of {summary.users} within .10, {summary.nearly} within .15"
        f" (of {summary.competent} that the starter string sometimes beats: {summary.competent_near});"
        f" highest share {summary.strongest:.2f}, {summary.too_strong} above 2/3; spread {summary.spread:.2f};"
        f" losses within 5 turns {summary.early_losses:.0%}"
        + ("" if novice is None else f", the novice's {novice:.0%}")
        + f"; open at turn 60 {summary.open:.1%}"
    )
