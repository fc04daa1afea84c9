"""The words of one set of rules: tiles, chains and actions as they are written, each made once."""

from typing import Final

from msgspec import Raw

from core.acquire import layout
from core.acquire.layout import BIT, shares_in, sold, traded
from core.acquire.rules import GameSpec, tile_name
from protocols.jsonl.binding.acquire import shapes
from protocols.jsonl.messages.codec import ENCODER

MOST_WRITTEN: Final = 2000  # actions of a phase to remember; rules of one's own may have more


class Lexicon:
    """Shared by all games of these rules."""

    def __init__(self, setting: GameSpec) -> None:
        rules = setting.rules
        stride = int(setting.stride)
        self.rules: Final = rules
        self.stride: Final = stride
        self.tiles: Final = [tile_name(rules, cell) for cell in range((rules.columns + 2) * stride)]
        self.chains: Final = [chain.name for chain in rules.chains]
        self.signs: Final = ["x"] * (layout.OFF_BOARD + 1)  # by cell
        self.signs[layout.EMPTY], self.signs[layout.UNINCORPORATED] = ".", "o"
        for index, chain in enumerate(rules.chains):
            self.signs[BIT[index]] = chain.letter
        self.actions: Final = [Written(self, phase) for phase in range(len(layout.PHASES))]

    def shares(self, purchase: int) -> list[str]:
        """A chain's name for each share."""
        return [name for index, name in enumerate(self.chains) for _ in range(shares_in(purchase, index))]


class Written(dict[int, Raw]):
    """The actions of one phase, as JSON."""

    def __init__(self, lexicon: Lexicon, phase: int) -> None:
        super().__init__()
        self._lexicon = lexicon
        self._phase = phase

    def __missing__(self, action: int) -> Raw:
        if len(self) >= MOST_WRITTEN:
            self.clear()
        made = self[action] = Raw(ENCODER.encode(_shown(self._lexicon, self._phase, action)))
        return made


def _shown(lexicon: Lexicon, phase: int, action: int) -> shapes.AcquireAction:
    is_ending = True if action & layout.DECLARE_END else None
    if phase == layout.PLACE:
        return shapes.Place(tile=lexicon.tiles[action & ~layout.DECLARE_END], end=is_ending)
    if phase == layout.BUY:
        return shapes.Buy(shares=lexicon.shares(action & ~layout.DECLARE_END), end=is_ending)
    if phase == layout.DISPOSE:
        return shapes.Dispose(trade=traded(action), sell=sold(action))
    chain = lexicon.chains[action]
    if phase == layout.FOUND:
        return shapes.Found(chain=chain)
    return shapes.Survivor(chain=chain) if phase == layout.SURVIVOR else shapes.Order(chain=chain)
