"""Benchmark of the assembler: a warrior of a hundred instructions, in plain lines and from EQU and FOR."""

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Final
from zlib import crc32

from core.corewar.rules import Rules
from protocols.redcode.assemble import assemble
from tools.bench.row import Row

REPEATS: Final = 200

PLAIN: Final = (
    ";redcode-94\n;name plain\n;assert CORESIZE == 8000\n"
    + "mov.i  $10, @-20\nspl.b  #3, }4\nadd.ab #12, $-7\ndjn.f  $-3, <300\n" * 25
)  # fmt: skip
EQUS: Final = "".join(f"step{n:02} equ ({n}*gap+first)\n" for n in range(30))
WRITTEN: Final = f"""\
;redcode-94
;name written
;assert CORESIZE == 8000
gap     equ 267
first   equ (table-3)
{EQUS}
start   spl 1, <-300
table   dat 5*gap, 2*gap
i       for 12
copy&i  mov.i step03+gap*i, copy&i+(i-1)*gap
        sne.x *copy&i, first+i
        add.ab #step10-step09, copy&i
        rof
i       for 5
j       for 10
        dat step01*i, (j+1)*gap-start
        rof
        rof
        for 11
        mov bomb, <start+step07
        rof
bomb    dat <gap, <gap*2
        end start
"""


def assembling() -> Iterator[Row]:
    """CPU microseconds for one warrior; the signature is a checksum of its cells."""
    for name, text in (("plain", PLAIN), ("EQU and FOR", WRITTEN)):
        rules = Rules()
        seconds = []
        for _ in range(REPEATS):
            started = process_time()
            assembly = assemble(text, rules)
            seconds.append(process_time() - started)
        yield Row(
            name=f"assemble, {name}",
            figure=median(seconds) * 1e6,
            unit="us",
            signature=f"{crc32(repr(assembly.cells).encode()):08x}",
            note=f"{len(assembly.cells)} instructions",
        )
