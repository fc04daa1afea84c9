"""The shelf of chess: the genomes that come with the program, each its own card."""

from typing import Final

from engines.chess.genome import BUNDLED, bundled
from engines.exhibit import Exhibit, first_sentence, measured

EVOLVED: Final = "evolved"
YARDSTICK: Final = "Stockfish 15.1, UCI_Elo 2000"


def shelf() -> list[Exhibit]:
    return [_exhibit(name) for name in dict.fromkeys((EVOLVED, *bundled()))]


def _exhibit(name: str) -> Exhibit:
    card = BUNDLED / f"{name}.txt"
    is_evolved = name == EVOLVED
    return Exhibit(
        name=name,
        title=first_sentence(card.read_text(encoding="utf-8")),
        strength=f"{measured(card, YARDSTICK, 'score')} against {YARDSTICK}" if is_evolved else "",
        is_evolved=is_evolved,
        card=card,
    )
