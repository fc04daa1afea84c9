"""What helps newcomers to Advanced Protection: the guide, refusals at once, the summary, own games; and watching."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Serve, client
from tests.browser.protection_hand import Hand
from tests.browser.test_protection import GAME, accepted

BOTH_SIZES = pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
SETTLERS = [{"unit": "settler", "at": [x, 14]} for x in (2, 3, 4)]


@BOTH_SIZES
async def test_each_step_is_explained_once(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, money=150)
    lessons = page.get_by_role("complementary")
    await expect(lessons).to_contain_text("Your first units")
    await hand.place("settler", (2, 13))
    await expect(lessons).to_contain_text("What it costs and what it brings")
    await hand.end_turn()
    await expect(lessons).to_contain_text("The turn is played")
    await hand.go_on()
    await expect(lessons).to_contain_text("Chaos has looked at what you built")
    await lessons.get_by_role("button", name="Skip all").click()
    await expect(lessons).to_have_count(0)
    await page.reload()
    await expect(hand.setup).to_contain_text("Turn 2")
    await expect(lessons).to_have_count(0)
    await page.get_by_role("button", name="Explain the steps").click()
    await expect(lessons).to_contain_text("Chaos has looked at what you built")


@BOTH_SIZES
async def test_units_on_water_and_beyond_the_money_are_refused_at_once(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, human=200)
    alert = page.get_by_role("alert")
    await hand.place("settler", (2, 3))
    await expect(alert).to_have_text("Nothing can be built on water. Choose a square of land.")
    await hand.place("settler", (2, 13), (3, 14))
    await expect(alert).to_contain_text("You have $50 left, and the settler costs $150.")
    await expect(hand.units("settler")).to_have_count(1)
    await expect(hand.figure("treasury")).to_have_text("$50")


async def test_money_of_a_salvaged_unit_cannot_be_spent_twice(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, human=300, money=150)
    await hand.place("settler", (2, 13))
    await hand.end_turn()
    await hand.go_on()
    await hand.place("salvage", (2, 13))
    await expect(hand.figure("refund")).to_have_text("$120")
    for row in (11, 12, 14):
        await hand.draw("drone", (0, row), (23, row))
    await expect(hand.figure("treasury")).to_have_text(re.compile(r"^\$\d\d?$"))
    await page.mouse.move(*await hand.point((2, 13)))
    await hand.setup.get_by_role("button", name="Keep the settler").click()
    await expect(page.get_by_role("alert")).to_have_text(
        "You have spent the $120 for the settler already. Remove a new unit first."
    )
    await expect(hand.board.locator(".token.sold")).to_have_count(1)


async def test_a_turn_without_a_new_unit_is_asked_about_once_in_a_game(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME)
    await hand.setup.get_by_role("button", name="End turn").click()
    await expect(page.get_by_role("alert")).to_contain_text("You have not placed a unit in this turn.")
    await expect(hand.setup).to_contain_text("Turn 1")
    await hand.end_turn()
    await hand.go_on()
    await hand.end_turn()


async def test_resigning_during_a_replay_shows_the_end(serve: Serve, page: Page) -> None:
    page.on("dialog", accepted)
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME)
    await hand.place("settler", (2, 13))
    await hand.end_turn()
    await page.get_by_role("button", name="Resign").click()
    await expect(hand.end).to_contain_text("You resigned.")


@BOTH_SIZES
async def test_a_running_game_can_be_watched_to_its_end(serve: Serve, page: Page) -> None:
    address = await serve()
    async with client(address, "<b>Bob") as other:
        game = await other.request(
            "create", "created", game="protection", seats=["me", "chaos:random"], seed=GAME
        )

        async def build(*place: object) -> None:
            decide = await other.receive("decide")
            action = {"kind": "setup", "place": list(place)}
            await other.send(type="action", re=decide["id"], game_id=game["game_id"], action=action)

        await build(SETTLERS[0])
        decide = await other.receive("decide")
        await page.goto(f"{address}protection?watch={game['game_id']}")
        await expect(page.get_by_role("heading", name="<b>Bob against Chaos (random)")).to_be_visible()
        await expect(page.get_by_role("status")).to_contain_text("<b>Bob plans turn 2.")
        balance = page.get_by_role("region", name="Balance")  # the figures by which the player plans
        await expect(balance.locator(".figure").first).to_have_text("Turn2 of 60")
        await expect(balance.locator(".figure.chaos strong")).to_have_text(
            f"${decide['observation']['chaos_value']:,}"
        )
        await expect(page.get_by_role("button", name="End turn")).to_have_count(0)
        await page.get_by_role("button", name="Show turn 1 again").click()
        await expect(page.get_by_text(re.compile(r"phase \d+ of 50"))).to_be_visible()
        await page.get_by_role("button", name="Back to the map").click()

        action = {"kind": "setup", "place": SETTLERS[1:]}
        await other.send(type="action", re=decide["id"], game_id=game["game_id"], action=action)
        await expect(page.get_by_role("heading", name="Turn 2")).to_be_visible()
        await page.get_by_role("button", name="To the end").click()
        await expect(page.get_by_role("row", name=re.compile("farms made"))).to_be_visible()
        await other.send(type="resign", game_id=game["game_id"])
        await page.get_by_role("button", name="Show the result").click()
        end = page.get_by_role("region", name="The end")
        await expect(end).to_contain_text("The player resigned.")
        await expect(end.get_by_role("table", name="Turns").get_by_role("row")).to_have_count(3)
        await page.reload()
        await expect(end).to_contain_text("Chaos wins")
        width = page.viewport_size["width"] if page.viewport_size else 0
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_a_game_that_cannot_be_watched_says_so(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}protection?watch=g-none")
    await expect(page.get_by_text("This game cannot be watched.")).to_be_visible()
    await page.get_by_role("link", name="Play a game").click()
    await expect(page.get_by_role("heading", name="A new game")).to_be_visible()


@pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)
async def test_the_end_shows_the_turns_and_counts_the_game_once(serve: Serve, page: Page) -> None:
    page.on("dialog", accepted)
    hand = Hand(page)
    await hand.begin(await serve(), game=GAME, chaos="chaos:random")
    for place in ((2, 13), (3, 14)):
        await hand.place("settler", place)
        await hand.end_turn()
        await hand.go_on()
    await page.get_by_role("button", name="Resign").click()
    await expect(hand.end.get_by_role("table", name="Turns").get_by_role("row")).to_have_count(3)
    await expect(hand.end).to_contain_text("The best turn for you was turn")
    await expect(
        hand.end.get_by_text(re.compile("After your 1 settler, it (kept|changed to) string"))
    ).to_be_visible()
    own = page.get_by_role("region", name="Your games")
    await expect(own.get_by_role("row", name="Chaos (random) 1 0 0 %")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await page.reload()
    await expect(own).to_contain_text("You have won 0 of 1 game.")


@BOTH_SIZES
async def test_the_form_says_how_an_opponent_plays_and_remembers_the_choice(serve: Serve, page: Page) -> None:
    hand = Hand(page)
    address = await serve()
    await page.goto(f"{address}protection")
    await page.get_by_label("Opponent").select_option("chaos:random")
    await expect(page.get_by_text("It plays any of its strings")).to_be_visible()
    await expect(page.locator("main")).not_to_contain_text("kamikazee")
    await hand.begin(address, game=GAME, name="Cora", chaos="chaos:seed")
    await expect(page.get_by_role("heading", level=1)).to_contain_text(
        "Cora against Chaos (original of 1999)"
    )
    page.on("dialog", accepted)
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Play again").click()
    await expect(page.get_by_label("Opponent")).to_have_value("chaos:seed")
    await expect(page.get_by_label("Your name")).to_have_value("Cora")
