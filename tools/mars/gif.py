"""An animated GIF of a recording: smaller and shorter than the page, and playable wherever pictures are shown.

No other module uses Pillow.
"""

from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb
from io import BytesIO
from math import ceil, isqrt, sqrt
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from engines.corewar.recording import Recording
from tools.mars.film import EXECUTED, MARKS, CoreDisplay, Replay

FRAMES: Final = 150
MIN_FRAMES: Final = 10
LARGEST: Final = 3_000_000  # bytes; about the limit of sites for a picture
FRAME_MILLISECONDS: Final = 80
LAST_MILLISECONDS: Final = 3000

WIDTH: Final = 560  # pixels of the core, unless it has more columns
MARGIN: Final = 10
LINE: Final = 20
FONT: Final = 14
NAMES: Final = 12  # warriors that are named at most, two a line; each has a hue of its own
LONGEST_NAME: Final = 100  # characters
RULED: Final = 8  # pixels: cells of this width or more are divided by lines

PAGE: Final = (14, 17, 22)
INK: Final = (232, 236, 243)
EMPTY: Final = (26, 32, 41)
# Degrees; the thirteenth warrior has the first again.
HUES: Final = (214, 27, 152, 325, 268, 188, 47, 0, 90, 240, 300, 120)
LOOKS: Final = ((0.20, 0.28), (0.38, 0.58), (0.58, 0.86), (0.26, 0.70))  # lightness, saturation of the marks
GLOW: Final = (0.88, 0.95)  # the same for cells that have just been changed or executed

# The palette: an untouched cell and the marks as CoreDisplay numbers them, the hues' glows, shades from PAGE to INK.
COLOURS: Final = MARKS * len(HUES)
GLOWS: Final = 1 + COLOURS
SHADES: Final = GLOWS + len(HUES)
SHADE_COUNT: Final = 16
QUIET: Final = 150  # of 255: the ink of the less important words


def gif(recording: Recording) -> bytes:
    """Return the file: with fewer than FRAMES frames if it would exceed LARGEST bytes, but at least MIN_FRAMES."""
    frames = FRAMES
    while len(data := _file(recording, frames)) > LARGEST and frames > MIN_FRAMES:
        frames = max(frames * 9 * LARGEST // (10 * len(data)), MIN_FRAMES)
    return data


def _file(recording: Recording, frames: int) -> bytes:
    """Return a GIF that plays the whole fight faster and faster, because fights are often decided in the opening."""
    times = sorted({recording.instructions * number**2 // (frames - 1) ** 2 for number in range(frames)})
    pictures = _pictures(recording, times)
    file = BytesIO()
    next(pictures).save(
        file,
        "GIF",
        save_all=True,
        append_images=pictures,
        duration=[FRAME_MILLISECONDS] * (len(times) - 1) + [LAST_MILLISECONDS],
        loop=0,
    )
    return file.getvalue()


def _pictures(recording: Recording, times: Sequence[int]) -> Iterator[Image.Image]:
    """Yield the picture after each of these numbers of instructions."""
    replay, sheet = Replay(recording), _Sheet(recording)
    done = 0
    for time in times:
        changed = replay.run(time - done)
        done = time
        yield sheet.picture(replay, changed, done)


class _Sheet:
    """The layout of a picture: the warriors, and below them the core, with a square for each cell."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._columns = _columns(recording.size)
        self._rows = -(-recording.size // self._columns)
        self._side = max(WIDTH // self._columns, 1)
        self._width = self._columns * self._side
        self._head = MARGIN + LINE * (1 + -(-min(len(recording.warriors), NAMES) // 2)) + MARGIN
        self._font: Final = ImageFont.load_default(FONT)
        self._palette = _palette()

    def picture(self, replay: Replay, changed: set[int], done: int) -> Image.Image:
        picture = self._words(replay, done).point(
            [SHADES + level * SHADE_COUNT // 256 for level in range(256)]
        )
        picture.putpalette(self._palette)
        picture.paste(self._core(replay.display, changed), (MARGIN, self._head))
        pen = ImageDraw.Draw(picture)
        for seat, left, top in self._places():
            pen.rectangle((left, top + 4, left + 9, top + 13), fill=1 + EXECUTED + MARKS * seat)
        return picture

    def _core(self, display: CoreDisplay, changed: set[int]) -> Image.Image:
        cells = bytearray((mark - 1) % COLOURS + 1 if mark else 0 for mark in display.marks)
        cells = cells.ljust(self._columns * self._rows, bytes([SHADES]))
        for address in changed:
            cells[address] = GLOWS + (cells[address] - 1) // MARKS
        core = Image.frombytes("P", (self._columns, self._rows), bytes(cells))
        core = core.resize((self._width, self._rows * self._side), Image.Resampling.NEAREST)
        if self._side >= RULED:
            pen = ImageDraw.Draw(core)
            for x in range(self._side - 1, core.width, self._side):
                pen.line((x, 0, x, core.height), fill=SHADES)
            for y in range(self._side - 1, core.height, self._side):
                pen.line((0, y, core.width, y), fill=SHADES)
        return core

    def _words(self, replay: Replay, done: int) -> Image.Image:
        """Return the texts of the picture as an image of ink, 0 to 255."""
        recording = self._recording
        height = self._head + self._rows * self._side + MARGIN
        words = Image.new("L", (self._width + 2 * MARGIN, height))
        pen = ImageDraw.Draw(words)
        facts = f"Round {recording.round}: {done:,} of {recording.instructions:,} instructions"
        pen.text((MARGIN, MARGIN), facts, QUIET, self._font)
        if done == recording.instructions:
            room = self._width - self._font.getlength(facts) - MARGIN
            end = _fitting(_ending(recording), room, self._font)
            pen.text((MARGIN + self._width, MARGIN), end, 255, self._font, anchor="ra")
        for seat, left, top in self._places():
            count = replay.processes[seat]
            state = f"{count:,} process{'es' if count != 1 else ''}" if count else "dead"
            right = left + self._width // 2 - MARGIN
            pen.text((right, top), state, QUIET, self._font, anchor="ra")
            room = right - left - 16 - MARGIN - self._font.getlength(state)
            name = _fitting(recording.warriors[seat].name, room, self._font)
            pen.text((left + 16, top), name, 255 if count else QUIET, self._font)
        return words

    def _places(self) -> Iterator[tuple[int, int, int]]:
        """Yield (seat, left, top) of the warriors that are named."""
        for seat in range(min(len(self._recording.warriors), NAMES)):
            yield seat, MARGIN + seat % 2 * (self._width // 2 + MARGIN), MARGIN + LINE * (1 + seat // 2)


def _columns(size: int) -> int:
    """Return the columns for a core somewhat wider than high, with full rows if possible."""
    wanted = sqrt(1.25 * size)
    full = [columns for columns in range(isqrt(size), 2 * isqrt(size)) if columns and size % columns == 0]
    return min(full, key=lambda columns: abs(columns - wanted), default=ceil(wanted))


def _palette() -> list[int]:
    """Return red, green and blue of each colour of the palette, one after the other."""
    hues = [hue / 360 for hue in HUES]
    marks = [hls_to_rgb(hue, *look) for hue in hues for look in LOOKS]
    glows = [hls_to_rgb(hue, *GLOW) for hue in hues]
    palette = [*EMPTY, *(round(255 * part) for colour in (*marks, *glows) for part in colour)]
    for shade in range(SHADE_COUNT):
        share = shade / (SHADE_COUNT - 1)
        palette += (round(page + (ink - page) * share) for page, ink in zip(PAGE, INK, strict=True))
    return palette


def _fitting(name: str, room: float, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    """Return as much of a name, on one line, as `room` pixels hold."""
    name = " ".join(name[:LONGEST_NAME].split())
    while name and font.getlength(name) > room:
        name = name[:-1]
    return name


def _ending(recording: Recording) -> str:
    """Return the end of the fight, as far as it was recorded."""
    survivors = [recording.warriors[seat].name for seat in recording.survivors]
    if not recording.is_whole:
        return "not recorded to its end"
    if len(survivors) == 1:
        return f"{survivors[0]} survives"
    return f"{len(survivors) or 'no'} warriors survive"
