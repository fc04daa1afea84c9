"""Benchmarks of Core War: whole fights compared with pMARS, random warriors, exact nano scores, the assembler.

The ten pairs with which other programs were measured (PyCorewar's benchmark, E1 and hand-made warriors) are not part
of the package: they fight if GALAPAGOS_DATA names the folder of test data, otherwise warriors of this module fight.
"""

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import geometric_mean, median
from tempfile import TemporaryDirectory
from typing import Final
from zlib import crc32

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, fixed, seeded
from core.corewar.instruction import LDP, pack
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from tools.bench.command import NotMeasured, Row, timed

REPEATS: Final = 5
# Instructions: longer fights of random warriors are left out, because they would measure the MARS
# more than the starts of rounds.
SHORT: Final = 2000
PLACE: Final = 4000  # the address of the second warrior in the first round
FOR_EVER: Final = 10**15  # instructions

# The warriors of this module, and their pairs with the number of rounds.
OWN: Final = {
    "imp": "mov.i 0, 1",
    "dwarf": "add.ab #4, 3\nmov.i 2, @2\njmp -2\ndat #0, #0",
    "paper": "spl 1\nspl 1\nspl 1\nspl @0, <1800\nmov.i }-1, >-1\nspl @0, <3740\nmov.i }-1, >-1\nmov.i #7, <1",
    "scanner": "add.f 4, 1\nsne.i 100, 112\njmp -2\nmov.b -2, @1\ndjn.f -4, {-200\ndat 24, 24",
}
OWN_PAIRS: Final = (
    ("imp", "imp", 100),
    ("imp", "dwarf", 100),
    ("paper", "paper", 60),
    ("scanner", "dwarf", 200),
)

# The warriors of the test data, and their pairs with the number of rounds.
SETS: Final = "corewars_rs_wilmoo/input"
FILES: Final = {
    "imp": "own/imp.red",
    "dwarf": "own/dwarf.red",
    "paperone": f"{SETS}/wilkie/paperone.redcode",
    "timescape": f"{SETS}/wilkie/time.redcode",
    "rave": f"{SETS}/wilkie/rave.redcode",
    "tornado": f"{SETS}/wilkie/tornado.redcode",
    "bluefunk": f"{SETS}/wilkie/bluefunk.redcode",
    "impfinity": f"{SETS}/unimplemented/wilmoo/Impfinityv4g1.redcode",
    "blur2": f"{SETS}/wilmoo/Blur2.redcode",
    "E1": "e1.red",
}
PAIRS: Final = (
    ("imp", "imp", 200),
    ("imp", "dwarf", 200),
    ("paperone", "timescape", 200),
    ("paperone", "rave", 1000),
    ("tornado", "paperone", 400),
    ("bluefunk", "impfinity", 300),
    ("blur2", "rave", 1000),
    ("tornado", "blur2", 1000),
    ("E1", "impfinity", 300),
    ("E1", "blur2", 400),
)
NANO: Final = Rules(size=80, cycles=800, processes=80, length=5, distance=5)

ASSEMBLIES: Final = 200  # of each text

# The texts to assemble: instructions alone, and a text with EQU, FOR and labels, as people write warriors.
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


def fights(pmars: Path | None) -> Iterator[Row]:
    """Measure millions of instructions per CPU-second; the signature is the number of instructions.

    The fights of this program and of pMARS alternate.
    """
    with TemporaryDirectory() as scratch:
        data = _data()
        folder = data or Path(scratch)
        files = FILES if data else {name: f"{name}.red" for name in OWN}
        if not data:
            for name, text in OWN.items():
                (folder / files[name]).write_text(f";redcode\n;assert 1\n{text}\n")
        ours, ratios = [], []
        for first, second, rounds in PAIRS if data else OWN_PAIRS:
            row = _fight(folder, [files[first], files[second]], f"{first} v {second}", rounds, pmars)
            ours.append(row.figure)
            ratios.append(row.ratio or 0.0)
            yield row
        yield Row(
            name="fights, geometric mean",
            figure=geometric_mean(ours),
            unit="M/s",
            peer="pMARS" if pmars else "",
            ratio=geometric_mean(ratios) if pmars else None,
        )


def soup() -> Iterator[Row]:
    """Measure short rounds of random warriors, as at the start of an evolution: ten a fight, all in the same core."""
    rng, rules = Random(1), Rules()
    warriors = [_random_warrior(rng, rules) for _ in range(200)]
    mars = Mars(rules, warriors[:1])
    short_fights = []
    for number in range(2000):
        pair = [warriors[rng.below(200)], warriors[rng.below(200)]]
        if Battle(rules, pair, 10, seeded(rules, 2, number), mars).run(SHORT):
            short_fights.append((number, pair))

    def fight() -> int:
        return sum(
            _executed(Battle(rules, pair, 10, seeded(rules, 2, number), mars))
            for number, pair in short_fights
        )

    executed, seconds = timed(fight, REPEATS)
    rounds = 10 * len(short_fights)
    yield Row(
        name="random warriors, 10 rounds a fight",
        figure=rounds / median(seconds),
        unit="rounds/s",
        signature=str(executed),
        note=f"{executed / rounds:.1f} instructions a round",
    )


def nano() -> Iterator[Row]:
    """Measure exact scores of nano warriors against the opponents of the test data, with all places and both starters.

    Raises NotMeasured without the warriors of the test data.
    """
    data = _data()
    folder = data / "yace_reloaded/nanobm07" if data else None
    if folder is None or not folder.is_dir():
        raise NotMeasured("the warriors are in the folder of test data; set GALAPAGOS_DATA to its path")
    opponents = [_assembled(path.read_text("latin-1"), NANO) for path in sorted(folder.glob("*.RED"))]
    mars = Mars(NANO, opponents[:1])

    def score(challenger: Warrior) -> int:
        """Fight 142 rounds (71 places, 2 starters) against each opponent, and return the number of instructions."""
        return sum(
            _executed(Battle(NANO, [challenger, opponent], 142, seeded(NANO, 2, 1, permuted=True), mars))
            for opponent in opponents
        )

    executed = 0
    seconds = []
    for challenger in opponents[:REPEATS]:
        instructions, (time,) = timed(partial(score, challenger), 1)
        executed += instructions
        seconds.append(time)
    yield Row(
        name=f"exact nano score, {len(opponents)} opponents",
        figure=3600 / median(seconds) * len(opponents) / 50,
        unit="an hour",
        signature=str(executed),
        note=f"scaled to 50 opponents; {executed / sum(seconds) / 1e6:.0f} M instructions/s",
    )


def assembling() -> Iterator[Row]:
    """Measure CPU microseconds to assemble a warrior; the signature is a checksum of its cells."""
    for name, text in (("plain", PLAIN), ("EQU and FOR", WRITTEN)):
        assembly, seconds = timed(partial(assemble, text, Rules()), ASSEMBLIES)
        yield Row(
            name=f"assemble, {name}",
            figure=median(seconds) * 1e6,
            unit="us",
            signature=f"{crc32(repr(assembly.cells).encode()):08x}",
            note=f"{len(assembly.cells)} instructions",
        )


# -- Helpers -----------------------------------------------------------------------------------------


def _data() -> Path | None:
    """Return the folder of warriors in the test data, or None."""
    folder = Path(os.environ.get("GALAPAGOS_DATA", "")) / "corewar" / "warriors"
    return folder if "GALAPAGOS_DATA" in os.environ and folder.is_dir() else None


def _fight(folder: Path, files: list[str], name: str, rounds: int, pmars: Path | None) -> Row:
    rules = Rules()
    warriors = [_assembled((folder / file).read_text("latin-1"), rules) for file in files]
    ours, ratios = [], []
    for _ in range(REPEATS):
        executed, (seconds,) = timed(
            lambda: _executed(Battle(rules, warriors, rounds, fixed(rules, 2, PLACE))), 1
        )
        ours.append(executed / seconds / 1e6)
        if pmars:
            ratios.append(_pmars_seconds(pmars, folder, files, rounds) / seconds)
    return Row(
        name=f"fight, {name}",
        figure=median(ours),
        unit="M/s",
        signature=str(executed),
        peer="pMARS" if pmars else "",
        ratio=median(ratios) if pmars else None,
    )


def _executed(battle: Battle) -> int:
    """Run a battle to its end and return the number of instructions executed."""
    battle.run(FOR_EVER)
    return int(battle.executed)


def _pmars_seconds(pmars: Path, folder: Path, files: list[str], rounds: int) -> float:
    """Return the CPU seconds of pMARS for a fight; file names are relative, because its words have 80 characters."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [str(pmars.resolve()), "-bk", "-r", str(rounds), "-F", str(PLACE), *files]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _assembled(text: str, rules: Rules) -> Warrior:
    warrior = assemble(text, rules, warriors=2).warrior
    if warrior is None:
        raise ValueError(f"this is not a warrior: {text[:60]!r}")
    return warrior


def _random_warrior(rng: Random, rules: Rules) -> Warrior:
    """Return a warrior of random length and random instructions, without those of P-space.

    Reference: Core War Tribes / Evolving Warriors, section Recipe.
    """
    length = 1 + int(rng.below(rules.length))
    cells = [
        pack(
            rng.below(LDP),
            rng.below(7),
            rng.below(8),
            rng.below(rules.size),
            rng.below(8),
            rng.below(rules.size),
        )
        for _ in range(length)
    ]
    return Warrior("", "", tuple(int(cell) for cell in cells), 0)
