"""Fights to be filmed."""

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, fixed
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

RULES = Rules(size=800, cycles=800, processes=8, length=20, distance=20)
CODES = (
    "mov 0, 1",
    "bomb dat #0, #0\nstart add.ab #4, bomb\nmov bomb, @bomb\njmp start\nend start",
    "dat 0, 0",
    "spl 0\nmov 2, <-3\njmp -1",
)
NAME = "</script><script>alert(1)</script>&amp;"


def battle(first: str, second: str, place: int = 400, rules: Rules = RULES, name: str = NAME) -> Battle:
    warriors = []
    for text in (first, second):
        assembly = assemble(f";assert 1\n{text}", rules)
        warriors.append(Warrior(name, "Ann", assembly.cells, assembly.start))
    return Battle(rules, warriors, 1, fixed(rules, 2, place))
