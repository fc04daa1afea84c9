"""What chess players are used to: levels, a result dialogue, ways through the moves, premoves, drawings, analysis, links."""

import asyncio
import re
from urllib.parse import quote, urlsplit

import pytest
from playwright.async_api import Page, Route, WebSocketRoute, expect

from tests.browser.chess_page import (
    at_rest,
    begin,
    close_result,
    fen,
    move,
    moves,
    open_text,
    piece,
    result,
    square,
    status,
)
from tests.browser.conftest import Serve

QUICK = "no clock; at most 0.1 seconds a move"
RUY_LOPEZ = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6"
BEFORE_MATE = "6k1/8/5KQ1/8/8/8/8/7R b - - 0 1"
MAX_SCRIPT_BYTES = 150_000
every_size = pytest.mark.parametrize("page", ["phone", "wide", "dark"], indirect=True)
both_sizes = pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)


async def sent_lines(page: Page) -> list[str]:
    """The lines that the page sends to engines, as they come."""
    sent: list[str] = []

    def watch(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def on_message(line: str | bytes) -> None:
            sent.append(str(line))
            server.send(line)

        route.on_message(on_message)

    await page.route_web_socket("**/ws", watch)
    return sent


async def held_moves(page: Page) -> asyncio.Event:
    """Hold back the engine's moves until the event is set."""
    released = asyncio.Event()
    waiting: list[asyncio.Task[None]] = []

    async def pass_on(route: WebSocketRoute, line: str | bytes) -> None:
        await released.wait()
        route.send(line)

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)

        def on_message(line: str | bytes) -> None:
            if str(line).startswith("bestmove"):
                waiting.append(asyncio.create_task(pass_on(route, line)))
            else:
                route.send(line)

        server.on_message(on_message)

    await page.route_web_socket("**/ws", hold)
    return released


# -- Levels and the form -----------------------------------------------------------------------------


async def test_levels_have_names_and_elo_and_the_choice_is_remembered(page: Page, serve: Serve) -> None:
    sent = await sent_lines(page)
    await page.goto(f"{await serve()}chess")
    level = page.get_by_role("combobox", name="Level")
    assert await level.locator("option:checked").text_content() == "Beginner, about 800 Elo"
    await level.select_option(label="Club player, about 1660 Elo")
    await expect(page.get_by_text("Measured against Stockfish: 1660 Elo, give or take 85.")).to_be_visible()
    await expect(
        page.get_by_text("300 positions before a move. Then it moves, even if it has more time;")
    ).to_be_visible()
    genes = page.get_by_role("table", name="Genes with values of their own")
    await expect(genes.get_by_role("row", name=re.compile("^Squares 368 "))).to_be_visible()
    await expect(genes.get_by_role("row")).to_have_count(19)
    await page.get_by_role("combobox", name="Opponent").select_option("handset")
    await page.reload()
    assert await level.locator("option:checked").text_content() == "Beginner, about 800 Elo"
    await expect(moves(page)).to_have_count(0)
    await page.evaluate("localStorage.removeItem('galapagos-chess')")  # the game, but not the form
    await page.reload()
    assert await level.locator("option:checked").text_content() == "Club player, about 1660 Elo"
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await expect(moves(page)).to_have_count(2)
    assert {"setoption name Genome value handset", "setoption name UCI_Elo value 1660"} <= set(sent)


@pytest.mark.slow
async def test_a_game_of_an_earlier_version_of_the_page_goes_on(page: Page, serve: Serve) -> None:
    """Its evaluations are there too, each with the position that it belongs to."""
    address = await serve()
    await page.goto(f"{address}chess")
    stored = (
        '{"settings":{"side":"w","white":"evolved","black":"evolved","time":"quick","strength":100},"game":{'
        '"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["e2e4","e7e5","g1f3","b8c6"],'
        '"notes":[null,{"score":"+0.20","pawns":0.2,"depth":9},null,{"score":"+1.40","pawns":1.4,"depth":8}],'
        '"end":null,"date":"2026.11.24"},"left":null}'
    )
    await page.evaluate("text => localStorage.setItem('galapagos-chess', text)", stored)
    await page.reload()
    await expect(moves(page)).to_have_text(["e4", "e5", "Nf3", "Nc6"])
    await expect(page.locator(".player").first).to_contain_text("full strength")
    await expect(page.locator(".score")).to_have_text("+1.40")
    await moves(page).nth(1).click()
    await expect(page.locator(".score")).to_have_text("+0.20")
    await expect(page.locator(".curve .here")).to_have_count(1)
    await moves(page).nth(3).click()
    await move(page, "f1b5")
    await expect(moves(page)).to_have_count(6)


# -- The end of a game -------------------------------------------------------------------------------


@both_sizes
async def test_the_end_of_a_game_offers_a_rematch_with_the_other_colour(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, BEFORE_MATE, Time=QUICK)
    await move(page, "h1h8")
    await expect(result(page).get_by_role("heading")).to_have_text("You have won")
    await expect(result(page)).to_contain_text("Checkmate.")
    await result(page).get_by_role("button", name="Rematch").click()
    await expect(result(page)).to_be_hidden()
    await expect(page.locator(".player").last).to_contain_text("YouBlack")
    await expect(moves(page)).to_have_count(1)
    await page.get_by_role("heading", name="Your games").click()
    await expect(page.get_by_text("1 game: 1 won, 0 lost, 0 drawn.")).to_be_visible()
    await page.get_by_role("list", name="Your games").get_by_role("button").first.click()
    await expect(moves(page)).to_have_text(["Kf8", "Rh8#"])
    await expect(status(page)).to_contain_text("White wins: checkmate.")


@pytest.mark.slow
async def test_a_finished_game_can_be_analysed_and_deleted(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await expect(moves(page)).to_have_count(2)
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("button", name="Really resign?").click()
    await expect(result(page).get_by_role("heading")).to_have_text("You have lost")
    await result(page).get_by_role("button", name="Analyse the game").click()
    await expect(status(page)).to_contain_text("Analysis.")
    await page.get_by_role("heading", name="Your games").click()
    await page.get_by_role("button", name=re.compile("Delete the game of")).click()
    await expect(page.get_by_text("Games that you finish appear here.")).to_be_visible()
    await page.reload()
    await expect(status(page)).to_contain_text("Black wins: White resigns.")
    await expect(result(page)).to_be_hidden()


# -- Ways through the moves --------------------------------------------------------------------------


async def test_keys_buttons_and_the_wheel_go_through_the_moves(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await open_text(page, RUY_LOPEZ)
    current = page.locator(".moves [aria-current]")
    await expect(current).to_have_text("dxc6")
    await expect(page.get_by_role("button", name="Next move")).to_be_disabled()
    await page.get_by_role("button", name="Previous move").click()
    await expect(current).to_have_text("Bxc6")
    await page.get_by_role("button", name="First position").click()
    await expect(current).to_have_count(0)
    await expect(fen(page)).to_have_value(re.compile("^rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"))
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await expect(current).to_have_text("e5")
    await page.keyboard.press("End")
    await expect(current).to_have_text("dxc6")
    await square(page, "e5").hover()
    await page.mouse.wheel(0, -100)
    await expect(current).to_have_text("Bxc6")
    await page.mouse.wheel(0, 100)
    await expect(current).to_have_text("dxc6")
    await square(page, "a4").click()  # the board has the focus, but its cursor is not used
    await page.keyboard.press("Home")
    await expect(current).to_have_count(0)


# -- What is shown beside the board ------------------------------------------------------------------


@both_sizes
async def test_evaluation_captured_pieces_and_the_opening_are_shown(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    bar = page.get_by_role("img", name=re.compile("^Evaluation: "))
    await expect(bar).to_have_attribute("aria-label", "Evaluation: no evaluation yet")
    await open_text(page, RUY_LOPEZ)
    await expect(page.get_by_text("Ruy Lopez, Exchange Variation")).to_be_visible()
    captured = page.get_by_role("img", name=re.compile("has captured"))
    await expect(captured.last).to_have_attribute("aria-label", "has captured 1 knight")
    await expect(captured.first).to_have_attribute("aria-label", "has captured 1 bishop")
    await expect(bar).to_have_attribute("aria-label", re.compile(r"(White|Black|equal).*[+\u2212]\d"))
    await open_text(page, "1. e4 d5 2. exd5")
    await expect(captured.last).to_have_attribute("aria-label", "has captured 1 pawn; 1 ahead in material")
    switch = page.get_by_role("button", name="Evaluation bar")
    await switch.click()
    await expect(bar).to_be_hidden()
    await page.reload()
    await expect(switch).to_have_attribute("aria-pressed", "false")
    await expect(bar).to_be_hidden()


async def test_sounds_play_unless_they_are_switched_off(page: Page, serve: Serve) -> None:
    await page.add_init_script("""
        window.tones = 0;
        const create = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { window.tones++; return create.call(this); };
    """)
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await expect(moves(page)).to_have_count(2)
    played = await page.evaluate("tones")
    assert played >= 2
    await page.get_by_role("button", name="Sound").click()
    await move(page, "d2d4")
    await expect(moves(page)).to_have_count(4)
    assert await page.evaluate("tones") == played


# -- Moves in advance, drawings ----------------------------------------------------------------------


@both_sizes
async def test_a_premove_is_played_when_the_engine_has_moved(page: Page, serve: Serve) -> None:
    released = await held_moves(page)
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await expect(status(page)).to_contain_text("Black is thinking.")
    await at_rest(page)
    await square(page, "d2").click()
    await square(page, "d4").click()
    await expect(status(page)).to_contain_text("Your premove is d2–d4")
    await expect(page.locator(".marker-premove")).to_have_count(2)
    await expect(piece(page, "d2", "wp")).to_have_count(1)
    released.set()
    await expect(moves(page)).to_have_count(4)
    await expect(moves(page).nth(2)).to_have_text("d4")
    await expect(page.locator(".marker-premove")).to_have_count(0)


@pytest.mark.slow
async def test_a_premove_can_be_taken_back_or_be_impossible(page: Page, serve: Serve) -> None:
    released = await held_moves(page)
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await at_rest(page)
    await page.get_by_label("Your move").fill("d4")
    await page.get_by_role("button", name="Move", exact=True).click()
    await expect(status(page)).to_contain_text("Your premove is d4")
    await page.keyboard.press("Escape")
    await expect(status(page)).not_to_contain_text("premove")
    await square(page, "f1").click()
    await square(page, "h3").click()
    await square(page, "h3").click(button="right")
    await expect(status(page)).not_to_contain_text("premove")
    await square(page, "d1").click()
    await square(page, "d8").click()
    await expect(status(page)).to_contain_text("Your premove is d1–d8")
    released.set()
    await expect(status(page)).to_contain_text("Your premove was not possible.")
    await expect(moves(page)).to_have_count(2)


async def test_the_right_button_draws_arrows_and_circles(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await expect(status(page)).to_have_text("Your move.")
    arrows, circles = page.locator(".drawings line"), page.locator(".drawings circle")
    await square(page, "e5").click(button="right")
    await expect(circles).to_have_count(1)
    await square(page, "g1").hover()
    await page.mouse.down(button="right")
    await square(page, "f3").hover()
    await page.mouse.up(button="right")
    await expect(arrows).to_have_count(1)
    line, head = await arrows.bounding_box(), await square(page, "f3").bounding_box()
    assert line and head and head["x"] < line["x"] + line["width"] / 2 < head["x"] + 2 * head["width"]
    await square(page, "e5").click(button="right")
    await expect(circles).to_have_count(0)
    await page.get_by_role("button", name="Flip the board").click()
    await expect(arrows).to_have_count(1)
    await square(page, "a5").click()
    await expect(arrows).to_have_count(0)


# -- Analysis ----------------------------------------------------------------------------------------


@both_sizes
async def test_the_analysis_board_shows_the_best_lines(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await open_text(page, "1. f3 e5 2. g4")
    lines = page.get_by_role("list", name="Best lines").get_by_role("button")
    await expect(lines).to_have_count(3)
    await expect(lines.first).to_have_text(re.compile(r"^\u2212M1.*Qh4#"))
    await expect(page.locator(".drawings .best")).to_have_count(1)
    await lines.first.click()
    await expect(moves(page)).to_have_text(["f3", "e5", "g4", "Qh4#"])
    await page.get_by_role("button", name="Undo my moves").click()
    await expect(moves(page)).to_have_text(["f3", "e5", "g4"])
    await moves(page).nth(0).click()
    await at_rest(page)
    await square(page, "d7").click()
    await square(page, "d5").click()
    await expect(moves(page)).to_have_text(["f3", "d5"])
    await page.get_by_role("button", name="Play a game yourself").click()
    await expect(status(page)).to_have_text("Your move.")
    await expect(lines.first).to_be_hidden()


async def test_the_analysis_finds_the_mistakes_of_a_game(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await open_text(page, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 f6 5. Qh5+ g6")
    await page.get_by_role("button", name="Find the mistakes").click()
    await expect(status(page)).to_contain_text(re.compile(r"Black: .*blunder"))
    await expect(moves(page).nth(7)).to_have_text("f6??")
    await expect(moves(page).nth(0)).to_have_text("e4")
    await expect(page.get_by_role("list", name="Best lines").get_by_role("button")).to_have_count(3)


@both_sizes
async def test_genes_explain_a_move(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await open_text(page, "1. e4 d5 2. exd5")
    await page.get_by_role("heading", name="Which gene wants what").click()
    await expect(
        page.get_by_text(re.compile(r"^For its side, exd5 changed most: .*Material Pairs \+"))
    ).to_be_visible()
    row = page.get_by_role("row", name=re.compile("^Total Force the values of the pieces"))
    await expect(row).to_contain_text(re.compile(r"\+[0-9.]+"))
    await expect(row.locator(".bar")).to_have_count(2)
    await page.get_by_role("button", name="First position").click()
    await expect(page.get_by_text("The position before the first move.")).to_be_visible()


async def test_the_squares_of_the_board_show_what_they_are_worth_to_a_piece(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess?genome=evolved")
    choice = page.get_by_role("combobox", name="Colour the squares of the board by the bonus of a piece")
    usual = await square(page, "c3").evaluate("square => getComputedStyle(square).fill")
    await choice.select_option(label="Knight, opening")
    colour = "square => getComputedStyle(square).fill"
    coloured = await square(page, "c3").evaluate(colour)
    assert coloured != usual
    assert await square(page, "f3").evaluate(colour) == coloured
    assert await square(page, "a1").evaluate(colour) != coloured
    await page.get_by_role("button", name="Flip the board").click()
    await expect(page.locator(".player").last).to_contain_text("evolved")
    assert await square(page, "c6").evaluate(colour) == coloured
    await choice.select_option(label="not at all")
    assert await square(page, "c3").evaluate(colour) == usual


# -- Games and positions as text ---------------------------------------------------------------------


@both_sizes
async def test_a_link_opens_a_game_for_others(page: Page, serve: Serve) -> None:
    address = await serve()
    await page.goto(f"{address}chess")
    await open_text(page, f'[White "Ann"]\n[Black "<b>Bob</b>"]\n[Result "0-1"]\n\n{RUY_LOPEZ} 0-1')
    link = await page.get_by_label("A link to this game").input_value()
    await page.get_by_role("button", name="Copy the link").click()
    await expect(page.get_by_role("button", name=re.compile("^Copied|^Selected"))).to_be_visible()
    assert urlsplit(link).fragment.startswith("pgn=") and len(link) < 500
    await page.goto("about:blank")
    await page.goto(link)
    await expect(moves(page)).to_have_count(8)
    await expect(status(page)).to_contain_text("Black wins")
    await expect(page.locator(".player").first).to_contain_text("<b>Bob</b>")
    await expect(page.locator(".player").last).to_contain_text("Ann")
    assert page.url == f"{address}chess"
    await page.get_by_role("button", name="Play a game yourself").click()  # there is none to go back to
    await expect(status(page)).to_have_text("Your move.")
    await page.get_by_role("textbox", name="Your move").fill("e4")
    await page.keyboard.press("Enter")
    await page.evaluate("location.hash = '#fen=' + encodeURIComponent('8/8/8/8/8/4k3/4p3/4K3 w - - 0 1')")
    await expect(status(page)).to_contain_text("A draw: stalemate.")
    await expect(page.get_by_role("button", name="Back to your game")).to_be_visible()
    await page.goto(f"{address}chess#pgn={quote('1. e5')}")
    await expect(page.get_by_text("Move 1 of White, “e5”, is not possible")).to_be_visible()


async def test_faults_of_positions_and_games_are_explained(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    faults = {
        "nonsense": "neither a position (FEN) nor a game with moves (PGN)",
        "8/8/8/8/8/8/8/8 w - - 0 1": "White has no king.",
        "k7/8/8/8/8/8/8/KK6 w - - 0 1": "White has 2 kings.",
        "k7/8/8/8/8/8/8/K8 w - - 0 1": "Rank 1 of the position describes 9 squares instead of 8.",
        "k7/8/8/8/8/8/K7 w - - 0 1": "this one has 7",
        "k7/8/8/3x4/8/8/8/K7 w - - 0 1": "Rank 5 of the position has “x”.",
        "k6P/8/8/8/8/8/8/K7 w - - 0 1": "There is a pawn on rank 8",
        "k7/8/8/8/8/8/8/K7 x - - 0 1": "w or b",
        "k7/8/8/8/8/8/R7/K7 w - - 0 1": "Black is in check, but White is to move.",
        "1. e4 e5 2. Ke3": "Move 2 of White, “Ke3”, is not possible",
        "1. e4 e5 2. Nf3 Nf3": "Move 2 of Black, “Nf3”, is not possible",
    }
    fault = page.get_by_role("form", name="Open a position or a game").get_by_role("alert")
    for text, reason in faults.items():
        await open_text(page, text)
        await expect(fault).to_contain_text(reason)
        await expect(status(page)).to_have_text("Your move.")


async def test_unusual_positions_and_games_are_read(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    positions = {
        f"{start}": f"{start} w - - 0 1",
        "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 4 8": "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 4 8",
        "k7/8/8/8/8/8/8/K7 b KQkq e3 190 5": "k7/8/8/8/8/8/8/K7 b - - 190 5",
    }
    for text, read in positions.items():
        await open_text(page, text)
        await expect(fen(page)).to_have_value(read)
    games = {
        "1.e4 e5 2.Nf3! {good (very)} (2. f4 exf4 (2... d5)) 2... Nc6?! $6 3.Bc4 ; the Italian\nBc5 4. 0-0 *": 7,
        '[Event "x"]\r\n[FEN "7k/8/8/8/8/8/P7/K7 w - - 0 1"]\r\n\r\n1. a4 Kg8 1/2-1/2': 2,
        "1. e2e4 e7e5 {never closed": 2,
    }
    for text, count in games.items():
        await open_text(page, text)
        await expect(moves(page)).to_have_count(count)
    await open_text(page, "1. e4 {+0.31/9} e5 {-M5/11} 2. Nf3")
    await expect(page.get_by_label("PGN", exact=True)).to_have_value(
        re.compile(r"1\. e4 \{\+0\.31/9\} e5 \{-M5/11\} 2\. Nf3")
    )


@pytest.mark.slow
async def test_the_pgn_of_a_game_can_be_read_by_other_programs(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    for number, text in enumerate(("e2e4", "d2d4", "b1c3"), 1):
        await move(page, text)
        await expect(moves(page)).to_have_count(2 * number)
    pgn = await page.get_by_label("PGN", exact=True).input_value()
    assert "\u2212" not in pgn
    assert not re.search(r"\}\S", pgn) and max(map(len, pgn.splitlines())) <= 80
    assert len(re.findall(r"\{[+-]\S+/\d+\}", pgn)) == 3


# -- The page ----------------------------------------------------------------------------------------


async def test_the_scripts_of_the_page_are_small(page: Page, serve: Serve) -> None:
    sizes: dict[str, int] = {}

    async def measure(route: Route) -> None:
        answer = await route.fetch()
        sizes[route.request.url] = len(await answer.body())
        await route.fulfill(response=answer)

    await page.route(re.compile(r"/static/(?!.*vendor/).*\.js$"), measure)
    await page.goto(f"{await serve()}chess")
    await begin(page, Time=QUICK)
    await move(page, "e2e4")
    await expect(page.locator(".opening-name")).not_to_be_empty()
    assert len(sizes) > 20
    assert sum(sizes.values()) < MAX_SCRIPT_BYTES


@every_size
async def test_everything_fits_the_width(page: Page, serve: Serve) -> None:
    await page.goto(f"{await serve()}chess")
    await begin(page, BEFORE_MATE, Time=QUICK)
    await move(page, "h1h8")
    await close_result(page)
    await begin(page, Time=QUICK)
    await expect(status(page)).to_have_text("Your move.")
    box, window = await page.locator("div.board").bounding_box(), page.viewport_size
    assert box and window and box["y"] >= 0 and box["y"] + box["height"] <= window["height"]
    await open_text(page, RUY_LOPEZ)
    for name in ("Which gene wants what", "Your games"):
        await page.get_by_role("heading", name=name).click()
    await expect(page.get_by_role("list", name="Best lines").get_by_role("button")).to_have_count(3)
    await expect(page.get_by_text("For its side, dxc6 changed most")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
