"""What came of a match of Acquire: shares of first places with intervals, ratings, customs, as text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

from engines.acquire.entrant import Entrant
from engines.acquire.standings import Standings
from engines.match.pairing import Kind
from engines.match.rating import Estimate, score
from tools.match import rungs
from tools.match.rungs import Rung
from tools.match.tables_plan import Plan

EACH: Final[Mapping[Kind, str]] = {
    "round_robin": "",
    "gauntlet": "",
    "swiss": " a table in each round, Swiss system",
    "ladder": " a table in each round, a ladder",
}


def text(plan: Plan, standings: Standings, ladder: Sequence[Rung]) -> Iterator[str]:
    seats, ratings = plan.seats, standings.ratings
    yield (
        f"{plan.rules.name}, {standings.games:,} games of {seats}, seed {plan.seed}: "
        f"{plan.bags:,} bags{EACH[plan.pairing]}, each played once for every seat"
    )
    width = max(map(len, standings.names))
    kind = "" if ratings is None else "Elo [95 %]" if seats == 2 else "rating"
    head = f"{'':{width}} {'games':>7} {'wins':>7} {'shared':>6} {'rank':>5} {'mean worth':>10}  {'first [95 %]':^19}"
    yield f"{head}  {kind}".rstrip()
    for index in sorted(
        range(len(standings.names)), key=lambda index: -standings.scores[index].win_rate.value
    ):
        own = standings.scores[index]
        rating = "" if ratings is None else _rating(ratings[index], seats)
        line = (
            f"{standings.names[index]:{width}} {own.games:7,} {own.wins:7,} {own.ties:6,} "
            f"{own.ranks / own.games:5.2f} {_money(own.dollars / own.games):>10}  {_percent(own.win_rate):19}"
        )
        yield f"{line}  {rating}".rstrip()
    yield from rungs.text(ladder)
    if len(standings.names) > 2 and seats == 2:
        for (one, other), (losses, ties, wins) in standings.against.items():
            yield (
                f"{standings.names[one]} v {standings.names[other]}: {wins:,}-{losses:,}-{ties:,} "
                f"(wins, losses, shared), {_percent(score((losses, ties, wins)))}"
            )
    yield (
        f"first: the share of first places, a shared one counting half; equal players have {1 / seats:.1%}. "
        "Intervals are Wilson's, 95 %."
    )
    if ratings and seats > 2:
        yield "rating: Plackett-Luce (openskill), from 25 on, with two deviations to either side."
    for customs, names in _customs(plan.entrants).items():
        yield f"{', '.join(names)}: {customs}"


def _customs(entrants: Sequence[Entrant]) -> dict[str, list[str]]:
    """Who goes about it so."""
    by_customs: dict[str, list[str]] = {}
    for entrant in dict.fromkeys(entrants):
        by_customs.setdefault(entrant.customs(), []).append(entrant.name)
    return by_customs


def data(plan: Plan, standings: Standings, ladder: Sequence[Rung]) -> dict[str, object]:
    """The same for JSON."""
    ratings = standings.ratings
    rows: list[dict[str, object]] = []
    for index, (name, own) in enumerate(zip(standings.names, standings.scores, strict=True)):
        row: dict[str, object] = {
            "player": name,
            "customs": plan.entrants[index].customs(),
            "games": own.games,
            "wins": own.wins,
            "shared": own.ties,
            "losses": own.losses,
            "first": asdict(own.win_rate),
            "mean_rank": own.ranks / own.games,
            "mean_worth": own.dollars / own.games,
            "mean_share": own.mean_share,
        }
        if ratings is not None:
            row["rating"] = asdict(ratings[index])
        rows.append(row)
    return {
        "game": "acquire",
        "variant": plan.rules.name,
        "rules": plan.rules.options(),
        "seats": plan.seats,
        "games": standings.games,
        "seed": plan.seed,
        "rating": None if ratings is None else "elo" if plan.seats == 2 else "plackett-luce",
        "players": rows,
        "rungs": rungs.data(ladder),
        "against": [
            {
                "first": standings.names[one],
                "second": standings.names[other],
                "wins": wins,
                "losses": losses,
                "shared": ties,
                "score": asdict(score((losses, ties, wins))),
            }
            for (one, other), (losses, ties, wins) in standings.against.items()
        ],
    }


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:6.1%} [{100 * estimate.low:4.1f}, {100 * estimate.high:4.1f}]"


def _rating(estimate: Estimate, seats: int) -> str:
    if seats == 2:
        return f"{estimate.value:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}]"
    return f"{estimate.value:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"


def _money(dollars: float) -> str:
    return f"${dollars:,.0f}"
