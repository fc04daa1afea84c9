"""The pages of the site: their HTML, which names scripts and styles, and the page for an address that does not exist.

The HTML of a page has its header, its footer and its first words, which are in NAME.html next to the page's script. So a
browser shows them as soon as it has the HTML and the styles; the script adds the rest. The HTML also names all scripts
that the page's script imports (`modulepreload`), so that a browser asks for them at once, not for one after the other
as it reads them. tests/browser/test_first_view.py counts what the first view waits for.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from http import HTTPStatus
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from engines.version import VERSION
from protocols.web.responses import error
from protocols.web.static_files import StaticFiles

TEMPLATE: Final = (files("protocols.web") / "page.html").read_text(encoding="utf-8")


class WebGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game, for the scripts of the page. Its own page is at /NAME, with a script and a style of the same name."""

    name: str
    title: str
    has_page: bool = False  # if not, /game shows its games
    follows: bool = True  # whether its page shows games of the JSON lines, to join or to watch
    first_run: str = ""  # a configuration whose run soon has something to show
    first_run_about: str = ""  # a description of that


class PageInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A page: its title, and the name of its script and style."""

    name: str
    title: str
    link: str = ""  # the text of the link to it on all pages, if it has one
    about: str = ""  # a description of what can be done there
    styles: tuple[str, ...] = ()  # further ones
    shows_cards: bool = False  # whether it loads the NAME_card.js of each game


NO_GAMES: Final[Mapping[WebGame, Iterable[str]]] = MappingProxyType({})
PAGES: Final = {  # by path; the pages of games are added to these
    "/": PageInfo(name="lobby", title="Galapagos", link="Lobby", shows_cards=True),
    "/hills": PageInfo(
        name="hills",
        title="Hills · Galapagos",
        link="Hills",
        about="tournaments that never end: test a warrior, or submit it",
        styles=("corewar_player", "redcode"),
    ),
    "/matches": PageInfo(
        name="matches",
        title="Matches · Galapagos",
        link="Matches",
        about="let players compete over many games, and see who is better",
    ),
    "/runs": PageInfo(
        name="runs",
        title="Runs · Galapagos",
        link="Runs",
        about="watch an evolution, or start one",
        styles=("vendor/uplot/uPlot.min", "corewar_player"),
    ),
    "/game": PageInfo(name="game", title="Galapagos"),
    "/help": PageInfo(name="help", title="Help · Galapagos", shows_cards=True),
}
MISSING: Final = PageInfo(name="missing", title="No such page · Galapagos")


class Pages:
    """The pages of a site with these games, which have the further styles that their own pages need."""

    def __init__(self, games: Mapping[WebGame, Iterable[str]], static: StaticFiles) -> None:
        self._games = list(games)
        self._static = static
        self._texts: dict[tuple[str, str], str] = {}  # by version and name
        of_games = {
            f"/{game.name}": PageInfo(
                name=game.name, title=f"{game.title} · Galapagos", link=game.title, styles=tuple(styles)
            )
            for game, styles in games.items()
            if game.has_page
        }
        self._pages = {"/": PAGES["/"]} | of_games | PAGES  # in the order of the links

    def routes(self) -> list[web.RouteDef]:
        return [web.get(path, self._handler(page)) for path, page in self._pages.items()]

    @property
    def middleware(self) -> Middleware:
        """Middleware that answers requests for addresses that do not exist.

        Browsers get a page with links, and other clients an error as JSON. The address of a page with a slash behind
        it leads to the page.
        """

        @web.middleware
        async def explained(request: web.Request, handler: Handler) -> web.StreamResponse:
            fault = request.match_info.http_exception
            if fault is None or fault.status != HTTPStatus.NOT_FOUND:
                return await handler(request)
            path = request.path.rstrip("/")
            if path in self._pages:
                query = f"?{request.query_string}" if request.query_string else ""
                raise web.HTTPPermanentRedirect(path + query)
            if request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", ""):
                return self._response(MISSING, HTTPStatus.NOT_FOUND)
            raise error(web.HTTPNotFound, "there is nothing at this address; the pages start at /")

        return explained

    def _handler(self, page: PageInfo) -> Handler:
        async def show(request: web.Request) -> web.StreamResponse:
            return self._response(page)

        return show

    def _response(self, page: PageInfo, status: int = HTTPStatus.OK) -> web.Response:
        key = self._static.version, page.name
        if key not in self._texts:
            if len(self._texts) > 2 * len(self._pages):
                self._texts.clear()  # of older versions
            self._texts[key] = self._text(page)
        headers = {"Cache-Control": "no-cache"}
        return web.Response(text=self._texts[key], status=status, content_type="text/html", headers=headers)

    def _text(self, page: PageInfo) -> str:
        address, script = self._static.address, f"{page.name}.js"
        styles = [
            f'<link rel="stylesheet" href="{address(style)}.css">'
            for style in (*page.styles, "style", page.name)
            if f"{style}.css" in self._static
        ]
        cards = [f"{game.name}_card.js" for game in self._games if game.has_page] if page.shows_cards else []
        # The cards come last: the page shows its first words without them.
        imported = dict.fromkeys([*self._static.modules(script), *self._static.modules(*cards)])
        preloads = [
            f'<link rel="modulepreload" href="{address(each)}">' for each in imported if each != script
        ]
        content = f"{page.name}.html"
        return TEMPLATE.format(
            title=escape(page.title),
            navigation="\n".join(self._navigation(page)),
            content=self._static.text(content) if content in self._static else "",
            links="\n".join([*styles, *preloads]),
            icon=address("icon.svg"),
            script=address(script),
            version=VERSION,
            games=escape(msgspec.json.encode(self._games).decode()),
        )

    def _navigation(self, shown: PageInfo) -> Iterator[str]:
        """Yield the links to the pages, the one of the page that is shown marked."""
        for path, page in self._pages.items():
            about = f' data-about="{escape(page.about)}"' if page.about else ""
            current = ' aria-current="page"' if page is shown else ""
            if page.link:
                yield f'<a href="{path}"{about}{current}>{escape(page.link)}</a>'
