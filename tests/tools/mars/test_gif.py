"""The GIF of a recording, read back: its frames, its size, and the colours in it."""

from io import BytesIO
from typing import Any

import pytest

from core.corewar.rules import Rules
from engines.corewar.recording import record
from tests.tools.mars.fights import CODES, battle

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install '.[plot]'")
gif = pytest.importorskip("tools.mars.gif")

IMP, DWARF, DIES, SPLITS = CODES


@pytest.mark.parametrize(("instructions", "frames"), [(0, 1), (2, 3), (400, None)])
def test_frames_are_limited_in_number_and_have_fixed_durations(instructions: int, frames: int | None) -> None:
    picture = Image.open(BytesIO(gif.gif(record(battle(IMP, DWARF), instructions))))
    if frames is None:
        assert gif.FRAMES // 2 < picture.n_frames <= gif.FRAMES
    else:
        assert picture.n_frames == frames
    durations = []
    for frame in range(picture.n_frames):
        picture.seek(frame)
        durations.append(picture.info["duration"])
    assert durations == [gif.FRAME_MILLISECONDS] * (picture.n_frames - 1) + [gif.LAST_MILLISECONDS]
    if picture.n_frames > 1:
        assert picture.info["loop"] == 0


def test_the_cells_have_the_colours_of_their_warriors() -> None:
    picture = Image.open(BytesIO(gif.gif(record(battle(IMP, DIES)))))
    assert _cell(picture, 0)[2] > 100 > _cell(picture, 0)[0], "the imp is blue"
    assert _cell(picture, 400)[0] > 100 > _cell(picture, 400)[2], "the other is orange"
    assert _cell(picture, 200) == gif.EMPTY
    picture.seek(picture.n_frames - 1)
    assert _cell(picture, 400)[0] > _cell(picture, 400)[2], "dead where it stood"


def _cell(picture: Any, address: int) -> tuple[int, int, int]:
    """The colour in the middle of a cell of a core of 32 by 25."""
    y, x = divmod(address, 32)
    top = picture.height - gif.MARGIN - 25 * 17
    red, green, blue = picture.convert("RGB").getpixel((gif.MARGIN + x * 17 + 8, top + y * 17 + 8))
    return red, green, blue


@pytest.mark.parametrize("size", [5, 80, 797, 8192])
def test_a_core_of_any_size_fits_the_picture(size: int) -> None:
    rules = Rules(size=size, cycles=10, processes=8, length=1, distance=1)
    picture = Image.open(BytesIO(gif.gif(record(battle(IMP, DIES, size // 2, rules)))))
    assert gif.WIDTH * 0.8 < picture.width <= gif.WIDTH + 2 * gif.MARGIN
    assert picture.height < 1.5 * picture.width


def test_a_gif_above_the_size_limit_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = record(battle(SPLITS, DWARF), 60)
    whole = gif.gif(recording)
    assert len(whole) < gif.LARGEST
    monkeypatch.setattr(gif, "LARGEST", len(whole) // 2)
    data = gif.gif(recording)
    assert len(data) <= len(whole) // 2
    assert gif.MIN_FRAMES <= Image.open(BytesIO(data)).n_frames < 40
    monkeypatch.setattr(gif, "LARGEST", 100)
    assert 2 < Image.open(BytesIO(gif.gif(recording))).n_frames <= gif.MIN_FRAMES


@pytest.mark.parametrize("name", ["", "x" * 10_000, "two\nlines\r\x00", "\u5c9b \U0001f9a4"])
def test_a_warrior_name_of_any_kind_is_drawn(name: str) -> None:
    fight = battle(IMP, DIES, name=name)
    assert Image.open(BytesIO(gif.gif(record(fight)))).n_frames == 3
