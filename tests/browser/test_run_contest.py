"""Then and now: champions of two generations meet on the page of their run, and the address repeats it."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.evolutions import populous

BUNDLED = {  # runs that come with the program, and what their contests show
    "evolved-1": (".diagram", re.compile(r"^Generation 130 .* beat generation 0 .* in \d+ moves, by checkmate\.$|^The champion")),
    "evolved-seven": (".acquire-contest .board", re.compile(r"won with \$[\d,]+; .* had \$[\d,]+\.")),
    "run-02": (".turn-view canvas", re.compile("did more harm to the same farm than")),
}  # fmt: skip


async def play(page: Page) -> str:
    """Play a contest, and return its result in words."""
    contest = page.locator(".contest")
    await contest.get_by_role("button", name="Play", exact=True).first.click()
    words = contest.locator(".contest-words")
    await expect(words).to_have_text(re.compile(r"\.$"))
    return await words.text_content() or ""


async def is_within(page: Page) -> bool:
    """Return whether the page is no wider than its window."""
    within: bool = await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return within


@pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)
async def test_two_warriors_of_a_run_fight_and_the_address_repeats_it(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    populous(tmp_path / "run", 12, 8)
    address = f"{await serve('--runs', str(tmp_path))}runs"
    await page.goto(f"{address}#run")
    await expect(page.get_by_role("heading", name="Then and now")).to_be_visible()
    first = page.get_by_label("Champion of generation", exact=True)
    await first.press("ArrowLeft")
    await expect(page.locator(".contest-side").first).to_contain_text(
        "individual 80, born in this generation and the best of it"
    )
    await expect(first).to_have_attribute("aria-valuetext", re.compile("^generation 10, individual 80"))
    words = await play(page)
    assert "generation 10" in words and "generation 0" in words
    player = page.locator(".contest .player")
    await expect(player.locator(".warrior b")).to_have_text(["Generation 10", "Generation 0"])
    assert await is_within(page)
    shared = f"{address}#run?first=10&second=0&seed=1"
    await expect(page).to_have_url(shared)

    await page.goto("about:blank")
    await page.goto(shared)
    await expect(page.locator(".contest-words")).to_have_text(words)
    await expect(player.locator(".warrior b")).to_have_text(["Generation 10", "Generation 0"])
    await page.evaluate("location.hash = '#run?first=5&second=3&seed=2'")
    await expect(player.locator(".warrior b")).to_have_text(["Generation 5", "Generation 3"])
    await expect(first).to_have_attribute("aria-valuetext", re.compile("^generation 5,"))


async def test_a_warrior_of_a_run_meets_a_fixed_opponent(serve: Serve, page: Page, tmp_path: Path) -> None:
    populous(tmp_path / "run", 3, 8)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#run")
    opponent = page.locator(".contest").get_by_label("Opponent")
    name = await opponent.locator("option").nth(1).text_content()
    assert name
    await opponent.select_option(name)
    await expect(page.get_by_label("against the champion of generation")).to_be_hidden()
    assert name.lower() in (await play(page)).lower()
    await expect(page.locator(".contest .player .warrior b")).to_have_text(["Generation 2", name])
    await page.get_by_role("button", name="Play another time").click()
    await expect(page).to_have_url(re.compile(r"seed=(?!1$)\d+$"))


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
@pytest.mark.parametrize("run", BUNDLED)
async def test_champions_of_each_game_meet_on_a_board_of_their_game(
    serve: Serve, page: Page, run: str
) -> None:
    part, result = BUNDLED[run]
    await page.goto(f"{await serve()}runs#{run}")
    assert result.search(await play(page))
    board = page.locator(f".contest {part}")
    await expect(board).to_be_visible()
    assert await is_within(page)
    replay = page.locator(".contest").get_by_role("group", name=re.compile("^(Moves|Replay)$"))
    await replay.get_by_role("button", name=re.compile("^To the end$")).click()
    await expect(replay.get_by_role("button", name="Play", exact=True)).to_be_visible()
    slider = replay.get_by_role("slider")
    assert await slider.input_value() == await slider.get_attribute("max")
    await slider.press("Home")
    assert await slider.input_value() == "0"


async def test_a_game_of_chess_is_played_through_move_by_move(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}runs#evolved-1?first=130&second=0&seed=3")
    board = page.locator(".contest").get_by_role("img", name=re.compile("^Board"))
    await page.locator(".contest").get_by_role("button", name="To the start").click()
    await expect(board).to_have_accessible_name("Board at the start")
    pieces = await board.locator("use").count()
    assert 24 <= pieces <= 32
    await page.locator(".contest").get_by_role("button", name="Forward").click()
    await expect(board).to_have_accessible_name(re.compile("^Board after "))
    await expect(board.locator(".played")).to_have_count(2)
    moves = page.locator(".contest").get_by_role("list", name="Moves of the game")
    await expect(moves.locator("li[aria-current]")).to_have_count(1)
    await page.locator(".contest").get_by_role("button", name="To the end").click()
    await expect(moves.locator("li").last).to_have_attribute("aria-current", "")
    await expect(moves.locator("li").last).to_have_text(re.compile("#$"))


async def test_a_run_without_a_champion_offers_no_contest(serve: Serve, page: Page, tmp_path: Path) -> None:
    populous(tmp_path / "run", 0, 8)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#run")
    await expect(page.locator("section.tree")).to_be_visible()
    await page.locator("section.tree").scroll_into_view_if_needed()
    await expect(page.locator("section.tree")).to_contain_text("No individual has been born yet.")
    await expect(page.get_by_role("heading", name="Then and now")).to_be_hidden()
