"""Runs are directed from the page: started with other settings, queued, paused, forked and deleted."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import SIZES, Serve
from tests.browser.evolutions import made_up

SIZED = pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)


async def opened(page: Page, serve: Serve, home: Path) -> None:
    await page.goto(f"{await serve('--home', str(home))}runs")
    await expect(page.get_by_label("What evolves")).to_be_visible()


async def started(page: Page, **settings: str) -> None:
    """Start warriors in the smallest tribes, with these values of keys."""
    await page.get_by_label("What evolves").select_option("corewar/soup")
    if not await page.locator("form.start").get_by_label("Tribe size").is_visible():
        await page.get_by_text("Settings", exact=True).first.click()
    for name, value in ({"Tribe size": "4", "Tribes": "2"} | settings).items():
        await page.locator("form.start").get_by_label(name, exact=True).fill(value)
    await page.locator("form.start button.main").click()


async def fits(page: Page) -> bool:
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest_asyncio.fixture(loop_scope="session", params=["wide", "phone"])
async def tolerant_page(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Page]:
    """A page whose requests may be refused."""
    width, height = SIZES[request.param]
    context = await browser.new_context(viewport={"width": width, "height": height})
    yield await context.new_page()
    await context.close()


@SIZED
async def test_a_run_is_started_with_other_settings_and_described_first(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    await opened(page, serve, tmp_path)
    await page.get_by_text("All kinds of runs, a sentence about each").click()
    await expect(page.locator(".kinds")).to_contain_text(
        "Typed programs for all six decisions, on seven chains"
    )
    assert await fits(page)
    await page.locator(".kinds").get_by_role("button", name="net-3", exact=True).click()
    await expect(page.get_by_label("What evolves")).to_have_value("acquire/net-3")
    await page.get_by_text("All kinds of runs, a sentence about each").click()
    await expect(page.locator("#start-about")).to_contain_text("A net for all six decisions")
    await page.get_by_label("What evolves").select_option("corewar/soup")
    await expect(page.locator("#start-about")).to_contain_text("within minutes")
    await started(page, Seed="7")
    assert await fits(page)
    await expect(page.get_by_role("heading", name="soup", exact=True)).to_be_visible()
    await page.get_by_text("Configuration, seed and hash").click()
    await expect(page.locator("details.card pre")).to_contain_text("tribe size = 4")
    await expect(page.locator(".identity")).to_contain_text("Seed 7")


@SIZED
async def test_further_runs_wait_and_start_when_the_run_before_them_is_paused(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    await opened(page, serve, tmp_path)
    await started(page)
    await expect(page.locator("p.facts")).to_contain_text("evolving")
    for name in ("soup-2", "soup-3"):
        await expect(page.locator("form.start button.main")).to_have_text("Add to the queue")
        await started(page)
        await expect(page.locator(".queue").get_by_role("link", name=name)).to_be_visible()
    await page.get_by_role("button", name="Run next: soup-3").click()
    await expect(page.locator(".queue li")).to_have_text(["soup-3Remove", "soup-2Run nextRemove"])
    await page.get_by_role("button", name="Remove: soup-2 from the queue").click()
    await expect(page.locator(".queue li")).to_have_count(1)
    assert await fits(page)
    await (
        page.get_by_role("link", name="soup generation")
        .or_(page.locator("a.run[href='#soup']"))
        .first.click()
    )
    await page.get_by_role("button", name="Pause the run").click()
    await expect(page.locator("a.run[href='#soup-3']")).to_contain_text("evolving")
    await expect(page.locator(".queue")).to_be_hidden()
    await expect(page.locator("a.run[href='#soup']")).to_contain_text("paused")
    await page.get_by_role("button", name="Resume the run").click()
    await expect(page.locator(".queue li")).to_have_text(["soupRemove"])


async def test_a_run_is_forked_and_deleted_after_a_question(
    serve: Serve, tolerant_page: Page, tmp_path: Path
) -> None:
    """What is asked of the run while it is being deleted is refused, and no such refusal stays on the page."""
    page = tolerant_page
    await opened(page, serve, tmp_path)
    await started(page)
    await expect(page.locator("p.facts")).to_contain_text(re.compile(r"generation ([3-9]|\d{2,})"))
    await page.get_by_role("button", name="Pause the run").click()
    await expect(page.get_by_role("button", name="Resume the run")).to_be_visible()
    await page.get_by_role("button", name="Fork …").click()
    dialog = page.get_by_role("dialog", name="Fork soup")
    await dialog.get_by_label("The same up to generation").fill("1")
    await dialog.get_by_label("Mutation").fill("0.9")
    assert await fits(page)
    await dialog.get_by_role("button", name="Start the fork").click()
    await expect(page.get_by_role("heading", name="soup-fork", exact=True)).to_be_visible()
    await expect(page.locator("p.facts")).to_contain_text("forked at generation 1")
    await expect(page.locator("p.facts")).to_contain_text(re.compile(r"generation ([3-9]|\d{2,})"))
    await page.get_by_role("button", name="Delete …").click()
    question = page.get_by_role("dialog", name="Delete soup-fork")
    await expect(question).to_contain_text("It is evolving, and is stopped first. All that it has found")
    await page.get_by_role("button", name="Keep it").click()
    assert (tmp_path / "runs/soup-fork").exists()
    await page.get_by_role("button", name="Delete …").click()
    await page.get_by_role("button", name="Delete it for good").click()
    await expect(page.get_by_role("heading", name="soup", exact=True)).to_be_visible()
    await expect(page.locator("#error")).to_be_hidden()
    assert not (tmp_path / "runs/soup-fork").exists() and (tmp_path / "runs/soup").exists()


async def test_a_finished_run_cannot_be_resumed_and_shows_its_last_generation(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    await opened(page, serve, tmp_path)
    await page.get_by_label("What evolves").select_option("acquire/pair")
    await page.get_by_text("Settings", exact=True).first.click()
    for name, value in {"Population": "20", "Games": "4", "Generations": "3"}.items():
        await page.locator("form.start").get_by_label(name, exact=True).fill(value)
    await page.locator("form.start button.main").click()
    facts = page.locator("p.facts")
    await expect(facts).to_contain_text("finished")
    await expect(facts).to_contain_text(re.compile(r"generation ([3-9]|\d{2,})"))
    await expect(page.locator(".chart figcaption").first).to_contain_text(
        re.compile(r"generation ([3-9]|\d{2,})")
    )
    await expect(page.get_by_role("button", name="Resume the run")).to_have_count(0)
    await expect(page.get_by_role("button", name="Fork …")).to_be_visible()


async def test_a_wrong_value_is_explained_at_its_field(
    serve: Serve, tolerant_page: Page, tmp_path: Path
) -> None:
    page = tolerant_page
    await opened(page, serve, tmp_path)
    await started(page, Kept="2")
    await expect(page.get_by_role("alert").filter(has_text="kept must be 0 to 1, not '2'.")).to_be_visible()
    field = page.get_by_label("Kept")
    await expect(field).to_have_attribute("aria-invalid", "true")
    await expect(field).to_be_focused()
    await started(page, Kept="0.5")
    await expect(page.get_by_role("heading", name="soup", exact=True)).to_be_visible()


async def test_the_page_of_a_server_without_a_home_offers_nothing(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    made_up(tmp_path / "one", generations=3)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs")
    await expect(page.get_by_role("heading", name="one", exact=True)).to_be_visible()
    await expect(page.locator("form.start")).to_be_hidden()
    await expect(page.locator(".actions button:visible")).to_have_count(0)
