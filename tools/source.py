"""The source of the running program as an archive, for visitors of a server: /source.tar.gz on the page.

The archive holds the distribution's own files as they are on the disk, with the operator's changes to them, and nothing
else: no homes, runs, secrets or compiled libraries. In a checkout these are the files that pyproject.toml
names, in an installation those of the wheel. `pip install .` in the unpacked archive builds the program.
"""

import gzip
import tarfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

from engines.version import VERSION

ROOT: Final = Path(__file__).parents[1]
DISTRIBUTION: Final = "galapagos-engines"
PROJECT: Final = "pyproject.toml"
ABOUT: Final = ("Makefile", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "SECURITY.md")
LICENCES: Final = "licenses"  # the folder of a wheel's metadata for what pyproject.toml calls license-files
COMPILED: Final = frozenset({".so", ".pyc", ".pyd"})
SUFFIX: Final = ".tar.gz"


def source_archive() -> bytes:
    """Return the archive: equal files give equal bytes, on every machine. Takes about a second."""
    top = f"galapagos-{VERSION}"
    found = dict(files_of_checkout(ROOT) if (ROOT / PROJECT).is_file() else files_of_installation())
    stream = BytesIO()
    with (
        gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=6, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for name in sorted(found):
            path = found[name]
            data = path.read_bytes()
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, BytesIO(data))
    return stream.getvalue()


def files_of_checkout(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files that pyproject.toml names: modules, data of packages, and what describes the project."""
    project = tomllib.loads((root / PROJECT).read_text(encoding="utf-8"))
    settings, about = project["tool"]["setuptools"], project["project"]
    folders = [pattern.removesuffix("*") for pattern in settings["packages"]["find"]["include"]]
    patterns = [f"{folder}/**/*.py" for folder in folders]
    for package, data in settings["package-data"].items():
        patterns += [f"{package.replace('.', '/')}/{pattern}" for pattern in data]
    for pattern in [*patterns, PROJECT, about["readme"], *about["license-files"], *ABOUT]:
        for path in root.glob(pattern):
            if path.is_file() and not path.is_symlink():  # a link may lead to another user's file
                yield path.relative_to(root).as_posix(), path


def files_of_installation() -> Iterator[tuple[str, Path]]:
    """Yield the files of the installed wheel; those of its metadata that belong to the project's top are there."""
    try:
        recorded = distribution(DISTRIBUTION).files or []
    except PackageNotFoundError:
        recorded = []
    for file in recorded:
        path = PurePosixPath(file)
        if ".." in path.parts or path.is_absolute() or path.suffix in COMPILED:
            continue
        if not path.parts[0].endswith(".dist-info"):
            yield str(path), Path(str(file.locate()))
        elif path.parts[1] == LICENCES:
            yield path.name, Path(str(file.locate()))
