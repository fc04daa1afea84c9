"""The lobby: links to all pages, players with their cards, games to join or watch."""

import re

import pytest
from playwright.async_api import Page, WebSocket, expect

from tests.browser.conftest import Serve, client

HOSTILE = "<img src=x onerror=alert(1)>"


async def test_the_lobby_links_to_every_page(page: Page, serve: Serve) -> None:
    await page.goto(await serve())
    for name in ("Chess", "Acquire", "Advanced Protection", "Core War", "Hills", "Matches", "Runs"):
        await expect(
            page.get_by_role("navigation").get_by_role("link", name=name, exact=True)
        ).to_be_visible()


async def test_a_play_link_starts_a_game(page: Page, serve: Serve) -> None:
    await page.goto(await serve())
    await page.get_by_role("link", name=re.compile("Acquire.*evolved-net-seven.*Play")).click()
    await expect(page.get_by_role("grid", name="Board")).to_be_visible()
    await expect(page.get_by_role("row", name="Ben A net for all decisions").first).to_be_visible()


@pytest.mark.slow
async def test_player_cards_open_by_link_and_by_address(page: Page, serve: Serve) -> None:
    address = await serve()
    await page.goto(address)
    await page.get_by_role("link", name="About evolved-net-seven").click()
    card = page.get_by_role("dialog")
    await expect(card.get_by_role("heading", name="Evolved net seven")).to_be_visible()
    await expect(card.get_by_role("row", name=re.compile(r"heuristic 75\.4"))).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(card).to_be_hidden()
    await expect(page).to_have_url(address)
    await page.goto(f"{address}#card/chess/evolved")
    await expect(card.get_by_role("row", name=re.compile(r"Phalanx XXV 81\.5"))).to_be_visible()
    await expect(card).to_contain_text("Name: Piece Strength Gene")


@pytest.mark.slow
async def test_every_card_can_be_shown(page: Page, serve: Serve) -> None:
    await page.goto(await serve())
    cards = page.get_by_role("link", name=re.compile("^About "), include_hidden=True)
    await expect(cards.first).to_be_visible()
    for address in await cards.evaluate_all("links => links.map(link => link.hash)"):
        await page.evaluate("hash => { location.hash = hash; }", address)
        name = address.rpartition("/")[2].replace("%3A", ":")
        await expect(page.get_by_role("dialog").locator(".card-text > p").first).to_have_text(
            re.compile(f", {re.escape(name)}$")
        )


async def test_an_open_game_is_listed_with_names_as_plain_text(page: Page, serve: Serve) -> None:
    address = await serve(is_alone=True)
    async with client(address, HOSTILE) as other:
        game = await other.request("create", "created", game="acquire", seats=["me", "open"])
        await page.goto(address)
        row = page.get_by_role("row", name=HOSTILE)
        await expect(row).to_contain_text(f"{HOSTILE}, open")
        join = row.get_by_role("link", name="Join")
        await expect(join).to_have_attribute("href", f"/acquire?join={game['game_id']}")
        assert await page.locator("img").count() == 0
        await join.click()
        await page.get_by_role("button", name="Take the seat").click()
        await expect(page.get_by_role("row", name=HOSTILE).first).to_be_visible()
        await page.goto(address)
        await expect(row.get_by_role("link", name="Watch")).to_be_visible()
        assert await page.locator("img").count() == 0


async def test_new_games_appear_without_polling(page: Page, serve: Serve) -> None:
    asked: list[str] = []

    def count(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: asked.append(str(text)) if '"type":"list"' in text else None)

    page.on("websocket", count)
    address = await serve(is_alone=True)
    await page.goto(address)
    await expect(page.get_by_text("No game is open or running.")).to_be_visible()
    await page.wait_for_timeout(1500)  # milliseconds; what is asked when the page opens is asked by now
    before = len(asked)
    assert before <= 2
    await page.wait_for_timeout(4500)
    assert len(asked) == before
    async with client(address, "Bob") as other:
        game = await other.request("create", "created", game="acquire", seats=["me", "open"])
        await expect(page.get_by_role("row", name="Bob")).to_be_visible()
        assert len(asked) == before + 1
        await other.request("leave", "ok", game_id=game["game_id"])
        await expect(page.get_by_text("No game is open or running.")).to_be_visible()
        assert len(asked) == before + 2


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_the_page_fits_the_width_on_a_phone_and_in_dark_mode(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}#card/corewar/large")
    await expect(page.get_by_role("dialog")).to_contain_text("Evolved large")
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
    await page.get_by_role("button", name="Close").click()
    await expect(page.get_by_role("heading", name="Players", exact=True)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
