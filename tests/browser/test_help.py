"""The documents on the page, and the foot of every page."""

from playwright.async_api import Page, expect

from engines.version import VERSION
from tests.browser.conftest import Serve
from tools.serve import DOCUMENTS


async def test_documents_can_be_read_from_the_footer_of_a_page(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}corewar")
    await expect(page.locator("footer")).to_contain_text(f"Galapagos {VERSION}")
    await page.locator("footer").get_by_role("link", name="Reference").click()
    await expect(page.get_by_role("heading", name="The JSON lines, message by message")).to_be_visible()
    await expect(page.locator("pre", has_text='"type":"hello"').first).to_be_visible()
    await page.get_by_role("link", name="The guide to the protocols").click()
    await expect(page.get_by_role("heading", name="Protocols", exact=True)).to_be_visible()
    links = page.get_by_role("navigation", name="Documents").get_by_role("link")
    for index in range(await links.count()):
        await links.nth(index).click()
        await expect(links.nth(index)).to_have_attribute("aria-current", "true")
        await expect(page.locator(".document h2").first).to_be_visible()
        assert await page.locator(".document").get_by_text("```").count() == 0
    width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


async def test_help_starts_with_links_to_all_activities(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}help")
    document = page.locator(".document")
    await expect(document.get_by_role("heading", name="What do you want to do?")).to_be_visible()
    for name in ("Chess", "lobby", "Matches", "Hills", "Runs", "Protocols", "Set up a public server"):
        await expect(document.get_by_role("link", name=name, exact=True).first).to_be_visible()
    links = page.get_by_role("navigation", name="Documents").get_by_role("link")
    await expect(links.last).to_have_text("Measurements: protocols")
    names = await links.all_text_contents()
    assert len(names) == len(DOCUMENTS) + 1 and not set(names) & set(DOCUMENTS)  # each has a title
    await page.locator("footer").get_by_role("link", name="Licence").click()
    await expect(document.get_by_role("heading", name="Source and licence")).to_be_in_viewport()
    for game in ("Chess", "Acquire", "Advanced Protection", "Core War"):
        await expect(document.get_by_role("heading", name=game, exact=True)).to_be_attached()


async def test_the_source_can_be_downloaded_from_the_footer(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}hills")
    async with page.expect_download() as started:
        await page.locator("footer").get_by_role("link", name="Download the source").click()
    download = await started.value
    assert download.suggested_filename == f"galapagos-{VERSION}.tar.gz"
    path = await download.path()
    assert path.stat().st_size > 1_000_000


async def test_links_between_documents_lead_to_their_headings(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}help#operating")
    document = page.locator(".document")
    await document.locator("a[href='#server/limits']").click()
    await expect(document.get_by_role("heading", name="Limits", exact=True)).to_be_in_viewport()
    await page.goto(f"{await serve()}help#chess-engine")
    await document.locator("a[href^='#chess-results']").first.click()
    await expect(document.get_by_role("heading", name="Chess: measurements")).to_be_attached()
