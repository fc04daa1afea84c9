"""The start of a game, and Acquire as a Game."""

import pytest

from core.acquire.game import Acquire, new_game, shuffled_bag
from core.acquire.notation import board_rows
from core.acquire.rules import PRESETS, GameSpec, parse_tile, tile_name, tiles
from core.random import Random
from tests.conformance import check_game
from tests.core.acquire.tables import scripted

PUBLIC, CLASSIC = PRESETS["tlstyer"], PRESETS["classic"]


def test_tiles_are_listed_column_by_column() -> None:
    names = [tile_name(CLASSIC, tile) for tile in tiles(CLASSIC)]
    assert names[:10] == ["1A", "1B", "1C", "1D", "1E", "1F", "1G", "1H", "1I", "2A"] and names[-1] == "12I"
    assert [parse_tile(CLASSIC, name) for name in names] == tiles(CLASSIC)


@pytest.mark.parametrize(
    "name", ["", "A", "1", "13A", "0A", "01A", "1J", "1a", "A1", "1AA", "-1A", "\uff11A"]
)
def test_invalid_tile_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no tile"):
        parse_tile(CLASSIC, name)


def test_the_shuffle_gives_the_published_draw_order() -> None:
    """The `bag` stream of game g-12, seed 42, gives this draw order."""
    bag = shuffled_bag(GameSpec(CLASSIC, 2), Random(0x23A0185E89B3BDAA))
    names = [tile_name(CLASSIC, int(tile)) for tile in bag]
    assert names[:12] == ["10C", "8H", "8I", "12A", "5E", "3C", "6B", "10I", "5A", "9C", "2D", "1H"]


def test_players_are_reseated_by_the_number_then_letter_of_their_tile() -> None:
    state = scripted(PUBLIC, "9A 2I 1C 1B", seats=4)
    assert [int(state.join_order[seat]) for seat in range(4)] == [3, 2, 1, 0] and state.player() == 0


@pytest.mark.parametrize(
    ("drawn", "first"), [("9A 1B", 0), ("1B 9A", 1), ("12B 11B", 1), ("3I 2H", 1), ("5C 4D", 0)]
)
def test_the_first_row_moves_first_and_players_keep_their_seats(drawn: str, first: int) -> None:
    state = scripted(CLASSIC, drawn)
    assert state.player() == first and [int(state.join_order[seat]) for seat in range(2)] == [0, 1]


def test_hands_are_dealt_seat_by_seat() -> None:
    state = scripted(CLASSIC, "9A 1B 1C 2C 3C 4C 5C 6C 12I 11I 10I 9I 8I 7I")
    hands = [[tile_name(CLASSIC, tile) for tile in state.hand(seat)] for seat in range(2)]
    assert hands == [["1C", "2C", "3C", "4C", "5C", "6C"], ["7I", "8I", "9I", "10I", "11I", "12I"]]
    assert "".join(board_rows(state)).count("o") == 2


def test_bags_with_missing_or_extra_tiles_are_refused() -> None:
    setting = GameSpec(CLASSIC, 2)
    for bag in ([], tiles(CLASSIC)[1:], [*tiles(CLASSIC)[1:], tiles(CLASSIC)[1]], [0] * 108):
        with pytest.raises(ValueError, match="1A is missing"):
            new_game(setting, bag)
    with pytest.raises(ValueError, match="109 tiles"):
        new_game(setting, [*tiles(CLASSIC), tiles(CLASSIC)[0]])


@pytest.mark.parametrize(
    ("name", "players"), [("mini", 2), ("thesis-2002", 2), ("classic", 6), ("tlstyer", 3)]
)
def test_acquire_passes_the_game_conformance_checks(name: str, players: int) -> None:
    check_game(Acquire(PRESETS[name], players), games=1 if players > 2 else 2)


def test_equal_seeds_give_equal_bags() -> None:
    game = Acquire(PRESETS["classic"], 4)
    one, two, other = (game.new_state(Random(seed)) for seed in (7, 7, 8))
    assert [int(tile) for tile in one.bag] == [int(tile) for tile in two.bag]
    assert [int(tile) for tile in one.bag] != [int(tile) for tile in other.bag]
