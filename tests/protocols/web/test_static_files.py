"""Static files: compressed once, kept by browsers until they change, and no file outside their folder."""

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import ClientSession

from protocols.web.static_files import StaticFiles
from tests.protocols.web.support import Api, served, visited

TEXT = 'import { a } from "./b.js";\n' + "x = 1;\n" * 400


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of three files; changes are noticed at once."""
    monkeypatch.setattr("protocols.web.static_files.CHECK_SECONDS", 0.0)
    (tmp_path / "a.js").write_text(TEXT)
    (tmp_path / "vendor").mkdir()
    (tmp_path / "b.js").write_text('export * from "./vendor/c.js";\nimport("./late.js");\n')
    (tmp_path / "vendor" / "c.js").write_text('import "../a.js";\nimport "./missing.js";\n')
    return tmp_path


async def raw(session: ClientSession, address: str, **headers: str) -> tuple[int, bytes, Mapping[str, str]]:
    async with session.get(
        address, headers={name.replace("_", "-"): text for name, text in headers.items()}
    ) as answer:
        return answer.status, await answer.read(), answer.headers.copy()


def plain(api: Api) -> ClientSession:
    """A client that shows bodies as they were sent."""
    return ClientSession(api.address, auto_decompress=False)


async def test_files_are_compressed_and_kept_for_ever_by_their_versioned_path(folder: Path) -> None:
    static = StaticFiles(folder)
    async with served(static.routes()) as api, plain(api) as session:
        _, body, headers = await raw(session, static.address("a.js"), Accept_Encoding="gzip, br")
        assert headers["Content-Encoding"] == "gzip" and gzip.decompress(body).decode() == TEXT
        assert "immutable" in headers["Cache-Control"] and headers["Content-Type"].startswith(
            "text/javascript"
        )
        for refused in ("", "br", "gzip;q=0", "x-gzip"):
            _, body, headers = await raw(session, "/static/a.js", Accept_Encoding=refused)
            assert body.decode() == TEXT and "Content-Encoding" not in headers
            assert headers["Cache-Control"] == "no-cache"


async def test_a_file_that_changes_has_another_path_and_tag(folder: Path) -> None:
    static = StaticFiles(folder)
    async with served(static.routes()) as api, plain(api) as session:
        before = static.address("a.js")
        _, _, headers = await raw(session, before)
        assert (await raw(session, "/static/a.js", If_None_Match=headers["ETag"]))[0] == 304
        (folder / "a.js").write_text(TEXT + "y = 2;")
        assert static.address("a.js") != before
        status, body, headers = await raw(
            session, before, If_None_Match=headers["ETag"], Accept_Encoding="identity"
        )
        assert (status, headers["Cache-Control"]) == (200, "no-cache") and body.endswith(b"y = 2;")


async def test_only_files_of_the_folder_are_served(folder: Path) -> None:
    static = StaticFiles(folder)
    (folder.parent / "secret.js").write_text("secret")
    async with served(static.routes()) as api, plain(api) as session:
        for path in (
            "nothing.js",
            "",
            "vendor",
            "..%2fsecret.js",
            "vendor%2f..%2f..%2fsecret.js",
            "%2fetc%2fpasswd",
        ):
            for place in (
                "/static/",
                f"/static/{static.version}/",
                f"/static/{static.version}/{static.version}/",
            ):
                assert (await raw(session, place + path))[0] in (403, 404), path


def test_a_page_names_all_scripts_that_its_script_imports(folder: Path) -> None:
    static = StaticFiles(folder)
    assert static.version
    assert static.modules("a.js") == ["a.js", "b.js", "vendor/c.js"]


async def test_the_html_of_a_page_names_its_files_by_version() -> None:
    async with visited() as visit, visit.client.get(visit.address + "/chess") as answer:
        text = await answer.text()
        version = StaticFiles().version
        for path in ("chess.js", "chess.css", "style.css", "dom.js", "vendor/chess.js/chess.js"):
            assert f"/static/{version}/{path}" in text, path
