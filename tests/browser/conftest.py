"""A browser at a house of its own: the system's Chromium, whose console must stay free of errors."""

import asyncio
import re
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

pytest.importorskip("playwright.async_api", reason="playwright is not installed")
from playwright.async_api import Page, async_playwright, expect

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
SIZES = {"wide": (1280, 900), "dark": (1280, 900), "phone": (390, 844)}

Serve = Callable[..., Awaitable[str]]

expect.set_options(timeout=10_000)  # milliseconds; a busy machine is no fault of the page


@asynccontextmanager
async def house(*options: str) -> AsyncIterator[str]:
    """`galapagos serve` with options; the address of its page."""
    command = ["-m", "tools", "serve", "--port", "0", "--page", "0", "--workers", "1", *options]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        yield await _address(process.stdout)
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), 10)


async def _address(lines: asyncio.StreamReader) -> str:
    async for line in lines:
        if address := re.search(r"http://\S+?/", line.decode()):
            return address[0]
    raise AssertionError("the house did not say where its page is")


@pytest_asyncio.fixture
async def serve() -> AsyncIterator[Serve]:
    """Starts houses with options; the address of the page of each."""
    async with AsyncExitStack() as houses:

        async def started(*options: str) -> str:
            return await houses.enter_async_context(house(*options))

        yield started


@pytest_asyncio.fixture(params=["wide"])
async def page(request: pytest.FixtureRequest, serve: Serve) -> AsyncIterator[Page]:
    """A page whose console has no error at the end. Parametrise it indirectly with "phone" or "dark" for those.

    It asks for `serve` so that it is closed before the house is, whose end it would complain of.
    """
    if not CHROMIUM:
        pytest.skip("chromium is not installed")
    width, height = SIZES[request.param]
    troubles: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if request.param == "dark" else "light",
            has_touch=request.param == "phone",
        )
        page = await context.new_page()
        page.set_default_timeout(10_000)
        page.on(
            "console", lambda told: troubles.append(told.text) if told.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "response",
            lambda answer: (
                troubles.append(f"{answer.url}: {answer.status}") if answer.status >= 400 else None
            ),
        )
        yield page
        await browser.close()
    assert not troubles
