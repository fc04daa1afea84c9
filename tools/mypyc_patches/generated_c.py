"""Changes to the C that mypyc has written; the docstring of this package explains each change.

`patched()` takes the C of all groups. A group is a folder of `core`, such as chess, whose modules mypyc compiles into
one library. A patch that applies to fewer or more places than it should raises PatchError; otherwise the build would
silently be slower or partly wrong.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from tools.mypyc_patches.jumps import with_jumps


class PatchError(Exception):
    """A patch does not fit the C that mypyc has written; the message names the patch and the remedy."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A pattern in the C that mypyc writes and its replacement, applied wherever the pattern is found."""

    name: str
    pattern: str
    replacement: str
    places: str  # a looser pattern for the same places; `pattern` must match exactly as often
    group: str = ""  # the only group that must have such places; if empty, every group must


# In the order in which they are applied.
REWRITES: Final = (
    Rewrite(
        "an index is in range",
        r"(cpy_r_r\d+) = (\(uint64_t\)\w+ < \(uint64_t\)\w+;\n +)if \(\1\)",
        r"\1 = \2if (likely(\1))",
        r"= \(uint64_t\)\w+ < \(uint64_t\)\w+;",
    ),
    Rewrite(
        "an index counts from the end",
        r"(?<=;)\n    (cpy_r_r\d+) = [^;\n]+ \+ (cpy_r_r\d+);\n    (cpy_r_r\d+) = \(uint64_t\)\1 < \(uint64_t\)\2;\n"
        r"    if \(likely\(\3\)\)(?: goto CPyL\d+;| \{\n        goto CPyL\d+;\n    \} else\n        (goto CPyL\d+;))",
        r"\n    \4",
        r"\+ (\w+);\n    \w+ = \(uint64_t\)\w+ < \(uint64_t\)\1;",
    ),
    Rewrite(
        "a masked index is in range",
        r"(= \(int64_t\)(\w+)\.len;\n    (\w+) = \w+ - 1;\n    (\w+) = \w+ & \3;\n    (\w+) = \(int64_t\)\2\.len;\n"
        r"    \w+ = )\(uint64_t\)\4 < \(uint64_t\)\5;",
        r"\1\5 != 0;",
        r"\(int64_t\)(\w+)\.len;\n    (\w+) = \w+ - 1;\n    \w+ = \w+ & \2;\n    \w+ = \(int64_t\)\1\.len;",
        group="corewar",
    ),
    Rewrite(
        "a name of a module has its value",
        r"(= CPyStatic_\w+;)\n    if \((?:likely\(\S+ (?:>=|!=) \S+\)\) (goto \w+;)|"
        r"unlikely\(\S+ (?:<|==) \S+\)\) \{\n        goto \w+;\n    \} else\n        (goto \w+;))",
        r"\1 \2\3",
        r"= CPyStatic_\w+;\n    if \(",
    ),
)

# Functions whose body becomes instructions of the processor or a system call, by their names in Python.
BUILTINS: Final = {
    "core.chess.bitboard.count": "return __builtin_popcountll(cpy_r_squares);",
    "core.chess.bitboard.lowest": "return __builtin_ctzll(cpy_r_squares);",
    "core.chess.transposition.prefetch": "__builtin_prefetch(cpy_r_words.items + cpy_r_at); return 1;",
    "core.chess.history.prefetch_row": (
        "\n for (int byte = 0; byte < 2 * 384; byte += 64)"
        " __builtin_prefetch((const char *)(cpy_r_entries.items + cpy_r_at) + byte);"
        "\n return 1;"
    ),
    "core.chess.transposition.first_of_line": "return (-(uintptr_t)cpy_r_words.items & 63) / 8;",
    # Large pages are requested for all whole pages of 2 MiB (14, MADV_HUGEPAGE), and their memory is given back (4,
    # MADV_DONTNEED), after which it reads as zeros again.
    "core.chess.transposition.use_large_pages": (
        "\n#ifdef __linux__\n"
        " extern int madvise(void *, size_t, int);"
        " uintptr_t page = 1 << 21, begin = ((uintptr_t)cpy_r_zeros.items + page - 1) & -page,"
        " end = (uintptr_t)(cpy_r_zeros.items + cpy_r_zeros.len) & -page;"
        " if (begin < end && !madvise((void *)begin, end - begin, 14)) madvise((void *)begin, end - begin, 4);\n"
        "#endif\n return 1;"
    ),
}
# Functions in which `match` becomes a jump, each with its number of chains of comparisons: codes, modes and operations
# in the turns of both warriors.
JUMPING: Final = {
    "core.corewar.mars.Mars._run_two": 6,
    "core.corewar.mars.Mars._run_two_later": 6,
}
# Functions that are always inlined, however long they are.
INLINED: Final = (
    r"core.corewar.mars._(?:execute|operands)(?:_later)?_\d+",
    "core.chess.bitboard.bishop_attacks",
    "core.chess.bitboard.rook_attacks",
    # Short ones of the search, whose calls take longer than they do: together 4 % of its instructions, 3 % of its time.
    "core.chess.evaluation._force",
    "core.chess.evaluation.drawish_ending",
    "core.chess.evaluation.phase",
    "core.chess.evaluation.Evaluator.touch",
    "core.chess.history.capture_index",
    "core.chess.history.place_of",
    "core.chess.move_ordering._exchange",
    "core.chess.movegen.attackers_of_both",
    "core.chess.position.insufficient_material",
    "core.chess.position.key_after",
    "core.chess.positional._numbers_of_side",
    "core.chess.search.AlphaBetaSearch._has_tried_enough",
    "core.chess.search.AlphaBetaSearch._is_futile",
    "core.chess.search.AlphaBetaSearch._is_improving",
    "core.chess.search.AlphaBetaSearch._key",
    "core.chess.search.AlphaBetaSearch._open",
    "core.chess.search.AlphaBetaSearch._touch",
    "core.chess.transposition.PvTable.clear",
    "core.chess.transposition.TranspositionTable.touch",
    "core.corewar.mars.Mars._run",  # in each copy `later` is a constant; a test costs 3 % of the instructions
)
# Declarations of functions that are called only on rare paths, those of errors.
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


def patched(texts: Mapping[str, str], lengths: Mapping[str, int], specialised: int) -> dict[str, str]:
    """Return the C of each group, by the group's name, with all changes.

    `lengths` are the lengths of tables by their names in Python ("core.chess.bitboard.KNIGHT"); `specialised` is the
    number of functions that `specialise` has added. Raises PatchError if the C does not have the expected form.
    """
    results = dict(texts)
    for rewrite in REWRITES:
        results = {group: _rewritten(rewrite, group, text) for group, text in results.items()}
    results = _with_lengths(results, lengths)
    for name, body in BUILTINS.items():
        _replace(results, name, 1, rf"\1 {body} }}")
    for name, chains in JUMPING.items():
        _replace(results, name, 1, partial(_jumping, name, chains))
    for name in INLINED:
        count = specialised if name.endswith(r"\d+") else 1
        _replace(results, name, count, r"__attribute__((always_inline)) inline \g<0>")
    # The attribute is declared before the definition of each function, as clang requires.
    return {group: f"#include <CPy.h>\n{COLD}{text}" for group, text in results.items()}


def _rewritten(rewrite: Rewrite, group: str, text: str) -> str:
    """Return the C of a group with a rewrite applied. Raises PatchError if it changes a wrong number of places."""
    places = len(re.findall(rewrite.places, text))
    text, changed = re.subn(rewrite.pattern, rewrite.replacement, text)
    if changed != places or (not changed and rewrite.group in ("", group)):
        raise _misfit(f"{rewrite.name!r} changes {changed} of {places} places in the C of {group}")
    return text


def _with_lengths(texts: Mapping[str, str], lengths: Mapping[str, int]) -> dict[str, str]:
    """Return the texts with an assignment of the constant length after each load of a table."""
    names = {f"CPyStatic_{table.replace('.', '___')}": table for table in lengths}
    loaded = set()

    def assign(load: re.Match[str]) -> str:
        if load[2] not in names:
            return load[0]
        loaded.add(names[load[2]])
        return f"{load[0]} {load[1]}.len = {lengths[names[load[2]]]};"

    results = {
        group: re.sub(r"^ +(\w+) = (CPyStatic_\w+);", assign, text, flags=re.MULTILINE)
        for group, text in texts.items()
    }
    if missing := sorted(lengths.keys() - loaded):
        raise _misfit(f"the tables {', '.join(missing)} are loaded nowhere")
    return results


def _replace(
    texts: dict[str, str], name: str, expected: int, replacement: str | Callable[[re.Match[str]], str]
) -> None:
    """Replace the definitions of a function in its group; group 1 of a match is the text before the body."""
    group = name.split(".")[1]
    if group not in texts:
        return
    function = rf"^(\w+ CPyDef_{name.replace('.', '___')}\([^)]*\) {{).*?^}}"
    texts[group], found = re.subn(function, replacement, texts[group], flags=re.MULTILINE | re.DOTALL)
    if found != expected:
        raise _misfit(f"{found} functions {name} are in the C of {group}, and not {expected}")


def _jumping(name: str, chains: int, function: re.Match[str]) -> str:
    """Return a function with jumps for its comparisons. Raises PatchError unless it has this number of chains."""
    text, found = with_jumps(function[0])
    if found != chains:
        raise _misfit(f"{found} chains of comparisons are in {name}, and not {chains}")
    return text


def _misfit(problem: str) -> PatchError:
    return PatchError(
        f"a patch does not fit the C that mypyc has written: {problem}. See tools/mypyc_patches/__init__.py;"
        " GALAPAGOS_CHECKED=1 builds without patches."
    )
