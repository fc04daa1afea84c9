"""The actions of Advanced Protection as JSON: rules for legal ones, and parsing and formatting."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import msgspec

from core.protection.rules import MINIONS, NO_UNIT
from core.protection.state import ProtectionState
from engines.names import near
from engines.protection.boardfiles import UNITS
from engines.protection.game import Fault, Placement, Purchase, Setup, faults
from engines.protection.genome import DIGITS, Genome
from engines.protection.pool import Pool
from protocols.jsonl import protection_messages as messages
from protocols.jsonl.adapter import IllegalMove, Problem
from protocols.jsonl.codec import decode_action
from protocols.jsonl.protection_explain import Strategy
from protocols.jsonl.protection_messages import CODES, KINDS, by_kind, free_squares, place_of, square_at

SETUPS: Final = msgspec.json.Decoder(messages.Setup)
STRATEGIES: Final = msgspec.json.Decoder(messages.Strategy)
WORDS: Final = {
    "money": "the unit costs ${need:,}, but only ${have:,} is left",
    "terrain": "no unit can stand on {terrain}",
    "occupied": "another unit stands there",
    "twice": "the square or unit is listed twice",
    "square": "the board has no such square",
    "unit": "there is no such unit",
}
WANTS: Final = {
    "money": "the minions cost ${need:,}, but Chaos has ${have:,}",
    "most": "{need:,} minions are more than the limit of {have:,}",
}


def legal_setup(state: ProtectionState) -> messages.LegalSetup:
    """Return the data that determine which setups are legal: prices, free squares and refunds."""
    units = state.scenario.rules.units[1:]
    return messages.LegalSetup(
        rules=messages.SetupRules(
            treasury=state.treasury,
            units={unit.name: messages.Price(cost=unit.cost, salvage=unit.salvage) for unit in units},
            free=free_squares(state),
            salvage=[messages.Salvage(id=number, refund=state.refund(number)) for number in state.units],
        )
    )


def legal_strategy(state: ProtectionState, pool: Pool, *, buys_freely: bool) -> messages.LegalStrategy:
    """Return the data that determine which strategies are legal, with minion prices if the client may buy freely."""
    rules = messages.StrategyRules(treasury=state.chaos_treasury, digits=DIGITS, pool=len(pool.entries))
    if buys_freely:
        rules.minions = {kind.name: kind.cost for kind in MINIONS}
        rules.most = int(state.scenario.minion_limit)
    return messages.LegalStrategy(rules=rules)


def parse_setup(state: ProtectionState, data: bytes) -> Setup:
    """Return the setup of an action object. Raises IllegalMove with every problem, or msgspec.ValidationError."""
    asked = decode_action(SETUPS, data)
    setup = Setup(
        place=tuple(Placement(CODES.get(item.unit, NO_UNIT), square_at(*item.at)) for item in asked.place),
        salvage=tuple(asked.salvage),
    )
    found = faults(state, setup)
    if found:
        raise IllegalMove(_text_of(found[0]), *map(_problem, found))
    return setup


def format_setup(setup: Setup) -> messages.Setup:
    """Return the action object of a setup."""
    return messages.Setup(
        place=[messages.Placing(unit=UNITS[item.unit], at=place_of(item.square)) for item in setup.place],
        salvage=list(setup.salvage),
    )


def parse_strategy(state: ProtectionState, pool: Pool, data: bytes, *, buys_freely: bool) -> Strategy:
    """Return the strategy of an action object.

    Raises IllegalMove for an invalid string or minions that cannot be bought, or msgspec.ValidationError.
    """
    asked = decode_action(STRATEGIES, data)
    if asked.buy is not None and not buys_freely:
        raise IllegalMove("Chaos buys what its string decides; buy needs the option chaos_buys: free",
                          {"field": "buy", "reason": "option"})  # fmt: skip
    bought = None if asked.buy is None else _purchase(state, asked.buy)
    if asked.string is None:
        if asked.pool is None:
            raise IllegalMove("a strategy needs a string, or the number of one in the pool",
                              {"field": "string", "reason": "missing"})  # fmt: skip
        return Strategy(
            string=pool.entries[asked.pool].genome.code, index=asked.pool, bought=bought, aim=asked.aim
        )
    try:
        code = Genome.loads(asked.string).code
    except ValueError as error:
        raise IllegalMove(str(error), {"field": "string", "reason": "no_string"}) from None
    return Strategy(string=code, index=asked.pool, hybrid=asked.hybrid, bought=bought, aim=asked.aim)


def format_strategy(strategy: Strategy) -> messages.Strategy:
    """Return the action object of a strategy, with the reasons of a built-in Chaos, for the record."""
    return messages.Strategy(
        string=strategy.string.hex(),
        pool=strategy.index,
        hybrid=strategy.hybrid,
        buy=None if strategy.bought is None else by_kind(strategy.bought),
        aim=strategy.aim,
    )


def _purchase(state: ProtectionState, wanted: Mapping[str, int]) -> Purchase:
    """Return the minions by kind. Raises IllegalMove for unknown kinds, too little money or too many minions."""
    if unknown := [name for name in wanted if name not in KINDS]:
        raise IllegalMove(
            f"buy: there is no minion {unknown[0][:40]!r}; {near(unknown[0], KINDS)}",
            {"field": "buy", "reason": "minion"},
        )
    bought = tuple(wanted.get(name, 0) for name in KINDS)
    cost = sum(count * kind.cost for count, kind in zip(bought, MINIONS, strict=True))
    for reason, need, have in (
        ("money", cost, state.chaos_treasury),
        ("most", sum(bought), int(state.scenario.minion_limit)),
    ):
        if need > have:
            raise IllegalMove(f"buy: {WANTS[reason].format(need=need, have=have)}",
                              {"field": "buy", "reason": reason, "need": need, "have": have})  # fmt: skip
    return bought


def _problem(fault: Fault) -> Problem:
    return {name: value for name, value in asdict(fault).items() if value is not None}


def _text_of(fault: Fault) -> str:
    return f"{fault.field}: " + WORDS[fault.reason].format(**asdict(fault))
