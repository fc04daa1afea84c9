"""The documents on the page, and the foot of every page."""

from playwright.async_api import Page, expect

from engines.version import VERSION
from tests.browser.conftest import Serve


async def test_documents_are_read_from_any_page(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}corewar")
    await expect(page.locator("footer")).to_contain_text(f"Galapagos {VERSION}")
    await page.locator("footer").get_by_role("link", name="Reference").click()
    await expect(page.get_by_role("heading", name="The JSON lines, message by message")).to_be_visible()
    await expect(page.locator("pre", has_text='"type":"hello"').first).to_be_visible()
    await page.get_by_role("link", name="The protocols' document").click()
    await expect(page.get_by_role("heading", name="Protocols", exact=True)).to_be_visible()
    links = page.get_by_role("navigation", name="Documents").get_by_role("link")
    for index in range(await links.count()):
        await links.nth(index).click()
        await expect(page.locator(".document h2").first).to_be_visible()
        assert await page.locator(".document").get_by_text("```").count() == 0
    width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
