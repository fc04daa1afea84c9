"""A genome at the board: what it yields while it thinks, and the line it recalls."""

from contextlib import closing

import pytest

from core.chess.notation import START, fen, position_from_fen
from core.chess.position import Position
from core.random import Random
from engines.chess.genome_file import load_bundled
from engines.chess.player import Player, SearchName
from engines.engine import Clock, Info, Limit

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
NODES = Limit(nodes=20_000)
both_searches = pytest.mark.parametrize("search", ["seed", "strong"])


def player(search: SearchName = "strong") -> Player:
    return Player(load_bundled("handset"), search, 1, Random(1))


def whole(player: Player, position: Position, limit: Limit = NODES) -> Info:
    for _ in player.think(position, limit):
        pass
    return player.info


@both_searches
def test_a_search_yields_a_legal_move_first_and_pauses_for_the_loop(search: SearchName) -> None:
    position = position_from_fen(MIDDLEGAME)
    first, *later = player(search).think(position, Limit(nodes=20_000, nodes_per_second=100_000.0))
    assert first is not None and first.action in position.legal_moves() and first.nodes == 0
    assert None in later and any(later)


@both_searches
def test_the_final_info_counts_all_nodes_of_the_search(search: SearchName) -> None:
    thinker = player(search)
    infos = [info for info in thinker.think(position_from_fen(MIDDLEGAME), NODES) if info]
    assert thinker.info.line == infos[-1].line
    assert infos[-1].nodes <= thinker.info.nodes <= 20_000
    assert thinker.info.nodes == 20_000 or search == "seed"


@pytest.mark.parametrize("follows", [True, False])
@pytest.mark.parametrize("is_closed", [True, False])
def test_the_expected_line_is_recalled_if_the_game_follows_it(follows: bool, is_closed: bool) -> None:
    """By the genetic search, in which no table remembers anything."""
    position, thinker = position_from_fen(MIDDLEGAME), player("seed")
    line: tuple[int, ...] = ()
    with closing(thinker.think(position, Limit(nodes=50_000))) as thinking:
        for info in thinking:
            line = info.line if info else line
            if is_closed and len(line) > 2:
                break
    assert len(line) > 2
    position.make(line[0])
    position.make(next(move for move in position.legal_moves() if (move == line[1]) == follows))
    recalling, fresh = (whole(each, position, Limit(nodes=2_000)) for each in (thinker, player("seed")))
    assert ((recalling.line, recalling.nodes) == (fresh.line, fresh.nodes)) is not follows


def test_a_search_that_reaches_its_goal_is_finished() -> None:
    thinker = player()
    mate = position_from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert whole(thinker, mate, Limit(depth=9)).mate == 1 and thinker.is_finished
    whole(thinker, position_from_fen(START), Limit(nodes=1000))
    assert not thinker.is_finished
    assert whole(thinker, position_from_fen(START), Limit(depth=2)).depth == 2 and thinker.is_finished


@both_searches
def test_searches_timed_in_nodes_do_not_depend_on_real_time(search: SearchName) -> None:
    limit = Limit(clock=Clock(seconds=300.0), nodes_per_second=10_000.0)
    infos = [whole(player(search), position_from_fen(MIDDLEGAME), limit) for _ in range(2)]
    assert infos[0].nodes == infos[1].nodes > 10_000 and infos[0].line == infos[1].line


@both_searches
def test_the_time_is_planned_by_the_number_of_the_move(search: SearchName) -> None:
    """Of a position that was set up as of one that was reached by moves."""
    limit = Limit(clock=Clock(seconds=20.0), nodes_per_second=1_000.0)
    early, late = (position_from_fen(MIDDLEGAME.replace(" 0 8", f" 0 {number}")) for number in (8, 45))
    assert whole(player(search), early, limit).nodes < whole(player(search), late, limit).nodes
    reached = position_from_fen(START)
    for text in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"):
        reached.make(reached.parse_uci(text))
    infos = [
        whole(player(search), position, limit) for position in (reached, position_from_fen(fen(reached)))
    ]
    assert infos[0].nodes == infos[1].nodes
