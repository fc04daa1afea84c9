"""Records: played again by the rules, found out when they are wrong, and gone on with after a kill."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl.journal import Journal, JournalError, whole_lines
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.record import RecordError, replay_record
from tests.protocols.jsonl.fakes import House, first_listed
from tests.protocols.jsonl.killed import Killed, bindings


def recorded(**create: Any) -> list[bytes]:
    """The record of a game as a client gets it, in pages."""
    house = House(bindings())
    guest = house.player()
    heard = guest.create(**create)
    if "me" in create.get("seats", ["me"]):
        guest.play_out(first_listed, heard)
    lines: list[bytes] = []
    while True:
        page = guest.ask(type="record", game_id="g-12", offset=len(lines))
        lines += [
            json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() for line in page["lines"]
        ]
        if len(lines) == page["total"]:
            return lines


def test_records_play_again() -> None:
    for create in (
        {},
        {"seats": ["random", "random"], "seed": 3},
        {"game": "acquire", "variant": "mini", "seats": ["me", "random"]},
        {"game": "acquire", "variant": "classic", "seats": ["me", "random", "random"], "seed": 3},
        {"game": "acquire", "variant": "classic", "options": {"safe": 5, "end": 20, "holdings": "hidden"},
         "seats": ["me", "random"]},
    ):  # fmt: skip
        lines = recorded(**create)
        relived = replay_record(lines, bindings(), JsonlLimits())
        assert relived.table.end_line.strip() == lines[-1]
        assert relived.events == sum(b'"type":"event"' in line for line in lines) > 4


def test_resigned_games_play_again() -> None:
    house = House(bindings())
    guest = house.player()
    guest.create(game="acquire", variant="mini", seats=["me", "random"])
    guest.say(type="resign", game_id="g-12")
    lines = [line.rstrip(b"\n") for line in house.hall.tables["g-12"].herald.record]
    assert replay_record(lines, bindings(), JsonlLimits()).table.end_line


def swap(lines: list[bytes], old: bytes, new: bytes) -> list[bytes]:
    at = next(index for index, line in enumerate(lines) if old in line)
    return [*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda lines: [], "line 1: a header"),
        (lambda lines: lines[1:], "line 1: a header"),
        (lambda lines: swap(lines, b'"acquire"', b'"chess"'), "line 1: no game"),
        (lambda lines: swap(lines, b"sha256:", b"sha256:0"), "line 1: its rules"),
        (lambda lines: swap(lines, b'"seed":42', b'"seed":43'), "line "),
        (lambda lines: swap(lines, b'"cost":0', b'"cost":100'), "line .* is recorded"),
        (lambda lines: [*lines[:5], *lines[6:]], "line "),
        (lambda lines: [*lines[:4], b'{"type":"event","seq":1,"kind":"turn","seat":0}', *lines[4:]], "line 5"),
        (lambda lines: swap(lines, b'"worth":[', b'"worth":[1'), "line .* is recorded"),
        (lambda lines: [*lines, lines[1]], "after the end"),
        (lambda lines: [lines[0], b'{"type":"action"}'], "line 2"),
        (lambda lines: [lines[0], b"\xff"], "line 2"),
        (lambda lines: [lines[0], lines[-1]], "line 2: the game is not over"),
    ],
)  # fmt: skip
def test_a_wrong_record_is_found_out(damage: Callable[[list[bytes]], list[bytes]], complaint: str) -> None:
    lines = recorded(game="acquire", variant="mini", seats=["me", "random"])
    replay_record(lines, bindings(), JsonlLimits())
    with pytest.raises(RecordError, match=complaint):
        replay_record(damage(lines), bindings(), JsonlLimits())


def test_a_torn_last_line_is_passed_over() -> None:
    assert whole_lines(b"a\nb\nc") == [b"a", b"b"]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError):
        Journal(tmp_path / "file")
    journal = Journal(tmp_path / "new")
    assert journal.read("../file") is None and journal.read("g-1") is None
    with pytest.raises(JournalError):
        journal.append("../x", b"")


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize(
    ("game", "variant", "clock"),
    [("tic-tac-toe", "plain", None), ("acquire", "mini", {"bank_ms": 60_000, "move_ms": 1000})],
)
def test_a_kill_after_every_action(
    tmp_path: Path, game: str, variant: str, clock: dict[str, int] | None, torn: bool
) -> None:
    """The server is killed after each action of a game: the game ends as without."""
    create = {"game": game, "variant": variant, "seats": ["me", "random"], "clock": clock}
    whole = House(bindings()).player()
    expected = whole.play_out(first_listed, whole.create(**create))
    killed = Killed(tmp_path, torn)
    house = killed.open()
    guest = house.player()
    token = guest.welcome["resume"]
    heard = guest.create(**create)
    kills = 0
    while heard[-1]["type"] != "end":
        decide = heard[-1]
        assert decide["type"] == "decide"
        killed.tear()
        house, guest = killed.restarted(token)
        kills += 1
        heard = guest.heard()
        again = heard[-1]
        assert (again["id"], again["legal"], again["phase"]) == (
            decide["id"], decide["legal"], decide["phase"],
        )  # fmt: skip
        guest.say(type="action", re=again["id"], game_id="g-12", seq=again["seq"], action=first_listed(again))
        heard = guest.heard()
    assert kills > 2
    assert (heard[-1]["result"], heard[-1]["reveal"]) == (expected["result"], expected["reveal"])
    lines = Journal(tmp_path).read("g-12") or []
    assert replay_record(lines, bindings(), JsonlLimits()).table.end_line


def test_duplicates_are_known_after_a_kill(tmp_path: Path) -> None:
    killed = Killed(tmp_path, torn=False)
    guest = killed.open().player()
    guest.create()
    guest.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "b2"})
    _, guest = killed.restarted(guest.welcome["resume"])
    guest.lines()
    answer = guest.ask(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "c3"})
    assert answer == {"type": "ok", "re": 101, "duplicate": True}


def test_a_finished_game_is_not_taken_up_but_shown(tmp_path: Path) -> None:
    killed = Killed(tmp_path, torn=False)
    guest = killed.open().player()
    guest.play_out(first_listed, guest.create())
    house = killed.open()
    assert not house.hall.tables
    recorded = house.player().ask(type="record", game_id="g-12")
    assert recorded["lines"][0]["type"] == "record_header" and recorded["lines"][-1]["type"] == "end"
    assert not any(line["type"].startswith("journal") for line in recorded["lines"])
