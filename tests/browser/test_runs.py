"""The runs: what another process evolves grows by itself, and all of it can be read."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.evolutions import CONFIG, HOSTILE, evolving, made_up

SEVERAL = re.compile(r"generation ([4-9]|\d\d)")


async def test_a_run_of_another_process_updates_without_a_reload(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs")
    await expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    config = tmp_path / "config.txt"
    config.write_text(CONFIG)
    async with evolving(tmp_path / "a run", config):
        await expect(page.get_by_role("heading", name="a_run", exact=True)).to_be_visible()
        facts = page.locator("p.facts")
        await expect(facts).to_contain_text("evolving")
        await expect(facts).to_contain_text(SEVERAL)
        await expect(page.locator(".run:not(.bundled) .quiet")).to_contain_text(SEVERAL)
        await expect(page.get_by_role("heading", name="Length of the warriors")).to_be_visible()


async def test_an_evolution_can_be_started_stopped_and_resumed_by_clicks(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    """Its curves, its champion, a film of it; it stops, and goes on."""
    await page.goto(f"{await serve('--home', str(tmp_path))}runs")
    await expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    await page.get_by_label("What evolves").select_option("corewar/soup")
    await page.get_by_role("button", name="Start an evolution").click()
    await expect(page.get_by_role("heading", name="soup", exact=True)).to_be_visible()
    await expect(page.locator("p.facts")).to_contain_text("evolving")
    await expect(page.get_by_role("button", name="Add to the queue")).to_be_enabled()
    await expect(page.get_by_role("heading", name="A fight to watch")).to_be_visible()
    await expect(page.locator(".player .warrior")).to_have_count(2)
    await page.get_by_role("button", name="Pause the run").click()
    await expect(page.get_by_role("button", name="Resume the run")).to_be_visible()
    await expect(page.get_by_text("“Resume the run” continues it")).to_be_visible()
    await expect(page.locator("pre.words")).to_contain_text("The run stops after this generation.")
    await expect(page.locator("pre.words")).not_to_contain_text("Ctrl-C")
    await expect(page.get_by_role("button", name="Start an evolution")).to_be_enabled()
    await page.get_by_role("button", name="Resume the run").click()
    await expect(page.get_by_role("button", name="Pause the run")).to_be_visible()


async def test_runs_of_the_bundled_players_are_shown(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}runs")
    await expect(page.get_by_role("heading", name="Runs of the bundled players")).to_be_visible()
    link = page.locator("a.run.bundled").first
    name = await link.locator("strong").text_content()
    await link.click()
    await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    await expect(page.locator(".chart").first).to_be_visible()
    await expect(page.get_by_label("The genome", exact=True)).not_to_be_empty()
    await page.locator("section.tree").scroll_into_view_if_needed()
    await expect(page.locator("section.tree")).to_contain_text(
        "Only a part of this run comes with the program"
    )
    await expect(page.locator("p.facts")).to_contain_text("comes with the program")


@pytest.mark.slow
async def test_a_run_can_be_read_with_the_keyboard(serve: Serve, page: Page, tmp_path: Path) -> None:
    made_up(tmp_path / "one")
    made_up(tmp_path / "two", generations=3)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#one")
    chart = page.locator(".chart", has_text="Score in the fights of the evolution")
    await expect(chart.locator("figcaption")).to_contain_text("generation 59")
    await chart.locator(".plot").press("ArrowLeft")
    await expect(chart.locator("figcaption")).to_contain_text("generation 58")
    value = re.compile(r"generation 58: best 27\.6, mean 27\.6")
    await expect(chart.get_by_role("slider")).to_have_attribute("aria-valuetext", value)
    key = chart.get_by_role("button", name="mean")
    await key.press("Enter")
    await expect(key).to_have_attribute("aria-pressed", "false")

    await expect(page.get_by_role("heading", name="Champion: one 59")).to_be_visible()
    await page.locator(".relative").first.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Individual 5")).to_be_visible()
    await page.get_by_label("Number of another individual").fill("7")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Individual 7")).to_be_visible()

    await page.get_by_role("link", name="two").press("Enter")
    await expect(page.get_by_role("heading", name="Champion: two 2")).to_be_visible()


@pytest.mark.slow
async def test_the_page_requests_nothing_until_a_run_is_removed(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/runs" in request.url else None)
    made_up(tmp_path / "one", generations=3)
    made_up(tmp_path / "two", generations=3)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#one")
    await expect(page.locator(".genome")).to_contain_text(";name")
    await page.wait_for_timeout(2500)  # milliseconds; what is asked when the page opens is asked by now
    before = len(asked)
    await page.wait_for_timeout(5500)
    assert len(asked) == before
    shutil.rmtree(tmp_path / "two")
    await expect(page.locator("a.run:not(.bundled)")).to_have_count(1)
    assert len(asked) == before + 1


@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_hostile_names_of_a_run_are_shown_as_plain_text(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    made_up(tmp_path / HOSTILE.replace("/", ""))
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs")
    await expect(page.locator(".genome")).to_contain_text(f";name {HOSTILE}")
    await page.get_by_text("Configuration, seed and hash").click()
    await expect(page.locator("details pre")).to_contain_text(HOSTILE)
    await expect(page.get_by_role("heading", name="Operations of the newborn")).to_be_visible()
    assert await page.locator("img").count() == 0
    width = await page.evaluate("innerWidth")
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
