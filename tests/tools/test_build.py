"""The set-up: what is missing is named before anything is done, and nothing is compiled twice."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "built.txt"
PREREQUISITES = ROOT / "tools" / "prerequisites.py"


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        text=True,
        capture_output=True,
        timeout=4 * PATIENCE_SECONDS,  # four busy loops beside it took more than one
    )


def test_prerequisites_are_complete_on_this_machine() -> None:
    done = run(sys.executable, str(PREREQUISITES))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_missing_prerequisites_are_named_with_their_packages() -> None:
    done = run(sys.executable, str(PREREQUISITES), CC="no-such-compiler -O2")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    first, *packages = done.stderr.splitlines()
    assert first == "Galapagos needs a C compiler (no-such-compiler)."
    assert [line.partition(":")[0] for line in packages] == [
        "On Debian or Ubuntu", "On Fedora", "On macOS",
    ]  # fmt: skip


def test_an_old_python_is_reported_with_everything_that_is_missing(tmp_path: Path) -> None:
    """Everything that a Python lacks is in the one sentence."""
    script = (
        "import runpy, sys, importlib.util as u, sysconfig\n"
        "sys.version_info, sys.version = (3, 9, 2, 'final', 0), '3.9.2 (default)'\n"
        "found = u.find_spec\n"
        "u.find_spec = lambda name: None if name in ('venv', 'ensurepip') else found(name)\n"
        f"paths = sysconfig.get_paths() | {{'include': {str(tmp_path)!r}}}\n"
        "sysconfig.get_paths = lambda *_: paths\n"
        f"runpy.run_path({str(PREREQUISITES)!r}, run_name='__main__')\n"
    )
    done = run(sys.executable, "-c", script)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == (
        "Galapagos needs Python 3.11 or later (this is 3.9.2; make PYTHON=... takes another) and the headers of Python"
        " (Python.h) and Python's venv."
    )


@pytest.mark.skipif(not BUILT.exists(), reason="the core was not compiled in place: make install does so")
def test_nothing_is_compiled_twice() -> None:
    libraries = [ROOT / line for line in BUILT.read_text().splitlines()[2:]]
    before = [library.stat() for library in libraries]
    script = "from setuptools import setup; setup(script_args=['-q', 'build_ext', '--inplace'])"
    done = run(sys.executable, "-c", script)
    assert done.returncode == 0, done.stderr
    assert len(before) > 50
    assert [library.stat().st_mtime_ns for library in libraries] == [each.st_mtime_ns for each in before]
    source = ROOT / "core" / "game.py"
    source.touch()  # whoever runs the tests next must not be told that it is not compiled
    assert run(sys.executable, "-c", script).returncode == 0
    after = [library.stat() for library in libraries]
    assert min(each.st_mtime for each in after) >= source.stat().st_mtime
    assert [each.st_ino for each in after] == [each.st_ino for each in before]


def test_the_build_counts_the_parts_that_are_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    """In lines where standard error is no terminal."""
    pytest.importorskip("mypyc", reason="the compiler of the core is not installed: make slim removes it")
    from tools.build import Progress

    with Progress(4) as progress:
        progress.count()
        progress.count()
        progress.count()
    assert [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()] == [
        "Compiling the core: translating it to C",
        "Compiling the core: 0 of 4 parts",
        "Compiling the core: 1 of 4 parts",
        "Compiling the core: 2 of 4 parts",
    ]


REWRITTEN = ROOT / "build" / "rewritten" / "__native_galapagos_corewar.c"


@pytest.mark.skipif(
    not REWRITTEN.exists(), reason="the core was not compiled here, or make slim removed what remained"
)
def test_redcode_instructions_are_dispatched_by_jump_tables() -> None:
    """By their codes, their modes and their operations; else GCC compares with one number after the other."""
    text = REWRITTEN.read_text()
    name = "Mars____run_two(PyObject *cpy_r_self"
    begin = next(found.start() for found in re.finditer(re.escape(name) + r"[^;]*\{\n", text))
    body = text[begin : text.index("\n}\n", begin)]
    assert (body.count("goto *jumps["), body.count("switch (")) == (2, 4), "a turn of each warrior"
    tables = re.findall(r"jumps\[\] = \{([^}]*)\}", body)
    assert [len(set(table.split(", "))) > 64 for table in tables] == [True, True], "rare ones by their modes"


@pytest.mark.skipif(not shutil.which("make"), reason="make is missing")
def test_make_without_any_python_names_the_missing_program(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    done = run("make", "-C", str(tmp_path), "serve", PYTHON="no-such-python")
    assert done.returncode != 0 and "there is no no-such-python" in done.stdout


def test_later_commands_use_the_compiler_that_make_install_was_given(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv").mkdir()
    for source in ("pyproject.toml", "tools/build.py", "engines/version.py", "core/game.py"):
        (tmp_path / source).parent.mkdir(exist_ok=True)
        (tmp_path / source).touch()
    without = {name: value for name, value in os.environ.items() if name != "CC" and "MAKE" not in name}

    def make(*words: str, **environment: str) -> str:
        done = subprocess.run(
            ["make", *words],
            cwd=tmp_path,
            env=without | environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert "echo 'export CC := clang' > .venv/cc.mk" in make("-n", ".venv/serving", CC="clang")
    assert "cc.mk" not in make("-n", ".venv/serving")
    show = ("--eval", "show: ; @echo compiler $$CC", "show")
    assert make(*show) == "compiler\n"
    (tmp_path / ".venv/cc.mk").write_text("export CC := clang\n")
    assert make(*show) == "compiler clang\n"
    assert make(*show, CC="gcc") == "compiler gcc\n"
