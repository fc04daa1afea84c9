"""A browser at a server of its own: the system's Chromium, whose console must stay free of errors; another client."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

pytest.importorskip("playwright.async_api", reason="playwright is not installed")
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.servers import served
from tests.waiting import PATIENCE_SECONDS

# The first of them has no window at all, and takes a third less of the processor.
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), ""
)
SIZES = {"wide": (1280, 900), "dark": (1280, 900), "phone": (390, 844)}

# cm-chessboard says so when the board is drawn anew, as at a change of its size, while a captured piece fades.
HARMLESS = "without parentNode"

Serve = Callable[..., Awaitable[str]]

expect.set_options(timeout=PATIENCE_SECONDS * 1000)  # a busy machine is no fault of the page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of this folder share a loop, as they share a browser.

    A test with several sizes of the window is run at the first of them; `make slow` runs it at the others, too.
    """
    folder = str(Path(__file__).parent)
    for item in items:
        if not str(item.path).startswith(folder) or not pytest_asyncio.is_async_test(item):
            continue
        item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
        numbers = item.callspec.indices if hasattr(item, "callspec") else {}  # of the values of parameters
        if numbers.get("page") or numbers.get("tolerant_page"):
            item.add_marker(pytest.mark.slow)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_server() -> AsyncIterator[str]:
    """The address of the page of a server for all tests, because it takes two seconds of the processor to start."""
    async with served() as server:
        yield server.address


@pytest_asyncio.fixture(loop_scope="session")
async def serve(shared_server: str) -> AsyncIterator[Serve]:
    """A function that gives the address of the page of a server.

    With options, or with is_alone=True, it is a new one that has seen no other test.
    """
    async with AsyncExitStack() as servers:

        async def start(*options: str, is_alone: bool = False) -> str:
            if not options and not is_alone:
                return shared_server
            return (await servers.enter_async_context(served(*options))).address

        yield start


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests, because it takes a second of the processor to start."""
    if not CHROMIUM:
        pytest.skip("chromium is not installed")
    async with async_playwright() as playwright:
        yield await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest_asyncio.fixture(loop_scope="session", params=["wide"])
async def page(request: pytest.FixtureRequest, browser: Browser, serve: Serve) -> AsyncIterator[Page]:
    """A page whose console has no error at the end. Parametrise it indirectly with "phone" or "dark" for those.

    It uses `serve` so that it is closed before the server is, of whose end it would complain.
    """
    width, height = SIZES[request.param]
    errors: list[str] = []
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if request.param == "dark" else "light",
        has_touch=request.param == "phone",
    )
    page = await context.new_page()
    page.set_default_timeout(10_000)
    page.on(
        "console",
        lambda line: (
            errors.append(line.text)
            if line.type in ("error", "warning") and not line.text.endswith(HARMLESS)
            else None
        ),
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "response",
        lambda answer: errors.append(f"{answer.url}: {answer.status}") if answer.status >= 400 else None,
    )
    yield page
    await context.close()
    assert not errors


class Client:
    """Another client of the server whose page is looked at: JSON lines over its WebSocket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def send(self, **message: Any) -> None:
        await self._socket.send_json(message)

    async def receive(self, kind: str) -> dict[str, Any]:
        """The next line of this type; those before it are dropped."""
        while True:
            line: dict[str, Any] = await self._socket.receive_json(timeout=PATIENCE_SECONDS)
            assert line["type"] != "error", line
            if line["type"] == kind:
                return line

    async def request(self, kind: str, answer: str, **fields: Any) -> dict[str, Any]:
        await self.send(type=kind, id=1, **fields)
        return await self.receive(answer)


@asynccontextmanager
async def client(address: str, name: str) -> AsyncIterator[Client]:
    """Connected under a name."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}ws") as socket:
        connected = Client(socket)
        await connected.request("hello", "welcome", versions=[1], name=name)
        yield connected
