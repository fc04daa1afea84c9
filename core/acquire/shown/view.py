"""What a game shows: the board in rows of letters, a hand in the order of its tiles."""

from core.acquire.board.board import BIT, EMPTY, LONE
from core.acquire.state import AcquireState
from core.acquire.table import HANDS, ROW


def board_rows(state: AcquireState) -> list[str]:
    """From A down: `.` empty, `o` a tile in no chain, `x` out of play, else the letter of the chain."""
    setting = state.setting
    rules = setting.rules
    signs = {EMPTY: ".", LONE: "o"} | {
        int(BIT[index]): chain.letter for index, chain in enumerate(rules.chains)
    }
    return [
        "".join(
            signs.get(int(state.cells[setting.stride * column + row]), "x")
            for column in range(1, rules.columns + 1)
        )
        for row in range(rules.rows)
    ]


def hand_of(state: AcquireState, seat: int) -> list[int]:
    """The tiles of that seat, column by column."""
    first = HANDS + seat * ROW
    slots = [int(state.table[slot]) for slot in range(first, first + state.setting.rules.hand)]
    return sorted(tile for tile in slots if tile)
