"""Changes to the C that mypyc writes for `core`, and the reason for each.

mypyc translates Python to C that checks everything that could go wrong. The searches and simulations of `core` run
millions of steps a second, so a few of these checks, and a few forms that compilers read badly, cost much. This package
changes them. `make checked` builds without all of it, with AddressSanitizer and UndefinedBehaviorSanitizer, and
compares the signatures of the benchmarks with those of the fast build. Tests: tests/tools/test_mypyc_patches.py.

Each patch knows how often it must apply: as often as a looser pattern finds its places, or a fixed number for named
functions. If mypyc writes another form, the build ends with PatchError. `check_version()` refuses versions of mypy that
nobody has compared with the patches; to move to a new one, add it to KNOWN, build, repair what PatchError names, and run
`make checked`.

| patch, and where | mypyc writes | the build makes of it | what would break it |
|---|---|---|---|
| subclasses known in a group (`CompilerOptions.global_opts`, tools/build.py) | with a library a game, no class may have an attribute that is always set: every read is checked | mypyc's own analysis (mypyc/analysis/attrdefined.py) proves it from the constructor: 3,181 of 3,666 checks are gone, the rest are in accessors for Python; calls of methods without overrides are direct | a native subclass in another group of a class that does not allow interpreted subclasses: a test refuses it |
| an index is in range (generated_c.REWRITES) | `if (index < length)` | the same with `likely()`, so that errors are out of the way | |
| an index counts from the end | a second test, for `x[-1]` with a variable index | an IndexError: no code of `core` indexes so; constants are resolved before | code that does: it raises IndexError |
| a masked index is in range | the range check of `x[i & (len(x) - 1)]` | a check that `x` is not empty | |
| a name of a module has its value | a check at each use of a `Final` table | nothing: modules are imported before their functions are called | a cycle of imports, which import-linter refuses |
| lengths of tables | a table's length is loaded | the constant that an `assert` at the module's end states | |
| COLD | the calls that raise errors | marked `cold`; before the definitions, as clang demands | |
| BUILTINS | the Python body of a function such as `count()` | the instruction of the processor | another signature: PatchError |
| JUMPING (jumps.py) | `match` as up to 200 comparisons, one after the other | a table of labels or a `switch` | another number of chains: PatchError |
| INLINED | calls of the bodies of instructions, and of Mars._run | `always_inline` | another number of bodies: PatchError |
| specialise.py | | before mypyc: bodies for the commonest instructions of Redcode, by partial evaluation of Mars._run | parts that it does not find: StopIteration |

Measured as ratios of medians of alternating runs, gcc 12, November 2026, on a busy machine, against the build of before
with its two rewrites that took out the checks of unset attributes everywhere, by pattern: knowing the subclasses makes
searches 1.05 (eight genes) to 1.18 (positional genes) and evaluations 1.23 times as fast; perft stays as it was (0.97). The
patches of the C take out an eighth of the instructions of a chess search (callgrind, before); the bodies and jumps of the
MARS make it 1.6 times as fast. Not all of them have been measured on their own.

With clang on x86-64 the build passes `-mllvm -x86-cmov-converter=0`: clang makes branches of conditional moves, and whether
an address of the MARS wraps is as good as random. Without it the MARS of clang 14 is 0.68 to 0.92 times as fast as that of
gcc 12. The library of the MARS also gets `-mllvm -jump-threading-threshold=0`: clang copies paths through an instruction, so
that values no longer fit into registers (103 instructions of the processor for one of two papers' fight, with gcc 79; with
the option 92). With both, the MARS of clang 14 is 0.82 to 0.91 times as fast as that of gcc 12 (geometric mean 0.85, in ten
alternating pairs; with the first alone 0.75, clang 19 0.78). Tried without more gain: -O1, -Os, no vectors, no reduction of
loop strength, no elimination of partial redundancy, no merging of tails. Chess gains nothing by the second (0.94 to 1.03).
"""

from typing import Final

KNOWN: Final = ("2.4",)


def check_version(version: str) -> None:
    """Raise RuntimeError unless the patches are known to fit this version of mypy, which mypyc comes with."""
    if ".".join(version.split(".")[:2]) not in KNOWN:
        raise RuntimeError(
            f"mypyc {version} may write C in another form: the patches are made for {', '.join(KNOWN)}. Install"
            f" 'mypy[mypyc]=={KNOWN[-1]}.*', or see tools/mypyc_patches/__init__.py on how to move them to this version."
        )
