"""Acquire on the page, played as people play it."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.acquire_player import Clicks, Keys, confirm, decide, hurry, play
from tests.browser.conftest import Serve, client

HOSTILE = "<img src=x onerror=alert(1)>"
BOARD = ".board .square"


async def begin(page: Page, address: str, variant: str = "classic", seed: str = "7", **more: str) -> None:
    """Fill the form in and play."""
    await page.goto(f"{address}acquire")
    await page.get_by_label("Your name").fill(more.get("name", "Ann"))
    await page.get_by_label("Rules").select_option(variant)
    await page.get_by_text("More options", exact=True).click()
    await page.get_by_label("Seed").fill(seed)
    for number, opponent in enumerate(more.get("opponents", "").split(), 1):
        if number > 1:
            await page.get_by_role("button", name="Add a player").click()
        await page.get_by_label(f"Opponent {number}").select_option(opponent)
    if "hidden" in more:
        await page.get_by_label("Hide the cash and shares of the other players").check()
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(page.get_by_role("grid", name="Board")).to_be_visible()
    await hurry(page)


async def test_a_whole_game_can_be_played_by_clicks(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), variant="thesis-2002", opponents="evolved-net-three")
    due = await play(Clicks(page))
    await expect(due).to_contain_text("The game has ended.")
    final = page.get_by_role("table", name="Final table")
    await expect(final.get_by_role("row")).to_have_count(3)
    await expect(final).to_contain_text("Ann (you)")
    await expect(page.get_by_role("log")).to_contain_text("takes over")
    await page.get_by_text("Seed and order of the tiles").click()
    await expect(due).to_contain_text("Seed 7")
    await expect(due).to_contain_text("They match the commitment that the server sent before the start.")
    await page.get_by_role("button", name="New game").click()
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.slow
async def test_a_whole_game_can_be_played_by_keys(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}acquire")
    await expect(page.get_by_label("Opponent 1")).to_be_visible()
    await page.get_by_label("Rules").focus()
    await page.keyboard.type("Thesis of")
    await page.get_by_label("Your name").press("Enter")
    await hurry(page)
    due = await play(Keys(page))
    await expect(due).to_contain_text("The game has ended.")
    await expect(page.get_by_role("table", name="Final table")).to_contain_text("Visitor (you)")


@pytest.mark.slow
async def test_arrow_keys_move_the_focus_on_the_board(page: Page, serve: Serve) -> None:
    await begin(page, await serve())
    await page.locator("[data-tile='1A']").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft"):
        await page.keyboard.press(key)
    await expect(page.locator("[data-tile='1C']")).to_be_focused()


@pytest.mark.slow
async def test_a_game_continues_after_a_reload(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    due = await play(Clicks(page), 12)
    before = await page.locator(BOARD).all_inner_texts()
    decision = await due.get_attribute("data-decision")
    log = await page.get_by_role("log").inner_text()
    await page.reload()
    await expect(page.locator(".due")).to_have_attribute("data-decision", decision or "")
    assert await page.locator(BOARD).all_inner_texts() == before
    assert await page.get_by_role("log").inner_text() == log
    assert await decide(Clicks(page))


@pytest.mark.slow
async def test_a_second_tab_takes_the_game_over(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    due = await play(Clicks(page), 5)
    await expect(due).to_have_attribute("data-decision", re.compile(r"\d+"))
    decision = await due.get_attribute("data-decision")
    async with page.expect_popup() as opened:
        await page.evaluate(
            "() => { open('/acquire'); }"
        )  # which copies sessionStorage, as duplicating a tab does
    second = await opened.value
    await expect(second.locator(".due")).to_have_attribute("data-decision", decision or "")
    await expect(page.locator("#error")).to_have_text("This game continues in another tab.")
    assert await decide(Clicks(second))


@pytest.mark.slow
async def test_a_purchase_can_be_undone_before_confirmation(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic")
    hands = Clicks(page)
    while not await page.locator(".due[data-phase='buy'] .shop li").count():
        assert await decide(hands)
    summary, confirm = page.locator(".due .summary"), page.locator(".due button.main")
    await page.locator(".due .shop button[aria-label$=': more']").first.click()
    await expect(summary).to_contain_text("1 of 3 shares")
    await expect(confirm).to_have_text(re.compile(r"Buy 1 for \$\d"))
    await page.get_by_role("button", name="Undo").click()
    await expect(summary).to_contain_text("0 of 3 shares")
    await expect(confirm).to_have_text("Buy nothing")


@pytest.mark.slow
async def test_hidden_holdings_of_opponents_are_not_shown(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="heuristic", hidden="yes")
    players = page.locator(".aside .card", has_text="Players").first
    await expect(players.get_by_role("row", name="Ben")).to_contain_text("hidden")
    await expect(players.get_by_role("row", name="Ann (you)")).to_contain_text("$6,000")


@pytest.mark.slow
async def test_a_game_with_options_is_shown_by_its_own_rules(page: Page, serve: Serve) -> None:
    """Not by those of a variant whose board is as large."""
    address = await serve()
    async with client(address, "Bob") as other:
        options = {"max_buy": 2, "cash": 5000}
        game = await other.request("create", "created", game="acquire", seats=["open", "me"], options=options)
        await page.goto(f"{address}acquire?join={game['game_id']}")
        await page.get_by_role("button", name="Take the seat").click()
        await page.get_by_text("The rules in short").click()
        await expect(page.get_by_text("Up to 2 shares a turn")).to_contain_text("starts with $5,000")


@pytest.mark.slow
async def test_resigning_needs_a_confirmation(page: Page, serve: Serve) -> None:
    await begin(page, await serve())
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Yes, resign").click()
    await expect(page.locator(".due")).to_contain_text("A player resigned.")


async def test_a_watched_game_updates_and_shows_names_as_plain_text(page: Page, serve: Serve) -> None:
    address = await serve()
    async with client(address, HOSTILE) as other:
        game = await other.request("create", "created", game="acquire", seats=["me", "heuristic"], seed=3)
        decide = await other.receive("decide")
        await page.goto(f"{address}acquire?watch={game['game_id']}")
        await expect(page.get_by_text(f"You are watching. It is the turn of {HOSTILE}.")).to_be_visible()
        action = decide["legal"]["actions"][0]
        await other.send(type="action", re=decide["id"], game_id=game["game_id"], action=action)
        await expect(page.get_by_role("log")).to_contain_text(f"{HOSTILE} places {action['tile']}")
        await expect(page.locator(f"[data-tile='{action['tile']}']")).to_have_class(re.compile("latest"))
        await expect(page.locator(".own-tiles")).to_be_hidden()
        assert await page.locator("img").count() == 0


@pytest.mark.slow
async def test_the_mini_game_of_the_protocol_shows_the_documented_amounts(page: Page, serve: Serve) -> None:
    """A merger of equals, whose survivor is chosen, with a disposal and the end: every amount is known."""
    address = await serve()
    bag = ["1A", "2C", "4B", "3C", "1B", "4A", "1C", "4C", "2A", "3B", "3A", "2B"]
    async with client(address, "Bob") as other:
        game = await other.request(
            "create",
            "created",
            game="acquire",
            variant="mini",
            seats=["open", "me"],
            seed=42,
            options={"bag": bag},
        )
        await page.goto(f"{address}acquire?join={game['game_id']}")
        await page.get_by_role("button", name="Take the seat").click()
        due = page.locator(".due")

        await page.get_by_role("button", name="3C founds a chain").click()
        await confirm(page)
        await due.get_by_role("button", name="Imperial 2 tiles, $400 a share").click()
        await confirm(page)
        more = due.get_by_role("button", name="Buy Imperial: more")
        for _ in range(3):
            await more.click()
        await expect(more).to_be_disabled()
        await expect(due).to_contain_text("3 of 3 shares; $800 of $2,000 left.")
        await due.get_by_role("button", name="Buy 3 for $1,200").click()
        await expect(due).to_contain_text("Waiting for Bob")
        for action in ({"kind": "place", "tile": "1B"}, {"kind": "pass"}):
            decide = await other.receive("decide")
            await other.send(type="action", re=decide["id"], game_id=game["game_id"], action=action)

        await page.get_by_role("button", name="1C merges Luxor and Imperial").click()
        await confirm(page)
        await due.get_by_role("button", name="Luxor 2 tiles, $200 a share").click()
        await confirm(page)
        await expect(page.get_by_role("log")).to_contain_text(
            "receives both bonuses of Imperial, $6,000. (15 \u00d7 $400)"
        )
        await expect(due).to_contain_text("Luxor takes over Imperial")
        await due.get_by_role("button", name="Trade: more").click()
        for _ in range(2):
            await due.get_by_role("button", name="Sell: more").click()
        await expect(due).to_contain_text("2 become 1 Luxor; 2 are sold for $800.")
        await due.get_by_role("button", name="Confirm").click()

        for _ in range(3):
            await due.get_by_role("button", name="Buy Luxor: more").click()
        await due.get_by_label("End the game with this turn").check()
        await due.get_by_role("button", name="Buy 3 for $1,500 and end the game").click()
        final = page.get_by_role("table", name="Final table")
        mine = final.get_by_role("row", name="Visitor (you)")
        await expect(mine.get_by_role("cell")).to_have_text(["1.", "$6,100", "$5,000", "$2,000", "$13,100"])
        await expect(final.get_by_role("row", name="Bob")).to_contain_text("$5,000")
        brought = page.get_by_role("region", name="Where the game was won").get_by_role("table")
        await expect(brought.get_by_role("row", name="Imperial")).to_contain_text("+$5,600")
        await expect(brought.get_by_role("row", name="Luxor")).to_contain_text("+$5,500")


@pytest.mark.slow
async def test_links_to_unknown_games_and_opponents_show_an_error(page: Page, serve: Serve) -> None:
    address = await serve()
    await page.goto(f"{address}acquire?watch=g-none")
    await expect(page.get_by_role("link", name="Back to the lobby")).to_be_visible()
    await page.goto(f"{address}acquire?play=nobody")
    await expect(page.get_by_role("alert")).to_contain_text("nobody")
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.slow
async def test_a_visitor_can_take_an_open_seat(page: Page, serve: Serve) -> None:
    address = await serve()
    async with client(address, "Bob") as other:
        game = await other.request("create", "created", game="acquire", seats=["open", "me"], seed=3)
        await page.goto(f"{address}acquire?join={game['game_id']}")
        await page.get_by_label("Your name").fill("Ann")
        await page.get_by_role("button", name="Take the seat").click()
        await expect(page.get_by_role("grid", name="Board")).to_be_visible()
        start = await other.receive("start")
        assert "Ann" in [seat["name"] for seat in start["seats"]]


@pytest.mark.slow
async def test_a_seat_survives_a_reload_and_can_be_left(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}acquire")
    await page.get_by_label("Opponent 1").select_option("open")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(page.get_by_text("The game starts when all seats are taken.")).to_be_visible()
    await expect(page.get_by_role("link", name="acquire?join=")).to_be_visible()
    await page.reload()
    await page.get_by_role("button", name="Leave the seat").click()
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_the_page_fits_the_width_on_a_phone_and_in_dark_mode(page: Page, serve: Serve) -> None:
    await begin(page, await serve(), opponents="evolved-net-seven heuristic")
    width = page.viewport_size["width"] if page.viewport_size else 0
    for decisions in (3, 6):
        await play(Clicks(page), decisions)
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Yes, resign").click()
    await expect(page.get_by_role("table", name="Final table")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
