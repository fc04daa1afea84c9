"""Hostile Redcode: texts made to hang, to crash or to fill the memory of the program that reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A text without its ;redcode line; most are refused."""

    name: str
    text: bytes
    is_loaded: bool = False  # by galapagos-mars, as a warrior that no hill takes
    is_warrior: bool = False  # for galapagos-mars and for a hill


def _equs(names: int, kind: bytes, first: bytes = b"1") -> bytes:
    """Names a0, a1, ... each made of the one before it, which stands for ? in `kind`."""
    lines = (b"a%d equ " % n + kind.replace(b"?", b"a%d" % (n - 1)) + b"\n" for n in range(1, names))
    return b"a0 equ " + first + b"\n" + b"".join(lines)


def _in_for(times: Sequence[int], body: bytes) -> bytes:
    heads = b"".join(b"i%d for %d\n" % (depth, count) for depth, count in enumerate(times))
    return heads + body + b"rof\n" * len(times)


IMP: Final = b"mov 0, 1\n"

HOSTILE: Final = (
    Hostile(name="FOR of 10^9, nested", text=_in_for([1000] * 3, IMP)),
    Hostile(name="FOR of 10^18, nested", text=_in_for([1000] * 6, IMP)),
    Hostile(name="FOR of 2^31", text=_in_for([2**31 - 1], IMP)),
    Hostile(name="FOR of 10^72 over nothing", text=_in_for([10**8] * 9, b"") + IMP),
    Hostile(name="FOR nested 1,000 deep", text=_in_for([1] * 1000, IMP)),
    Hostile(name="EQU of itself", text=b"a equ b\nb equ a\nmov a, b\n"),
    Hostile(name="EQU doubled 30 times", text=_equs(31, b"?+?") + b"mov 0, a30\n"),
    Hostile(
        name="EQU of two lines, doubled 30 times", text=_equs(31, b"?\n equ ?", first=b"dat 1") + b"a30\n"
    ),
    Hostile(name="EQU chain of 1,900", text=_equs(1900, b"?") + b"mov 0, a1899\n"),
    Hostile(name="100 parentheses", text=b"mov 0, " + b"(" * 100 + b"1" + b")" * 100 + b"\n", is_loaded=True),
    Hostile(name="240 open parentheses", text=b"mov 0, " + b"(" * 240 + b"\n"),
    Hostile(name="an expression of 100,000 terms", text=b"mov 0, 1" + b"+1" * 100_000 + b"\n"),
    Hostile(name="a number of 20 digits", text=b"mov 0, " + b"9" * 20 + b"\n"),
    Hostile(name="a number of 200 digits", text=b"mov 0, " + b"9" * 200 + b"\n"),
    Hostile(name="the value 2^63-1", text=b"mov 0, 9223372036854775807\n", is_warrior=True),
    Hostile(name="-2^63 / -1", text=b"mov 0, (0-9223372036854775807-1)/(0-1)\n", is_warrior=True),
    Hostile(name="division by zero", text=b"mov 0, 1/0\n"),
    Hostile(name="a label of 100,000 characters", text=b"a" * 100_000 + b" " + IMP),
    Hostile(name="100,000 labels", text=b"".join(b"l%d\n" % n for n in range(100_000)) + IMP),
    Hostile(name="a line of 1 MB", text=b"a" * 1_000_000),
    Hostile(name="10 MB of comments", text=(b";" + b"x" * 98 + b"\n") * 100_000 + IMP),
    Hostile(name="60,000 NULs", text=b"\0" * 60_000, is_loaded=True),
    Hostile(name="30,000 random bytes", text=Random(1).randbytes(30_000)),
    Hostile(name="printf's %n as code", text=b"%s%n%s%n foo\n"),
    Hostile(name="an assertion that is false", text=b";assert CORESIZE == 1\n" + IMP),
    Hostile(name="no instruction", text=b";assert 1\n", is_loaded=True),
    Hostile(name="no newline at the end", text=IMP.rstrip(), is_warrior=True),
    Hostile(name="a path as a name", text=b";name ../../../etc/passwd\n" + IMP, is_warrior=True),
    Hostile(
        name="printf's %n as a name",
        text=b";name %s%n%s%n\n;author %n%n\n" + IMP,
        is_warrior=True,
    ),
    Hostile(
        name="a name of control codes",
        text=b";name \x1b[2J\a\x00<b>\n;author \xff\n" + IMP,
        is_warrior=True,
    ),
    Hostile(name="a name of 10,000 characters", text=b";name " + b"n" * 10_000 + b"\n" + IMP),
)
