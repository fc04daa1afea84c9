"""Somebody who plays Acquire on the page: places the first tile, founds and buys what comes first."""

from playwright.async_api import Locator, Page, expect

MOST_DECISIONS = 400


class Clicks:
    """With a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def place(self) -> None:
        await self.page.locator(".board .may").first.click()
        await confirm(self.page)

    async def choose(self) -> None:
        await self.page.locator(".due .option").first.click()
        await confirm(self.page)

    async def dispose(self) -> None:
        await self.page.get_by_role("button", name="Trade all").click()
        more = self.page.get_by_role("button", name="Sell: more")
        while await more.is_enabled():
            await more.click()
        await self.page.get_by_role("button", name="Confirm").click()

    async def buy(self) -> None:
        more = self.page.locator(".due .shop button[aria-label$=': more']:enabled")
        while await more.count():
            await more.first.click()
        await end_if_possible(self.page)
        await self.page.locator(".due button.main").click()


class Keys:
    """With a keyboard alone, from wherever the focus is."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def place(self) -> None:
        await self.page.keyboard.press("ArrowRight")
        await self.page.keyboard.press("Enter")
        await self.page.keyboard.press("Enter")  # on the button that confirms

    async def choose(self) -> None:
        await self.page.keyboard.press("Tab")
        await self.page.keyboard.press("Shift+Tab")
        await self.page.keyboard.press("Enter")
        await self.page.keyboard.press("Enter")  # on the button that confirms

    async def dispose(self) -> None:
        await self.page.keyboard.press("Enter")  # hold all

    async def buy(self) -> None:
        letters = await self.page.locator(".due .shop .sign").all_inner_texts()
        for letter in [*letters, *letters]:
            await self.page.keyboard.press(letter)
        await self.page.keyboard.press("Backspace")
        end = self.page.locator(".due input[type=checkbox]")
        if await end.count():
            await self.page.keyboard.press("Shift+Tab")
            await self.page.keyboard.press("Space")
            await expect(end).to_be_checked()
            await self.page.keyboard.press("Tab")
        await self.page.keyboard.press("Enter")


async def decide(hands: Clicks | Keys) -> bool:
    """Make the decision that is due, and wait for the next one; False once the game is over."""
    due = hands.page.locator(".due:not([data-phase='wait'])")
    await due.wait_for()
    phase, decision = await due.get_attribute("data-phase"), await due.get_attribute("data-decision")
    match phase:
        case "place":
            await hands.place()
        case "found" | "survivor" | "order":
            await hands.choose()
        case "dispose":
            await hands.dispose()
        case "buy":
            await hands.buy()
        case _:
            return False
    await hands.page.locator(f".due:not([data-decision='{decision}'])").wait_for()
    return True


async def play(hands: Clicks | Keys, decisions: int = MOST_DECISIONS) -> Locator:
    """So many decisions, or to the end; what is due then."""
    for _ in range(decisions):
        if not await decide(hands):
            break
    return hands.page.locator(".due")


async def end_if_possible(page: Page) -> None:
    end = page.locator(".due input[type=checkbox]")
    if await end.count():
        await end.check()


async def confirm(page: Page) -> None:
    """Confirm the tile or the chain that is proposed."""
    await page.locator(".due .proposal button.main").click()


async def hurry(page: Page) -> None:
    """Have the moves of the other players shown at once, in this game and the next ones."""
    await page.get_by_label("Pace of the others").select_option("at once")
