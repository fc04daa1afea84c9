"""What series of games say of how well Chaos adapts to a user."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, pstdev
from typing import Final

from core.protection.rules import CHAOS, HUMAN
from engines.protection.series import MOST_TURNS, Outcome
from engines.statistics import Estimate, score
from tools.study.protection.arguments import STARTER
from tools.study.protection.kept import Finished
from tools.study.protection.plan import Plan, Task

WINDOW: Final = 10  # games
NEAR: Final = 0.10
NEARLY: Final = 0.15
EARLY: Final = 5  # turns
STRONGEST: Final = 2 / 3  # of the games nobody should win
COMPETENT: Final = (0.2, 0.8)  # win share against the starter string


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A user against a rule of choice, over all seeds. Shares are of games that somebody has won."""

    user: str
    mode: str
    share: Estimate | None  # of the late games, the human's; None where nobody won one
    distance: float | None  # of the share from the aim
    settled: float | None  # median games until ten in a row are nearly at the aim; None where most never are
    early_losses: int  # within five turns
    losses: int
    open: int  # at turn 60, whoever is said to have won
    unfinished: int  # that nobody won
    games: int
    turns: float  # median length of a game
    strings: float  # mean of different ones a game


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A rule of choice over all users."""

    mode: str
    users: int
    near: int  # users within .10 of the aim
    nearly: int  # within .15
    competent: int  # users whose share against the starter is .2 to .8
    competent_near: int
    strongest: float  # the highest share
    too_strong: int  # users above 2/3
    spread: float  # standard deviation of the shares
    early_losses: float  # share of losses
    novice_early_losses: float | None
    open: float  # share of games


def late(plan: Plan, games: Sequence[Outcome]) -> Sequence[Outcome]:
    """The last two thirds: of 60 games those from the 21st on."""
    return games[plan.games // 3 :]


def measured(plan: Plan, finished: Finished) -> list[Measure]:
    """For each user and mode that has been played."""
    found = []
    for name in plan.users:
        for mode in plan.modes:
            keys = [Task(plan=plan, user=name, mode=mode, seed=seed + 1).key for seed in range(plan.seeds)]
            series = [finished[key] for key in keys if key in finished]
            if series:
                found.append(_measure(plan, name, mode, series))
    return found


def summaries(plan: Plan, measures: Sequence[Measure]) -> list[Summary]:
    starter = {each.user: each.share.value for each in measures if each.mode == STARTER and each.share}
    competent = {name for name, share in starter.items() if COMPETENT[0] <= share <= COMPETENT[1]}
    return [
        _summary(mode, [each for each in measures if each.mode == mode], competent)
        for mode in plan.modes
        if any(each.mode == mode for each in measures)
    ]


def games_until_settled(aim: float, games: Sequence[Outcome]) -> int | None:
    """Until the first ten in a row whose share is nearly the aim; unfinished ones do not count."""
    decided = [game.winner == HUMAN for game in games if game.winner in (HUMAN, CHAOS)]
    for end in range(WINDOW, len(decided) + 1):
        if abs(sum(decided[end - WINDOW : end]) / WINDOW - aim) <= NEARLY + 1e-9:
            return end
    return None


# -- Helpers ---------------------------------------------------------------------------------------


def _measure(plan: Plan, name: str, mode: str, series: Sequence[Sequence[Outcome]]) -> Measure:
    games = [game for each in series for game in each]
    last = [game for each in series for game in late(plan, each)]
    counts = [sum(game.winner == winner for game in last) for winner in (CHAOS, HUMAN)]
    share = score(counts) if sum(counts) else None
    settled = sorted(_or_never(games_until_settled(plan.aim, each)) for each in series)
    middle = median(settled)
    losses = [game for game in games if game.winner == CHAOS]
    return Measure(
        user=name,
        mode=mode,
        share=share,
        distance=abs(share.value - plan.aim) if share else None,
        settled=middle if middle < float("inf") else None,
        early_losses=sum(game.turns <= EARLY for game in losses),
        losses=len(losses),
        open=sum(game.turns >= MOST_TURNS for game in games),
        unfinished=sum(game.winner not in (HUMAN, CHAOS) for game in games),
        games=len(games),
        turns=median(game.turns for game in games),
        strings=sum(len(set(game.strings)) for game in games) / len(games),
    )


def _or_never(games: int | None) -> float:
    return float("inf") if games is None else games


def _summary(mode: str, measures: Sequence[Measure], competent: set[str]) -> Summary:
    shares = [each.share.value for each in measures if each.share]
    near = {each.user for each in measures if each.distance is not None and each.distance <= NEAR + 1e-9}
    novices = [each for each in measures if each.user == "novice"]
    return Summary(
        mode=mode,
        users=len(measures),
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
