"""What a seat may see where holdings are hidden: a state in which all that the others have is as the bank tells.

Everybody sees how many shares of a chain are out; so the others have together what the bank and oneself lack. It
counts as if one of them had it all, which is so at a table of two. The others' cash counts as none.
"""

from typing import final

from mypy_extensions import i64

from core.acquire.state import AcquireState
from core.acquire.table import CASH, ROW, SEAT, SHARES


@final
class Sight:
    """Keeps its room for the next time."""

    def __init__(self) -> None:
        self._state: AcquireState | None = None

    def of(self, state: AcquireState) -> AcquireState:
        """As the seat that decides sees it; the same object each time, while the setting is the same."""
        seen = self._state
        if seen is None or seen.setting is not state.setting:
            seen = AcquireState(state.setting)
            self._state = seen
        seen.copy_from(state)
        table = seen.table
        seat = table[SEAT]
        holder: i64 = 1 if seat == 0 else 0
        for other in range(state.setting.seats):
            if other == seat:
                continue
            table[CASH + other] = 0
            if other == holder:
                continue
            for chain in range(state.setting.chains):
                table[SHARES + ROW * holder + chain] += table[SHARES + ROW * other + chain]
                table[SHARES + ROW * other + chain] = 0
        return seen
