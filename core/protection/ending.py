"""How a game ends: the checks after a turn, before the grant."""

from typing import Final

from core.protection.rules import Rules

HUMAN: Final = 0
CHAOS: Final = 1
NOBODY: Final = -1  # a draw


def ending(
    rules: Rules, turn: int, has_units: bool, treasury: int, human_value: int, chaos_value: int
) -> tuple[int, str] | None:
    """(Winner, reason) of a game that is over after this turn, with these dollars; None while it goes on."""
    if not has_units and treasury < rules.elimination_below:
        return CHAOS, "eliminated"
    if human_value > rules.human_wins_ratio * chaos_value:
        return HUMAN, "surrender"
    if rules.chaos_wins_ratio and chaos_value > rules.chaos_wins_ratio * human_value:
        return CHAOS, "chaos_twenty"
    if rules.turn_cap and turn >= rules.turn_cap:
        winner = HUMAN if human_value > chaos_value else CHAOS if chaos_value > human_value else NOBODY
        return winner, "turn_cap"
    return None
