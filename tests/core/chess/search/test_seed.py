"""The search of 2017: its time, its gambles and its endings."""

import pytest

from core.chess.evaluate import Evaluator
from core.chess.fen import START, position_from_fen
from core.chess.position import move_text
from core.chess.score import moves_to_mate
from core.chess.search.look_ahead import LookAhead
from core.chess.search.seed import SeedSearch
from core.random import Random
from engines.chess.genome import load_bundled

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
EAGER = LookAhead(50.0, 0.0, 1000.0, 0.5)


def search(
    fen: str,
    *,
    seconds: float = 1.0,
    clock: float = 60.0,
    rate: float = 20_000.0,
    look_ahead: LookAhead = EAGER,
    seed: int = 1,
    slice_nodes: int = 1000,
    depth: int = 100,
    recalled: tuple[int, ...] = (),
) -> SeedSearch:
    evaluator = Evaluator(load_bundled("handset").express().weights)
    found = SeedSearch(
        position_from_fen(fen), evaluator, look_ahead, Random(seed),
        seconds=seconds, clock=clock, rate=rate, depth=depth, recalled=recalled,
    )  # fmt: skip
    while not found.run(slice_nodes):
        pass
    return found


def test_uses_about_the_time_it_is_given() -> None:
    """An eager gene spends most of it; every bound but the clock is soft, since leaves cost time too."""
    for seconds in (0.2, 1.0, 4.0):
        assert int(search(MIDDLEGAME, seconds=seconds).nodes) / 20_000 <= 1.5 * seconds + 0.01
    assert search(MIDDLEGAME, seconds=4.0).nodes > 3 * search(MIDDLEGAME, seconds=0.5).nodes


def test_the_clock_ends_it() -> None:
    daring = LookAhead(50.0, 0.0, 1000.0, 1.0)  # k = 1 looks ahead always: only the clock stops it
    assert search(MIDDLEGAME, seconds=1.0, clock=0.5, look_ahead=daring).nodes <= 10_100
    assert search(MIDDLEGAME, seconds=0.0, clock=-1.0).line


def test_without_time_and_daring_it_looks_one_move_ahead() -> None:
    careful = LookAhead(50.0, 0.0, 1000.0, 0.0)
    timeless = search(START, seconds=0.0, look_ahead=careful)
    assert timeless.nodes == 20 and timeless.depth == 1
    asleep = LookAhead(50.0, 0.0, 1e9, 1.0, False)
    assert search(START, seconds=100.0, look_ahead=asleep).nodes == 20


def test_forced_replies_are_looked_at_without_time() -> None:
    """After Rb8+ the king has one square, and the line goes on by itself."""
    careful = LookAhead(50.0, 0.0, 1000.0, 0.0)
    found = search("6k1/5p1p/6p1/8/8/8/8/1R4K1 w - - 0 1", seconds=0.0, look_ahead=careful)
    assert found.seldepth >= 1 or found.nodes > 19


@pytest.mark.parametrize(
    ("fen", "move", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", 1),
    ],
)
def test_a_mating_move_ends_the_search(fen: str, move: str, mate: int) -> None:
    found = search(fen, seconds=100.0)
    assert (move_text(found.line[0]), moves_to_mate(found.score)) == (move, mate)
    assert found.nodes < 1_000_000, "the rest of the time is saved"


def test_the_quicker_mate_wins() -> None:
    found = search("7k/8/6K1/8/8/8/Q7/8 w - - 0 1", seconds=20.0)
    assert moves_to_mate(found.score) == 1


def test_one_legal_move_is_played_at_once() -> None:
    found = search("k7/8/8/8/8/8/1r6/K7 w - - 0 1", seconds=100.0)
    assert found.nodes == 0 and len(found.line) == 1


def test_same_seed_same_search_in_any_slices() -> None:
    whole = search(MIDDLEGAME, seed=3)
    for slice_nodes in (1, 13):
        sliced = search(MIDDLEGAME, seed=3, slice_nodes=slice_nodes)
        assert (whole.line, whole.score, whole.nodes) == (sliced.line, sliced.score, sliced.nodes)
    assert len({search(MIDDLEGAME, seed=seed).nodes for seed in range(5)}) > 1, "the gamble is a gamble"


def test_depth_is_a_bound() -> None:
    daring = LookAhead(50.0, 0.0, 1e6, 1.0)
    assert search(START, seconds=1e9, clock=1e9, look_ahead=daring, depth=1).nodes == 20
    assert search(START, seconds=1e9, clock=1e9, look_ahead=daring, depth=2).seldepth <= 2


def test_an_illegal_recalled_line_is_dropped() -> None:
    legal = search(MIDDLEGAME).line
    assert search(MIDDLEGAME, recalled=(legal[0], 1, 2)).line
    assert search(MIDDLEGAME, recalled=(1, 2, 3)).line


def test_the_recalled_line_is_looked_at_whatever_the_time() -> None:
    careful = LookAhead(50.0, 0.0, 1000.0, 0.0)
    position = position_from_fen(MIDDLEGAME)
    line = []
    for move in ("e1g1", "f6h5", "d4c5", "h5f4"):
        line.append(position.action_from(move))
        position.make(line[-1])
    found = search(MIDDLEGAME, seconds=0.0, look_ahead=careful, recalled=tuple(line))
    assert found.seldepth == 4


def test_daring_looks_further_than_careful() -> None:
    """k above one half is daring: the formula stands against the manual's prose."""

    def nodes(k: float) -> float:
        gene = LookAhead(50.0, 0.0, 1000.0, k)
        return sum(search(MIDDLEGAME, seconds=0.3, look_ahead=gene, seed=seed).nodes for seed in range(5)) / 5

    assert nodes(0.9) > nodes(0.5) > nodes(0.1)
