"""What came of a match move by move: intervals, ratings, an SPRT's verdict, as text and as JSON."""

import math
from dataclasses import asdict, dataclass
from itertools import combinations

from engines.match.rating import Estimate, elo, los, score
from engines.match.tournament import Crosstable
from tools.match import rungs
from tools.match.duels_plan import Plan
from tools.match.rungs import Rung


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One engine against another, from the first one's view; intervals are the 95 % ones."""

    first: str
    second: str
    wins: int
    losses: int
    draws: int
    pairs: tuple[int, ...]  # that made 0, 1/2, 1, 1 1/2, 2 points
    score: Estimate
    elo: Estimate
    los: float

    @classmethod
    def of(cls, table: Crosstable, first: int, second: int) -> "Pairing":
        singles, pairs = table.singles(first, second), table.pairs(first, second)
        losses, draws, wins = singles
        counts = pairs if 2 * sum(pairs) == sum(singles) else singles  # an interrupt may split a pair
        return cls(
            first=table.names[first],
            second=table.names[second],
            wins=wins,
            losses=losses,
            draws=draws,
            pairs=pairs,
            score=score(counts),
            elo=elo(counts),
            los=los(counts),
        )

    def text(self) -> str:
        return (
            f"{self.first} v {self.second}: {self.wins}-{self.losses}-{self.draws} (wins, losses, draws), "
            f"score {_interval(self.score, '.3f')}, Elo {_interval(self.elo, '+z.0f')}, LOS {self.los:.1%}"
        )


def text(plan: Plan, table: Crosstable) -> str:
    lines = [f"{len(table.games)} games, {plan.control}, seed {plan.seed}"]
    lines += [pairing.text() for pairing in _pairings(table)]
    if len(table.names) > 2:
        ranking = sorted(zip(table.ratings(), table.names, strict=True), key=lambda each: -each[0].value)
        lines += [
            f"{place}. {name} {_interval(rating, '+z.0f')}" for place, (rating, name) in enumerate(ranking, 1)
        ]
    lines += rungs.text(_ladder(plan, table))
    lines.append(
        "endings: "
        + ", ".join(f"{ending.value} {number}" for ending, number in table.endings().most_common())
    )
    forfeits = [
        f"{name} {table.forfeits(entrant)}"
        for entrant, name in enumerate(table.names)
        if table.forfeits(entrant)
    ]
    lines.append("forfeits: " + (", ".join(forfeits) or "none"))
    if plan.sprt:
        pairs = table.pairs(0, 1)
        lines.append(
            f"SPRT of {plan.sprt.elo0:g} against {plan.sprt.elo1:g} {plan.sprt.model} Elo: "
            f"{plan.sprt.verdict(pairs).value}, LLR {plan.sprt.llr(pairs):.2f} "
            f"in ({plan.sprt.lower:.2f}, {plan.sprt.upper:.2f})"
        )
    return "\n".join(lines)


def data(plan: Plan, table: Crosstable) -> dict[str, object]:
    """The same for JSON, which has no infinity: an Elo of null is one that no number of games bounds."""
    pairings = [asdict(pairing) for pairing in _pairings(table)]
    for pairing in pairings:
        pairing["elo"] = {name: elo if math.isfinite(elo) else None for name, elo in pairing["elo"].items()}
    data: dict[str, object] = {
        "games": len(table.games),
        "control": str(plan.control),
        "seed": plan.seed,
        "pairings": pairings,
        "ratings": {name: asdict(rating) for name, rating in zip(table.names, table.ratings(), strict=True)},
        "rungs": rungs.data(_ladder(plan, table)),
        "endings": {ending.value: number for ending, number in table.endings().items()},
        "forfeits": {name: table.forfeits(entrant) for entrant, name in enumerate(table.names)},
    }
    if plan.sprt:
        pairs = table.pairs(0, 1)
        verdict = {"llr": plan.sprt.llr(pairs), "verdict": plan.sprt.verdict(pairs).value}
        data["sprt"] = asdict(plan.sprt) | verdict
    return data


def _ladder(plan: Plan, table: Crosstable) -> list[Rung]:
    played = [sum(player in game.seats for game in table.games) for player in range(len(table.names))]
    return rungs.rungs(table.order if plan.pairing == "ladder" else (), table.names, played, plan.games)


def _pairings(table: Crosstable) -> list[Pairing]:
    met = combinations(range(len(table.names)), 2)
    return [Pairing.of(table, *pair) for pair in met if sum(table.singles(*pair))]


def _interval(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"
