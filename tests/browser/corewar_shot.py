"""A picture of the room of Core War: a fight in its middle, and what stands in one of its cells."""

from pathlib import Path

from playwright.async_api import Page, expect

FIGHT = "corewar?warrior=large.red&warrior=paper.red&seed=7"


async def shoot(page: Page, address: str, path: Path) -> None:
    """The room at `address` of a house, half way through a fight."""
    await page.goto(f"{address}{FIGHT}")
    time = page.get_by_role("slider", name="Time")
    await expect(time).to_be_visible(timeout=15_000)
    box = await time.bounding_box()
    assert box
    await page.get_by_role("button", name="Pause").click()
    await time.click(position={"x": box["width"] / 2, "y": 10})
    core = page.get_by_role("img", name="The core")
    await core.focus()
    for _ in range(3):
        await page.keyboard.press("ArrowDown")
    await expect(page.locator(".about-cell code")).to_be_visible(timeout=15_000)
    await page.screenshot(path=path, full_page=True)
