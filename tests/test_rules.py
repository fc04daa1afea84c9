"""Rules for the sources that no linter knows: shifts in core, and declared dependencies."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from engines.version import VERSION

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
    "tools/runs.py": {"pyarrow"},
    "protocols/adapters/gymnasium.py": {"gymnasium", "numpy"},
    "protocols/adapters/pettingzoo.py": {"gymnasium", "numpy", "pettingzoo"},
}  # what only those have who want it: imported on demand, in one place


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_core_shifts_no_literal_by_a_variable() -> None:
    """mypyc computes `1 << n` in 32 bits; BIT[n] is right."""
    shift = re.compile(r"(?<![\w.\])])\(?(i64\()?-?\d+\)? << [a-z_]")
    found = [
        f"{name(path)}, line {number}: {line.strip()}"
        for path in SOURCES
        if name(path).startswith("core/")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if shift.search(line.partition("#")[0])
    ]
    assert not found


def test_every_imported_package_is_a_declared_dependency() -> None:
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


def test_the_citation_file_has_the_current_version() -> None:
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
