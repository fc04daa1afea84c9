"""Recordings: unpacked as the page does it, they tell what happened; the page holds names and nothing of their code."""

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.battle import Battle
from core.corewar.effects import effects
from core.corewar.placement import fixed
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.redcode.assemble import assemble
from tools.__main__ import main
from tools.mars.screen.page import page
from tools.mars.screen.recording import Recording, record

RULES = Rules(size=800, cycles=800, processes=8, length=20, distance=20)
CODES = (
    "mov 0, 1",
    "bomb dat #0, #0\nstart add.ab #4, bomb\nmov bomb, @bomb\njmp start\nend start",
    "dat 0, 0",
    "spl 0\nmov 2, <-3\njmp -1",
)
NAME = "</script><script>alert(1)</script>&amp;"


def battle(first: str, second: str, place: int = 400, rules: Rules = RULES) -> Battle:
    warriors = []
    for text in (first, second):
        assembly = assemble(f";assert 1\n{text}", rules)
        warriors.append(Warrior(NAME, "Ann", assembly.cells, assembly.start))
    return Battle(rules, warriors, 1, fixed(rules, 2, place))


def unpacked(recording: Recording) -> list[tuple[int, list[tuple[int, int]]]]:
    """(seat, [(kind, address), ...]) of each instruction, the first being its own address."""
    data, columns = zlib.decompress(recording.packed()), []
    while data:
        length = int.from_bytes(data[:4], "little")
        columns.append(data[4 : 4 + length])
        data = data[4 + length :]
    seats, counts, kinds, executed, places = columns
    ways, others = iter(_unfolded(executed)), iter(_unfolded(places))
    kind = iter(kinds)
    last = [each.position for each in recording.warriors]
    told = []
    for seat, count in zip(seats, counts, strict=True):
        last[seat] = (last[seat] + next(ways)) % recording.size
        touched = [(next(kind), (last[seat] + next(others)) % recording.size) for _ in range(count)]
        told.append((seat, [(0, last[seat]), *touched]))
    return told


def _unfolded(column: bytes) -> list[int]:
    ways, value, shift = [], 0, 0
    for byte in column:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            ways.append(-(value + 1) // 2 if value & 1 else value // 2)
            value = shift = 0
    return ways


@given(st.sampled_from(CODES), st.sampled_from(CODES), st.integers(20, 780))
def test_a_recording_tells_what_happened(first: str, second: str, place: int) -> None:
    recording = record(battle(first, second, place))
    mars = battle(first, second, place).mars
    for seat, touched in unpacked(recording):
        assert (seat, touched) == (mars.turn, effects(mars))
        mars.run(1)
    assert mars.is_over() and recording.is_whole
    assert recording.survivors == tuple(seat for seat in (0, 1) if mars.is_alive(seat))


def test_a_recording_may_be_cut() -> None:
    heard: list[int] = []
    recording = record(battle(CODES[0], CODES[0], rules=Rules(size=8000)), 5000, heard.append)
    assert (recording.instructions, recording.is_whole, recording.survivors) == (5000, False, (0, 1))
    assert heard == [2000, 4000]


def test_a_page_holds_the_film_and_no_code_of_a_name() -> None:
    recording = record(battle(CODES[1], CODES[2]))
    text = page(recording, NAME)
    assert text.count("</script>") == 2 and "alert(1)</script>" not in text
    found = re.search(r'<script type="application/json" id="film">(.*?)</script>', text, re.S)
    assert found
    facts = json.loads(found[1])
    assert facts["title"] == facts["warriors"][0]["name"] == NAME
    assert b64decode(facts["film"]) == recording.packed()
    assert not re.search(r"""(?:src|href)\s*=|url\(|https?://|@import""", text), "it needs no network"


@pytest.mark.parametrize("round", ["1", "3"])
def test_the_command(round: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fight.html"
    assert main(["film", "dwarf", "Imp", "--rules", "nano", "--round", round, "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: ")
    text = out.read_text(encoding="utf-8")
    assert f'"round": {round}' in text and '"name": "Dwarf"' in text and '"title": "Dwarf v Imp"' in text


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nobody"], "neither a file nor one of our warriors: clear"),
        (["dwarf", "imp", "--round", "0"], "--round and --longest"),
        (["dwarf", "imp", "--place", "3"], "nearer than the distance"),
    ],
)
def test_wrong_arguments(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", *words, "--out", str(tmp_path / "x.html")]) == 2
    assert reason in capsys.readouterr().err


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["film", "imp", "--rules", "nano", "--out", str(tmp_path / "no" / "x.html")]) == 1
    assert "no/x.html" in capsys.readouterr().err
