"""Chess over the JSON lines: python-chess agrees with every position, list of moves and end; seeds decide the rest."""

from pathlib import Path
from random import Random
from typing import Any

import chess
import pytest

from protocols.jsonl.chess import ChessAdapter
from protocols.jsonl.journal import Journal
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import Client, FakeServer

QUEEN = "7k/8/8/8/8/8/8/K5Q1 w - - 0 1"
BARE = "7k/8/8/8/8/8/8/KB6 b - - 0 1"  # nobody can mate


def server(**limits: Any) -> FakeServer:
    return FakeServer({"chess": ChessAdapter()}, limits=GameLimits(**limits))


def began(client: Client, **wanted: Any) -> list[dict[str, Any]]:
    return client.create(**{"game": "chess", "seats": ["me", "me"], **wanted})


def only(lines: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    (found,) = (line for line in lines if line["type"] == kind)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_game_agrees_with_python_chess(seed: int) -> None:
    """Both seats are ours; positions, moves and the end are those of python-chess."""
    rng, client, board = Random(seed), server().player(), chess.Board()

    def choose(decide: dict[str, Any]) -> dict[str, str]:
        seen = decide["observation"]
        assert seen["fen"] == board.fen(en_passant="legal")
        assert (seen["turn"], seen["check"]) == (("black", "white")[board.turn], board.is_check())
        offered = {action["uci"] for action in decide["legal"]["actions"]}
        assert offered == {move.uci() for move in board.legal_moves}
        move = rng.choice(sorted(offered))
        board.push_uci(move)
        return {"kind": "move", "uci": move}

    lines = began(client)
    end = client.play_out(choose, lines)
    outcome = board.outcome(claim_draw=True)
    assert outcome and outcome.termination.name.replace("_", " ").lower() == end["result"]["reason"]
    assert end["result"]["score"] == {None: [0.5, 0.5], True: [1.0, 0.0], False: [0.0, 1.0]}[outcome.winner]
    events = client.ask(type="record", game_id=lines[0]["game_id"], limit=1000)["lines"]
    told = [line["san"] for line in events if line.get("kind") == "moved"]
    words = chess.Board().variation_san(board.move_stack[: len(told)]).split()
    assert told and (words[1::3], words[2::3]) == (told[::2], told[1::2])


def test_the_same_seed_yields_the_same_moves_of_a_server_player() -> None:
    records = []
    for _ in range(2):
        place = server()
        client = place.player()
        (created, *lines) = began(client, seats=["me", "evolved"], seed=5)
        for move in ("e2e4", "d2d4"):
            decide = only(lines, "decide")
            client.say(
                type="action", re=decide["id"], game_id=decide["game_id"], seq=decide["seq"],
                action={"kind": "move", "uci": move},
            )  # fmt: skip
            client.received()
            place.work()
            lines = client.received()
        client.say(type="resign", game_id=created["game_id"])
        assert only(client.received(), "end")["result"] == {"score": [0.0, 1.0], "reason": "resign"}
        lines = client.ask(type="record", game_id=created["game_id"])["lines"]
        records.append([line["uci"] for line in lines if line.get("kind") == "moved"])
    assert records[0] == records[1] and records[0][::2] == ["e2e4", "d2d4"]


def test_invalid_options_seats_variants_and_moves_are_refused() -> None:
    client = server().player()
    for options, path in (
        ({"fen": "no"}, "fen"),
        ({"fen": 3}, "fen"),
        ({"fen": BARE}, "fen"),
        ({"bag": 1}, "bag"),
    ):
        (error,) = began(client, options=options)
        assert error["data"]["path"] == f"$.options.{path}", error
    assert began(client, seats=["me"])[0]["data"]["path"] == "$.seats"
    assert began(client, variant="blitz")[0]["data"]["path"] == "$.variant"
    decide = only([line for line in began(client) if line.get("seat") == 0], "decide")
    client.say(
        type="action", re=decide["id"], game_id=decide["game_id"], seq=decide["seq"],
        action={"kind": "move", "uci": "e2e5"},
    )  # fmt: skip
    (refusal,) = client.received()
    assert refusal["code"] == "illegal_action" and "e2e5" in refusal["message"]


def test_games_start_from_a_given_position_or_a_seeded_opening() -> None:
    client = server(games_per_session=100).player()

    def start(**wanted: Any) -> str:
        fen: str = next(line for line in began(client, **wanted) if line["type"] == "start")["observation"][
            "fen"
        ]
        return fen

    assert start() == chess.STARTING_FEN and start(options={"fen": QUEEN}) == QUEEN
    drawn = [start(variant="openings", seed=seed) for seed in (*range(8), *range(8))]
    assert drawn[:8] == drawn[8:] and len(set(drawn)) > 4 and chess.STARTING_FEN not in drawn


def test_impossible_castling_rights_are_dropped_with_a_note() -> None:
    client = server(games_per_session=100).player()
    asked = "r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    starts = [line for line in began(client, options={"fen": asked}) if line["type"] == "start"]
    assert starts and all(line["observation"]["fen"] == asked.replace("KQkq", "KQq") for line in starts)
    assert all(len(line["notes"]) == 1 and "rights 'k' dropped" in line["notes"][0] for line in starts)
    starts = [line for line in began(client, options={"fen": QUEEN}) if line["type"] == "start"]
    assert not any("notes" in line for line in starts)


def test_running_out_of_time_against_a_bare_king_is_a_draw() -> None:
    """FIDE Laws, 6.9: White runs out of time, and Black has a king alone."""
    place = server()
    client = place.player()
    began(client, options={"fen": QUEEN}, clock={"bank_ms": 1000, "on_timeout": "forfeit"})
    place.wait(40.0)
    ends = [line for line in client.received() if line["type"] == "end"]
    assert ends[0]["result"] == {"score": [0.5, 0.5], "reason": "forfeit"}


def test_a_match_is_the_same_with_any_number_of_workers() -> None:
    tables = []
    for workers in (1, 3):
        place = server(workers=workers)
        client = place.player(role="director")
        client.ask(
            type="match", game="chess", variant="openings", players=["handset", "unevolved"], games=2, mirror=True,
            seed=2, workers=workers, records=True,
        )  # fmt: skip
        place.work(last_first=True)
        end = client.received()[-1]
        tables.append([row["against"] for row in end["table"]])
        assert len(end["records"]) == 2
    assert tables[0] == tables[1]
    assert tables[0][0][1] == [0, 0, 2], "textbook values beat a genome that no evolution has touched"


def test_a_record_is_replayed(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    place = FakeServer({"chess": ChessAdapter()}, journal=journal)
    client = place.player()
    lines = began(client)
    client.play_out(lambda decide: decide["legal"]["actions"][-1], lines)
    kept = journal.read(lines[0]["game_id"])
    assert kept and replay_record(kept, {"chess": ChessAdapter()}, GameLimits()).game.is_over
