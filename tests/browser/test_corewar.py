"""Core War on the page: a fight is watched, stepped and looked into; a warrior of one's own fights, or is refused."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import Serve

NANO = "corewar?rules=nano&warrior=nano.red&warrior=imp.red&place=30"
HOSTILE = ";name <img src=x onerror=alert(1)>\n;author <b>Ann</b>\n;assert 1\nmov 0, 1\n"
CLOCK = re.compile(r"^([\d,]+) of ([\d,]+) instructions$")


async def test_a_fight_is_watched_to_its_end(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}{NANO}")
    await expect(heading(page)).to_have_text("Evolved nano 33896 v Imp")
    await page.get_by_label("Speed").fill("11")
    await expect(page.get_by_role("status")).to_have_text(re.compile("wins|tie|left"))
    done, all_of_them = await clock(page)
    assert done == all_of_them
    await expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.slow
async def test_a_fight_can_be_stepped_and_inspected_by_keys(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}{NANO}")
    await page.get_by_role("button", name="Pause").click()
    await page.get_by_role("slider", name="Time").focus()
    await page.keyboard.press("Home")
    await expect(page.get_by_text(CLOCK)).to_have_text(re.compile("^0 of "))
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_text(CLOCK)).to_have_text(re.compile("^2 of "))
    await page.get_by_role("img", name="The core").focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(".about-cell")).to_have_text(
        re.compile(r"Cell 0: executed by Evolved nano 33896, instruction 1\. SPL\.AB #-16, >-12"),
    )
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".about-cell")).to_contain_text("Cell 1: ")
    await page.keyboard.press("End")
    await expect(page.get_by_text(CLOCK)).to_have_text(re.compile(r"^(\d+) of \1 "))
    await expect(page.locator(".about-cell code")).to_be_visible()


@pytest.mark.slow
async def test_the_time_slider_seeks_and_playing_continues_from_there(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}corewar?warrior=imp.red&warrior=imp.red")
    await page.get_by_role("button", name="Pause").click()
    await expect(page.get_by_text(CLOCK)).to_have_text(re.compile(" of 160,000 "))  # the rest has come
    time = page.get_by_role("slider", name="Time")
    box = await time.bounding_box()
    assert box
    await time.click(position={"x": box["width"] / 2, "y": 10})
    await expect(page.get_by_text(CLOCK)).to_have_text(re.compile(r"^(79|80),\d{3} of 160,000 "))
    half, _ = await clock(page)
    await time.focus()
    await page.keyboard.press(" ")
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await expect(page.get_by_text(CLOCK)).not_to_have_text(f"{half:,} of 160,000 instructions")


@pytest.mark.slow
async def test_redcode_of_the_visitor_fights_or_has_its_errors_shown(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}corewar?rules=nano&warrior=imp.red&warrior=imp.red")
    await expect(heading(page)).to_have_text("Imp v Imp")
    await page.get_by_label("Warrior 1").select_option(label="Your own Redcode")
    await page.get_by_role("textbox", name="Redcode").fill(";assert 1\nmvo 0, 1\nmov 0,, 1\n")
    await page.get_by_role("button", name="Fight").click()
    messages = page.locator(".messages").first
    await expect(messages).to_contain_text(
        "No instruction is called mvo, so it is read as a label. Did you mean MOV?"
    )
    await expect(page.get_by_role("alert").filter(has_text="Warrior 1 has")).to_contain_text(
        re.compile(r"^Warrior 1 has errors .*Correct it, and press “Fight” again")
    )
    await expect(heading(page)).to_have_text("Core War")
    await expect(page.locator(".viewer")).to_be_empty()
    await expect(messages).to_contain_text("Error in line 2")
    await expect(messages).to_contain_text("mvo")
    await expect(messages).to_contain_text("in line 3")
    await page.get_by_role("textbox", name="Redcode").fill(HOSTILE)
    await page.get_by_role("button", name="Fight").click()
    await expect(heading(page)).to_have_text("<img src=x onerror=alert(1)> v Imp")
    await expect(messages).to_have_text("A warrior of 1 instruction.")
    await expect(page.get_by_text("by <b>Ann</b>")).to_be_visible()
    assert await page.locator("main img:not([role])").count() == 0


@pytest.mark.slow
async def test_a_bundled_warrior_can_be_edited_and_a_third_added(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}corewar?rules=nano&warrior=nano.red&warrior=imp.red")
    await page.get_by_role("button", name="Edit a copy").first.click()
    text = page.get_by_role("textbox", name="Redcode")
    await expect(text).to_have_value(re.compile(";name Evolved nano"))
    await text.fill((await text.input_value()).replace("Evolved nano 33896", "Mine"))
    await page.get_by_role("button", name="Add a warrior").click()
    await page.get_by_role("button", name="Fight").click()
    await expect(heading(page)).to_have_text("Mine v Imp v Evolved nano 33896")
    await expect(page.locator(".warrior")).to_have_count(3)


async def test_the_address_of_a_fight_of_own_redcode_shows_it_to_others(page: Page, serve: Serve) -> None:
    address = f"{await serve()}corewar?rules=nano&warrior=imp.red&warrior=imp.red"
    await page.goto(address)
    await page.get_by_label("Warrior 1").select_option(label="Your own Redcode")
    await page.get_by_role("textbox", name="Redcode").fill(HOSTILE)
    await page.get_by_role("button", name="Fight").click()
    await expect(page).to_have_url(re.compile("/corewar#fight=[A-Za-z0-9_-]+$"))
    shared = page.url
    await page.get_by_role("link", name="Learn Redcode").click()
    await page.get_by_role("link", name="To the fights").click()
    await expect(page).to_have_url(shared)
    await page.goto("about:blank")
    await page.goto(shared)
    await expect(heading(page)).to_have_text("<img src=x onerror=alert(1)> v Imp")
    await expect(page.get_by_role("textbox", name="Redcode")).to_have_value(HOSTILE)
    await page.get_by_role("link", name="Skip to content").focus()
    await page.keyboard.press("Enter")
    await page.goto(f"{shared[: shared.index('=') + 9]}")
    await expect(page.get_by_role("alert")).to_contain_text("The fight in this address is damaged")
    await expect(heading(page)).to_have_text("Evolved large 8501 v Paper")


async def test_the_core_is_shown_before_the_fight_and_the_beginning_before_the_rest(
    page: Page, serve: Serve
) -> None:
    """The core is drawn while nothing is simulated yet; the fight plays on when its rest comes, and then ends."""
    asked: list[asyncio.Event] = [asyncio.Event(), asyncio.Event()]

    async def delay(route: Route) -> None:
        await asked["instructions=" not in route.request.url].wait()
        await route.continue_()

    await page.route("**/api/fights?*", delay)
    await page.goto(f"{await serve()}corewar?warrior=imp.red&warrior=imp_gate.red&seed=3")
    viewer = page.get_by_role("region", name="Fight")
    await expect(viewer).to_contain_text("Simulating the fight")
    drawn = "(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean)"
    assert await viewer.locator("canvas").evaluate(drawn)
    asked[0].set()
    await expect(heading(page)).to_have_text("Imp v Imp-Gate")
    await page.get_by_label("Speed").fill("11")
    await expect(viewer.get_by_role("status")).to_have_text("Simulating the rest …")
    await expect(page.get_by_text("4,000 instructions")).to_be_visible()
    asked[1].set()
    await expect(viewer.get_by_role("status")).to_have_text(re.compile("wins|tie|left"))
    done, all_of_them = await clock(page)
    assert done == all_of_them > 4000


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_the_page_fits_the_width_on_a_phone_and_in_dark_mode(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}{NANO}")
    await expect(page.get_by_role("slider", name="Time")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


async def clock(page: Page) -> tuple[int, int]:
    """(instructions done, all of them)."""
    found = CLOCK.match(await page.get_by_text(CLOCK).inner_text())
    assert found
    return int(found[1].replace(",", "")), int(found[2].replace(",", ""))
