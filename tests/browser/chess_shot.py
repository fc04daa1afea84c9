"""A picture of the chess room: a game under way, with what the genome thinks of it."""

from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.chess_page import move, moves, status

MOVES = ("e2e4", "d2d4", "g1f3", "f1e2")


async def shoot(page: Page, address: str, path: Path) -> None:
    """The room at `address` of a house, after some moves."""
    await page.goto(f"{address}chess")
    for number, text in enumerate(MOVES, 1):
        await move(page, text)
        await expect(moves(page)).to_have_count(2 * number)
    await expect(status(page)).to_contain_text("Your move")
    await page.screenshot(path=path, full_page=True)
