"""The catalogue of Acquire: the panel, whose evolved members have their cards beside their genomes."""

from pathlib import Path
from typing import Final

from engines.acquire.brain import EVOLVED_NETS
from engines.acquire.genome import EVOLVED
from engines.acquire.panel import MEMBERS
from engines.catalogue import PlayerInfo, measured

OF_NETS: Final = "evolved-net-"
OF_PROGRAMS: Final = "evolved-"
# Who is shown first; then come the others, in the panel's order.
FIRST: Final = ("evolved-net-seven", "evolved-net-four", "evolved-net-three")
YARDSTICK: Final = "heuristic"


def catalogue() -> list[PlayerInfo]:
    evolved = [name for name in reversed(MEMBERS) if name.startswith(OF_PROGRAMS) and name not in FIRST]
    names = dict.fromkeys((*FIRST, *evolved, *MEMBERS))
    return [_exhibit(name) for name in names]


def _exhibit(name: str) -> PlayerInfo:
    if not name.startswith(OF_PROGRAMS):
        return PlayerInfo(name=name, title=MEMBERS[name])
    is_net = name.startswith(OF_NETS)
    folder = EVOLVED_NETS if is_net else EVOLVED
    card = folder / f"{name.removeprefix(OF_NETS if is_net else OF_PROGRAMS)}.md"
    return PlayerInfo(
        name=name, title=MEMBERS[name], strength=_strength(card, name), is_evolved=True, card=card
    )


def _strength(card: Path, name: str) -> str:
    if not name.endswith("four"):
        return f"{measured(card, YARDSTICK, 'score')} against {YARDSTICK}"
    column = "first places" if name.startswith(OF_NETS) else "score"
    return f"{measured(card, YARDSTICK, column)} against three of {YARDSTICK}"
