"""Warriors for the tests of ranking, written as people write them."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from core.corewar.assembler import assemble
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.presets import PRESETS

STANDARD = PRESETS["94nop"].rules
NANO = PRESETS["nano"].rules
STARTERS = files("engines.corewar") / "warriors"


def warrior(text: str, rules: Rules = STANDARD) -> Warrior:
    made = assemble(f";assert 1\n{text}", rules).warrior
    assert made
    return made


@cache
def starter(name: str) -> Warrior:
    return warrior((STARTERS / f"{name}.red").read_text(encoding="iso-8859-1"))


def read(path: Path, rules: Rules) -> Warrior:
    """Of a file by others; they may be in any encoding."""
    made = assemble(path.read_text(encoding="iso-8859-1"), rules, warriors=2).warrior
    assert made, path
    return made
