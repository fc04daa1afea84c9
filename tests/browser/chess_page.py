"""What a person does on the chess page: begin a game, move pieces with the mouse, and look at the board."""

import chess
from playwright.async_api import Locator, Page, expect


async def begin(page: Page, start: str = "", **choices: str) -> None:
    """Begin a game, from a position or game if there is a `start`.

    `choices` are the lists of the form by their labels, with _ for a space.
    """
    form = page.get_by_role("form", name="New game")
    for label, choice in choices.items():
        await form.get_by_role("combobox", name=label.replace("_", " "), exact=True).select_option(
            label=choice
        )
    if start:
        await open_text(page, start)
        await page.get_by_role("button", name="Play on from here").click()
    else:
        await form.get_by_role("button", name="Start").click()


async def open_text(page: Page, text: str) -> None:
    """Open a position or a game as text, on the analysis board unless it has a fault."""
    form = page.get_by_role("form", name="Open a position or a game")
    if not await form.is_visible():
        await page.get_by_role("heading", name="Share, load and save").click()
    await form.get_by_label("Open a position (FEN) or a game (PGN)").fill(text)
    await form.get_by_role("button", name="Open", exact=True).click()


async def close_result(page: Page) -> None:
    """Close the dialogue that shows the end of a game."""
    await result(page).get_by_role("button", name="Close").click()


def result(page: Page) -> Locator:
    """The dialogue at the end of a game."""
    return page.locator("dialog.result")


async def move(page: Page, text: str) -> None:
    """Move a piece by two clicks, `e2e4`, once it is our turn."""
    await expect(status(page)).to_contain_text("Your move")
    await at_rest(page)
    await square(page, text[:2]).click()
    await square(page, text[2:4]).click()


async def at_rest(page: Page) -> None:
    """Wait for the pieces, which take a fifth of a second to be where they belong, and for our turn."""
    await expect(page.locator(".board .input-enabled")).to_have_count(1)


async def board(page: Page) -> chess.Board:
    """The position, as the page writes it down."""
    return chess.Board(await fen(page).input_value())


def fen(page: Page) -> Locator:
    """The field with the position on the board."""
    return page.get_by_label("FEN", exact=True)


def status(page: Page) -> Locator:
    return page.get_by_role("status")


def moves(page: Page) -> Locator:
    """The buttons of the list of moves."""
    return page.get_by_role("list", name="Moves").get_by_role("button")


def square(page: Page, name: str) -> Locator:
    return page.locator(f".board rect[data-square='{name}']")


def piece(page: Page, name: str, kind: str) -> Locator:
    """A piece such as `wr` on a square; while it changes, more than one is drawn there."""
    return page.locator(f".board .pieces g[data-square='{name}'][data-piece='{kind}']")
