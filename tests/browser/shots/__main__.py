"""`python -m tests.browser.shots [PAGE ...]`: the pictures of the pages for the README."""

import asyncio
import io
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.async_api import Page, async_playwright, expect

from tests.browser.acquire_player import Clicks, decide, hurry, play
from tests.browser.chess_page import move, moves, status
from tests.browser.conftest import CHROMIUM
from tests.browser.evolutions import CONFIG, ROOT
from tests.browser.protection_hand import Hand
from tests.servers import served

HERE = Path(__file__).parent
MOST_BYTES = 150_000
COLOURS = 255


async def lobby(page: Page, address: str) -> None:
    await page.goto(address)
    await expect(page.get_by_role("heading", name="The players", exact=True)).to_be_visible()
    await expect(page.get_by_text("Loading …")).to_be_hidden()
    await expect(page.locator(".living")).to_contain_text("fights")
    await page.wait_for_timeout(3000)  # milliseconds; the fight of the picture has begun


async def chess(page: Page, address: str) -> None:
    """A running game, with the engine analysis and what each gene gives for the position."""
    await page.goto(f"{address}chess")
    for number, text in enumerate(("e2e4", "d2d4", "g1f3", "f1e2"), 1):
        await move(page, text)
        await expect(moves(page)).to_have_count(2 * number)
    await expect(status(page)).to_contain_text("Your move")
    await page.get_by_role("heading", name="Which gene wants what").click()
    await expect(page.locator(".wants")).to_be_visible()


async def genome(page: Page, address: str) -> None:
    """What the default player's genes are."""
    await page.goto(f"{address}chess?genome=evolved")
    await expect(page.locator(".squares svg").first).to_be_visible()


async def acquire(page: Page, address: str) -> None:
    """A game of four, half-way."""
    await page.goto(f"{address}acquire?play=evolved-net-seven&play=evolved-four&play=heuristic&seed=4")
    await hurry(page)
    await page.get_by_role("button", name="Skip all").click()
    hands = Clicks(page)
    await play(hands, 14)
    while not await page.locator(".due[data-phase='buy'] .shop li").count() and await decide(hands):
        pass
    more = page.locator(".due .shop button[aria-label$=': more']:enabled")
    if await more.count():
        await more.first.click()


async def protection(page: Page, address: str) -> None:
    """A running turn."""
    hand = Hand(page)
    await hand.begin(address, game=7, name="Ann", chaos="chaos:random")
    await hand.place("settler", (2, 13), (2, 14), (3, 14), (2, 15), (3, 15))
    await hand.place("infantry", (1, 14), (4, 15))
    await hand.place("artillery", (2, 12))
    await hand.draw("drone", (7, 12), (12, 12))
    await hand.end_turn()
    await page.get_by_label("Phase", exact=True).fill("14")
    await expect(page.get_by_text("phase 14 of 50")).to_be_visible()


async def corewar(page: Page, address: str) -> None:
    """A fight in its middle, and the contents of one of its cells."""
    await page.goto(f"{address}corewar?warrior=large.red&warrior=paper.red&seed=7")
    time = page.get_by_role("slider", name="Time")
    await expect(time).to_be_visible(timeout=15_000)
    await expect(page.get_by_text(" of 160,000 ")).to_be_visible(timeout=60_000)  # the whole fight has come
    box = await time.bounding_box()
    assert box
    await page.get_by_role("button", name="Pause").click()
    await time.click(position={"x": box["width"] / 2, "y": 10})
    await page.get_by_role("img", name="The core").focus()
    for _ in range(3):
        await page.keyboard.press("ArrowDown")
    await expect(page.locator(".about-cell code")).to_be_visible(timeout=15_000)


async def hills(page: Page, address: str) -> None:
    """A test has been simulated, and its report is above the table."""
    await page.goto(f"{address}hills")
    await page.get_by_role("button", name="Test only").click()
    await expect(page.locator(".report h2")).to_contain_text("place", timeout=30_000)


async def runs(page: Page, address: str) -> None:
    """How the run that has changed last began, what has appeared since, and its curves."""
    await page.goto(f"{address}runs")
    await expect(page.get_by_label("The genome", exact=True)).not_to_be_empty()
    await expect(page.locator(".chart canvas").first).to_be_visible()
    await expect(page.get_by_role("heading", name="What has appeared since")).to_be_visible()


async def tree(page: Page, address: str) -> None:
    """The tree of life of the same run."""
    await page.goto(f"{address}runs")
    tree = page.locator("section.tree")
    await tree.scroll_into_view_if_needed()
    await expect(tree).to_contain_text("individuals, born in")
    await expect(tree.locator(".key").first).to_be_visible()


PAGES: dict[str, Callable[[Page, str], Awaitable[None]]] = {
    each.__name__: each for each in (lobby, chess, genome, acquire, protection, corewar, hills, runs, tree)
}
TALL = ("chess", "corewar")  # pages that are shown whole
PARTS = {"genome": ".genome", "tree": "section.tree"}  # of which a part is shown


def options(name: str, folder: Path) -> Sequence[str]:
    """Those of `galapagos serve`: the hills that a new home has, and a run of some tribes."""
    if name not in ("hills", "runs", "tree"):
        return ()
    if name != "hills":
        (folder / "tribes.txt").write_text(CONFIG)
        evolve = [sys.executable, "-m", "tools", "evolve", "corewar", str(folder / "tribes.txt"), "--quiet"]
        evolve += ["--run", str(folder / "runs" / "tribes"), "--seed", "1", "--generations", "150"]
        subprocess.run(evolve, check=True, cwd=ROOT)
    return ("--home", str(folder))


async def main(names: Sequence[str]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in names or PAGES:
            with TemporaryDirectory() as folder:
                async with served(*options(name, Path(folder))) as server:
                    page = await browser.new_page(viewport={"width": 1280, "height": 800})
                    await PAGES[name](page, server.address)
                    await page.evaluate("scrollTo(0, 0)")
                    if name in PARTS:
                        picture = await page.locator(PARTS[name]).screenshot()
                    else:
                        picture = await page.screenshot(full_page=name in TALL)
                    await page.close()
            print(f"{name}.png: {write(picture, HERE / f'{name}.png'):,} bytes")
        await browser.close()


def write(picture: bytes, path: Path) -> int:
    """Write it with few colours; its bytes. ValueError if they are too many even so."""
    smaller = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(smaller, "PNG", optimize=True)
    if smaller.tell() > MOST_BYTES:
        raise ValueError(f"{path.name} has {smaller.tell():,} bytes, more than {MOST_BYTES:,}")
    path.write_bytes(smaller.getvalue())
    return smaller.tell()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
