"""Recordings: unpacked as the page does it, they tell what happened; the page holds names and nothing of their code."""

import json
import re
import zlib
from base64 import b64decode

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.effects import effects
from core.corewar.rules import Rules
from tests.tools.mars.screen.fights import CODES, NAME, battle
from tools.mars.screen.page import page
from tools.mars.screen.recording import Recording, record


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
