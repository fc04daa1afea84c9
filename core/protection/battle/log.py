"""The log of a turn: all that is needed to show it again, for those who watch."""

from typing import Final, final

from mypy_extensions import i64

from core.protection.policy import FORWARD

# Kinds of fights
ATTACK: Final = 0  # of a minion on a unit
COUNTER: Final = 1  # of the unit, after an attack that failed
MINE_FIRES: Final = 2
BOMB: Final = 3
RAM: Final = 4  # of a kamikazee: no roll
SWEEP: Final = 5  # of an armored on a mine: no roll
FIGHTS: Final = ("attack", "counter", "mine", "bomb", "ram", "sweep")

LETTERS: Final = "FRLS"  # by action


@final
class Log:
    """`roster` has (kind, pose) of each minion, by number, at the start; -1 stands for a pose off the board.

    `acts` has a string a phase, a letter an action in the order of acting: F moved, f blocked, R, L, S special,
    J jumped. A fight is (phase, kind of fight, number of the minion, square of the unit, n, of, 1 if who attacked
    has won, plunder in dollars): n is the roll of a die of `of` sides, both 0 where none was rolled.
    """

    def __init__(self) -> None:
        self.roster: list[tuple[int, int]] = []
        self.acts: list[str] = []
        self.fights: list[tuple[int, int, int, int, int, int, int, int]] = []
        self._letters: list[str] = []

    def act(self, action: i64, squares: i64) -> None:
        """A minion has acted and moved so many squares."""
        if action == FORWARD:
            self._letters.append("f" if squares == 0 else "F" if squares == 1 else "J")
        else:
            self._letters.append(LETTERS[action])

    def end_phase(self) -> None:
        self.acts.append("".join(self._letters))
        self._letters.clear()
