"""Actions as people read and write them: `6B`, `6B end`, `Luxor`, `trade 2 sell 1`, `buy Luxor Luxor end`."""

from core.acquire.action import ENDING, shares_in, sold, traded
from core.acquire.board.board import tile_name
from core.acquire.rules.rules import Rules
from core.acquire.table import BUY, DISPOSE, PHASES, PLACE


def action_text(rules: Rules, phase: int, action: int) -> str:
    """An action in that phase; no two of a state have the same text."""
    ending = " end" if action & ENDING and phase != DISPOSE else ""
    if phase == PLACE:
        return f"{tile_name(rules, action & ~ENDING)}{ending}"
    if phase == DISPOSE:
        return f"trade {traded(action)} sell {sold(action)}"
    if phase == BUY:
        names = [
            chain.name for index, chain in enumerate(rules.chains) for _ in range(shares_in(action, index))
        ]
        return f"buy {' '.join(names) or 'nothing'}{ending}"
    if phase < len(PHASES) - 1 and 0 <= action < len(rules.chains):
        return rules.chains[action].name
    return f"{PHASES[phase]} {action}"
