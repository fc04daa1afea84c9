"""What a search learns about moves: bounded, forgetful, and of use to the next search of the game."""

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.evaluation import Evaluator
from core.chess.history import LIMIT_BITS, NO_PLACE, PLACES, REPLIES, ROWS, History, place_of
from core.chess.move_ordering import GOOD, MoveOrdering
from core.chess.notation import START, position_from_fen
from core.chess.search import AlphaBetaSearch
from core.chess.search_params import SearchParams
from core.chess.search_task import SearchTask
from core.chess.transposition import TranspositionTable
from engines.chess.genome_file import load_bundled

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


def test_rewards_saturate_at_the_limit_and_penalties_reduce_entries() -> None:
    history = History()
    position = position_from_fen(START)
    move = position.parse_uci("g1f3")
    place = place_of(position.board, move)
    index = REPLIES + NO_PLACE * PLACES + place
    for _ in range(1000):
        history.reward(0, move, place, NO_PLACE, NO_PLACE, 1500)
    highest = int(history.entries[index])
    assert (1 << LIMIT_BITS) - 20 < highest <= 1 << LIMIT_BITS
    history.reward(0, move, place, NO_PLACE, NO_PLACE, -1500)
    assert history.entries[index] < highest - 2000, "what was certain falls fastest"
    assert history.entries[ROWS * PLACES + index] == 0, "Black's is another"


def test_killers_are_two_and_the_newest_comes_first() -> None:
    history = History()
    for move in (5, 6, 6, 7):
        history.keep_killer(3, move)
    assert [int(history.killers[6]), int(history.killers[7])] == [7, 6]
    history.new_search()
    assert not history.killers[6]


def test_quiet_moves_are_dropped_and_losing_captures_stay() -> None:
    ordering = MoveOrdering(vec[i64]([1, 3, 3, 5, 9, 0]), History(), SearchParams(), 100)
    for index, order in enumerate([7, 3 - GOOD, 0, 5 - GOOD, -9]):
        ordering.moves[index] = 100 + index
        ordering.orders[index] = order
    assert ordering.drop_quiet(1, 5) == 3
    assert [int(ordering.moves[index]) for index in range(3)] == [100, 101, 103]


def test_earlier_searches_influence_later_searches_reproducibly() -> None:
    evaluator = Evaluator(load_bundled("handset").express().weights)

    def game() -> list[int]:
        history, nodes = History(), []
        for fen in (MIDDLEGAME, START, MIDDLEGAME):  # each with a table of its own: only the history is left
            search = AlphaBetaSearch(
                position_from_fen(fen), evaluator, TranspositionTable(4), SearchTask(8), history
            )
            while not search.run(100_000):
                pass
            nodes.append(int(search.nodes))
        return nodes

    first = game()
    assert game() == first
    assert first[0] != first[2], "it has learnt"
