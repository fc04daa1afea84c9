"""Changes to the C that mypyc writes for `core`, and the reason for each.

mypyc translates Python to C that checks everything that could go wrong. The searches and simulations of `core` run
millions of steps a second, so a few of these checks, and a few forms that compilers optimise badly, cost much time.
This package changes them. `make checked` builds without the patches, with AddressSanitizer and
UndefinedBehaviorSanitizer, and compares the signatures of the benchmarks with those of the fast build. Tests:
tests/tools/test_mypyc_patches.py.

Each patch has a number of places to which it must apply: as many as a looser pattern finds, or a fixed number for
named functions. If mypyc writes another form, the build ends with PatchError. `check_version()` refuses versions of
mypy that have not been compared with the patches. To move to a new version, add it to KNOWN, build, repair the
patches that PatchError names, and run `make checked`.

| patch, and where | mypyc writes | the build makes of it | what would break it |
|---|---|---|---|
| subclasses known in a group (`CompilerOptions.global_opts`, tools/build.py) | with a library a game, no class may have an attribute that is always set: every read is checked | mypyc's own analysis (mypyc/analysis/attrdefined.py) proves it from the constructor: 3,181 of 3,666 checks are gone, the rest are in accessors for Python; calls of methods without overrides are direct | a native subclass in another group of a class that does not allow interpreted subclasses: a test refuses it |
| an index is in range (generated_c.REWRITES) | `if (index < length)` | the same with `likely()`, so that errors are out of the way | |
| an index counts from the end | a second test, for `x[-1]` with a variable index | an IndexError: no code of `core` indexes so; constants are resolved before | code that does: it raises IndexError |
| a masked index is in range | the range check of `x[i & (len(x) - 1)]` | a check that `x` is not empty | |
| a name of a module has its value | a check at each use of a `Final` table | nothing: modules are imported before their functions are called | a cycle of imports, which import-linter refuses |
| lengths of tables | a table's length is loaded | the constant that an `assert` at the module's end states | |
| COLD | the calls that raise errors | marked `cold`; before the definitions, as clang demands | |
| BUILTINS | the Python body of a function such as `count()` | the instructions of the processor | another signature: PatchError |
| JUMPING (jumps.py) | `match` as up to 200 comparisons, one after the other | a table of labels or a `switch`; one table for two chains, of which the second compares the same number, masked | another number of chains: PatchError |
| INLINED | calls of the bodies of instructions, of Mars._run, and of short functions of the chess search | `always_inline` | another number of bodies: PatchError |
| specialise.py | | before mypyc: bodies for the commonest instructions of Redcode, by partial evaluation of Mars._run | parts that it does not find: StopIteration |

The measurements are ratios of medians of alternating runs, with gcc 12, in November 2026, on a busy machine. They
compare with the previous build, in which two rewrites removed all checks of unset attributes by pattern. Knowing the
subclasses makes searches 1.05 (eight genes) to 1.18 (positional genes) and evaluations 1.23 times as fast; perft
stays the same (0.97). The patches of the C remove an eighth of the instructions of a chess search (callgrind,
before); the bodies and jumps of the MARS make it 1.6 times as fast. Not all patches have been measured separately.

Fewer instructions of the processor made the MARS 1.18 and 1.2 times as fast in two late populations of seed, in steps:
1.09 no comparison of addresses with mypyc's mark for errors, and wraps and decrements by the sign of a subtraction
(without the former the latter is slower, 0.96, since gcc then makes branches of wraps); 1.09 a schedule of constant
length in the loop, and an even number of turns; 1.05 one jump to the modes of a rare instruction; 1.02 one tick a
pass. Flags of gcc for this library gained nothing: -fno-gcse 0.99, -fno-tree-pre 0.99, -fira-region=all 0.98,
-fno-crossjumping with -fno-tree-tail-merge 0.96, -fno-reorder-blocks-and-partition 1.02 and 0.99. Neither did an
unlikely branch for the address after the last (1.02 and 0.99), nor a mask in place of a conditional move in
decrements (0.95).

With clang on x86-64 the build passes `-mllvm -x86-cmov-converter=0`: otherwise clang turns conditional moves into
branches, and whether an address of the MARS wraps is nearly random. Without the option the MARS of clang 14 is 0.68
to 0.92 times as fast as that of gcc 12. The library of the MARS also gets `-mllvm -jump-threading-threshold=0`:
otherwise clang copies paths through an instruction, so that values no longer fit into registers (103 instructions of
the processor for one instruction in a fight of two papers, with gcc 79; with the option 92). With both options, the
MARS of clang 14 is 0.82 to 0.91 times as fast as that of gcc 12 (geometric mean 0.85, in ten alternating pairs; with
the first option alone 0.75, clang 19 0.78). Tried without further gain: -O1, -Os, no vectors, no reduction of loop
strength, no elimination of partial redundancy, no merging of tails. Chess gains nothing by the second option (0.94 to
1.03).
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
