"""The primer of Redcode: every step's program does what its text says, and can be changed."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Serve

# The results that the texts of the steps state.
ENDS = (
    "Imp still runs after all its cycles.",
    "No warrior is left.",
    "Loop still runs after all its cycles.",
    "Counter still runs after all its cycles.",
    "Dwarf still runs after all its cycles.",
    "Dwarf wins.",
    "Gate wins.",
    "Splitter still runs after all its cycles.",
    "Paper wins.",
    "Scanner wins.",
)
# What the visitor is told to try: step, text before, text after, result.
ATTEMPTS = (
    (1, "MOV 0, 1", "MOV 0, 2", "No warrior is left."),
    (2, "        DAT 0\n", "", "No warrior is left."),
    (3, "loop    NOP 0\n        NOP 0\n        JMP loop", "JMP 0", "Loop still runs after all its cycles."),
    (5, "#4", "#3", "No warrior is left."),
    (6, "#4", "#5", "Dwarf wins."),
    (6, "#4", "#2", "Waiter wins."),
    (7, ", <wait-10", "", "A tie: all cycles have been used."),
    (8, "MOV 0, 1", "DAT 0", "Splitter still runs after all its cycles."),
)


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_every_step_ends_as_its_text_says(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}corewar#learn")
    for number, end in enumerate(ENDS, 1):
        await expect(page.get_by_role("heading", level=2, name=f"{number}. ")).to_be_visible()
        await page.get_by_label("Speed").fill("11")
        status = page.get_by_role("region", name="The core").get_by_role("status")
        await expect(status).to_have_text(end)
        messages = page.locator(".redcode").get_by_role("status")
        await expect(messages).to_have_text(re.compile("^A warrior of \\d+ instructions?.$"))
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if number < len(ENDS):
            await page.get_by_role("link", name="Next: ").click()
    await expect(page).to_have_url(re.compile("#learn/10$"))
    await page.get_by_role("link", name="Fight with warriors of your own").click()
    await expect(page.get_by_role("heading", name="New fight")).to_be_visible()


@pytest.mark.slow
async def test_what_the_visitor_is_told_to_try_ends_as_the_text_says(page: Page, serve: Serve) -> None:
    address = await serve()
    box = page.get_by_role("textbox", name="Redcode")
    for number, before, after, end in ATTEMPTS:
        await page.goto(f"{address}corewar#learn/{number}")
        await page.reload()
        await expect(box).to_have_value(re.compile(re.escape(before)))
        await expect(page.get_by_role("button", name="Pause")).to_be_visible()
        await box.fill((await box.input_value()).replace(before, after))
        await page.get_by_role("button", name="Run").click()
        await expect(page.get_by_role("button", name="Run")).to_be_enabled()
        await page.get_by_label("Speed").fill("11")
        status = page.get_by_role("region", name="The core").get_by_role("status")
        await expect(status).to_have_text(end)


async def test_a_faulty_program_shows_its_error_and_the_original_text_comes_back(
    page: Page, serve: Serve
) -> None:
    await page.goto(f"{await serve()}corewar#learn/4")
    box = page.get_by_role("textbox", name="Redcode")
    await expect(box).to_have_value(re.compile("count"))
    await box.fill(";assert 1\nadd #1, nowhere\n")
    await page.get_by_role("button", name="Run").click()
    await expect(page.locator(".redcode").get_by_role("status")).to_contain_text("Error in line 2, column 9")
    await expect(box).to_be_focused()
    await page.get_by_role("button", name="Original text").click()
    await expect(box).to_have_value(re.compile("count"))


@pytest.mark.parametrize("page", ["phone"], indirect=True)
async def test_the_next_step_is_shown_from_its_heading(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}corewar#learn/1")
    await page.get_by_role("link", name=re.compile("^Next: ")).click()
    heading = page.get_by_role("heading", name=re.compile(r"^2\."))
    await expect(heading).to_be_focused()
    await expect(heading).to_be_in_viewport()


async def test_a_paused_run_shows_the_instruction_that_was_executed(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}corewar#learn/4")
    await page.get_by_role("button", name="Pause").click()
    await page.get_by_role("button", name="To the start").click()
    for _ in range(3):
        await page.get_by_role("button", name="One instruction forward").click()
    about = page.locator(".about-cell")
    await expect(about).to_contain_text("Cell 1: executed by Counter, instruction 3. ADD.AB #1, $-1")
