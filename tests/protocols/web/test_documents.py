"""Documents over HTTP: those that there are, and no other file."""

from pathlib import Path

from protocols.web.documents import document_routes
from tests.protocols.web.support import served
from tools.serve import DOCUMENTS, ROOT


async def test_only_the_listed_documents_are_served(tmp_path: Path) -> None:
    (tmp_path / "help.md").write_text("# Help\n")
    (tmp_path / "secret.md").write_text("nothing for you")
    async with served(document_routes({"help": tmp_path / "help.md"})) as api:
        assert await api.get("/api/documents") == (200, ["help"])
        assert await api.get("/api/documents/help") == (200, {"text": "# Help\n"})
        for name in ("secret", "secret.md", "..%2Fsecret.md", "help.md"):
            status, answer = await api.get(f"/api/documents/{name}")
            assert status == 404 and "/api/documents" in answer["error"]


def test_every_listed_document_exists() -> None:
    assert all((ROOT / path).is_file() for path in DOCUMENTS.values())
