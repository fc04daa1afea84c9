"""The catalogue of Advanced Protection: Chaos in its modes, who plays the strings of the bundled pool."""

from typing import Final

from engines.catalogue import PlayerInfo, measured
from engines.protection import DEFAULT_MODE, MODES
from engines.protection.pool.stock import CARD

OF_CHAOS: Final = "chaos:"


def catalogue() -> list[PlayerInfo]:
    return [
        PlayerInfo(
            name=OF_CHAOS + mode,
            title=title,
            strength=f"{measured(CARD, mode, 'within .10 of one half')} scripted users kept within .10 of an even score"
            if mode == DEFAULT_MODE
            else "",
            is_evolved=True,
            card=CARD,
        )
        for mode, title in MODES.items()
    ]
