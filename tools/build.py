"""The build: mypyc makes C of every module of `core`, and the C compiler a native library a game of it.

Nothing is made twice: `pip install --editable .` compiles the games that have changed, or nothing.
"""

import os
import platform
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from mypyc.build import mypycify
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).parent.parent))  # setuptools loads this file by its path
from tools.specialise import MARS, specialised

BUILD: Final = Path("build")
SOURCES: Final = BUILD / "sources"  # what mypyc compiles
# -fwrapv: hashes, magics and random numbers rely on two's complement.
# -fno-semantic-interposition: 5-15 % on code that makes many calls. -O3 is 1 to 4 % slower than -O2 in the MARS.
# -fvisibility=hidden: a table of a module is found without asking where it is.
FLAGS: Final = ["-fwrapv", "-fno-semantic-interposition", "-fvisibility=hidden"]
if platform.machine().lower() in ("x86_64", "amd64"):
    FLAGS.append("-mpopcnt")  # every such processor since 2008 counts bits

# Functions that processors have an instruction for: what the C compiler calls it takes the place of their body.
BUILTINS: Final = {
    "core.chess.bitboard.count": "return __builtin_popcountll(cpy_r_squares);",
    "core.chess.bitboard.lowest": "return __builtin_ctzll(cpy_r_squares);",
    "core.chess.transposition.prefetch": "__builtin_prefetch(cpy_r_words.items + cpy_r_at); return 1;",
    "core.chess.transposition.first_of_line": "return (-(uintptr_t)cpy_r_words.items & 63) / 8;",
    # What lies in whole pages of 2 MiB is asked for as such (14), and given back (4): it comes again as zeros.
    "core.chess.transposition.use_large_pages": (
        "\n#ifdef __linux__\n"
        " extern int madvise(void *, size_t, int);"
        " uintptr_t page = 1 << 21, begin = ((uintptr_t)cpy_r_zeros.items + page - 1) & -page,"
        " end = (uintptr_t)(cpy_r_zeros.items + cpy_r_zeros.len) & -page;"
        " if (begin < end && !madvise((void *)begin, end - begin, 14)) madvise((void *)begin, end - begin, 4);\n"
        "#endif\n return 1;"
    ),
}

# What is taken out of the C, or said to the C compiler: an eighth of the instructions of a chess search (callgrind).
REWRITES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # Whether an index is in range: it nearly always is. This keeps the errors out of the way.
        (r"(cpy_r_r\d+) = (\(uint64_t\)\w+ < \(uint64_t\)\w+;\n +)if \(\1\)", r"\1 = \2if (likely(\1))"),
        # Whether one that is not in range counts from the end: in `core` none does, so it is an IndexError.
        (
            r"(?<=;)\n    (cpy_r_r\d+) = [^;\n]+ \+ (cpy_r_r\d+);\n    (cpy_r_r\d+) = \(uint64_t\)\1 < \(uint64_t\)\2;\n"
            r"    if \(likely\(\3\)\)(?: goto CPyL\d+;| \{\n        goto CPyL\d+;\n    \} else\n        (goto CPyL\d+;))",
            r"\n    \4",
        ),
        # Whether an index is in range that is masked with the length less one: it is, if there is anything.
        (
            r"(= \(int64_t\)(\w+)\.len;\n    (\w+) = \w+ - 1;\n    (\w+) = \w+ & \3;\n    (\w+) = \(int64_t\)\2\.len;\n"
            r"    \w+ = )\(uint64_t\)\4 < \(uint64_t\)\5;",
            r"\1\5 != 0;",
        ),
        # Whether an attribute has its value: none is read before it is set. Else the process would crash.
        (
            r"    if \(unlikely\((\w+) == -113\) && [^\n]*->bitmap & \d+\)\) \{\n        PyErr_SetString\([^\n]*\n    \}\n"
            r"((?:    \w+DECREF\(\w+\);\n)*)    (\w+) = \1 == -113;\n",
            r"\2    \3 = 0;\n",
        ),
        (
            r"(= \(\(\w+ \*\)\w+\)->_\w+;\n)    if \(unlikely\(\w+(?: == NULL|\.len < 0| == 2)\)\) \{\n"
            r"        CPy_AttributeError\([^\n]*\n        goto \w+;\n    \}\n",
            r"\1",
        ),
        # Whether a name of a module has its value: it has, since modules are imported before they are used.
        (
            r"(= CPyStatic_\w+;)\n    if \((?:likely\(\S+ (?:>=|!=) \S+\)\) (goto \w+;)|"
            r"unlikely\(\S+ (?:<|==) \S+\)\) \{\n        goto \w+;\n    \} else\n        (goto \w+;))",
            r"\1 \2\3",
        ),
    )
)
# Functions that are put in where they are called, however long they are.
INLINED: Final = ("core.corewar.mars._operands(?:_later)?", r"core.corewar.mars._execute_\d+")
# Functions in which `match` becomes a jump: GCC 12 compares with one number after the other.
JUMPING: Final = ("core.corewar.mars._operands(?:_later)?", "core.corewar.mars.Mars._run_two(?:_later)?")
# A comparison of a `match` with a number, as mypyc writes it: where it is reached, by a label or from what is before;
# what is compared, with what, and where to go on if they are equal, or if they are not.
TEST: Final = re.compile(
    r"(?:(CPyL\d+): ;\n)?    (\w+) = (\w+) == (\d+);\n    if \((!?)\2\) goto (CPyL\d+);\n"
)
MANY: Final = 60  # comparisons
# Whoever calls one of these is on a path that is hardly ever taken.
COLD: Final = "".join(
    f"__attribute__((cold)) {function};\n"
    for function in (
        "void CPy_AddTraceback(const char *, const char *, int, PyObject *)",
        "void CPy_AttributeError(const char *, const char *, const char *, const char *, int, PyObject *)",
        "void PyErr_SetNone(PyObject *)",
        "void PyErr_SetString(PyObject *, const char *)",
        "PyObject *PyErr_Occurred(void)",
        "void _Py_Dealloc(PyObject *)",
    )
)


class BuildCore(build_ext):
    """`build_ext` whose extensions are `core`, compiled by mypyc, on all processors."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.editable_mode:  # pip would have all of it compiled in a temporary folder, each time
            place = f"{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
            self.build_lib, self.build_temp = str(BUILD / f"lib.{place}"), str(BUILD / f"temp.{place}")

    def run(self) -> None:
        sources = sorted(path for path in Path("core").rglob("*.py") if path.stat().st_size)
        built = BUILD / "built.txt"  # from which sources the libraries in place are
        digest = _digest([Path("tools/build.py"), Path("tools/specialise.py"), *sources])
        if self.inplace and _is_current(built, digest):
            _refresh(_built(built)[1:], sources)
            self.extensions = []
            return
        # Only here: pip asks for the name and the version three times before it builds.
        self.distribution.ext_modules = _extensions(sources)
        self.swig_opts = None  # type: ignore[assignment]  # what setuptools cannot finalize twice
        super().finalize_options()
        super().run()
        if self.inplace:
            libraries = self.get_output_mapping().values()
            for stale in {*_built(built)[1:]}.difference(libraries):
                Path(stale).unlink(missing_ok=True)  # else a module that is gone could still be imported
            built.write_text("\n".join([digest, *libraries]))
            _refresh(libraries, sources)


def _extensions(sources: list[Path]) -> list[Any]:
    """A library a folder of `core`, and a small one a module that loads it."""
    copies = [_copy(source) for source in sources]
    folders = {
        folder: [str(copy) for copy in inside]
        for folder, inside in groupby(sorted(copies, key=_folder), key=_folder)
    }
    extensions = mypycify(
        [f"--cache-dir={BUILD / 'mypy'}", *map(str, copies)],
        opt_level="2",
        debug_level="0",
        separate=[(inside, f"galapagos_{folder}") for folder, inside in folders.items()],
    )
    lengths = _lengths(sources)
    for extension in extensions:
        extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
        extension.sources = [str(_rewritten(Path(source), lengths)) for source in extension.sources]
    return sorted(extensions, key=_size, reverse=True)  # so that the last to begin is soon done


def _copy(source: Path) -> Path:
    """A source as mypyc gets it: the MARS with specialised bodies, every other as it is."""
    copy = SOURCES / source
    text = source.read_text()
    if source == MARS:
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


def _lengths(sources: list[Path]) -> dict[str, str]:
    """Of the tables whose length a module asserts as it is imported; by their names in C."""
    lengths: dict[str, str] = {}
    for source in sources:
        module = "___".join(source.with_suffix("").parts)
        for names, length in re.findall(
            r"^assert ((?:len\(\w+\) == )+)(\d+)$", source.read_text(), re.MULTILINE
        ):
            for name in re.findall(r"\((\w+)\)", names):
                lengths[f"CPyStatic_{module}___{name}"] = length
    return lengths


def _rewritten(source: Path, lengths: dict[str, str]) -> Path:
    """A source as the C compiler gets it: REWRITES, lengths, COLD and BUILTINS."""
    if not source.name.startswith("__native"):
        return source
    text = source.read_text()
    for pattern, replacement in REWRITES:
        text = pattern.sub(replacement, text)
    text = re.sub(
        r"(\w+) = (CPyStatic_\w+);",
        lambda found: found[0] + (f" {found[1]}.len = {lengths[found[2]]};" if found[2] in lengths else ""),
        text,
    )
    text = text.replace(f'"{SOURCES.as_posix()}/', '"')  # tracebacks name the sources
    text = text.replace('#include "__native', f'{COLD}#include "__native', 1)
    for name, body in BUILTINS.items():
        text = _replaced(source, text, name, rf"\1 {body} }}")
    for name in JUMPING:
        text = _replaced(source, text, name, lambda function: _with_jumps(function[0]))
    for name in INLINED:
        text = _replaced(source, text, name, r"__attribute__((always_inline)) inline \g<0>")
    rewritten = BUILD / "rewritten" / source.name  # mypyc looks whether the original has changed
    if not rewritten.exists() or rewritten.read_text() != text:
        rewritten.parent.mkdir(parents=True, exist_ok=True)
        rewritten.write_text(text)
    return rewritten


def _replaced(source: Path, text: str, name: str, replacement: str | Callable[[re.Match[str]], str]) -> str:
    """The C with another text for a function; its first group is what is before the body."""
    function = rf"^(\w+ CPyDef_{name.replace('.', '___')}\([^)]*\) {{).*?^}}"
    text, found = re.subn(function, replacement, text, flags=re.MULTILINE | re.DOTALL)
    if not found and source.stem.endswith(f"_{name.split('.')[1]}"):
        raise RuntimeError(f"{source}: mypyc writes {name} in another form; see tools/build.py")
    return text


def _with_jumps(text: str) -> str:
    """A function with a jump in place of each chain of MANY comparisons."""
    chains: list[list[re.Match[str]]] = []
    waiting: dict[tuple[str, str | int], list[re.Match[str]]] = {}  # by what is compared, and where next
    for test in TEST.finditer(text):
        label, _, compared, _, unequal, target = test.groups()
        chain = waiting.pop((compared, label or test.start()), [])
        if not chain:
            chains.append(chain)
        chain.append(test)
        waiting[compared, target if unequal else test.end()] = chain
    return _edited(text, [edit for chain in chains if len(chain) >= MANY for edit in _jump(chain)])


def _jump(chain: list[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    """Where a chain of comparisons is, from and to, and what takes its place."""
    targets = {}
    for test in chain:
        _, _, _, number, unequal, target = test.groups()
        targets[int(number)] = f"{target}_{number}" if unequal else target
    first, last = chain[0], chain[-1]
    compared, otherwise = first[3], last[6]
    length = 1 << max(targets).bit_length()
    if len(targets) > length // 4:
        cases = "".join(f"case {number}: goto {target}; " for number, target in targets.items())
        jump = f"    switch ({compared}) {{{cases}default: goto {otherwise};}}\n"
    else:
        entries, at = [], 0
        for number, target in sorted([*targets.items(), (length, otherwise)]):
            entries.append(f"[{at} ... {number - 1}] = &&{otherwise}, " * (at < number))
            entries.append(f"[{number}] = &&{target}, " * (number < length))
            at = number + 1
        jump = (
            f"    static const void *const jumps[] = {{{''.join(entries)}}};\n"
            f"    if ((uint64_t){compared} < {length}) goto *jumps[{compared}]; else goto {otherwise};\n"
        )
    yield first.start(), first.start(), f"{first[1]}: ;\n{jump}" if first[1] else jump
    for test in chain:
        _, _, _, number, unequal, target = test.groups()
        yield test.start(), test.end(), f"{target}_{number}: ;\n" if unequal else ""


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text in which something else stands in some places."""
    parts, at = [], 0
    for start, end, inserted in edits:
        parts += [text[at:start], inserted]
        at = end
    return "".join([*parts, text[at:]])


def _digest(sources: list[Path]) -> str:
    """Of all that the libraries follow from."""
    compiler = [os.environ.get(name) or sysconfig.get_config_var(name) or "" for name in ("CC", "CFLAGS")]
    digest = sha256("\n".join([sys.version, version("mypy"), *compiler]).encode())
    for source in sources:
        digest.update(f"\n{source}\n".encode() + source.read_bytes())
    return digest.hexdigest()


def _built(built: Path) -> list[str]:
    """The digest, and the libraries that were put in place."""
    return built.read_text().split("\n") if built.exists() else [""]


def _refresh(libraries: Iterable[str], sources: Iterable[Path]) -> None:
    """Make the libraries newer than their sources, which the tests ask for: not every change changes each of them."""
    newest = max(source.stat().st_mtime for source in sources)
    for library in map(Path, libraries):
        if library.stat().st_mtime < newest:
            library.touch()


def _is_current(built: Path, digest: str) -> bool:
    known, *libraries = _built(built)
    return known == digest and all(Path(library).exists() for library in libraries)
