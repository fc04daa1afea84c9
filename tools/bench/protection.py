"""Benchmarks of Advanced Protection: a turn with few and with many minions, and the rating of 250 strings.

A string is Chaos's policy, which buys and moves its minions (core/protection/policy.py). The strings are random, but
the barbarians of every second string attack any unit ahead. The arrangement has drones, settlers, infantry and mines in
rotation on the best squares of a generated map.
"""

from collections.abc import Iterator
from statistics import median
from typing import Final

from core.protection.board import Arrangement, Scenario, arrangement_of, farming_bonus, generate_map
from core.protection.evaluate import Evaluator
from core.protection.policy import STRING_BYTES, Policy
from core.protection.rules import DRONE, INFANTRY, MINE, RULES, SETTLER, SQUARES
from core.protection.turn import Dice, Turn
from core.random import Random
from tools.bench.command import Row, timed

ROUNDS: Final = 5
STRINGS: Final = 250
MIXED: Final = (DRONE, SETTLER, INFANTRY, MINE)
EQUAL: Final = bytes([0x11] * 4)  # the last bytes of a string: equal preferences for all kinds of minion
BOUGHT: Final = {23: 1690, 236: 18_490}  # the number of minions and their price, with equal preferences


def turns() -> Iterator[Row]:
    """Measure the milliseconds of a turn, and of 250 ratings; the signature is the sum of the ratings."""
    for minions, dollars in BOUGHT.items():
        yield _turn(minions, dollars)
    for dollars in (2000, 20_000):
        yield _ratings(dollars)


def _turn(minions: int, dollars: int) -> Row:
    setting = Scenario(RULES["improved"], generate_map(Random(1)))
    turn = Turn(setting)
    turn.arrange(mixed(setting, dollars))
    strings = _strings(Random(2))
    policies = [
        Policy(strings[first : first + STRING_BYTES - len(EQUAL)] + EQUAL)
        for first in range(0, len(strings), STRING_BYTES)
    ]

    def play() -> int:
        """Play a turn with each string and return the sum of ratings."""
        rating = 0
        for seed, policy in enumerate(policies):
            rng = Random(seed)
            turn.deploy(policy, dollars, rng)
            turn.play(Dice(rng))
            rating += int(turn.human_change() - turn.chaos_change())
            turn.reset()
        return rating

    rating, seconds = timed(play, ROUNDS)
    return Row(
        name=f"protection, turn of {minions} minions",
        figure=median(seconds) * 1000 / STRINGS,
        unit="ms",
        signature=str(rating),
    )


def _ratings(dollars: int) -> Row:
    setting = Scenario(RULES["improved"], generate_map(Random(1)))
    evaluator = Evaluator(setting, mixed(setting, dollars))
    strings, seeds = _strings(Random(2)), list(range(STRINGS))
    changes, seconds = timed(lambda: evaluator.evaluate(strings, dollars, seeds), ROUNDS)
    return Row(
        name=f"protection, 250 ratings at ${dollars:,}",
        figure=median(seconds) * 1000,
        unit="ms",
        signature=str(sum(human - chaos for human, chaos in changes)),
    )


def mixed(setting: Scenario, dollars: int) -> Arrangement:
    """Place units in rotation on the best squares, spending at most `dollars`.

    A drone replaces a unit that costs too much.
    """
    squares = sorted(range(SQUARES), key=lambda square: (-farming_bonus(setting.map, square), square))
    units: dict[int, int] = {}
    for number, square in enumerate(squares):
        code = MIXED[number % len(MIXED)]
        if setting.rules.units[code].cost > dollars:
            code = DRONE
        if setting.rules.units[code].cost <= dollars and setting.map.is_land(square):
            units[square] = code
            dollars -= setting.rules.units[code].cost
    return arrangement_of(units)


def _strings(rng: Random) -> bytes:
    """Return STRINGS random strings, one after the other; in every second one, barbarians attack any unit ahead."""
    rows = []
    for number in range(STRINGS):
        row = bytearray(int(rng.below(256)) for _ in range(STRING_BYTES))
        if number % 2:
            for place in range(32, 128):  # the automata of barbarians: two inputs a byte, four bytes a state
                if place % 4 >= 2:  # inputs 4 to 7, a unit ahead: attack
                    row[place] |= 0x33
                else:  # inputs 0 to 3: forward, in half of the bytes
                    row[place] &= 0xCC if rng.chance(0.5) else 0xFF
        rows.append(bytes(row))
    return b"".join(rows)
