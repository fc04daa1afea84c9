"""Records: replayed by the rules to the byte, and found out when they are wrong."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec import Struct

from protocols.jsonl.adapter import GameAdapter, GameConfig, GameState
from protocols.jsonl.record import RecordError, public_lines, replay_record
from protocols.limits import GameLimits
from tests.fifth_game.adapter import BoardPlay, Result, TicTacToeAdapter
from tests.protocols.jsonl.fakes import FakeServer, first_listed
from tests.protocols.jsonl.killed import game_adapters
from tests.protocols.jsonl.protection_games import adapters, finished


def recorded(**create: Any) -> list[bytes]:
    """The record of a game as a client gets it, in pages."""
    server = FakeServer(game_adapters())
    client = server.player()
    received = client.create(**create)
    if "me" in create.get("seats", ["me"]):
        client.play_out(first_listed, received)
    lines: list[bytes] = []
    while True:
        page = client.ask(type="record", game_id="g-12", offset=len(lines))
        lines += [
            json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() for line in page["lines"]
        ]
        if len(lines) == page["total"]:
            return lines


def test_records_can_be_replayed() -> None:
    for create in (
        {},
        {"seats": ["random", "random"], "seed": 3},
        {"game": "acquire", "variant": "mini", "seats": ["me", "random"]},
        {"game": "acquire", "variant": "classic", "seats": ["me", "random", "random"], "seed": 3},
        {"game": "acquire", "variant": "classic", "options": {"safe": 5, "end": 20, "holdings": "hidden"},
         "seats": ["me", "random"]},
    ):  # fmt: skip
        lines = recorded(**create)
        relived = replay_record(lines, game_adapters(), GameLimits())
        assert relived.game.end_line.strip() == lines[-1]
        assert relived.events == sum(b'"type":"event"' in line for line in lines) > 4


def test_records_of_resigned_and_forfeited_games_can_be_replayed() -> None:
    """Why is read from the result, whatever else the line has."""

    class Odd(Struct, kw_only=True):
        reason: str

    class OddState(BoardPlay):
        def reveal(self) -> Struct | None:
            return Odd(reason="resign")

        def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Struct:
            return Result(score=[0.0, 0.0], reason=reason)

    class OddGame(TicTacToeAdapter):
        def open(self, config: GameConfig) -> GameState:
            return OddState()

    games: dict[str, GameAdapter] = {"tic-tac-toe": OddGame()}
    for reason in ("resign", "forfeit"):
        server = FakeServer(games)
        client = server.player()
        client.create(seats=["me", "random"], clock={"bank_ms": 10, "on_timeout": "forfeit"})
        if reason == "resign":
            client.say(type="resign", game_id="g-12")
        else:
            server.wait(60.0)
        lines = [line.rstrip(b"\n") for line in server.games.games["g-12"].lines.record]
        assert json.loads(lines[-1])["result"]["reason"] == reason
        assert replay_record(lines, games, GameLimits()).game.end_line


def swap(lines: list[bytes], old: bytes, new: bytes) -> list[bytes]:
    at = next(index for index, line in enumerate(lines) if old in line)
    return [*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda lines: [], "line 1: a header"),
        (lambda lines: lines[1:], "line 1: a header"),
        (lambda lines: swap(lines, b'"acquire"', b'"chess"'), "line 1: no game"),
        (lambda lines: swap(lines, b"sha256:", b"sha256:0"), "line 1: the rules of the record"),
        (lambda lines: swap(lines, b'"seed":42', b'"seed":43'), "line "),
        (lambda lines: swap(lines, b'"cost":0', b'"cost":100'), "line .* is recorded"),
        (lambda lines: [*lines[:5], *lines[6:]], "line "),
        (lambda lines: [*lines[:4], b'{"type":"event","seq":1,"kind":"turn","seat":0}', *lines[4:]], "line 5"),
        (lambda lines: swap(lines, b'"worth":[', b'"worth":[1'), "line .* is recorded"),
        (lambda lines: [*lines, lines[1]], "follows the end of the game"),
        (lambda lines: [lines[0], b'{"type":"action"}'], "line 2"),
        (lambda lines: [lines[0], b"\xff"], "line 2"),
        (lambda lines: [lines[0], lines[-1]], "line 2: the game has not ended here"),
    ],
)  # fmt: skip
def test_damaged_records_are_detected(damage: Callable[[list[bytes]], list[bytes]], complaint: str) -> None:
    lines = recorded(game="acquire", variant="mini", seats=["me", "random"])
    replay_record(lines, game_adapters(), GameLimits())
    with pytest.raises(RecordError, match=complaint):
        replay_record(damage(lines), game_adapters(), GameLimits())


def test_journal_lines_are_left_out_of_public_records() -> None:
    lines = [
        b'{"type":"given_up","reason":"journal_seat"}\n',
        b'{"seat":1,"type":"journal_seat"}',
        b'{"type":"end"}',
    ]
    assert public_lines(lines) == [lines[0][:-1], lines[2]]


@pytest.mark.parametrize(
    "seats",
    [["me", "chaos:pilot"], ["user:mines", "chaos:best"], ["user:reactive", "chaos:random"],
     ["user:greedy", "chaos:seed"]],
    ids=" ".join,
)  # fmt: skip
def test_records_of_protection_can_be_replayed_and_teach_nothing(seats: list[str], tmp_path: Path) -> None:
    table, lines = finished(tmp_path, seats)
    assert lines[-1].startswith(b'{"type":"end"')
    relived = replay_record(lines, adapters(), GameLimits())
    assert relived.game.end_line and relived.events > 5
    known = table.games.adapters["protection"].profiles
    assert known is not None
    before = known.show("ann")
    assert replay_record(lines, table.games.adapters, GameLimits()).game.end_line
    assert known.show("ann") == before, "to tell a game again teaches nothing"


def test_a_changed_record_of_protection_is_detected(tmp_path: Path) -> None:
    _, lines = finished(tmp_path, ["me", "chaos:fixed:2"])
    (where,) = [number for number, line in enumerate(lines) if b'"kind":"turn_end","turn":1' in line]
    wrong = [*lines[:where], lines[where].replace(b'"produced":', b'"produced":1'), *lines[where + 1 :]]
    with pytest.raises(RecordError, match=f"line {where + 1}: "):
        replay_record(wrong, adapters(), GameLimits())
