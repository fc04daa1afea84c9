"""The READMEs: the programs that they print run as they stand there, and their links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools.served import served

READMES = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted(ROOT.glob("engines/*/README.md"))]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#]*)(#[^)]*)?\)")
PROGRAMS = BLOCK.findall((ROOT / "protocols/README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    for file, heading in LINK.findall(path.read_text(encoding="utf-8")):
        if file.startswith("http"):
            continue
        target = (path.parent / file) if file else path
        assert target.exists(), file
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading[1:] in [title.lower().replace(" ", "-") for title in titles], heading


def test_the_scripted_client() -> None:
    (client,) = [code for code in PROGRAMS if "socket" in code]
    assert client.count("\n") <= 30 and client.count("1835") == 1
    with served() as server:
        done = subprocess.run(
            [sys.executable, "-c", client.replace("1835", str(server.port))],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\{'worth': \[\d+, \d+\], 'rank': \[[12], [12]\], 'reason': '\w+'\}\n", done.stdout)


@pytest.mark.parametrize("library", ["chess", "pettingzoo", "gymnasium"])
def test_the_adapters(library: str) -> None:
    """Each has a program of some lines that ends and prints something."""
    pytest.importorskip(library, reason=f"{library} is missing: pip install '.[{library}]'")
    (program,) = [code for code in PROGRAMS if f"{library} import" in code or f"import {library}\n" in code]
    program = program.replace(
        '".venv/bin/galapagos-chess"', repr([sys.executable, "-m", "tools.chess_engine"])
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.strip()
