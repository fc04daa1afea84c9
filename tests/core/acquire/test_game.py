"""Acquire keeps the laws of every game, and its actions read back."""

import pytest

from core.acquire.game import Acquire
from core.acquire.rules import PRESETS
from core.random import Random
from tests.conformance import check_game


@pytest.mark.parametrize(
    ("name", "players"), [("mini", 2), ("thesis-2002", 2), ("classic", 6), ("tlstyer", 3)]
)
def test_the_game_conforms(name: str, players: int) -> None:
    check_game(Acquire(PRESETS[name], players), games=1 if players > 2 else 2)


def test_a_seed_is_a_game() -> None:
    game = Acquire(PRESETS["classic"], 4)
    one, two, other = (game.new_state(Random(seed)) for seed in (7, 7, 8))
    assert [int(tile) for tile in one.bag] == [int(tile) for tile in two.bag]
    assert [int(tile) for tile in one.bag] != [int(tile) for tile in other.bag]
