"""One game of Acquire for the protocol."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from librt.vecs import vec
from msgspec import Raw
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.state import AcquireState
from protocols.jsonl.binding.acquire import actions, sentences
from protocols.jsonl.binding.acquire.lexicon import Lexicon
from protocols.jsonl.binding.acquire.news import happenings
from protocols.jsonl.binding.acquire.shapes import Legal, Observation, Opening, Result, Reveal
from protocols.jsonl.binding.acquire.sight import observation
from protocols.jsonl.binding.binding import Happening, Move, Play
from protocols.jsonl.messages.events import GameEvent


class AcquirePlay(Play):
    """A game under way; a move is an action of core.acquire.layout."""

    def __init__(
        self,
        state: AcquireState,
        variant: str,
        rules_hash: str,
        lexicon: Lexicon,
        rules: dict[str, Any] | None = None,
    ) -> None:
        """`state` records its events; `rules` are shown where they are not those of the variant."""
        self.variant = variant
        self.rules_hash = rules_hash
        self.state = state
        self.moves = 0  # played
        self._lexicon = lexicon
        self._rules = rules

    def seating(self) -> Sequence[int]:
        return [int(self.state.join_order[seat]) for seat in range(int(self.state.spec.seats))]

    def opening(self) -> Opening:
        if self._lexicon.rules.position_tiles != "stay":
            return Opening(position=[], rules=self._rules)
        position = [self._lexicon.tiles[self.state.bag[entry]] for entry in self.seating()]
        return Opening(position=position, rules=self._rules)

    def begin(self) -> list[Happening]:
        return self._news()

    def due(self) -> Sequence[int]:
        table = self.state.fields
        return () if table[layout.PHASE] == layout.OVER else (int(table[layout.SEAT]),)

    def phase(self, seat: int) -> str:
        return layout.PHASES[self.state.fields[layout.PHASE]]

    def ending(self) -> bool:
        return bool(self.state.fields[layout.ANNOUNCED])

    def observation(self, seat: int | None) -> Observation:
        return observation(self.state, self._lexicon, seat)

    def legal(self, seat: int, form: Literal["list", "rules"]) -> Legal:
        return actions.legal(self.state, self._lexicon)

    def read(self, seat: int, action: bytes) -> Move:
        return actions.read(self.state, action)

    def shown(self, seat: int, move: Move) -> Raw:
        return self._lexicon.actions[self.state.fields[layout.PHASE]][move]

    def default(self, seat: int) -> Move:
        """The first tile or chain that is listed; of shares, hold all and buy none."""
        return self.state.legal_actions()[0]

    def play(self, moves: Mapping[int, Move]) -> list[Happening]:
        (action,) = moves.values()
        self.state.play(action)
        self.moves += 1
        return self._news()

    def result(self) -> Result | None:
        table = self.state.fields
        if table[layout.PHASE] != layout.OVER:
            return None
        worth = [int(table[layout.NET_WORTH + seat]) for seat in range(int(self.state.spec.seats))]
        return Result(worth=worth, rank=_ranks(worth, ()), reason=layout.REASONS[table[layout.REASON]])

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Result:
        """What each would have now; whoever gave up ranks behind those who did not."""
        values = vec[i64]([0] * 8)
        self.state.value(values)
        worth = [int(values[seat]) for seat in range(int(self.state.spec.seats))]
        return Result(worth=worth, rank=_ranks(worth, seats), reason=reason)

    def reveal(self) -> Reveal:
        return Reveal(bag=[self._lexicon.tiles[tile] for tile in self.state.bag])

    def say(self, event: GameEvent, names: Sequence[str]) -> str:
        return sentences.sentence(event, names)

    def _news(self) -> list[Happening]:
        news = happenings(self._lexicon, self.state.events)
        self.state.events = []
        return news


def _ranks(worth: Sequence[int], given_up: Sequence[int]) -> list[int]:
    """1 is best; equals share a rank."""
    keys = [(seat not in given_up, value) for seat, value in enumerate(worth)]
    return [1 + sum(other > own for other in keys) for own in keys]
