"""Battles: tallies and scores, that only the warriors' code decides those of a hill, and pairs the same in any task."""

import pickle
from itertools import permutations

import pytest

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, from_checksum
from core.corewar.instruction import DAT, DIRECT, DOT_F, DOT_I, EMPTY, MOV, pack
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import (
    TASK_PAIRS,
    BattleTask,
    PairsTask,
    Sampling,
    Tally,
    fields,
    fight_battle,
    fight_pairs,
    fingerprint,
    pair_tasks,
    with_shared_pspace,
)
from engines.corewar.presets import PRESETS, exact_rounds
from tests.engines.corewar import redcode
from tests.engines.corewar.made_up import NANO, warrior
from tests.engines.corewar.redcode import STANDARD, starter

IMP = Warrior("Imp", "Ann", (pack(MOV, DOT_I, DIRECT, 0, DIRECT, 1),), 0)
DIES = Warrior("Dies", "Bob", (pack(DAT, DOT_F, DIRECT, 0, DIRECT, 0),), 0)


def battle_task(
    *warriors: Warrior, preset: str = "nano", is_exact: bool = False, rounds: int = 20
) -> BattleTask:
    return BattleTask(rules=PRESETS[preset].rules, warriors=warriors, rounds=rounds, is_exact=is_exact)


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "score"),
    [(100, 0, 0, 300.0), (0, 0, 100, 100.0), (0, 100, 0, 0.0), (1, 0, 2, 500 / 3)],
)
def test_scores_count_wins_three_times_and_ties_once(wins: int, losses: int, ties: int, score: float) -> None:
    assert Tally.of_two(wins=wins, losses=losses, ties=ties).score == pytest.approx(score)


def test_results_of_two_warriors_become_wins_ties_and_losses() -> None:
    assert Tally.of_results([7, 2, 11]) == Tally.of_two(wins=7, losses=11, ties=2)


def test_results_of_three_warriors_give_points_by_survivors() -> None:
    """Survivors alone, with one, with two others; then deaths as first and second: (W*W-1)/S = 8, 4, 2."""
    made = Tally.of_results([3, 2, 1, 5, 4])
    assert (made.wins, made.ties, made.losses, made.rounds) == (3, 3, 9, 15)
    assert made.points == (3 * 8 + 2 * 4 + 1 * 2) / 2


def test_warriors_that_die_lose_every_round() -> None:
    assert fight_battle(battle_task(IMP, DIES)) == [
        Tally.of_two(wins=20, losses=0, ties=0),
        Tally.of_two(wins=0, losses=20, ties=0),
    ]
    assert [tally.score for tally in fight_battle(battle_task(DIES, IMP, DIES))] == [0.0, 400.0, 0.0]


def test_an_exact_battle_has_every_position_and_starter() -> None:
    assert exact_rounds(NANO.rules) == NANO.rounds == 142
    made = fight_battle(battle_task(IMP, warrior(7), is_exact=True, rounds=142))
    assert made == fight_battle(battle_task(IMP, warrior(7), is_exact=True, rounds=142))
    twice = fight_battle(battle_task(IMP, warrior(7), is_exact=True, rounds=284))
    assert [tally.score for tally in twice] == [tally.score for tally in made]


@pytest.mark.parametrize("preset", ["nano", "tiny"])
def test_the_order_of_the_warriors_changes_nothing(preset: str) -> None:
    crowd = (IMP, warrior(3), warrior(12))
    known = dict(zip(crowd, fight_battle(battle_task(*crowd, preset=preset)), strict=True))
    for order in permutations(crowd):
        assert dict(zip(order, fight_battle(battle_task(*order, preset=preset)), strict=True)) == known


@pytest.mark.parametrize("number", range(8))
def test_a_warrior_without_a_pin_reads_the_pspace_of_an_earlier_pin_0(number: int) -> None:
    writer = _assembled("pin 0\nstp.ab #7, #1\njmp -1")
    reader = _assembled(f"ldp.ab #1, 3\njmz.b -1, 2\ndat 0, 0\ndat {number}, 0")
    dies = fight_battle(battle_task(reader, writer))[0].losses == 20
    assert dies == (fingerprint(writer) < fingerprint(reader))


def _assembled(text: str) -> Warrior:
    made = assemble(f";assert 1\n{text}", PRESETS["nano"].rules).warrior
    assert made
    return made


def test_warrior_names_do_not_affect_fights_or_fingerprints() -> None:
    renamed = Warrior("Other", "Zoe", warrior(3).cells, 0)
    assert fingerprint(renamed) == fingerprint(warrior(3))
    assert fight_battle(battle_task(renamed, IMP)) == fight_battle(battle_task(warrior(3), IMP))
    assert fingerprint(warrior(3)) != fingerprint(warrior(4))
    assert fingerprint(Warrior("", "", IMP.cells, 0, 1)) != fingerprint(IMP)


def test_packed_fields_restore_the_cell() -> None:
    assert [pack(*fields(cell)) for cell in warrior(9).cells] == list(warrior(9).cells)


def test_a_fight_can_be_sent_to_a_worker() -> None:
    sent = battle_task(IMP, warrior(3))
    assert pickle.loads(pickle.dumps(sent)) == sent
    assert fight_battle(pickle.loads(pickle.dumps(sent))) == fight_battle(sent)


# -- Who shares a P-space with whom ------------------------------------------------------------------

Pins = tuple[int | None, ...]


@pytest.mark.parametrize(
    ("pins", "seen"),
    [
        ((0, None), (0, 0)),
        ((None, 0), (None, 0)),
        ((3, None), (3, None)),
        ((0, 1), (0, 1)),
        ((None, 0, 5, None, None), (None, 0, 5, 0, 0)),
        ((), ()),
    ],
)
def test_warriors_without_a_pin_join_an_earlier_pin_0(pins: Pins, seen: Pins) -> None:
    warriors = [Warrior(str(seat), "", (EMPTY,), 0, pin) for seat, pin in enumerate(pins)]
    seats = with_shared_pspace(warriors)
    assert tuple(warrior.pin for warrior in seats) == seen
    assert [warrior.name for warrior in seats] == [warrior.name for warrior in warriors]


# -- Pairs -------------------------------------------------------------------------------------------

CRAWLER = redcode.warrior("mov 0, 1", redcode.NANO)
BOMBER = redcode.warrior("add #4, 3\nmov 2, @2\njmp -2\ndat 0, 0", redcode.NANO)
WAITER = redcode.warrior("jmp 0, <-5", redcode.NANO)
PAIRS = [(CRAWLER, BOMBER), (BOMBER, WAITER), (WAITER, CRAWLER), (BOMBER, BOMBER)]


def test_a_pair_fights_the_same_in_any_task() -> None:
    sampling = Sampling(rounds=20, seed=3)
    together = fight_pairs(PairsTask(rules=redcode.NANO, sampling=sampling, first=0, pairs=tuple(PAIRS)))
    apart = [
        fight_pairs(PairsTask(rules=redcode.NANO, sampling=sampling, first=number, pairs=(pair,)))[0]
        for number, pair in enumerate(PAIRS)
    ]
    assert together == apart
    assert all(tally.rounds == 20 for tally in together)


def test_different_seeds_and_numbers_draw_different_positions() -> None:
    places = {
        tuple(Sampling(seed=seed).positions(STANDARD, PAIRS[0], number).next()[0])
        for seed in range(10)
        for number in range(10)
    }
    assert len(places) > 95


def test_without_a_seed_positions_depend_on_the_code() -> None:
    first, second = starter("stone"), starter("scanner")
    battle = Battle(STANDARD, [first, second], 10, from_checksum(STANDARD, [first, second]))
    battle.run(10**9)
    task = PairsTask(
        rules=STANDARD, sampling=Sampling(rounds=10, seed=None), first=7, pairs=((first, second),)
    )
    assert fight_pairs(task) == [Tally.of_results(battle.results[0])]


@pytest.mark.parametrize("seed", [1, 2, None])
def test_exact_sampling_does_not_depend_on_seed_or_number(seed: int | None) -> None:
    every = Sampling.every_place(redcode.NANO)
    assert every.rounds == 142
    sampling = Sampling(rounds=every.rounds, seed=seed, exact=True)
    assert fight_pairs(
        PairsTask(rules=redcode.NANO, sampling=sampling, first=5, pairs=tuple(PAIRS))
    ) == fight_pairs(PairsTask(rules=redcode.NANO, sampling=every, first=0, pairs=tuple(PAIRS)))


@pytest.mark.parametrize(
    ("rules", "rounds", "most"), [(STANDARD, 100, 1), (redcode.NANO, 142, 70), (redcode.NANO, 1, TASK_PAIRS)]
)
def test_pairs_are_batched_by_the_length_of_their_battles(rules: Rules, rounds: int, most: int) -> None:
    pairs = PAIRS * 100
    made = list(pair_tasks(rules, Sampling(rounds=rounds), pairs))
    assert [pair for task in made for pair in task.pairs] == pairs
    assert [task.first for task in made] == [
        sum(len(task.pairs) for task in made[:n]) for n in range(len(made))
    ]
    assert max(len(task.pairs) for task in made) == most


def test_a_sampling_of_0_rounds_is_refused() -> None:
    with pytest.raises(ValueError, match="one round or more, not 0"):
        Sampling(rounds=0)
