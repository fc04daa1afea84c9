"""`galapagos match`: descriptions of engines, the outcome as text and JSON, PGN, SPRT, and errors."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from core.chess.notation import START
from engines.engine import Limit
from tools.__main__ import main
from tools.games import find_game, open_engine

FAST = ("--nodes", "60", "--max-moves", "30")


def played(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["match", *arguments, *FAST, "--json"]) == 0
    outcome: dict[str, Any] = json.loads(capsys.readouterr().out)
    return outcome


def test_a_match_is_repeatable_at_any_concurrency(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts = []
    for concurrency in ("1", "3"):
        pgn = tmp_path / f"{concurrency}.pgn"
        outcome = played(
            capsys, "chess:handset", "chess:unevolved,search=seed", "--games", "6",
            "--seed", "3", "--concurrency", concurrency, "--pgn", str(pgn),
        )  # fmt: skip
        assert outcome["games"] == 6
        games = []
        stream = io.StringIO(pgn.read_text(encoding="utf-8"))
        while game := chess.pgn.read_game(stream):
            assert not game.errors and game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
            games.append(
                (game.headers["Round"], game.headers["White"], " ".join(map(str, game.mainline_moves())))
            )
        texts.append(sorted(games))
    assert texts[0] == texts[1] and len(texts[0]) == 6


def test_a_round_robin_with_the_random_mover_rates_all_players(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = played(capsys, "chess:handset", "chess:random", "random", "--games", "2")
    assert outcome["games"] == 6
    assert {row["player"] for row in outcome["players"]} == {"chess:handset", "chess:random", "Random"}
    assert all(row["rating"] for row in outcome["players"])


def test_foreign_engines_are_found_beside_this_python(capsys: pytest.CaptureFixture[str]) -> None:
    programs = "uci:galapagos-chess name=A option.Genome=unevolved", "cecp:galapagos-chess name=B"
    if not Path(sys.executable).with_name("galapagos-chess").exists():
        pytest.skip("galapagos-chess is not installed beside this Python")
    outcome = played(capsys, *programs, "--games", "2", "--openings", "start")
    assert [(row["player"], row["failed"]) for row in outcome["players"]] == [("A", 0), ("B", 0)]


ARRAY = "nrbkbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBKBRQN w KQkq - 0 1"
# Castling is all that saves the rook for both sides: the king's capture of the rook, d1f1, is what it is written as.
CASTLING = "1r1k1r2/3p1p2/8/8/8/8/3P1P2/1R1K1R2 w FBfb - 0 1"


def test_chess960_openings_are_played_with_foreign_engines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    programs = "uci:galapagos-chess name=A", "cecp:galapagos-chess name=B"
    if not Path(sys.executable).with_name("galapagos-chess").exists():
        pytest.skip("galapagos-chess is not installed beside this Python")
    openings, pgn = tmp_path / "openings.epd", tmp_path / "games.pgn"
    openings.write_text(f"{ARRAY}\n{CASTLING}\n")
    outcome = played(capsys, *programs, "--games", "4", "--openings", str(openings), "--pgn", str(pgn))
    assert [(row["player"], row["failed"]) for row in outcome["players"]] == [("A", 0), ("B", 0)]
    stream = io.StringIO(pgn.read_text(encoding="utf-8"))
    starts = []
    while game := chess.pgn.read_game(stream):
        assert not game.errors and game.board().chess960
        assert (game.headers["Variant"], game.headers["SetUp"]) == ("Chess960", "1")
        starts.append(game.headers["FEN"])
    assert starts == [ARRAY] * 2 + [CASTLING.replace("FBfb", "KQkq")] * 2


def test_an_engine_without_chess960_is_named_before_the_match(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    program, openings = tmp_path / "engine.py", tmp_path / "openings.epd"
    program.write_text(
        "import sys\nfor line in sys.stdin:\n"
        "    print({'uci': 'id name Old\\nuciok', 'isready': 'readyok'}.get(line.strip(), ''), flush=True)\n"
    )
    openings.write_text(f"{START}\n{CASTLING}\n")
    players = f"uci:{sys.executable} {program}", "random"
    assert main(["match", *players, *FAST, "--games", "2", "--openings", str(openings)]) == 2
    said = capsys.readouterr()
    assert "Old does not offer Chess960" in said.err and not said.out


def test_sprt_stops_a_clear_match(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = played(capsys, "chess:handset", "random", "--games", "200", "--sprt", "0,150")
    assert outcome["games"] < 200 and outcome["sprt"]["verdict"] == "H1"


def test_odds_give_players_unequal_shares(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = played(capsys, "chess:handset", "chess:handset", "--games", "20", "--odds", "10,0.1")
    assert outcome["odds"] == [10.0, 0.1]
    assert outcome["players"][0]["score"]["value"] > 0.7, "600 nodes against 6"


def test_the_text_has_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "chess:handset", "random", "--games", "2", *FAST]) == 0
    text = capsys.readouterr().out
    assert "score" in text and "[" in text and "Elo" in text and "endings: " in text and "failed" not in text


async def test_an_elo_in_the_name_of_a_player_limits_its_nodes() -> None:
    """UCI_LimitStrength is off by default, and without it UCI_Elo has no effect."""
    state = find_game("chess").state_from(START)
    nodes = []
    for settings in ("uci_elo=800", "UCI_Elo=800,UCI_LimitStrength=false"):
        engine = await open_engine("chess", f"chess:handset,{settings}", 1)
        nodes.append([info async for info in engine.think(state, Limit(nodes=1000))][-1].nodes)
        await engine.close()
    assert nodes[0] < 20 and nodes[1] == 1000


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess:handset"], "two players"),
        (
            ["chess:handset", "nobody"],
            "'nobody' names no engine; there are random, chess:evolved, chess:evolved-1, chess:evolved-2,",
        ),
        (["evolved", "handset"], "'evolved' names no engine; did you mean chess:evolved?"),
        (["handset,hash=2", "random"], "did you mean chess:handset,hash=2?"),
        (["pair-1", "heuristic"], "did you mean acquire:pair-1?"),
        (["chess:handset", "chess:handset,foo=1"], "is not a setting; there are Hash, MultiPV, Search,"),
        (["chess:handset", "chess:handset,genome=random"], "is not a setting"),
        (["chess:handset", "chess:/no/such/file"], "cannot read"),
        (["chess:handset", "chess:handset,depht=3"], "is not a setting"),
        (["chess:handset", "chess:handset,hash=much"], "Hash"),
        (["chess:handset", "uci:"], "needs the command of an engine"),
        (["chess:handset", "uci:/no/such/program"], "/no/such/program"),
        (["chess:handset", "random", "--tc", "soon"], "time control"),
        (["chess:handset", "random", "--odds", "1"], "a number for each of the 2 players"),
        (["chess:handset", "random", "--odds", "1,0"], "the shares are numbers above 0"),
        (["chess:handset", "random", "--odds", "1,nan"], "the shares are numbers above 0"),
        (["chess:handset", "random", "--games", "3"], "a multiple of the 2 seats"),
        (["chess:handset", "random", "--openings", "/no/such/file"], "No such file"),
        (["chess:handset", "random", "--game", "go"], "no game"),
        (["chess:handset", "random", "--variant", "classic"], "--variant cannot be used in matches of chess"),
    ],
)
def test_errors_are_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert main(["match", *arguments]) in (1, 2)
    error = capsys.readouterr().err
    assert complaint in error and error.count("\n") == 1 and "Traceback" not in error


@pytest.mark.parametrize(
    ("pairing", "meetings"), [("gauntlet", 3), ("swiss", 4), ("ladder", 6), ("elimination", 3)]
)
def test_each_pairing_plays_its_number_of_games(
    capsys: pytest.CaptureFixture[str], pairing: str, meetings: int
) -> None:
    outcome = played(
        capsys, "random", "chess:handset", "random", "random", "--games", "2", "--pairing", pairing
    )
    assert outcome["games"] == 2 * meetings
    assert len(outcome["players"]) == len(set(outcome["order"])) == 4
    if pairing == "ladder":
        assert [row["rung"] for row in outcome["rungs"]] == [1, 2, 3, 4]
        assert sum(row["challenges"] for row in outcome["rungs"]) == 2 * meetings
