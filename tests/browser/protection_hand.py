"""The hand of a person at the board of Advanced Protection: it clicks, draws and waits for what is to be seen."""

from playwright.async_api import Locator, Page, expect

SIDE = 24
Square = tuple[int, int]


class Hand:
    """On the page of a server."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board: Locator = page.get_by_role("application")
        self.setup: Locator = page.get_by_role("region", name="Setup")
        self.end: Locator = page.get_by_role("region", name="The end")
        self.go: Locator = page.get_by_role("button", name="Plan turn").or_(
            page.get_by_role("button", name="Show the result")
        )

    async def begin(
        self,
        address: str,
        *,
        game: int,
        name: str = "",
        chaos: str = "chaos:pilot",
        human: int = 2000,
        money: int = 2000,
    ) -> None:
        """A new game by number, against a Chaos with so much money."""
        page = self.page
        await page.goto(f"{address}protection")
        await page.get_by_text("Rules, map and money").click()
        await page.get_by_label("Your name").fill(name)
        await page.get_by_label("Opponent").select_option(chaos)
        await page.get_by_label("Number of the game").fill(str(game))
        await page.get_by_label("Your money").fill(str(human))
        await page.get_by_label("Chaos's money").fill(str(money))
        await page.get_by_role("button", name="Start").click()
        await expect(self.setup).to_contain_text("Turn 1")

    async def point(self, square: Square) -> tuple[float, float]:
        """Where the middle of a square is in the window."""
        await self.board.scroll_into_view_if_needed()
        box = await self.board.bounding_box()
        assert box is not None
        size = box["width"] / SIDE
        return box["x"] + (square[0] + 0.5) * size, box["y"] + (square[1] + 0.5) * size

    async def place(self, unit: str, *squares: Square) -> None:
        """Choose a unit and click."""
        await self.choose(unit)
        for square in squares:
            await self.page.mouse.click(*await self.point(square))

    async def choose(self, tool: str) -> None:
        await (
            self.setup.get_by_role("button", name=tool, exact=False)
            .and_(self.page.locator("[data-tool]"))
            .click()
        )

    async def draw(self, unit: str, start: Square, end: Square) -> None:
        """A stroke with the mouse pressed."""
        await self.choose(unit)
        await self._drag(await self.point(start), await self.point(end))

    async def carry(self, unit: str, square: Square) -> None:
        """From the palette to the map."""
        box = await self.page.locator(f"[data-tool={unit}]").bounding_box()
        assert box is not None
        await self._drag((box["x"] + 20, box["y"] + 20), await self.point(square))

    async def end_turn(self, *, is_empty: bool = False) -> None:
        """End the turn; one without a new unit needs a second press, once in a game."""
        if is_empty:
            await self.setup.get_by_role("button", name="End turn").click()
            await expect(self.page.get_by_role("alert")).to_contain_text("You have not placed a unit")
        await self.setup.get_by_role("button", name="End turn").click()
        await expect(self.go).to_be_visible()

    async def go_on(self) -> bool:
        """Leave the film; whether another turn is to be planned."""
        await self.go.click()
        await expect(self.setup.or_(self.end)).to_be_visible()
        return await self.setup.is_visible()

    def units(self, unit: str) -> Locator:
        """Those on the board."""
        return self.board.locator(f".token.{unit}")

    def figure(self, name: str) -> Locator:
        """One of the ledger's."""
        return self.setup.locator(f"[data-figure={name}]")

    async def _drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        await self.page.mouse.move(*start)
        await self.page.mouse.down()
        await self.page.mouse.move(*end, steps=20)
        await self.page.mouse.up()
