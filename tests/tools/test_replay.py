"""`galapagos replay`: what it says of games as recorded, of others, and of no games; in all formats."""

import json
import os
import random
import re
from pathlib import Path

import pytest

from core.acquire.game import shuffled_bag
from core.acquire.rules import PRESETS, GameSpec
from core.random import Random
from tests.engines.acquire.old_records import written
from tests.tools.play.typists import AcquireTypist
from tools.__main__ import main


def record(path: Path) -> list[str]:
    setting = GameSpec(PRESETS["mini"], 2)
    bag = [int(tile) for tile in shuffled_bag(setting, Random(2))]
    lines = list(written(setting, bag, lambda state: state.legal_actions()[-1]))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return lines


def test_replay_confirms_records_that_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record(tmp_path / "one.jsonl")
    assert main(["replay", str(tmp_path / "one.jsonl")]) == 0
    assert capsys.readouterr().out.endswith(f"one.jsonl: {len(lines) - 2} decisions as recorded\n")
    assert main(["replay", str(tmp_path / "one.jsonl"), str(tmp_path / "one.jsonl")]) == 0
    assert capsys.readouterr().out.endswith("2 files as recorded\n")


def test_replay_reports_the_first_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record(tmp_path / "one.jsonl")
    lines[2] = json.dumps(json.loads(lines[2]) | {"cash": [1, 2]})
    (tmp_path / "one.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["replay", str(tmp_path / "one.jsonl")]) == 1
    assert "one.jsonl: line 3: cash: the record has [1, 2], the rules give [" in capsys.readouterr().out


def test_event_records_are_replayed_and_their_differences_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The header says which of the two formats it is."""
    typist = AcquireTypist()
    typist.play("random", variant="mini")
    lines = list(typist.client.record())
    good, bad, short = (tmp_path / name for name in ("good", "bad", "short"))
    good.write_text("\n".join([*lines, '{"type":"torn']), encoding="utf-8")
    bought = next(index for index, line in enumerate(lines) if '"kind":"bought"' in line and "event" in line)
    lines[bought] = lines[bought].replace('"cost":', '"cost":1')
    bad.write_text("\n".join(lines) + "\n", encoding="utf-8")
    short.write_text("\n".join(lines[: bought - 1]) + "\n", encoding="utf-8")
    record(tmp_path / "other")
    assert main(["replay", str(good), str(tmp_path / "other")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "events as recorded" in said[0] and "decisions as recorded" in said[1] and said[2].startswith("2 ")
    assert main(["replay", str(bad), str(short)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert f"bad: line {bought + 1}: " in said[0] and said[1].endswith(
        "as recorded; the record stops before the end of the game"
    )


def test_a_record_may_be_written_by_another_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spaces and the order of fields may differ, but no value."""
    typist = AcquireTypist()
    typist.play("random", variant="mini")
    values = [json.loads(line) for line in typist.client.record()]
    path = tmp_path / "one"
    path.write_text("".join(json.dumps(each, indent=None, sort_keys=True) + "\n" for each in values))
    assert main(["replay", str(path)]) == 0
    index = next(index for index, each in enumerate(values) if each.get("kind") == "bought")
    for value in (float(values[index]["cost"]), values[index]["cost"] + 1, str(values[index]["cost"])):
        changed = [*values[:index], values[index] | {"cost": value}, *values[index + 1 :]]
        path.write_text("".join(json.dumps(each) + "\n" for each in changed))
        assert main(["replay", str(path)]) == 1
        assert f"one: line {index + 1}: " in capsys.readouterr().out


def test_an_old_record_is_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "one.jsonl")
    assert main(["replay", str(tmp_path / "one.jsonl"), "--convert", str(tmp_path / "new")]) == 0
    assert f"as recorded; written to {tmp_path / 'new' / 'one.jsonl'}\n" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "new" / "one.jsonl"), "--convert", str(tmp_path / "newer")]) == 0
    assert "events as recorded; nothing to convert\n" in capsys.readouterr().out
    assert not (tmp_path / "newer").exists()


GAME = """[White "a"]
[Black "b"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Result "*"]

1. e4 *
"""


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (("", ""), 0, "games.pgn: 2 games of 5 half-moves, all by the rules"),
        (
            ('"0-1"', '"1-0"'),
            1,
            "games.pgn, game 1: the recorded result is 1-0, but the last position is 0-1",
        ),
        (("e5", "e4"), 1, "game 1, line 5, move 1... 'e4': illegal move"),
        (('[Result "*"]', '[FEN "what"]'), 1, "games.pgn, game 2, line 7: "),
    ],
)
def test_pgn_games_are_checked_against_the_rules(
    change: tuple[str, str], status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games.pgn").write_text(GAME.replace(*change, 1) if change[0] else GAME)
    assert main(["replay", str(tmp_path / "games.pgn")]) == status
    assert said in capsys.readouterr().out


def test_files_that_are_no_records_are_refused_and_the_rest_is_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none").write_text("hello\n", encoding="utf-8")
    (tmp_path / "else").write_text('{"format": "pgn"}\n', encoding="utf-8")
    record(tmp_path / "one")
    missing = str(tmp_path / "missing")
    assert (
        main(["replay", str(tmp_path / "none"), str(tmp_path / "else"), missing, str(tmp_path / "one")]) == 2
    )
    said = capsys.readouterr()
    none, other, gone = said.err.splitlines()
    assert "none: line 1: this is not the start of a record" in none and "else: line 1: " in other
    assert "missing" in gone
    assert said.out.endswith("decisions as recorded\n"), "the others are replayed all the same"


def test_a_folder_of_a_server_is_replayed_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`FOLDER/*` also names the lock of the folder, and the journals of matches."""
    for name, text in (("lock", "process 7\n"), ("m-1.match", '{"type":"match_header"}\n')):
        (tmp_path / name).write_text(text)
    record(tmp_path / "g-1.jsonl")
    record(tmp_path / "g-2.jsonl")
    assert main(["replay", *map(str, sorted(tmp_path.iterdir()))]) == 0
    said = capsys.readouterr().out
    assert said.count("skipped, because it is not the record of a game") == 2
    assert said.endswith("2 files as recorded\n")
    assert main(["replay", str(tmp_path / "lock")]) == 2


DEEP = "[" * 5000 + "]" * 5000


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        f'{{"format": {DEEP}}}',
        f'{{"format": "galapagos-record/1", "x": {DEEP}}}',
        f'{{"format": "galapagos-acquire-record/1", "rules": {DEEP}}}',
        '{"format": "galapagos-acquire-record/1", "t": "game", "rules": 3}',
        '{"format": "galapagos-acquire-record/1"}\n3',
        '{"format": "galapagos-record/1"}',
        '{"format": ["galapagos-record/1"]}',
        '{"format": {}}',
    ],
    ids=lambda text: text[:50],
)
def test_a_hostile_record_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "one.jsonl").write_text(text + "\n")
    assert main(["replay", str(tmp_path / "one.jsonl")]) in (1, 2)
    streams = capsys.readouterr()
    assert str(tmp_path / "one.jsonl") in streams.out + streams.err


def test_damage_in_any_line_of_a_record_is_reported_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a last line without a break passes, as a line that a kill has cut off."""
    path, rng = tmp_path / "one.jsonl", random.Random(3)
    record(path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for number in range(60):
        if number % 2:
            data = bytearray(whole)
            at = rng.randrange(len(data))
            data[at] ^= 1 << rng.randrange(8)
            damaged = whole[:at].count(b"\n") + 1
        else:
            place = rng.randrange(len(lines))
            values = json.loads(lines[place])
            values[rng.choice(list(values))] = rng.choice([None, -1, 2**70, "x", [], {}, [[]], DEEP, 0.5])
            data = bytearray(
                b"".join([*lines[:place], json.dumps(values).encode() + b"\n", *lines[place + 1 :]])
            )
            damaged = place + 1
        path.write_bytes(data)
        status = main(["replay", str(path)])
        out, err = capsys.readouterr()
        if status == 0:
            assert not data.endswith(b"\n"), data
        elif status == 1:
            assert (out.count("\n"), err) == (1, "")
            assert re.match(rf"{re.escape(str(path))}: line \d+: .+, the rules give ", out), out
        else:
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert re.match(
                rf"galapagos replay: {re.escape(str(path))}: (line \d+|'utf-8' codec can't decode)", err
            ), err
        for line in re.findall(r"line (\d+)", out + err)[:1]:
            assert int(line) == damaged or data.count(b"\n") != len(lines), out + err


@pytest.mark.parametrize("separator", ["\r", "\x0b", "\x1c", "\x1d", "\x85", "\u2028"])
def test_only_line_feeds_end_the_lines_of_a_record(
    separator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python splits texts at these characters too; a line that they damage must not pass as the incomplete last one."""
    lines = record(tmp_path / "one.jsonl")
    lines[3] = lines[3].replace(',"', f',{separator}"', 1) + "x"
    (tmp_path / "one.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    assert main(["replay", str(tmp_path / "one.jsonl")]) == 2
    assert "line 4 is not JSON" in capsys.readouterr().err


def test_a_fifo_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert main(["replay", str(tmp_path / "fifo")]) == 2
    assert "fifo: This is not a regular file" in capsys.readouterr().err
