"""Chess on the page, played as a person plays: with the mouse, with the keyboard, to the end."""

import re

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from core.random import Random
from tests.browser.chess_page import (
    at_rest,
    begin,
    board,
    close_result,
    move,
    moves,
    piece,
    result,
    square,
    status,
)
from tests.browser.conftest import Serve

BEFORE_MATE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
BEFORE_PROMOTION = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
QUICK = "no clock; at most 0.1 seconds a move"


async def test_a_mate_played_by_clicks_ends_the_game(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, "6k1/8/5KQ1/8/8/8/8/7R b - - 0 1", You_play="White", Time=QUICK)
    await move(page, "h1h8")
    await expect(status(page)).to_have_text(re.compile("White played Rh8#. White wins: checkmate."))
    await close_result(page)
    await expect(page.get_by_role("button", name="Resign")).to_be_hidden()
    await expect(page.get_by_label("PGN", exact=True)).to_have_value(
        re.compile(r'\[Result "1-0"\].*Rh8#', re.S)
    )


async def test_ten_moves_can_be_played_from_the_start_position(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, Opponent="random", Time=QUICK)
    rng = Random(8)
    for number in range(1, 11):
        await expect(moves(page)).to_have_count(2 * number - 2)
        position = await board(page)
        plain = [each.uci() for each in position.legal_moves if not each.promotion]
        await move(page, plain[rng.below(len(plain))])
        await expect(moves(page)).to_have_count(2 * number)
    await expect(page.get_by_text(re.compile(r"^[\d,]+ positions$"))).to_be_visible()
    await at_rest(page)
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Really resign?").click()
    await expect(status(page)).to_contain_text("Black wins: White resigns.")


@pytest.mark.slow
async def test_moves_can_be_entered_by_keyboard_alone(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await expect(status(page)).to_have_text("Your move.")
    await page.get_by_label("Your move").focus()
    await page.keyboard.type("Nf3")
    await page.keyboard.press("Enter")
    await expect(status(page)).to_contain_text("Black played")
    await at_rest(page)
    await page.get_by_role("application", name="Chessboard").focus()
    for key in ("ArrowRight",) * 4 + ("ArrowUp", "Enter", "ArrowUp", "ArrowUp", "Enter"):
        await page.keyboard.press(key)
    await expect(moves(page)).to_have_count(4)
    await expect(moves(page).nth(2)).to_have_text("e4")


@pytest.mark.slow
async def test_a_pawn_promotes_to_the_chosen_piece(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, BEFORE_PROMOTION, Time=QUICK)
    await move(page, "a7a8")
    await page.get_by_role("button", name="Rook").click()
    await expect(moves(page).first).to_have_text("a8=R+")
    await expect(piece(page, "a8", "wr")).to_have_count(1)
    await expect(piece(page, "a8", "wp")).to_have_count(0)


@pytest.mark.slow
async def test_a_promotion_can_be_cancelled(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, BEFORE_PROMOTION, Time=QUICK)
    await move(page, "a7a8")
    await expect(page.get_by_role("button", name="Queen")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(piece(page, "a7", "wp")).to_have_count(1)
    await expect(piece(page, "a8", "wp")).to_have_count(0)
    await expect(moves(page)).to_have_count(0)


@pytest.mark.slow
async def test_a_game_survives_a_reload(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, Opponent="handset", Time="clock: 1 minute")
    await move(page, "e2e4")
    await expect(moves(page)).to_have_count(2)
    played = await moves(page).all_text_contents()
    await page.reload()
    await expect(moves(page)).to_have_count(2)
    await expect(page.locator(".clock.runs")).to_have_text(re.compile("0:5[0-9]"))
    assert await moves(page).all_text_contents() == played
    await expect(page.get_by_role("heading", name="The genome “handset”")).to_be_visible()
    await move(page, "d2d4")
    await expect(moves(page)).to_have_count(4)
    await page.get_by_role("button", name="Take back").click()
    await expect(moves(page)).to_have_count(2)


@pytest.mark.slow
async def test_a_link_of_the_lobby_leads_to_a_game_with_its_genome(page: Page, serve: Serve) -> None:
    address = await serve()
    for genome, count in (("handset", 0), ("unevolved", 0), ("unevolved", 2)):
        await page.goto(f"{address}chess?genome={genome}")
        await expect(page.get_by_role("heading", name=f"The genome “{genome}”")).to_be_visible()
        await expect(moves(page)).to_have_count(count)
        await move(page, "e2e4" if not count else "d2d4")
        await expect(moves(page)).to_have_count(count + 2)


@pytest.mark.slow
async def test_the_genome_accepts_a_draw_only_in_a_lost_position(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, "7k/7p/8/8/8/8/Q7/K7 w - - 0 1", You_play="Black", Time=QUICK)
    await expect(status(page)).to_contain_text("Your move")
    await page.get_by_role("button", name="Offer a draw").click()
    await expect(status(page)).to_contain_text("The genome declines the draw.")
    await begin(page, "k7/q7/8/8/8/8/7P/7K w - - 0 1", You_play="Black", Time=QUICK)
    await expect(status(page)).to_contain_text("Your move")
    await page.get_by_role("button", name="Offer a draw").click()
    await expect(status(page)).to_contain_text("A draw: by agreement.")
    await expect(result(page)).to_contain_text("A draw")


@pytest.mark.slow
async def test_either_side_can_claim_a_fifty_move_draw(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, "k7/8/8/8/8/8/7R/K7 w - - 99 80", Time=QUICK)
    await move(page, "h2h3")
    await expect(status(page)).to_contain_text("A draw: claimed: fifty moves")
    await close_result(page)
    await begin(page, "k7/8/8/8/8/8/7R/K7 b - - 99 80", Time=QUICK)
    await expect(status(page)).to_contain_text("Your move.")
    await page.get_by_role("button", name="Claim the draw").click()
    await expect(status(page)).to_contain_text("A draw: claimed: fifty moves")


async def cut_first_search(page: Page) -> list[str]:
    """The connection of the first search is lost; the searches that are asked for."""
    asked: list[str] = []

    async def cut(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        async def on_message(line: str | bytes) -> None:
            if str(line).startswith("go"):
                asked.append(str(line))
            if asked == [line]:
                await route.close()
            else:
                server.send(line)

        route.on_message(on_message)

    await page.route_web_socket("**/ws", cut)
    return asked


@pytest.mark.slow
async def test_a_lost_connection_is_reopened_and_the_search_repeated(page: Page, serve: Serve) -> None:
    asked = await cut_first_search(page)
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await expect(moves(page)).to_have_count(2)
    assert asked == ["go movetime 100"] * 2


@pytest.mark.slow
async def test_a_search_cancelled_during_a_lost_connection_is_not_repeated(page: Page, serve: Serve) -> None:
    asked = await cut_first_search(page)
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await page.get_by_role("button", name="Take back").click()
    await page.wait_for_timeout(1500)  # milliseconds; more than until the next try
    assert asked == ["go movetime 100"]
    await move(page, "d2d4")
    await expect(moves(page)).to_have_count(2)


async def test_placement_bonuses_of_a_genome_are_drawn_as_boards(page: Page, serve: Serve) -> None:
    """Of those that have the gene: a board for each kind of piece and phase, with as many squares as it may stand on."""
    address = await serve()
    await page.goto(f"{address}chess?genome=evolved")
    knight = page.get_by_role(
        "img", name=re.compile(r"Knight, endgame: [\u2212+]\d\.\d\d to [\u2212+]\d\.\d\d pawns")
    ).first  # the others show what the kings' wings change
    await expect(knight).to_be_visible()
    await expect(knight.locator("rect")).to_have_count(64)
    await expect(page.locator(".squares svg")).to_have_count(34)
    await expect(page.get_by_role("img", name="Pawn, opening").first.locator("rect")).to_have_count(48)
    titles = await knight.locator("title").all_text_contents()
    bonus = {title[:2]: title[3:] for title in titles}
    assert bonus["c3"] == bonus["f3"] and len(bonus) == 64
    await page.goto(f"{address}chess?genome=unevolved")
    await expect(page.get_by_role("heading", name="The genome “unevolved”")).to_be_visible()
    await expect(page.locator(".squares")).to_have_count(0)


@pytest.mark.slow
async def test_two_genomes_play_each_other(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    choices = {"Player_of_White": "handset", "Player_of_Black": "unevolved"}
    await page.get_by_role("combobox", name="You play").select_option(label="neither: watch")
    await begin(page, "8/8/8/8/8/2k5/1q6/K7 w - - 0 1", Time=QUICK, **choices)
    await expect(status(page)).to_contain_text("Black wins: checkmate.")
    await begin(page, Time=QUICK, **choices)
    await expect(moves(page).nth(3)).to_be_visible()
    await page.get_by_role("button", name="Pause").click()
    await expect(status(page)).to_contain_text("Paused.")
    await moves(page).first.click()
    await expect(status(page)).to_contain_text("An earlier position")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone", "dark"], indirect=True)
async def test_the_page_fits_the_width_on_a_phone_and_in_dark_mode(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await move(page, "e2e4")
    await expect(moves(page)).to_have_count(2)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await square(page, "e4").is_visible()
