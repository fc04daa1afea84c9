"""The tables of a ranking: a line for each warrior, and in words how they fought."""

from typing import Final

from core.corewar.rules import Rules
from engines.corewar.presets import exact_rounds
from engines.corewar.ranking.bouts import Draw
from engines.corewar.ranking.standing import Standing

HEAD: Final = f"{'#':>4}  {'Score':>6}  {'95 %':^15}{'W':>8}{'L':>8}{'T':>8}  "


def row(place: int, each: Standing, exact: bool) -> str:
    """Under HEAD; the warrior's name is still to be added."""
    interval = "exact" if exact else f"[{each.score.low:5.1f}, {each.score.high:5.1f}]"
    return f"{place:4}  {each.score.value:6.2f}  {interval:^15}{each.wins:8}{each.losses:8}{each.ties:8}  "


def places(draw: Draw) -> str:
    """How they were drawn."""
    if draw.exact:
        return "every place"
    return "places by checksum" if draw.seed is None else f"seed {draw.seed}"


def is_exact(draw: Draw, rules: Rules) -> bool:
    """Whether each place and starter comes equally often."""
    return draw.exact and draw.rounds % exact_rounds(rules) == 0
