"""The first view of each page: its first words wait for the HTML and the styles, and for nothing else.

`pytest -s -m slow tests/browser/test_first_view.py` prints the table of protocols/RESULTS.md. GALAPAGOS_BEFORE names
another checkout, whose pages are viewed alternately with these; it needs compiled cores.
"""

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from statistics import median

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.conftest import SIZES, Serve
from tests.servers import CHECKOUT, served

PATHS = ("", "chess", "acquire", "protection", "corewar", "hills", "matches", "runs", "help")
MAX_STYLES = 5  # of chess; each is a request before the first view
VIEWS = 5
NETWORK = {"offline": False, "latency": 40, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000}
PAINTED = """new Promise((done) => new PerformanceObserver((list) => {
  for (const each of list.getEntriesByName("first-contentful-paint")) done(each.startTime);
}).observe({ type: "paint", buffered: true }))"""
BLOCKING = """performance.getEntriesByType("resource").filter((each) => each.renderBlockingStatus === "blocking")
  .map((each) => new URL(each.name).pathname)"""
STYLES = "[...document.querySelectorAll('link[rel=stylesheet]')].map((each) => new URL(each.href).pathname)"
BYTES = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, each) => sum + each.transferSize, 0)"""


@pytest.mark.parametrize("path", (*PATHS, "game?game=acquire"))
async def test_the_first_words_of_a_page_wait_for_no_script_and_few_styles(
    page: Page, serve: Serve, path: str
) -> None:
    address, are_wanted, held = await serve(), asyncio.Event(), []

    async def hold(route: Route) -> None:
        held.append(route.request.url)
        await are_wanted.wait()
        await route.continue_()

    await page.route("**/*.js", hold)
    await page.goto(address + path, wait_until="commit")
    assert await page.evaluate(PAINTED)
    words = page.locator("header nav" if path.startswith("game") else "main h1")
    await expect(words).to_be_visible()
    styles = await page.evaluate(STYLES)
    blocking = await page.evaluate(BLOCKING)
    assert sorted(blocking) == sorted(styles)  # no style imports another, and no script blocks
    assert len(styles) <= MAX_STYLES
    assert held
    are_wanted.set()
    await page.wait_for_load_state("networkidle")


async def first_view(browser: Browser, address: str, *, is_far: bool) -> tuple[float, float]:
    """Return the milliseconds to the first content, and the bytes until the page is at rest, with an empty cache."""
    width, height = SIZES["wide"]
    context = await browser.new_context(viewport={"width": width, "height": height})
    page = await context.new_page()
    if is_far:
        session = await context.new_cdp_session(page)
        await session.send("Network.emulateNetworkConditions", NETWORK)
    await page.goto(address)
    painted = await page.evaluate(PAINTED)
    await page.wait_for_load_state("networkidle")
    sent = await page.evaluate(BYTES)
    await context.close()
    return painted, sent


@pytest.mark.slow
@pytest.mark.timeout(3600)  # on a busy machine
async def test_the_times_of_first_views(browser: Browser) -> None:
    """Print a row for each page and checkout: kilobytes, and the median and the least of its times to first content."""
    checkouts = [os.environ["GALAPAGOS_BEFORE"]] if "GALAPAGOS_BEFORE" in os.environ else []
    checkouts.append(str(CHECKOUT))
    async with AsyncExitStack() as servers:
        addresses = [
            (
                await servers.enter_async_context(
                    served(
                        program=(sys.executable, "-m", "tools"),
                        cwd=checkout,
                        env=os.environ | {"PYTHONPATH": checkout},
                    )
                )
            ).address
            for checkout in checkouts
        ]
        print(
            f"\nload {os.getloadavg()[0]:.0f}; kB; ms without and with the network, median (least) of {VIEWS}"
        )
        for path in PATHS:
            views: dict[str, list[list[tuple[float, float]]]] = {each: [[], []] for each in addresses}
            for _ in range(VIEWS):
                for address in addresses:
                    for is_far in (False, True):
                        views[address][is_far].append(
                            await first_view(browser, address + path, is_far=is_far)
                        )
            for number, address in enumerate(addresses):
                near, far = ([time for time, _ in each] for each in views[address])
                size = max(sent for _, sent in views[address][0]) / 1000
                print(
                    f"/{path:10} {number} {size:4.0f} kB, {median(near):4.0f} ({min(near):.0f}),"
                    f" {median(far):4.0f} ({min(far):.0f})",
                    flush=True,
                )
