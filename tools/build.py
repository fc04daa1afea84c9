"""The build: mypyc translates every module of `core` to C, and the C compiler makes a native library for each game.

Only games that have changed are compiled, both by `python tools/build.py` and by `pip install --editable .`. The
changes to sources and C during the build are in tools/mypyc_patches. With GALAPAGOS_CHECKED=1 nothing is changed, and
memory and arithmetic are checked while the code runs: tools/checked.py builds this in a separate folder.
"""

import os
import platform
import re
import shutil
import sys
import sysconfig
import warnings
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final

from mypyc.build import mypyc_build, mypycify
from mypyc.options import CompilerOptions
from setuptools import setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).parent.parent))  # setuptools loads this file by its path
from tools.mypyc_patches import check_version
from tools.mypyc_patches.generated_c import patched
from tools.mypyc_patches.specialise import MARS, specialised
from tools.prerequisites import compiler, is_clang

BUILD: Final = Path("build")
SOURCES: Final = BUILD / "sources"  # what mypyc compiles
PREFIX: Final = "galapagos_"  # of the name of a group's library
TOOLS: Final = [Path("tools/build.py"), *sorted(Path("tools/mypyc_patches").glob("*.py"))]
# -fwrapv: hashes, magics and random numbers rely on two's complement.
FLAGS: Final = ["-fwrapv"]
MARS_FLAGS: Final[list[str]] = []  # additional flags of the library with the MARS
CHECKED: Final = bool(os.environ.get("GALAPAGOS_CHECKED"))
SANITIZERS: Final = os.environ.get("GALAPAGOS_SANITIZERS", "").split()
if CHECKED:
    FLAGS.extend(["-fno-omit-frame-pointer", *SANITIZERS])
else:
    # -fno-semantic-interposition: 5-15 % on code that makes many calls. -O3 is 1 to 4 % slower than -O2 in the MARS.
    # -fvisibility=hidden: the address of a module's table is known without a lookup.
    FLAGS.extend(["-fno-semantic-interposition", "-fvisibility=hidden"])
    if platform.machine().lower() in ("x86_64", "amd64"):
        FLAGS.append("-mpopcnt")  # every such processor since 2008 counts bits
        if is_clang(compiler()):
            # Otherwise clang turns conditional moves into branches: in the MARS an address wraps or not nearly at
            # random, and mispredicted branches cost a fifth to a third of its speed.
            FLAGS.extend(["-mllvm", "-x86-cmov-converter=0"])
            # Otherwise clang copies so many paths through an instruction that the registers do not suffice.
            MARS_FLAGS.extend(["-mllvm", "-jump-threading-threshold=0"])


class BuildCore(build_ext):
    """A `build_ext` command whose extensions are `core`, compiled by mypyc, on all processors."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.editable_mode:  # pip would compile everything in a temporary folder, each time
            place = f"{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
            self.build_lib, self.build_temp = str(BUILD / f"lib.{place}"), str(BUILD / f"temp.{place}")

    def run(self) -> None:
        sources = sorted(path for path in Path("core").rglob("*.py") if path.stat().st_size)
        built = BUILD / "built.txt"  # the toolchain and sources of the libraries in place
        toolchain = _toolchain()
        digest = _digest(toolchain, [*TOOLS, *sources])
        before, known, *libraries = _built(built)
        if self.inplace and known == digest and all(Path(library).exists() for library in libraries):
            _refresh(libraries, sources)
            self.extensions = []
            return
        check_version(version("mypy"))
        with Progress(len({_folder(source) for source in sources})) as self.progress:
            # Not earlier, since pip asks for the name and the version three times before it builds.
            self.distribution.ext_modules = _extensions(sources)
            self.progress.count()
            self.swig_opts = None  # type: ignore[assignment]  # what setuptools cannot finalize twice
            super().finalize_options()
            self.force = self.force or before != toolchain  # setuptools compares only the ages of files
            super().run()
        if self.inplace:
            made = list(self.get_output_mapping().values())
            for stale in set(libraries).difference(made):
                Path(stale).unlink(missing_ok=True)  # else a removed module could still be imported
            built.write_text("\n".join([toolchain, digest, *made]))
            _refresh(made, sources)

    def build_extension(self, ext: Any) -> None:
        super().build_extension(ext)
        if ext.name.startswith(PREFIX):
            self.progress.count()


class Progress:
    """The progress of the build on standard error: one changing line at a terminal, else a line for each step."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.compiled = -1  # mypyc is still translating
        self.started = monotonic()
        self.is_terminal = sys.stderr.isatty()
        self.lock = Lock()  # libraries are compiled in threads
        self.ended = Event()
        self.clock = Thread(target=self._tick, daemon=True)

    def __enter__(self) -> "Progress":
        self._show()
        if self.is_terminal:
            self.clock.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        if self.is_terminal:
            self.clock.join()
            print(file=sys.stderr)

    def count(self) -> None:
        """Count one more finished part: the translation to C, or a library."""
        with self.lock:
            self.compiled += 1
        self._show()

    def _tick(self) -> None:
        while not self.ended.wait(1):
            self._show()

    def _show(self) -> None:
        state = f"{self.compiled} of {self.total} parts" if self.compiled >= 0 else "translating it to C"
        line = f"Compiling the core: {state}, {monotonic() - self.started:.0f} s"
        print(
            f"\r{line}  " if self.is_terminal else line, end="" if self.is_terminal else "\n", file=sys.stderr
        )
        sys.stderr.flush()


def _extensions(sources: list[Path]) -> list[Any]:
    """Return the extensions: a library for each folder of `core`, and for each module a small one that loads it."""
    copies = [_copy(source) for source in sources]
    groups: list[tuple[list[str], str | None]] = [
        ([str(copy) for copy in inside], PREFIX + folder)
        for folder, inside in groupby(sorted(copies, key=_folder), key=_folder)
    ]
    paths = [f"--cache-dir={BUILD / 'mypy'}", *map(str, copies)]
    options = CompilerOptions(separate=True, target_dir=str(BUILD))
    # With global_opts mypyc knows within a group which classes have subclasses (see tools/mypyc_patches). mypyc's
    # cache cannot store this (State's subclasses are in other groups: KeyError when the cache is read), so each build
    # starts without a cache: 22 CPU seconds instead of 10.
    options.global_opts = True
    shutil.rmtree(BUILD / "mypy", ignore_errors=True)
    _, written, headers = mypyc_build(paths, options, separate=groups)
    extensions: list[Any] = mypycify(
        paths,
        opt_level="1" if CHECKED else "2",
        debug_level="0",
        separate=groups,
        skip_cgen_input=(  # the C was just written and must not be written again, hence the empty texts
            [[(str(Path(name).relative_to(BUILD)), "") for name in names] for names, _ in written],
            [(header.path, header.include_dirs, header.internal) for header in headers],
        ),
    )
    rewritten = {} if CHECKED else _rewrite(sources, [Path(name) for names, _ in written for name in names])
    for extension in extensions:
        of_mars = MARS_FLAGS if extension.name.startswith(PREFIX + _folder(MARS)) else []
        extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS, *of_mars]
        extension.extra_link_args = [*extension.extra_link_args, *SANITIZERS]
        extension.sources = [str(rewritten.get(Path(source), source)) for source in extension.sources]
    return sorted(extensions, key=_size, reverse=True)  # so that the last to start is finished soon


def _rewrite(sources: list[Path], written: list[Path]) -> dict[Path, Path]:
    """Write the patched C for the compiler; return its paths by those of the files that mypyc has written.

    The files of mypyc stay as they are, since mypyc looks at them in the next build.
    """
    texts = {
        path.stem.rpartition(PREFIX)[2]: path.read_text() for path in written if path.stem.startswith("__")
    }
    bodies = len(re.findall(r"^def _(?:execute|operands)_", (SOURCES / MARS).read_text(), re.MULTILINE))
    results = {}
    for group, text in patched(texts, _lengths(sources), bodies).items():
        result = BUILD / "rewritten" / f"__native_{PREFIX}{group}.c"
        named = text.replace(f'"{SOURCES.as_posix()}/', '"')  # tracebacks name the sources
        result.parent.mkdir(parents=True, exist_ok=True)
        if not result.exists() or result.read_text() != named:
            result.write_text(named)
        results[BUILD / result.name] = result
    return results


def _copy(source: Path) -> Path:
    """Write a source for mypyc, specialised if it is the MARS and else unchanged, and return its path."""
    copy = SOURCES / source
    text = source.read_text()
    if source == MARS and not CHECKED:
        text = specialised(text)
    for folder in copy.parents[: len(source.parts) - 1]:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    if not copy.exists() or copy.read_text() != text:
        copy.write_text(text)
    return copy


def _folder(source: Path) -> str:
    return source.parent.name


def _size(extension: Any) -> int:
    return sum(Path(source).stat().st_size for source in extension.sources)


def _lengths(sources: list[Path]) -> dict[str, int]:
    """Return the lengths of the tables whose length their module asserts, by the full names of the tables."""
    lengths: dict[str, int] = {}
    for source in sources:
        module = ".".join(source.with_suffix("").parts)
        for names, length in re.findall(
            r"^assert ((?:len\(\w+\) == )+)(\d+)$", source.read_text(), re.MULTILINE
        ):
            for name in re.findall(r"\((\w+)\)", names):
                lengths[f"{module}.{name}"] = int(length)
    return lengths


def _toolchain() -> str:
    """Return a digest of the compilers' versions and flags."""
    compiler = [os.environ.get(name) or sysconfig.get_config_var(name) or "" for name in ("CC", "CFLAGS")]
    return sha256(
        "\n".join([sys.version, version("mypy"), *compiler, *FLAGS, *MARS_FLAGS]).encode()
    ).hexdigest()


def _digest(toolchain: str, sources: list[Path]) -> str:
    """Return a digest of everything on which the libraries depend."""
    digest = sha256(toolchain.encode())
    for source in sources:
        digest.update(f"\n{source}\n".encode() + source.read_bytes())
    return digest.hexdigest()


def _built(built: Path) -> list[str]:
    """Return the digests of the toolchain and of the sources, and the paths of the installed libraries."""
    lines = built.read_text().split("\n") if built.exists() else []
    return lines if len(lines) > 2 else ["", ""]


def _refresh(libraries: Iterable[str], sources: Iterable[Path]) -> None:
    """Make the libraries newer than their sources, as the tests require: not every change rebuilds each library."""
    newest = max(source.stat().st_mtime for source in sources)
    for library in map(Path, libraries):
        if library.stat().st_mtime < newest:
            library.touch()


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # mypyc and setuptools warn each other's developers
    setup(script_args=["-q", "build_ext", "--inplace"])
