"""Laws of the house that no type checker knows."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("core", "engines", "protocols", "tools")
SOURCES = [
    path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")) if path.stat().st_size
]
IMPORT_NAMES = {
    "mypy-extensions": "mypy_extensions",
    "paho-mqtt": "paho",
    "prometheus-client": "prometheus_client",
}  # where they differ from the distribution's
OPTIONAL = {
    "tools/mars/gif.py": {"PIL"},
    "protocols/adapters/gymnasium.py": {"gymnasium", "numpy"},
    "protocols/adapters/pettingzoo.py": {"gymnasium", "numpy", "pettingzoo"},
}  # what only those have who want it: imported on demand, in one place


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_room_says_what_it_is(path: Path) -> None:
    if path.name != "__init__.py":
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), "the first sentence is missing"


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.parts[len(ROOT.parts)] == "core"], ids=name
)
def test_the_core_shifts_no_literal_by_a_variable(path: Path) -> None:
    """mypyc computes `1 << n` in 32 bits; BIT[n] is right."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.search(r"(?<![\w.\])])\(?(i64\()?-?\d+\)? << [a-z_]", line.partition("#")[0])
        assert not found, f"line {number}: {line.strip()}"


def test_what_is_imported_is_installed() -> None:
    """Every module of others that the program imports belongs to a dependency that it declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    words = [re.match(r"[\w\-]+", line) for line in project["dependencies"]]
    declared = {IMPORT_NAMES.get(word[0], word[0]) for word in words if word}
    known = declared | set(PACKAGES) | set(sys.stdlib_module_names)
    for path in SOURCES:
        if name(path) != "tools/build.py":  # runs in the build's own environment
            assert set(imports(path)) <= known | OPTIONAL.get(name(path), set()), name(path)


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
