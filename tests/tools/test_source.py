"""The source archive: it holds the distribution's own files, with changes, and no others."""

import tarfile
from io import BytesIO
from pathlib import Path

from engines.version import VERSION
from tools.source import ROOT, files_of_checkout, source_archive

TOP = f"galapagos-{VERSION}"


def test_the_archive_holds_what_a_build_needs_and_nothing_else() -> None:
    data = source_archive()
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        names = archive.getnames()
        assert {
            f"{TOP}/{name}" for name in ("pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY.md")
        } < set(names)
        assert {f"{TOP}/core/game.py", f"{TOP}/tools/build.py", f"{TOP}/protocols/web/static/page.js"} < set(
            names
        )
        for member in archive.getmembers():
            assert member.isfile() and (member.mtime, member.uid, member.uname) == (0, 0, "")
            assert not member.name.endswith((".so", ".pyc", ".c")) and "/." not in member.name
        page = archive.extractfile(f"{TOP}/protocols/web/static/page.js")
        assert page and page.read() == (ROOT / "protocols/web/static/page.js").read_bytes()
    assert source_archive() == data


def test_only_files_of_the_project_are_found_in_a_checkout(tmp_path: Path) -> None:
    """Changes of the operator are part of the source; homes, runs, secrets and compiled files are not."""
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    own = [
        "README.md",
        "core/new_rule.py",
        "engines/chess/genomes/mine.txt",
        "protocols/web/static/vendor/x/y.js",
    ]
    other = [
        "token",
        ".galapagos/records/1.jsonl",
        "core/new_rule.so",
        "engines/chess/home/ann.apu",
        "tests/test_x.py",
    ]
    for name in (*own, *other):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    assert {name for name, _ in files_of_checkout(tmp_path)} == {*own, "pyproject.toml"}
