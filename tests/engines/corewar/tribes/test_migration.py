"""Migration: how often, and that everybody stays somewhere."""

from itertools import chain

from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.migration import move, moves_after, sweeps_until_migration

CONFIG = TribesConfig(tribes=4, tribe_size=6, migration=0.05, sweeps_a_generation=12)


def test_each_tribe_exchanges_with_its_chance() -> None:
    moves = [each for sweep in range(5000) for each in moves_after(sweep, CONFIG, 7)]
    assert 850 < len(moves) < 1150
    assert all(each.one[0] != each.other[0] for each in moves)
    assert {each.other for each in moves} == {(tribe, seat) for tribe in range(4) for seat in range(6)}


def test_a_generation_ends_with_a_migration() -> None:
    sweep = 0
    while sweep < 300:
        count = sweeps_until_migration(sweep, CONFIG, 7)
        assert not any(moves_after(sweep + before, CONFIG, 7) for before in range(count - 1))
        assert count == 12 or moves_after(sweep + count - 1, CONFIG, 7)
        sweep += count


def test_nobody_is_lost() -> None:
    tribes = [[10 * tribe + seat for seat in range(6)] for tribe in range(4)]
    everybody = sorted(chain.from_iterable(tribes))
    for sweep in range(50):
        move(moves_after(sweep, CONFIG, 3), tribes)
    assert sorted(chain.from_iterable(tribes)) == everybody
    assert any(member // 10 != number for number, tribe in enumerate(tribes) for member in tribe)


def test_a_single_tribe_stays_at_home() -> None:
    assert not moves_after(0, TribesConfig(tribes=1, migration=1), 7)
    assert sweeps_until_migration(0, TribesConfig(migration=0), 7) == 25
