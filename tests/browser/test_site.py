"""All pages: none is wider than its window, none breaks a rule of accessibility, and a wrong address leads home."""

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.waiting import PATIENCE_SECONDS

PATHS = (
    "",
    "chess",
    "acquire",
    "protection",
    "corewar",
    "hills",
    "matches",
    "runs",
    "help",
    "help#operating",
    "game",
    "corewar#learn/4",
    "runs#evolved",
    "runs#run-02",
    "acquire?play=heuristic&seed=1",
    "chess#fen=8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
)
BY_SCRIPT = "main :is(h2, form, section), main > p a"  # is in no NAME.html, and in the content of every page
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"


async def opened(page: Page, address: str) -> None:
    """Open a page, and wait until its script shows its content."""
    await page.goto(
        "about:blank"
    )  # otherwise another hash of the same page loads nothing, and the network is idle at once
    await page.goto(address)
    await expect(page.locator(BY_SCRIPT).filter(visible=True).first).to_be_visible()
    await page.wait_for_load_state("networkidle", timeout=PATIENCE_SECONDS * 1000)


@pytest.mark.parametrize("page", ["phone", "wide", "dark"], indirect=True)
async def test_no_page_is_wider_than_its_window(page: Page, serve: Serve) -> None:
    address = await serve()
    for path in PATHS:
        await opened(page, address + path)
        assert await page.evaluate(OVERFLOW) <= 0, path


@pytest.mark.slow
async def test_no_page_is_wider_than_a_very_small_window(page: Page, serve: Serve) -> None:
    address = await serve()
    await page.set_viewport_size({"width": 320, "height": 640})
    for path in PATHS:
        await opened(page, address + path)
        assert await page.evaluate(OVERFLOW) <= 0, path


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
async def test_an_unknown_address_shows_a_page_with_a_way_home(
    serve: Serve, browser: Browser, size: tuple[int, int]
) -> None:
    """The console reports the status 404, so this page is not that of the other tests."""
    address = await serve()
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = await context.new_page()
    answer = await page.goto(f"{address}chess/club")
    assert answer and answer.status == 404
    await expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    await page.get_by_role("link", name="Go to the lobby").click()
    await expect(page).to_have_url(address)
    await page.goto(f"{address}runs/#tiny")
    await expect(page).to_have_url(f"{address}runs#tiny")
    await context.close()


async def test_a_second_view_asks_for_no_script_again(page: Page, serve: Serve) -> None:
    address = await serve()
    await opened(page, address)
    await opened(page, address)
    sent = await page.evaluate(
        "performance.getEntriesByType('resource').filter(each => each.name.endsWith('.js')).map(each => each.transferSize)"
    )
    assert len(sent) > 5 and not any(sent)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)
async def test_axe_finds_no_violation_on_any_page(page: Page, serve: Serve) -> None:
    """The table of the board for screen readers belongs to a library, and is left out."""
    address = await serve()
    found: list[str] = []
    for path in PATHS:
        await opened(page, address + path)
        results = await Axe().run(page, context={"exclude": [[".cm-chessboard-accessibility"]]})
        found.extend(f"/{path} {text}" for text in [results.generate_report()] if results.violations_count)
    assert not found, "\n".join(found)
