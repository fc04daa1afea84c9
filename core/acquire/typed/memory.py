"""Registers that a typed player keeps from turn to turn of a game, and the programs that say what goes in.

All programs are valued at once, on the state after the player's own purchase and by what the registers were before
it; so no look at an option has an effect. A turn in which there is nothing to buy leaves them as they are. Reference:
"Evolving Board Evaluation Functions", section 5.3.5.
"""

from math import isfinite
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.state import AcquireState
from core.acquire.table import DRAWN, HANDS, IDLE, ROW, TURN
from core.acquire.typed.slots import REGISTERS
from core.acquire.typed.view import ChainView, Move


@final
class Memory:
    """`programs` has one for each register, or None where it stays 0; `readers` are told what is remembered."""

    def __init__(self, programs: list[ChainView | None], readers: list[ChainView]) -> None:
        """ValueError for another number of programs than there are registers."""
        if len(programs) != REGISTERS:
            raise ValueError(f"{REGISTERS} registers have no {len(programs)} programs")
        self.values = vec[float]([0.0] * REGISTERS)
        self._programs: Final = programs
        self._readers: Final = readers + [each for each in programs if each is not None]
        self._before = self.values  # the last purchase
        self._turn: i64 = 0  # of the last purchase

    def begin(self) -> None:
        """A game begins: all registers are 0."""
        self.values = vec[float]([0.0] * REGISTERS)
        self._turn = 0
        self._tell()

    def rewind(self, state: AcquireState) -> None:
        """A purchase is to be decided; where that very one has been decided already, it is taken back."""
        if _turn(state) == self._turn:
            self.values = self._before
            self._tell()

    def remember(self, state: AcquireState, action: i64) -> None:
        """This is what the player buys, of this state, which is left as it was."""
        self._turn = _turn(state)
        seat = state.table[TURN]
        values = self.values[:]
        state.begin_trial()
        state.play(action)
        for register in range(i64(REGISTERS)):
            program = self._programs[register]
            if program is not None:
                value = program.value(state, seat, Move())
                if isfinite(value):
                    values[register] = value
        state.end_trial()
        self._before = self.values
        self.values = values
        self._tell()

    def _tell(self) -> None:
        for reader in self._readers:
            reader.recall(self.values)


def _turn(state: AcquireState) -> i64:
    """A number that no other turn of the game has: of tiles placed, then of idle turns since."""
    table = state.table
    placed = table[DRAWN]
    for seat in range(state.setting.seats):
        for slot in range(state.setting.hand):
            if table[HANDS + ROW * seat + slot]:
                placed -= 1
    return (placed << 8) + table[IDLE]
