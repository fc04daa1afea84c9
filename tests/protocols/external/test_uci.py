"""External UCI engines by script: what they are sent, and what becomes of what they send."""

import chess
import chess.engine
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.position import move_text
from engines.engine import Clock, Limit
from protocols.external.engine import read_line
from protocols.external.uci import UciEngine, read_info, read_option
from tests.protocols.external.scripted import UCI, answer, infos, opened, position

pytestmark = pytest.mark.usefixtures("virtual_time")
ARRAY = "1r1k1r2/3p1p2/8/8/8/8/3P1P2/1R1K1R2 w KQkq - 0 1"
BARE = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


async def test_the_name_and_the_options_of_an_engine_are_read_and_set() -> None:
    options = (
        "option name Hash type spin default 16 min 1 max 64",
        "option name Own Book type check default false",
        "option name Style type combo default Solid var Solid var Very Wild",
        "option name Clear Hash type button",
        "option name Log File type string default <empty>",
        "option name Debug File type string default",
        "option name Broken type spin default 5 min 7 max 9",
        "option name",
        "nonsense",
    )
    engine, received = await opened(UciEngine, {**UCI, "uci": (*UCI["uci"][:-1], *options, "uciok")})
    assert (engine.name, engine.author) == ("Script", "a test")
    hash_size, book, style, clear, log, debug = engine.options
    assert (hash_size.kind, hash_size.minimum, hash_size.maximum) == ("spin", 1, 64)
    assert (book.name, book.default) == ("Own Book", "false")
    assert style.choices == ("Solid", "Very Wild")
    assert (clear.kind, log.default, debug.default) == ("button", "", "")
    for name, value in (("Style", "very wild"), ("Clear Hash", ""), ("Log File", ""), ("Debug File", "")):
        await engine.configure(name, value)
    assert [line for line in received if line.startswith("setoption")] == [
        "setoption name Style value Very Wild",
        "setoption name Clear Hash",
        "setoption name Log File value <empty>",
        "setoption name Debug File value ",  # Stockfish would write to a file called <empty>
    ]


@pytest.mark.parametrize(
    ("limit", "go"),
    [
        (Limit(), "infinite"),
        (Limit(depth=3, nodes=100), "nodes 100 depth 3"),
        (Limit(seconds=0.25), "movetime 250"),
        (Limit(mate=2), "mate 2"),
        (Limit(clock=Clock(seconds=2.5, increment=0.1)), "wtime 2500 btime 2500 winc 100 binc 100"),
        (
            Limit(clock=Clock(seconds=2.5, increment=0.1), other_clock=Clock(seconds=9, increment=0.2)),
            "wtime 2500 btime 9000 winc 100 binc 200",
        ),
        (Limit(clock=Clock(seconds=-3, moves_to_reset=4)), "wtime 1 btime 1 winc 0 binc 0 movestogo 4"),
        (Limit(seconds=2, nodes_per_second=50), "nodes 100"),
        (Limit(clock=Clock(seconds=10, moves_to_reset=1), nodes_per_second=100), "nodes 500"),
    ],
)
async def test_limits_become_parameters_of_go(limit: Limit, go: str) -> None:
    engine, received = await opened(UciEngine, UCI)
    assert await answer(engine, position(), limit) == "e2e4"
    assert received[-1] == f"go {go}"


async def test_the_own_clock_is_sent_as_btime_for_black() -> None:
    engine, received = await opened(UciEngine, {**UCI, "go .*": ("bestmove e7e5",)})
    limit = Limit(clock=Clock(seconds=2, moves_to_reset=7), other_clock=Clock(seconds=9, moves_to_reset=8))
    await answer(engine, position("e2e4"), limit)
    assert received[-1] == "go wtime 9000 btime 2000 winc 0 binc 0 movestogo 7"


async def test_options_with_tabs_and_double_spaces_are_understood() -> None:
    options = (
        "option name\tHash\ttype\tspin\tdefault\t16\tmin\t1\tmax\t64",
        "option  name  Own   Book  type check  default  false",
        "option name Style \t type combo default  Solid \t var Solid  var  Very   Wild",
        "option name Path type string default  my var min files",
        "option name Log type string default\t<empty>",
    )
    engine, received = await opened(UciEngine, {**UCI, "uci": ("id\tname\tTabs", *options, "uciok")})
    assert engine.name == "Tabs"
    assert [(option.name, option.default) for option in engine.options] == [
        ("Hash", "16"), ("Own Book", "false"), ("Style", "Solid"), ("Path", "my var min files"), ("Log", ""),
    ]  # fmt: skip
    assert engine.options[2].choices == ("Solid", "Very Wild")
    for name, value in (("Hash", "2"), ("own book", "true"), ("Log", "")):
        await engine.configure(name, value)
    assert [line for line in received if line.startswith("setoption")] == [
        "setoption name Hash value 2", "setoption name Own Book value true", "setoption name Log value <empty>",
    ]  # fmt: skip


async def test_chess960_is_switched_on_and_off_with_the_position() -> None:
    options = ("option name UCI_Chess960 type check default false", "uciok")
    answers = {**UCI, "uci": options, "position fen .*": ()}
    engine, received = await opened(UciEngine, {**answers, "go .*": ("bestmove d1b1",)})
    assert engine.plays_chess960
    state = position(fen=ARRAY)
    castling = state.parse_uci("d1b1")
    assert (await infos(engine, state, Limit(actions=(castling,))))[-1].action == castling
    await answer(engine, position("d1f1", fen=ARRAY))
    await answer(engine, position())
    await answer(engine, position("e2e4"))
    assert [line for line in received if line.startswith(("setoption", "position", "go infinite"))] == [
        "setoption name UCI_Chess960 value true", f"position fen {ARRAY}", "go infinite searchmoves d1b1",
        f"position fen {ARRAY} moves d1f1", "setoption name UCI_Chess960 value false",
        "position startpos", "position startpos moves e2e4",
    ]  # fmt: skip


async def test_the_score_of_a_bound_is_not_taken_for_an_exact_score() -> None:
    lines = (
        "info depth 4 score cp 20 nodes 30 pv d2d4 d7d5",
        "info depth 5 score cp 90 lowerbound nodes 40 pv e2e4",
        "info depth 5 score mate 3 upperbound nodes 50 pv e2e4",
        "bestmove e2e4",
    )
    engine, _ = await opened(UciEngine, {**UCI, "go .*": lines})
    last = (await infos(engine, position()))[-1]
    assert (move_text(last.action), last.cents, last.mate, last.depth, last.nodes) == (
        "e2e4",
        20,
        None,
        4,
        50,
    )
    engine, _ = await opened(UciEngine, {**UCI, "go .*": (lines[1], "bestmove e2e4")})
    last = (await infos(engine, position()))[-1]
    assert (last.cents, last.mate) == (None, None)


async def test_positions_are_sent_with_the_moves_that_led_to_them() -> None:
    engine, received = await opened(UciEngine, {**UCI, "go .*": ("bestmove e8d8",)})
    await engine.new_game()
    await answer(engine, position())
    await answer(engine, position("e2e4", "e7e5"))
    await answer(engine, position("e1d1", fen=BARE))
    assert [line for line in received if line.startswith(("position", "ucinewgame"))] == [
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        f"position fen {BARE} moves e1d1",
    ]


async def test_info_lines_become_infos() -> None:
    lines = (
        "info depth 1 score cp 20 nodes 30 time 5 pv d2d4 d7d5",
        "info string pv e2e4",
        "info depth 2 multipv 2 score cp 5 nodes 40 pv a2a3",
        "info depth 2 score mate -3 nodes 50 nps 10 pv g1f3 e7e5 e8e4 a2a4",
        "info depth 3 nodes 60 currmove a2a3",
        "info depth 9 score cp 1 pv e7e5",
        "bestmove g1f3 ponder e7e5",
    )
    engine, _ = await opened(UciEngine, {**UCI, "go .*": lines})
    state = position()
    ours, first, second, last = await infos(engine, state, Limit(nodes=1000))
    assert ours.action == state.legal_actions()[0]
    assert [move_text(move) for move in first.line] == ["d2d4", "d7d5"]
    assert (first.cents, first.mate, first.depth, first.nodes, first.seconds) == (20, None, 1, 30, 0.005)
    assert [move_text(move) for move in second.line] == ["g1f3", "e7e5"]
    assert (second.cents, second.mate) == (None, -3)
    assert (last.line, last.nodes, last.depth) == (second.line, 60, 9)
    assert not state.moves()


async def test_other_notations_are_understood() -> None:
    engine, _ = await opened(UciEngine, {**UCI, "go .*": ("info score cp 1 pv Nf3 d7-d5", "bestmove G1F3")})
    *_, info, last = await infos(engine, position())
    assert [move_text(move) for move in info.line] == ["g1f3", "d7d5"]
    assert last.action == info.action


async def test_moves_outside_the_limit_are_left_out() -> None:
    lines = ("info depth 1 score cp 9 pv e2e4", "info depth 1 score cp 8 pv d2d4", "bestmove e2e4")
    engine, received = await opened(UciEngine, {**UCI, "go .*": lines})
    state = position()
    actions = (state.action_from("c2c4"), state.action_from("d2d4"))
    found = await infos(engine, state, Limit(depth=1, actions=actions))
    assert [move_text(info.action) for info in found] == ["c2c4", "d2d4"]
    assert received[-1] == "go depth 1 searchmoves c2c4 d2d4"


@given(
    st.integers(0, 99), st.sampled_from(["cp", "mate"]), st.integers(-9999, 9999), st.integers(0, 10**9),
    st.integers(0, 10**6), st.permutations(["depth", "score", "nodes", "time"]),
)  # fmt: skip
def test_info_lines_are_read_as_by_python_chess(
    depth: int, kind: str, score: int, nodes: int, milliseconds: int, order: list[str]
) -> None:
    figures = {"depth": depth, "score": f"{kind} {score}", "nodes": nodes, "time": milliseconds}
    line = " ".join(f"{name} {figures[name]}" for name in order) + " pv d2d4 g8f6 c2c4"
    theirs = chess.engine._parse_uci_info(line, chess.Board())
    ours = read_info(["info", *line.split()])
    relative = theirs["score"].relative
    assert (ours.cents, ours.mate) == (relative.score(), relative.mate())
    assert (ours.depth, ours.nodes, ours.seconds) == (theirs["depth"], theirs["nodes"], theirs["time"])
    assert list(ours.moves) == [move.uci() for move in theirs["pv"]]


@given(
    st.lists(
        st.sampled_from(["info", "pv", "score", "cp", "mate", "nodes", "-3", "9" * 30, "e2e4", "string"])
    )
)
def test_random_info_lines_raise_no_error(words: list[str]) -> None:
    report = read_info(words)
    assert len(read_line(position(), report.moves)) <= len(words)


@given(st.text(alphabet="option name type spin default min max var 0123456789-", max_size=80))
def test_random_option_lines_are_ignored_or_have_a_valid_default(text: str) -> None:
    option = read_option(f"option name {text}")
    assert option is None or option.kind == "button" or option.checked(option.default) is not None
