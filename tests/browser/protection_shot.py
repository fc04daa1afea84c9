"""The picture of Advanced Protection for the README: a turn under way."""

from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.protection_hand import Hand

GAME = 7
SETTLERS = ((2, 13), (2, 14), (3, 14), (2, 15), (3, 15))
PHASE = "14"
GUARDS = ((1, 14), (4, 15))


async def shoot(page: Page, address: str, path: Path) -> None:
    """Play a turn, and write what it looks like to a PNG file."""
    hand = Hand(page)
    await hand.begin(address, game=GAME, name="Ann", chaos="chaos:random")
    for unit, squares in (("settler", SETTLERS), ("infantry", GUARDS), ("artillery", ((2, 12),))):
        await hand.place(unit, *squares)
    await hand.draw("drone", (7, 12), (12, 12))
    await hand.end_turn()
    await page.get_by_label("Phase", exact=True).fill(PHASE)
    await expect(page.get_by_text(f"phase {PHASE} of 50")).to_be_visible()
    await page.evaluate("scrollTo(0, 0)")
    await page.screenshot(path=path)
