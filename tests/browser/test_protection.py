"""Advanced Protection in a browser, played as people play it."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Dialog, Page, WebSocketRoute, expect

from tests.browser.conftest import Serve
from tests.browser.protection_hand import Hand

# `serve` comes before `page`, which is to be closed first.
GAME = 7  # with wetlands from 2, 13 to 6, 14, and peaks at 7, 8
MOST_TURNS = 9


async def test_a_whole_game_can_be_played_by_clicks(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, name="Ann", chaos="chaos:random", human=1000, money=108)
    turns = 1
    while True:
        row = 11 + turns
        await hand.draw("drone", (1, row), (9, row))
        await hand.end_turn()
        await page.get_by_role("button", name="To the end").click()
        await expect(page.get_by_role("row", name=re.compile("farms made"))).to_be_visible()
        if not await hand.go_on():
            break
        turns += 1
        assert turns <= MOST_TURNS
    assert turns > 1
    await expect(hand.end.get_by_role("heading", name="You win")).to_be_visible()
    await expect(hand.end).to_contain_text("Chaos surrenders")
    await expect(hand.end).to_contain_text(f"You won after {turns} turns.")
    await expect(hand.end.get_by_role("row", name="games you won 1")).to_be_visible()
    await hand.end.get_by_role("button", name="turn 1: ").click()
    await expect(hand.end.locator(".story")).to_contain_text("Bought: ")
    await page.get_by_role("button", name="Show turn 1 again").click()
    await expect(page.get_by_text(re.compile(r"phase \d+ of 50"))).to_be_visible()
    await hand.go_on()
    await page.get_by_role("button", name="Play again").click()
    await expect(page.get_by_role("heading", name="A new game")).to_be_visible()


async def test_a_whole_game_can_be_played_by_keys_alone(serve: Serve, page: Page) -> None:
    press = page.keyboard.press
    await page.goto(f"{await serve()}protection")
    await page.get_by_label("Your name").focus()
    for keys in ("Tab", "Tab", "Tab", "Tab", "Enter", "Tab", "Tab", "Tab"):  # past Start, into the terms
        await press(keys)
    await page.keyboard.type("7")
    for money in ("150", "2900"):
        await press("Tab")
        await page.keyboard.type(money)
    await press("Enter")
    hand = Hand(page)
    await expect(hand.board).to_be_focused()
    for _ in range(MOST_TURNS):
        await press("f")
        for key in ("ArrowLeft", "ArrowUp", "Enter", "d", "ArrowRight", "Enter", "ArrowUp", "Enter"):
            await press(key)
        await press("Backspace")
        await press("Control+z")
        await press("Control+z")
        await press("Control+Enter")
        await expect(hand.go).to_be_focused()
        await press("Enter")
        await expect(hand.setup.or_(hand.end)).to_be_visible()
        if await hand.end.is_visible():
            break
    await expect(hand.end).to_be_focused()
    await expect(hand.end.get_by_role("heading", name="Chaos wins")).to_be_visible()
    await press("Tab")
    await press("Enter")
    await expect(page.get_by_role("heading", name="A new game")).to_be_visible()


@pytest.mark.slow
async def test_the_setup_shows_its_income_and_refuses_what_cannot_be(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, human=600)
    await hand.carry("settler", (2, 13))
    await expect(hand.figure("income")).to_have_text("$5")
    await hand.draw("drone", (3, 14), (6, 14))
    await expect(hand.units("drone")).to_have_count(4)
    await expect(hand.figure("treasury")).to_have_text("$370")
    await page.get_by_role("button", name="Undo").click()
    await expect(hand.units("drone")).to_have_count(0)
    await page.get_by_role("button", name="Redo").click()
    await expect(hand.units("drone")).to_have_count(4)

    alert = page.get_by_role("alert")
    await hand.place("armor", (7, 8))
    await expect(alert).to_have_text("Nothing can be built on peaks. Choose a square of land.")
    await hand.place("artillery", (8, 13))
    await expect(alert).to_contain_text("You have $370 left, and the artillery costs $400.")
    await expect(hand.units("armor").or_(hand.units("artillery"))).to_have_count(0)
    await expect(hand.figure("treasury")).to_have_text("$370")

    await page.get_by_label("Show on the map").select_option("income of a unit")
    await expect(hand.board.locator(".income text").first).to_be_visible()
    await hand.end_turn()


@pytest.mark.slow
async def test_a_game_continues_after_a_reload(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME)
    await hand.place("infantry", (2, 13))
    await hand.end_turn()
    await hand.go_on()
    await hand.draw("farmer", (3, 14), (5, 14))
    worth = await page.locator(".figure.human").inner_text()
    await page.reload()
    await expect(hand.setup).to_contain_text("Turn 2")
    await expect(hand.units("farmer")).to_have_count(3)
    await expect(page.locator(".figure.human")).to_have_text(worth.replace("\n", ""))
    page.on("dialog", accepted)
    await page.get_by_role("button", name="Resign").click()
    await expect(hand.end).to_contain_text("You resigned")
    await page.reload()
    await expect(hand.end).to_contain_text("How Chaos played")


@pytest.mark.slow
async def test_surviving_units_can_be_salvaged(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, money=150)
    await hand.place("settler", (2, 13))
    await hand.end_turn()
    await hand.go_on()
    await hand.choose("drone")
    await page.mouse.click(*await hand.point((2, 13)))
    await hand.setup.get_by_role("button", name="Salvage for $120").click()
    await expect(hand.figure("refund")).to_have_text("$120")
    await hand.setup.get_by_role("button", name="Keep the settler").click()
    await expect(hand.figure("refund")).to_have_text("$0")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_the_page_fits_the_width_on_a_phone_and_in_dark_mode(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME)
    await hand.choose("settler")
    x, y = await hand.point((2, 13))
    if await page.evaluate("navigator.maxTouchPoints > 0"):
        await page.touchscreen.tap(x, y)
    else:
        await page.mouse.click(x, y)
    await expect(hand.units("settler")).to_have_count(1)
    await hand.end_turn()
    await page.get_by_text("The rules, with an example").click()
    await expect(page.get_by_role("heading", name="Example: a farm and a fight")).to_be_visible()
    width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


@pytest.mark.slow
async def test_reduced_motion_shows_the_turn_as_still_pictures(serve: Serve, page: Page) -> None:
    await page.emulate_media(reduced_motion="reduce")
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME)
    await hand.end_turn(is_empty=True)
    await expect(page.get_by_text("phase 0 of 50")).to_be_visible()
    await page.get_by_role("button", name="One phase forward").click()
    await expect(page.get_by_text("phase 1 of 50")).to_be_visible()
    await page.get_by_label("Phase", exact=True).press("End")
    await expect(page.get_by_role("row", name=re.compile("farms made"))).to_be_visible()


@pytest.mark.slow
async def test_the_page_counts_all_games_of_a_named_player(serve: Serve, page: Page, tmp_path: Path) -> None:
    address = await serve("--profiles", str(tmp_path))
    page.on("dialog", accepted)
    hand = Hand(page)
    for _ in range(2):
        await hand.begin(address, game=GAME, name="Ann")
        await page.get_by_role("button", name="Resign").click()
        await page.get_by_role("row", name=re.compile("games you lost")).wait_for()
        await page.get_by_role("button", name="Play again").click()
        await expect(page.get_by_role("heading", name="A new game")).to_be_visible()
    await hand.begin(address, game=GAME, name="Ann")
    await page.get_by_role("button", name="Resign").click()
    await expect(page.get_by_role("row", name="games you lost 2 3")).to_be_visible()


@pytest.mark.slow
async def test_a_player_agrees_to_be_studied_until_the_answer_is_no(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    """The answer "as before" repeats the last one, which the record of each game has."""
    profiles, records = tmp_path / "profiles", tmp_path / "records"
    address = await serve("--profiles", str(profiles), "--records", str(records))
    page.on("dialog", accepted)
    seen: set[Path] = set()
    for answer, agrees in (("yes", True), ("", True), ("no", False), ("", False)):
        await page.goto(f"{address}protection")
        await page.get_by_label("Your name").fill("Ann")
        await page.get_by_label("Difficulty").select_option("hard")
        await page.get_by_text("A study of players").click()
        await page.get_by_label("May your games be studied?").select_option(answer)
        await page.get_by_role("button", name="Start").click()
        await page.get_by_role("button", name="Resign").click()
        await page.get_by_role("row", name=re.compile("games you lost")).wait_for()
        (record,) = set(records.glob("*.jsonl")) - seen
        seen.add(record)
        options = json.loads(record.read_text().splitlines()[0])["options"]
        assert (options.get("study") is True, options["target"]) == (agrees, "hard")
        await page.get_by_role("button", name="Play again").click()
        await expect(page.get_by_role("heading", name="A new game")).to_be_visible()


@pytest.mark.slow
async def test_a_profile_of_other_rules_is_reset_after_confirmation(serve: Serve, page: Page) -> None:
    """The server's reason decides, not the words of its message."""
    reset: list[bool] = []

    async def refuse(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def on_message(text: str | bytes) -> None:
            line = json.loads(text)
            if line["type"] == "create":
                reset.append(line["options"]["reset"])
            if reset == [False]:
                data = {"path": "$.options.profile", "reason": "needs_reset"}
                refusal = {
                    "type": "error",
                    "re": line["id"],
                    "code": "invalid_params",
                    "message": "no",
                    "data": data,
                }
                route.send(json.dumps(refusal))
            else:
                server.send(text)

        route.on_message(on_message)

    await page.route_web_socket("**/ws", refuse)
    page.on("dialog", accepted)
    await Hand(page).begin(await serve(), game=GAME, name="Ann")
    assert reset == [False, True]


async def test_a_hostile_name_is_refused_and_not_executed(serve: Serve, page: Page) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    await page.goto(f"{await serve()}protection")
    await page.get_by_label("Your name").fill("<img src=x onerror=alert(1)>")
    await page.get_by_role("button", name="Start").click()
    await expect(page.get_by_role("alert")).to_contain_text("a user's name is")
    assert not dialogs
    await expect(page.locator("img")).to_have_count(0)


async def accepted(dialog: Dialog) -> None:
    await dialog.accept()
