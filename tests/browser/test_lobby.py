"""The lobby: links to all pages, players with their cards, games to join or watch."""

import asyncio
import re

import pytest
from playwright.async_api import Page, WebSocket, expect

from tests.browser.conftest import Serve, client
from tests.waiting import PATIENCE_SECONDS

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_the_lobby_links_to_every_page(page: Page, serve: Serve) -> None:
    """On a phone they are behind a button, which the Escape key closes."""
    await page.goto(await serve())
    menu = page.get_by_role("button", name="Menu")
    if await menu.is_visible():
        await expect(page.get_by_role("navigation")).to_be_hidden()
        await menu.press("Enter")
        await expect(menu).to_have_attribute("aria-expanded", "true")
    for name in ("Chess", "Acquire", "Advanced Protection", "Core War", "Hills", "Matches", "Runs"):
        await expect(
            page.get_by_role("navigation").get_by_role("link", name=name, exact=True)
        ).to_be_visible()
    if await menu.is_visible():
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("navigation")).to_be_hidden()
        await expect(menu).to_be_focused()


async def test_a_play_link_starts_a_game(page: Page, serve: Serve) -> None:
    await page.goto(await serve())
    await page.get_by_role("link", name=re.compile("Acquire.*evolved-net-seven.*Play")).click()
    await expect(page.get_by_role("grid", name="Board")).to_be_visible()
    await expect(page.get_by_role("row", name="Ben A net for all decisions").first).to_be_visible()


@pytest.mark.slow
async def test_player_cards_open_by_link_and_by_address(page: Page, serve: Serve) -> None:
    address = await serve()
    await page.goto(address)
    await page.locator("summary", has_text="Acquire").click()
    await page.get_by_role("link", name="evolved-net-seven", exact=True).click()
    card = page.get_by_role("dialog")
    await expect(card).to_contain_text("Strong: wins three of four games")
    await expect(card).to_contain_text("Measured: 75.4 %")
    await expect(card.get_by_role("link", name="Play against evolved-net-seven")).to_have_attribute(
        "href", "/acquire?play=evolved-net-seven"
    )
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
    cards = page.locator(".players a")
    await expect(cards).not_to_have_count(0)
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
        row = page.get_by_role("listitem").filter(has_text=HOSTILE)
        await expect(row).to_contain_text(f"Acquire: {HOSTILE}, a free seat (waits for players)")
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
    await expect(page.get_by_text("Nothing is being played at this moment.")).to_be_visible()
    await page.wait_for_timeout(1500)  # milliseconds; what is asked when the page opens is asked by now
    before = len(asked)
    assert before <= 3
    await page.wait_for_timeout(4500)
    assert len(asked) == before
    async with client(address, "Bob") as other:
        game = await other.request("create", "created", game="acquire", seats=["me", "open"])
        await expect(page.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
        assert len(asked) == before + 1
        await other.request("leave", "ok", game_id=game["game_id"])
        await expect(page.get_by_text("Nothing is being played at this moment.")).to_be_visible()
        assert len(asked) == before + 2


async def test_a_game_whose_players_have_left_is_marked_and_leaves_the_list(page: Page, serve: Serve) -> None:
    address = await serve("--limit", "games_left_game_seconds=3")
    await page.goto(address)
    row = page.get_by_role("listitem").filter(has_text="Ann, heuristic")
    async with client(address, "Ann") as other:
        await other.request("create", "created", game="acquire", seats=["me", "heuristic"])
        await expect(row).to_contain_text("(is being played)")
        await expect(row.get_by_role("link")).to_have_attribute("href", re.compile(r"/acquire\?watch="))
        await other.request("create", "created", game="acquire", seats=["me", "heuristic"])
        await expect(row).to_have_count(2)
    await expect(row).to_have_text([re.compile(r"\(left by its players; 2 such games\)")])
    await expect(row).to_have_count(0)


async def test_every_player_of_a_bundled_game_has_words_and_no_figures(page: Page, serve: Serve) -> None:
    """A sentence says what it is like; what was measured is on its card."""
    await page.goto(await serve())
    lines = page.locator(".players li")
    await expect(lines).not_to_have_count(0)
    for text in await lines.evaluate_all("all => all.map(each => each.textContent)"):
        assert re.search(r"[.!?]$", text) and "%" not in text and "[" not in text, text


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_the_picture_of_the_lobby_moves_until_it_is_paused(page: Page, serve: Serve) -> None:
    await page.goto(await serve())
    canvas = page.locator(".living canvas")
    await expect(page.locator(".living")).to_contain_text("fights Dwarf")
    await canvas.scroll_into_view_if_needed()

    async def drawn() -> str:
        return str(await canvas.evaluate("canvas => canvas.toDataURL()"))

    async def changed(before: str) -> None:
        """Wait until the picture is another one."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await drawn() == before:
                await page.wait_for_timeout(50)

    await changed(await drawn())
    await page.get_by_role("button", name="Pause the picture").click()
    still = await drawn()
    await page.wait_for_timeout(300)
    assert await drawn() == still
    await page.get_by_role("button", name="Play the picture").click()
    await changed(still)


async def test_the_picture_stands_still_for_visitors_who_want_no_motion(page: Page, serve: Serve) -> None:
    await page.emulate_media(reduced_motion="reduce")
    await page.goto(await serve())
    await expect(page.locator(".living")).to_contain_text("fights Dwarf")
    await expect(page.get_by_role("button", name="Play the picture")).to_be_visible()
    canvas = page.locator(".living canvas")
    still = await canvas.evaluate("canvas => canvas.toDataURL()")
    await page.wait_for_timeout(300)
    assert await canvas.evaluate("canvas => canvas.toDataURL()") == still


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_the_page_fits_the_width_on_a_phone_and_in_dark_mode(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}#card/corewar/large")
    await expect(page.get_by_role("dialog")).to_contain_text("Evolved large")
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
    await page.get_by_role("button", name="Close").click()
    await expect(page.get_by_role("heading", name="The players", exact=True)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
