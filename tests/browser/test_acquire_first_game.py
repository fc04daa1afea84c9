"""What helps newcomers to Acquire: the guide, undo, names and colours of players, the pace, the summary, own games."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.acquire_player import Clicks, confirm, decide, hurry, play
from tests.browser.conftest import Serve
from tests.browser.test_acquire import begin

BOTH_SIZES = pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)


@BOTH_SIZES
async def test_each_kind_of_decision_is_explained_once(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    place = page.get_by_role("complementary", name="Explained: Place a tile")
    await expect(place).to_be_visible()
    assert await decide(Clicks(page))
    await expect(place).to_be_hidden()
    hands = Clicks(page)
    while await page.locator(".due").get_attribute("data-phase") != "buy":
        assert await decide(hands)
    buy = page.get_by_role("complementary", name="Explained: Buy shares")
    await expect(buy).to_be_visible()
    await buy.get_by_role("button", name="Got it").click()
    await expect(buy).to_be_hidden()
    await page.reload()
    await expect(page.locator(".due[data-phase='buy']")).to_be_visible()
    await expect(page.get_by_role("complementary")).to_have_count(0)
    await decide(hands)
    await page.locator(".due[data-phase='place']").wait_for()
    await expect(page.get_by_role("complementary")).to_have_count(0)


async def test_the_guide_can_be_skipped_and_switched_on_again(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    lessons = page.get_by_role("complementary")
    await lessons.get_by_role("button", name="Skip all").click()
    await expect(lessons).to_have_count(0)
    await page.reload()
    await expect(page.locator(".due[data-phase='place']")).to_be_visible()
    await expect(lessons).to_have_count(0)
    await page.get_by_role("button", name="Explain the steps").click()
    await expect(lessons).to_contain_text("Place a tile")


@BOTH_SIZES
async def test_a_tile_can_be_undone_until_it_is_confirmed(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    due, square = page.locator(".due"), page.locator(".board .may").first
    decision = await due.get_attribute("data-decision")
    tile = await square.get_attribute("data-tile")
    await square.click()
    await expect(due).to_contain_text(f"{tile} ")
    await expect(page.locator(".board .planned")).to_have_attribute("data-tile", tile or "")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".board .planned")).to_have_count(0)
    await expect(page.locator(f".hand [data-tile='{tile}']")).to_be_focused()
    await expect(due).to_have_attribute("data-decision", decision or "")
    await square.click()
    await confirm(page)
    await expect(page.locator(f".due:not([data-decision='{decision}'])")).to_be_visible()


async def test_the_confirmation_of_tiles_can_be_switched_off(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    await page.get_by_label("Confirm tiles and chains").uncheck()
    decision = await page.locator(".due").get_attribute("data-decision")
    await page.locator(".board .may").first.click()
    await expect(page.locator(f".due:not([data-decision='{decision}'])")).to_be_visible()
    await page.reload()
    await expect(page.get_by_label("Confirm tiles and chains")).not_to_be_checked()


@BOTH_SIZES
async def test_players_of_the_same_kind_have_names_and_colours_of_their_own(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="evolved-net-seven evolved-net-seven")
    await play(Clicks(page), 6)
    players = page.get_by_role("row").filter(has_text="A net for all decisions, bred on seven chains")
    await expect(players).to_have_count(2)
    await expect(players.get_by_role("rowheader").locator(".seat")).to_have_text(["Ben", "Cleo"])
    log = page.get_by_role("log")
    for name in ("Ben", "Cleo"):
        await expect(log.get_by_text(re.compile(rf"^{name}$")).first).to_be_visible()
    await expect(log).not_to_contain_text("evolved-net-seven")
    colours = await players.locator(".seat").evaluate_all(
        "(seats) => seats.map((seat) => getComputedStyle(seat, '::before').backgroundColor)"
    )
    assert len(set(colours)) == 2


async def test_the_moves_of_the_others_are_shown_at_a_pace_that_can_be_hurried(
    page: Page, serve: Serve
) -> None:
    address = await serve()
    await page.add_init_script("localStorage.setItem('galapagos-pace-acquire', '\"at once\"')")
    await page.goto(f"{address}acquire?play=heuristic&play=heuristic&seed=7")
    await page.locator(".due[data-phase='place']").wait_for()
    await page.get_by_label("Pace of the others").select_option("slow")
    hurry_up = page.get_by_role("button", name="Show all at once")
    hands = Clicks(page)
    await hands.place()
    await page.locator(".due:not([data-phase='place'])").wait_for()
    while await page.locator(".due:not([data-phase='wait'])").count():
        await decide(hands)
    await expect(page.locator(".due[data-phase='wait']")).to_be_visible()
    await expect(hurry_up).to_be_visible()
    await hurry_up.click()
    await expect(page.locator(".due[data-phase='place']")).to_be_visible()
    await expect(hurry_up).to_be_hidden()


async def test_a_game_that_has_ended_counts_once_and_can_be_deleted(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Yes, resign").click()
    own = page.get_by_role("region", name="Your games")
    await expect(own).to_contain_text("You have won 0 of 1 game.")
    await expect(own.get_by_role("row", name="Rules of thumb 1 0 0 %")).to_be_visible()
    await page.reload()
    await page.get_by_role("button", name="New game").click()
    await expect(own).to_contain_text("You have won 0 of 1 game.")
    await own.get_by_role("button", name="Delete these results").click()
    await own.get_by_role("button", name="Yes, delete them").click()
    await expect(own).to_contain_text("You have not finished a game in this browser.")


async def test_the_form_remembers_rules_and_opponents(page: Page, serve: Serve) -> None:
    address = await serve()
    await begin(page, address, variant="tlstyer", opponents="heuristic composed")
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Yes, resign").click()
    await page.get_by_role("button", name="New game").click()
    await expect(page.get_by_label("Rules")).to_have_value("tlstyer")
    await expect(page.get_by_label("Opponent 1")).to_have_value("heuristic")
    await expect(page.get_by_label("Opponent 2")).to_have_value("composed")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)
async def test_the_summary_adds_up_to_the_result(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), variant="thesis-2002", opponents="evolved-net-three")
    await play(Clicks(page))
    summary = page.get_by_role("region", name="Where the game was won")
    await expect(summary).to_contain_text("ahead of")
    table = summary.get_by_role("table")
    columns = await table.evaluate(
        """(table) => [1, 2].map((column) => [...table.tBodies[0].rows].map(({ cells }) =>
          Number(cells[column].innerText.replace("\u2212", "-").replace("\u2013", "0").replace(/[+$,]/g, ""))))"""
    )
    for *parts, total in columns:
        assert sum(parts) == total
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 390])
async def test_the_page_fits_narrow_phones(page: Page, serve: Serve, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 700})
    await page.goto(f"{await serve()}acquire")
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
    await page.get_by_label("Opponent 1").select_option("evolved-net-four")
    for _ in range(4):
        await page.get_by_role("button", name="Add a player").click()
    await page.get_by_role("button", name="Play", exact=True).click()
    await hurry(page)
    await play(Clicks(page), 12)
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("page", ["phone"], indirect=True)
async def test_the_board_stays_in_view_beside_a_decision_on_a_phone(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    await page.locator(".due[data-phase='place']").wait_for()
    board = page.get_by_role("grid", name="Board")
    await page.locator(".own-tiles button").last.scroll_into_view_if_needed()
    await page.locator(".own-tiles button").last.evaluate("(tile) => tile.scrollIntoView({ block: 'end' })")
    await expect(board).to_be_in_viewport(ratio=0.95)
