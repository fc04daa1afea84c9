"""The plain page: a game of another package is played, joined and watched in the browser."""

import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import Serve, client
from tests.fifth_game.test_installed import installed
from tests.servers import served

GAME = "tic-tac-toe"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The page of a server beside which the fifth game is installed."""
    site = installed(tmp_path_factory.mktemp("site"))
    environment = os.environ | {"PYTHONPATH": f"{site}:{Path(__file__).parents[2]}"}
    async with served(program=(sys.executable, "-m", "tools"), env=environment) as server:
        yield server.address


async def play(page: Page) -> None:
    """Take the first square that is free until the game is over."""
    moves, status = page.get_by_role("group", name="Your moves"), page.get_by_role("status")
    for _ in range(5):
        await expect(status).to_have_text(re.compile("your turn|has ended"))
        if "has ended" in await status.inner_text():
            return
        before = await page.get_by_role("list", name="What happened").locator("li").count()
        await moves.get_by_role("button").first.click()
        await expect(page.get_by_role("list", name="What happened").locator("li").nth(before)).to_be_visible()


async def test_a_lobby_link_starts_a_game_that_can_be_finished(page: Page, address: str) -> None:
    await page.goto(address)
    await page.get_by_role("link", name=re.compile("tic-tac-toe.*careful.*Play")).click()
    await expect(page.get_by_role("heading", name=GAME)).to_be_visible()
    await expect(page.get_by_label("Position")).to_have_text(re.compile(r"\.\.\."))
    await play(page)
    await expect(page.get_by_role("status")).to_have_text(
        re.compile("The game has ended: (careful won|a draw)")
    )
    await expect(page.get_by_role("list", name="What happened")).to_contain_text("Visitor plays a3.")


async def test_a_game_survives_a_reload_and_can_be_resigned(page: Page, address: str) -> None:
    await page.goto(f"{address}game?game={GAME}")
    await page.get_by_label("Opponent 1").select_option("random")
    await page.get_by_label("the opponent starts").check()
    await page.get_by_role("button", name="Play").click()
    await expect(page.get_by_role("list", name="What happened")).to_contain_text("random plays")
    await page.reload()
    await expect(page.get_by_role("status")).to_have_text("It is your turn.")
    await page.get_by_role("button", name="Resign").click()
    await expect(page.get_by_role("status")).to_have_text("The game has ended: random won.")
    await expect(page.get_by_role("button", name="Play")).to_be_visible()


async def test_two_people_can_play_each_other(page: Page, browser: Browser, address: str) -> None:
    await page.goto(f"{address}game?game={GAME}")
    await page.get_by_label("Opponent 1").select_option("another person")
    await page.get_by_role("button", name="Play").click()
    await expect(page.get_by_role("status")).to_have_text("Waiting for another player …")
    other = await browser.new_page()
    await other.goto(address)
    await other.get_by_role("link", name="Join").click()
    await expect(page.get_by_role("status")).to_have_text("It is your turn.")
    await page.get_by_role("button", name="b2").click()
    await expect(other.get_by_role("status")).to_have_text("It is your turn.")
    await expect(other.get_by_label("Position")).to_have_text("...\n.x.\n...")
    await other.close()


async def test_an_unknown_game_shows_an_error(page: Page, address: str) -> None:
    await page.goto(f"{address}game?game=go")
    await expect(page.get_by_role("main")).to_contain_text("This server has no game of this name.")


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_a_game_whose_own_page_cannot_show_it_is_watched_on_the_plain_page(
    page: Page, serve: Serve
) -> None:
    """Chess between programs, which the page of chess does not follow."""
    server = await serve(is_alone=True)
    async with client(server, "Ann") as other:
        game = await other.request("create", "created", game="chess", seats=["me", "evolved"])
        await page.goto(server)
        row = page.get_by_role("listitem").filter(has_text="Chess: Ann, evolved")
        await row.get_by_role("link", name="Watch").click()
        await expect(page.get_by_role("heading", name="Chess", exact=True)).to_be_visible()
        decide = await other.receive("decide")
        action = {"kind": "move", "uci": "e2e4"}
        await other.send(
            type="action", re=decide["id"], game_id=game["game_id"], seq=decide["seq"], action=action
        )
        await expect(page.get_by_role("list", name="What happened")).to_contain_text("Ann plays e4.")
