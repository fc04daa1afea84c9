"""What is legal in Advanced Protection, and everything that is wrong with a setup or a strategy that is not."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import exp
from typing import Final

import msgspec

from core.protection.rules import MINIONS, NO_UNIT
from core.protection.state import ProtectionState
from engines.protection.boardfiles import UNITS
from engines.protection.chaos import Decision
from engines.protection.game import Fault, Placement, Purchase, Setup, faults, preview
from engines.protection.genome import DIGITS, Genome
from engines.protection.pool import Pool
from engines.protection.profile import STRINGS
from protocols.jsonl.binding.binding import IllegalMove, Problem
from protocols.jsonl.binding.protection.lexicon import (
    CODES,
    KINDS,
    by_kind,
    free_squares,
    place_of,
    square_at,
)
from protocols.jsonl.binding.protection.shapes import moves

SETUPS: Final = msgspec.json.Decoder(moves.Setup)
STRATEGIES: Final = msgspec.json.Decoder(moves.Strategy)
WORDS: Final = {
    "money": "it costs ${need:,}, and ${have:,} are left",
    "terrain": "no unit can stand on {terrain}",
    "occupied": "another unit stands there",
    "twice": "it is named twice",
    "square": "that is no square of the board",
    "unit": "there is no such unit",
}
WANTS: Final = {"money": "dollars are needed", "most": "minions are wanted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """What Chaos plays a turn with; `index` is that in the pool or, from 250 on, of a hybrid."""

    string: bytes
    index: int | None = None
    hybrid: bool = False
    bought: Purchase | None = None  # minions by kind; None where the string's preferences buy
    aim: moves.Aim | None = None


def legal_setup(state: ProtectionState) -> moves.LegalSetup:
    units = state.scenario.rules.units[1:]
    return moves.LegalSetup(
        rules=moves.SetupRules(
            treasury=state.treasury,
            units={unit.name: moves.Price(cost=unit.cost, salvage=unit.salvage) for unit in units},
            free=free_squares(state),
            salvage=[moves.Salvage(id=number, refund=state.refund(number)) for number in state.units],
        )
    )


def legal_strategy(state: ProtectionState, pool: Pool, *, buys_freely: bool) -> moves.LegalStrategy:
    rules = moves.StrategyRules(treasury=state.chaos_treasury, digits=DIGITS, pool=len(pool.entries))
    if buys_freely:
        rules.minions = {kind.name: kind.cost for kind in MINIONS}
        rules.most = int(state.scenario.most_minions)
    return moves.LegalStrategy(rules=rules)


def read_setup(state: ProtectionState, data: bytes) -> Setup:
    """IllegalMove with every problem; msgspec.ValidationError."""
    asked = SETUPS.decode(data)
    setup = Setup(
        place=tuple(Placement(CODES.get(item.unit, NO_UNIT), square_at(*item.at)) for item in asked.place),
        salvage=tuple(asked.salvage),
    )
    found = faults(state, setup)
    if found:
        raise IllegalMove(_worded(found[0]), *map(_problem, found))
    return setup


def show_setup(setup: Setup) -> moves.Setup:
    """As it is sent."""
    return moves.Setup(
        place=[moves.Placing(unit=UNITS[item.unit], at=place_of(item.square)) for item in setup.place],
        salvage=list(setup.salvage),
    )


def preview_setup(state: ProtectionState, setup: Setup) -> moves.Preview:
    return moves.Preview(**asdict(preview(state, setup)))


def read_strategy(state: ProtectionState, pool: Pool, data: bytes, *, buys_freely: bool) -> Strategy:
    """IllegalMove for a string that is none, or what cannot be bought; msgspec.ValidationError."""
    asked = STRATEGIES.decode(data)
    if asked.buy is not None and not buys_freely:
        raise IllegalMove("its string buys for Chaos; the option chaos_buys changes that",
                          {"field": "buy", "reason": "option"})  # fmt: skip
    bought = None if asked.buy is None else _purchase(state, asked.buy)
    if asked.string is None:
        if asked.pool is None:
            raise IllegalMove("a strategy is a string, or its number in the pool",
                              {"field": "string", "reason": "missing"})  # fmt: skip
        return Strategy(
            string=pool.entries[asked.pool].genome.code, index=asked.pool, bought=bought, aim=asked.aim
        )
    try:
        code = Genome.loads(asked.string).code
    except ValueError as error:
        raise IllegalMove(str(error), {"field": "string", "reason": "no_string"}) from None
    return Strategy(string=code, index=asked.pool, hybrid=asked.hybrid, bought=bought, aim=asked.aim)


def show_strategy(strategy: Strategy) -> moves.Strategy:
    """As it is sent, and recorded with why it was chosen."""
    return moves.Strategy(
        string=strategy.string.hex(),
        pool=strategy.index,
        hybrid=strategy.hybrid,
        buy=None if strategy.bought is None else by_kind(strategy.bought),
        aim=strategy.aim,
    )


def strategy_of(mode: str, decision: Decision) -> Strategy:
    """What Chaos plays in a mode, with why it was chosen, for the record."""
    choice = decision.choice
    aim = moves.Aim(
        mode=mode,
        target=choice.target,
        rating=choice.rating,
        done=decision.rated,
        of=decision.of,
        ms=decision.milliseconds,
        best=decision.best,
    )
    if plan := choice.plan:
        aim.due = "human" if plan.is_due else "chaos"
        aim.ratio = round(exp(plan.wanted), 3)
        aim.expected = None if plan.expected is None else round(exp(plan.expected), 3)
    return Strategy(string=decision.string, index=choice.index, hybrid=choice.index >= STRINGS, aim=aim)


# -- Helpers ---------------------------------------------------------------------------------------


def _purchase(state: ProtectionState, wish: Mapping[str, int]) -> Purchase:
    """Minions by kind. IllegalMove for kinds that there are not, more than can be paid, or too many."""
    if strange := [name for name in wish if name not in KINDS]:
        raise IllegalMove(
            f"buy: there is no minion {strange[0][:40]!r}", {"field": "buy", "reason": "minion"}
        )
    bought = tuple(wish.get(name, 0) for name in KINDS)
    cost = sum(count * kind.cost for count, kind in zip(bought, MINIONS, strict=True))
    for reason, need, have in (
        ("money", cost, state.chaos_treasury),
        ("most", sum(bought), int(state.scenario.most_minions)),
    ):
        if need > have:
            raise IllegalMove(f"buy: {need:,} {WANTS[reason]}, and there are {have:,}",
                              {"field": "buy", "reason": reason, "need": need, "have": have})  # fmt: skip
    return bought


def _problem(fault: Fault) -> Problem:
    return {name: value for name, value in asdict(fault).items() if value is not None}


def _worded(fault: Fault) -> str:
    return f"{fault.field}: " + WORDS[fault.reason].format(**asdict(fault))
