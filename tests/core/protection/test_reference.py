"""The compiled turn against the naive one: every act, fight, loss and dollar."""

from hashlib import sha256

import pytest

from core.protection.board import Arrangement, Map, Scenario, generate_map
from core.protection.policy import Policy
from core.protection.rules import KINDS, MINIONS, RULES, SIDE, SQUARES
from core.protection.turn import FIGHTS, Dice, Turn, TurnLog
from core.random import Random
from tests.core.protection.boards import LETTERS, UNIT_NAMES
from tests.core.protection.reference import Naive


@pytest.mark.parametrize("rules", ["seed", "improved"])
def test_turns_agree_with_the_naive_reference(rules: str) -> None:
    logs = [compare(rules, seed) for seed in range(25)]
    assert {kind for log in logs for _, kind, *_ in log.fights} == set(range(len(FIGHTS)))
    assert set("".join(act for log in logs for act in log.acts)) == set("FfRLSJ")


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_ten_thousand_turns_agree_with_the_naive_reference() -> None:
    for seed in range(10_000):
        compare(("seed", "improved")[seed % 2], seed)


def test_reset_removes_all_traces_of_a_turn() -> None:
    """The same turn twice on one field, with another between."""
    rng = Random(4)
    setting = Scenario(RULES["improved"], generate_map(rng))
    turn = Turn(setting)
    turn.arrange(random_arrangement(setting.map, rng))
    string, other = random_string(rng), random_string(rng)
    assert digest(turn, string, 7) == digest(turn, string, 7)
    first = digest(turn, string, 8)
    digest(turn, other, 9)
    assert digest(turn, string, 8) == first


def compare(rules: str, seed: int) -> TurnLog:
    """Play a random turn in both; its log."""
    rng = Random(seed)
    ground = generate_map(rng) if seed % 3 else random_map(rng)
    arrangement = random_arrangement(ground, rng)
    string = random_string(rng)
    dollars = int(rng.below((500, 2000, 6000)[seed % 3]))
    turn = Turn(Scenario(RULES[rules], ground))
    turn.arrange(arrangement)
    dice, log = Random(seed), TurnLog()
    turn.deploy(Policy(string), dollars, dice)
    turn.play(Dice(dice), log)
    naive = naive_of(rules, ground, arrangement, seed)
    naive.buy([int(string[128 + kind // 2] >> (4, 0)[kind % 2]) & 15 for kind in range(KINDS)], dollars)
    naive.place()
    naive.play(string)
    assert seen(turn, log) == seen_naively(naive), f"{rules}, seed {seed}"
    return log


def naive_of(rules: str, ground: Map, arrangement: Arrangement, seed: int) -> Naive:
    return Naive(
        rules,
        [
            "".join(LETTERS[code] for code in ground.codes[row : row + SIDE])
            for row in range(0, SQUARES, SIDE)
        ],
        {place(square) for square in ground.gold},
        {place(square): UNIT_NAMES[code] for square, code in arrangement.units()},
        Random(seed),
    )


def place(square: int) -> tuple[int, int]:
    return square % SIDE, square // SIDE


def seen(turn: Turn, log: TurnLog) -> dict[str, object]:
    return {
        "kept": turn.unspent,
        "acts": log.acts + [""] * (50 - len(log.acts)),
        "fights": [
            (phase, FIGHTS[kind], number, place(square), rolled, sides, bool(won), plunder)
            for phase, kind, number, square, rolled, sides, won, plunder in log.fights
        ],
        "fallen": [
            (place(square), turn.fallen_phase[square]) for square in list(turn.fallen)[: turn.fallen_count]
        ],
        "money": list(turn.carried)[: turn.begin[KINDS]],
        "lost": {minion.name: turn.lost[kind] for kind, minion in enumerate(MINIONS)},
        "produced": turn.produced(),
        "harvest": turn.harvest(),
        "plundered": turn.plundered,
    }


def seen_naively(naive: Naive) -> dict[str, object]:
    return {
        "kept": naive.kept,
        "acts": naive.acts,
        "fights": naive.fights,
        "fallen": naive.fallen,
        "money": [man.money for man in naive.men],
        "lost": {minion.name: naive.lost.count(minion.name) for minion in MINIONS},
        "produced": sum(naive.made.values()),
        "harvest": sum(naive.made[square] for square in naive.units),
        "plundered": naive.plundered,
    }


def digest(turn: Turn, string: bytes, seed: int) -> str:
    rng, log = Random(seed), TurnLog()
    turn.deploy(Policy(string), 3000, rng)
    turn.play(Dice(rng), log)
    told = sha256(repr(seen(turn, log)).encode()).hexdigest()
    turn.reset()
    return told


def random_map(rng: Random) -> Map:
    codes = bytes(int(rng.below(6)) if rng.chance(0.4) else 1 + int(rng.below(4)) for _ in range(SQUARES))
    return Map(codes, tuple(int(rng.below(SQUARES)) for _ in range(16)))


def random_arrangement(ground: Map, rng: Random) -> Arrangement:
    """Few or many units, of all kinds or mostly of one."""
    codes = bytearray(SQUARES)
    favourite, density = 1 + int(rng.below(8)), (0.0, 0.02, 0.1, 0.3)[rng.below(4)]
    for square in range(SQUARES):
        if ground.is_land(square) and rng.chance(density):
            codes[square] = favourite if rng.chance(0.3) else 1 + int(rng.below(8))
    return Arrangement(bytes(codes))


def random_string(rng: Random) -> bytes:
    """Any, or one of the more lively ones that attack what they face and mostly walk."""
    string = bytearray(int(rng.below(256)) for _ in range(132))
    if rng.chance(0.7):
        for place in range(128):
            pair = place % 4  # inputs 2 * pair and 2 * pair + 1
            if pair >= 2 and place >= 32:
                string[place] |= 0x33
            elif rng.chance(0.5):
                string[place] &= 0xCC
    return bytes(string)
