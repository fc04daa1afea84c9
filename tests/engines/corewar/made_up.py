"""Warriors, hills and results that nobody has fought for."""

from core.corewar.instruction import B_INDIRECT, DAT, DIRECT, DOT_F, DOT_I, IMMEDIATE, JMP, MOV, b_of, pack
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally
from engines.corewar.hill import Challenger, ChallengeResult, Hill, Kills, battle_tasks, conclude
from engines.corewar.presets import PRESETS, Preset

NANO = PRESETS["nano"]


def warrior(number: int, name: str = "", author: str = "Ann") -> Warrior:
    """A bomber like none of another number, below 6400."""
    cells = (
        pack(MOV, DOT_I, DIRECT, 2, B_INDIRECT, 2),
        pack(JMP, DOT_I, DIRECT, 79, DIRECT, number % 80),
        pack(DAT, DOT_F, IMMEDIATE, number // 80, IMMEDIATE, number % 80),
    )
    return Warrior(name or f"W{number}", author, cells, 0)


def challenger(
    number: int,
    name: str = "",
    author: str = "Ann",
    kills: tuple[str, ...] = (),
    given: tuple[str, ...] | None = None,
    **more: object,
) -> Challenger:
    made = warrior(number, name, author)
    gone = Kills(author=author, names=kills, tokens=given)
    return Challenger(warrior=made, source=f";name {made.name}\n", kills=gone, **more)  # type: ignore[arg-type]


def hill(preset: Preset = NANO) -> Hill:
    return Hill(preset=preset, challenges=0, next_id=1, battles={})


def strength(warrior: Warrior) -> int:
    """What decides the made-up battles: the B value of the second cell."""
    return int(b_of(warrior.cells[1]))


def outcomes(hill: Hill, challenger: Challenger) -> list[list[Tally]]:
    """The stronger one wins as many rounds of a hundred more as it is stronger; the rest are ties."""
    made = []
    for fight in battle_tasks(hill, challenger):
        first, second = (strength(each) for each in fight.warriors)
        won, lost = max(first - second, 0), max(second - first, 0)
        ties = 100 - won - lost
        made.append(
            [
                Tally.of_two(wins=won, losses=lost, ties=ties),
                Tally.of_two(wins=lost, losses=won, ties=ties),
            ]
        )
    return made


def after(hill: Hill, challenger: Challenger, seconds: float = 0.0) -> tuple[ChallengeResult, Hill]:
    return conclude(hill, challenger, outcomes(hill, challenger), seconds)
