"""`python -m tests.browser.shots [ROOM ...]`: pictures of the rooms for the README, each taken by its tests/browser/ROOM_shot.py.

A module that needs more than an empty house has `options(folder)`, which puts there what is to be served and answers
with the options of `galapagos serve` for it.
"""

import asyncio
import io
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.async_api import Browser, async_playwright

from tests.browser.conftest import CHROMIUM, house

HERE = Path(__file__).parent
MOST_BYTES = 150_000
COLOURS = 255

Options = Callable[[Path], Sequence[str]]


async def main(rooms: Sequence[str]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for room in rooms or sorted(
            path.stem.removesuffix("_shot") for path in HERE.parent.glob("*_shot.py")
        ):
            path = HERE / f"{room}.png"
            await _take(browser, room, path)
            print(f"{path.name}: {_smaller(path):,} bytes")
        await browser.close()


async def _take(browser: Browser, room: str, path: Path) -> None:
    module = import_module(f"tests.browser.{room}_shot")
    options: Options = getattr(module, "options", lambda folder: ())
    with TemporaryDirectory() as folder:
        async with house(*options(Path(folder))) as address:
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            await module.shoot(page, address, path)
            await page.close()


def _smaller(path: Path) -> int:
    """Write it anew with few colours; its bytes. ValueError if they are too many even so."""
    kept = io.BytesIO()
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(kept, "PNG", optimize=True)
    if kept.tell() > MOST_BYTES:
        raise ValueError(f"{path.name} has {kept.tell():,} bytes, more than {MOST_BYTES:,}")
    path.write_bytes(kept.getvalue())
    return kept.tell()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
