"""The editor of Redcode: colours, and messages of the assembler at their places while the visitor writes."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Serve

FAULTY = """;name Mine
;assert 1
start   mov 0, 1 ; a comment
        mov 0, nowhere
"""
SHOWN = ".redcode:visible"  # the other warrior has an editor, too
SELECTED = "(box) => box.value.slice(box.selectionStart, box.selectionEnd)"


async def editor(page: Page, serve: Serve) -> Locator:
    await page.goto(f"{await serve()}corewar?rules=nano&warrior=imp.red&warrior=imp.red")
    await page.get_by_label("Warrior 1").select_option(label="Your own Redcode")
    return page.get_by_role("textbox", name="Redcode")


@pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)
async def test_errors_are_marked_at_line_and_column_while_the_visitor_writes(
    page: Page, serve: Serve
) -> None:
    box = await editor(page, serve)
    await box.fill(FAULTY)
    await expect(page.locator(SHOWN).locator(".fault")).to_have_text("nowhere")
    await expect(page.locator(SHOWN).locator(".lines .Error")).to_have_text("4")
    messages = page.locator(SHOWN).get_by_role("status")
    await expect(messages).to_contain_text("Error in line 4, column 16: Undefined label or symbol: 'nowhere'")
    await expect(box).to_have_attribute("aria-invalid", "true")
    await messages.get_by_role("button", name="line 4, column 16").click()
    assert await box.evaluate(SELECTED) == "nowhere"
    await box.press("Delete")
    await box.press_sequentially("1")
    await expect(messages).to_have_text("A warrior of 2 instructions.")
    await expect(page.locator(SHOWN).locator(".fault")).to_have_count(0)
    await expect(box).to_have_attribute("aria-invalid", "false")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_the_colours_lie_under_the_text_wherever_it_is_scrolled(page: Page, serve: Serve) -> None:
    box = await editor(page, serve)
    text = "\n".join(f"l{number}\tmov 0, 1 ; {'long ' * 30}" for number in range(60))
    await box.fill(text)
    await expect(page.locator(f"{SHOWN} .colours .line")).to_have_count(60)
    assert (
        await page.locator(f"{SHOWN} .colours").evaluate(
            "(pre) => [...pre.children].map((line) => line.textContent).join('\\n')"
        )
        == text
    )
    assert await page.locator(f"{SHOWN} .colours .operation").first.inner_text() == "mov"
    await box.evaluate("(box) => box.scrollTo(90, 500)")
    await expect(page.locator(f"{SHOWN} .colours")).to_have_css("transform", "matrix(1, 0, 0, 1, -90, -500)")
    wide, tall = await box.evaluate("(box) => [box.scrollWidth - 90, box.scrollHeight - 500]")
    size = await page.locator(f"{SHOWN} .colours").evaluate(
        "(pre) => [pre.scrollWidth - 90, pre.scrollHeight - 500]"
    )
    assert abs(size[0] - wide) <= 10 and abs(size[1] - tall) <= 20  # without padding, with a scroll bar
    await box.press("Control+End")
    await box.press_sequentially("\nend")
    await expect(page.locator(f"{SHOWN} .colours .line").last).to_have_text("end")
    await expect(page.locator(f"{SHOWN} .colours .line").last.locator(".directive")).to_be_visible()
    await expect(page.locator(SHOWN).locator(".lines div")).to_have_count(61)


async def test_the_tab_key_leaves_the_editor(page: Page, serve: Serve) -> None:
    box = await editor(page, serve)
    await box.focus()
    await page.keyboard.press("Tab")
    await expect(box).not_to_be_focused()
    assert "\t" not in await box.input_value()


async def test_other_rules_check_the_text_again(page: Page, serve: Serve) -> None:
    box = await editor(page, serve)
    await box.fill(";assert CORESIZE == 8000\nmov 0, 1\n")
    messages = page.locator(SHOWN).get_by_role("status")
    await expect(messages).to_contain_text("Assertion in this line fails")
    await page.get_by_label("Rules").select_option("94nop")
    await expect(messages).to_have_text("A warrior of 1 instruction.")


async def test_a_line_that_continues_does_not_shift_the_marks(page: Page, serve: Serve) -> None:
    box = await editor(page, serve)
    await box.fill(";assert 1\nmov 0, \\\n 1\n\nmov 0, nowhere\n")
    messages = page.locator(SHOWN).get_by_role("status")
    await expect(messages).to_contain_text(re.compile("line 5, column 8"))
    await expect(page.locator(SHOWN).locator(".fault")).to_have_text("nowhere")
