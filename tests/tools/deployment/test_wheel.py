"""The wheel: built, installed into an empty environment, and used there without the sources."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from engines.acquire.registry import bundled_genomes
from engines.chess.genome_file import bundled
from engines.protection.pool import bundled_pool, handwritten
from tests.servers import served_sync
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[3]
SOURCES = ("core", "engines", "protocols", "tools", "pyproject.toml", "README.md", "LICENSE")
CORES = {  # of warriors that are not for the standard one
    "nano": "-s 80 -c 800 -p 80 -l 5 -d 5",
    "tiny": "-s 800 -c 8000 -p 800 -l 20 -d 20",
}
OFFLINE = ("Could not find a version", "No matching distribution", "Temporary failure", "Max retries")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


def run(*command: str | Path, cwd: Path, given: str = "", seconds: float = 60.0) -> str:
    """Its output. Skips where packages cannot be had."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=seconds, cwd=cwd, env=environment
    )
    if done.returncode and any(words in done.stderr for words in OFFLINE):
        pytest.skip(f"pip finds no package index: {done.stderr.splitlines()[-1][:100]}")
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """From the sources alone, in an environment of its own, as the Dockerfile does it. It takes minutes."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in SOURCES:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            shutil.copy(path, source)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    run(*pip, "--no-deps", "--wheel-dir", folder, ".", cwd=source, seconds=3000.0)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The folder of its programs."""
    home = wheel.parent / "empty"
    venv.create(home, with_pip=True)
    run(
        home / "bin" / "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        wheel,
        cwd=home,
        seconds=600.0,
    )
    return home / "bin"


def test_the_wheel_is_compiled_and_has_every_file(wheel: Path) -> None:
    """Compiled, and with every file that stands beside the modules."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "-none-any" not in wheel.name and any(name.endswith(".so") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "tools/deployment/"))]
    source = wheel.parent / "source"
    wanted = {
        str(path.relative_to(source))
        for name in ("core", "engines", "protocols", "tools")
        for path in (source / name).rglob("*")
        if path.is_file() and "deployment" not in path.parts
    }
    assert sorted(wanted - names) == []


def test_the_installed_chess_engine_answers_uci(installed: Path, tmp_path: Path) -> None:
    answers = run(installed / "galapagos-chess", cwd=tmp_path, given="uci\nposition startpos\ngo depth 4\n")
    assert "uciok" in answers and "var evolved" in answers and "\nbestmove " in answers


def test_the_installed_mars_runs_a_fight(installed: Path, tmp_path: Path) -> None:
    warrior = tmp_path / "imp.red"
    warrior.write_text("MOV 0, 1\n")
    assert "Results: 0 0 1" in run(installed / "galapagos-mars", "-b", warrior, warrior, cwd=tmp_path)


POOL = [f"pool:{number}" for number in range(0, len(bundled_pool().entries), 50)]


def test_the_wheel_contains_the_bundled_warriors(installed: Path, tmp_path: Path) -> None:
    found = "import engines.corewar; print(*engines.corewar.__path__)"
    folder = Path(run(installed / "python", "-c", found, cwd=tmp_path).strip())
    warriors = sorted(folder.rglob("*.red"))
    assert len(warriors) == len(sorted((ROOT / "engines" / "corewar").rglob("*.red")))
    for path in warriors:
        rules = CORES.get(path.stem, "").split()
        assert "Results: " in run(installed / "galapagos-mars", *rules, "-b", path, path, cwd=tmp_path)


@pytest.mark.parametrize("name", [*bundled(), *bundled_genomes(), *handwritten(), *POOL])
def test_the_wheel_contains_the_bundled_players(installed: Path, tmp_path: Path, name: str) -> None:
    assert run(installed / "galapagos", "genome", "show", name, cwd=tmp_path).strip()


def test_the_installed_program_serves_games_and_a_page(installed: Path, tmp_path: Path) -> None:
    lines = '{"type":"hello","versions":[1]}\n{"type":"create","game":"protection","seats":["me","chaos:fixed:249"]}\n'
    assert '"type":"decide"' in run(installed / "galapagos", "jsonl", cwd=tmp_path, given=lines)
    with served_sync(program=[str(installed / "galapagos")], cwd=tmp_path) as server:
        assert urlopen(f"{server.address}healthz", timeout=PATIENCE_SECONDS).status == 200
        assert b"<html" in urlopen(server.address, timeout=PATIENCE_SECONDS).read()
    assert server.process.returncode == 0
