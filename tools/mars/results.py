"""Results: what a fight comes to, as the score lines, the KotH lines and the exit status of pMARS."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.corewar.redcode.expression import Evaluator, Registers, evaluate

LEAST: Final = -(2**31)  # the score under a formula that has lost its value
ADDRESS_BYTES: Final = 4  # of a cell of the core, in pMARS


class Formula:
    """Points for a survivor by their number. Registers keep what one call assigned for the next."""

    def __init__(self, text: str, evaluator: Evaluator) -> None:
        self.registers = Registers()
        self._text = text
        self._evaluator = evaluator

    def __call__(self, survivors: int) -> int:
        """ValueError where it has no value."""
        self.registers["S"] = survivors
        return evaluate(self._text, self.registers, self._evaluator)[0]

    def try_all(self, warriors: int) -> None:
        """ValueError if it lacks a value for a number of survivors."""
        self.registers["W"] = warriors
        for survivors in range(1, warriors + 1):
            self(survivors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One of W warriors: how often it ended a round as one of 1, 2 .. W survivors, and its score."""

    name: str
    author: str
    survivals: tuple[int, ...]
    losses: int
    score: int


def standings_of(
    names: Sequence[tuple[str, str]], outcomes: Sequence[Sequence[int]], formula: Formula
) -> list[Standing]:
    """The standings of W warriors, from names and authors, and 2W - 1 cells each: survivors, orders of death."""
    count = len(names)
    formula.registers["W"] = count
    return [
        Standing(
            name=name,
            author=author,
            survivals=tuple(cells[:count]),
            losses=sum(cells[count:]),
            score=_score(cells[:count], formula),
        )
        for (name, author), cells in zip(names, outcomes, strict=True)
    ]


def nothing_yet(warriors: int) -> list[list[int]]:
    """The outcomes of no round."""
    return [[0] * (2 * warriors - 1) for _ in range(warriors)]


def results_text(standings: Sequence[Standing]) -> str:
    """A line for each, with its counts where there are more than two; for two the first one's result."""
    lines = []
    for each in standings:
        lines.append(f"{each.name} by {each.author} scores {each.score}")
        if len(standings) > 2:
            lines.append(f"  Results: {' '.join(map(str, each.survivals))} {each.losses}")
    if len(standings) == 2:
        wins, ties = standings[0].survivals
        lines.append(f"Results: {wins} {standings[0].losses} {ties}")
    return "\n".join(lines) + "\n"


def koth_text(standings: Sequence[Standing]) -> str:
    """The same for scripts: wins and ties of two, else score, counts and losses of each."""
    if len(standings) == 2:
        return "".join(f"{wins} {ties}\n" for wins, ties in (each.survivals for each in standings))
    return "".join(f"{each.score} {' '.join(map(str, each.survivals))} {each.losses}\n" for each in standings)


def by_score(standings: Sequence[Standing]) -> list[int]:
    """The seats from the highest score to the lowest, equal ones in the order of naming."""
    return sorted(range(len(standings)), key=lambda seat: -standings[seat].score)


def exit_status(
    information: int, version: int, standings: Sequence[Standing], ranking: Sequence[int], pspaces: int
) -> int:
    """What `-Q` tells: about the fight, about pMARS, or how many share a P-space; 255 for anything else."""
    told = {1000: version, 1001: 0, 1002: 10 * version, 1003: ADDRESS_BYTES}
    told[2000] = len(standings) - pspaces + 1
    told |= {rank: standings[seat].score for rank, seat in enumerate(ranking, 1)}
    told |= {rank: seat + 1 for rank, seat in enumerate(ranking, 101)}
    return told.get(information, -1) & 0xFF


def _score(survivals: Sequence[int], formula: Formula) -> int:
    """The points of all rounds in 32 bits, as pMARS counts them."""
    total = 0
    for survivors, rounds in enumerate(survivals, 1):
        try:
            total += rounds * formula(survivors)
        except ValueError:
            return LEAST
    return (total - LEAST) % 2**32 + LEAST
