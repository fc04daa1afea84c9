"""A naive Acquire, to compare with: written for the eye from the rules alone, slow, and sharing no code.

Tiles and chains are text. Nothing is kept that can be counted: sizes, prices, the bank and what may be done
are worked out anew from the squares and the holdings whenever they are asked for.
"""

from dataclasses import dataclass, field
from itertools import combinations_with_replacement


@dataclass(kw_only=True)
class Variant:
    """The rules, as much as a game needs of them."""

    columns: int
    rows: str
    chains: dict[str, int]  # name: tier
    cash: int
    shares: int
    hand: int
    safe: int
    end: int
    reseat: bool
    pay_all_first: bool
    end_any_time: bool
    until_clean: bool


@dataclass(kw_only=True)
class Naive:
    """A game. `options()` are texts, of which play() takes one."""

    variant: Variant
    players: int
    bag: list[str]
    square: dict[str, str] = field(default_factory=dict)  # tile: "alone", "dead" or a chain
    cash: list[int] = field(default_factory=list)
    held: list[dict[str, int]] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    phase: str = "place"
    turn: int = 0
    seat: int = 0
    idle: int = 0
    reason: str = ""
    tile: str = ""
    announced: bool = False
    pending: list[str] = field(default_factory=list)  # defunct chains to settle
    before: dict[str, int] = field(default_factory=dict)  # sizes of the chains that met
    survivor: str = ""
    defunct: str = ""
    to_ask: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bag = list(self.bag)
        drawn = [self.bag.pop(0) for _ in range(self.players)]
        for tile in drawn:
            self.square[tile] = "alone"
        if not self.variant.reseat:
            self.turn = min(range(self.players), key=lambda seat: (drawn[seat][-1], int(drawn[seat][:-1])))
        for _ in range(self.players):
            self.hands.append([self.bag.pop(0) for _ in range(self.variant.hand)])
            self.cash.append(self.variant.cash)
            self.held.append(dict.fromkeys(self.variant.chains, 0))
        self._start_turn()

    # -- What can be counted -----------------------------------------------------------------------

    def size(self, chain: str) -> int:
        return list(self.square.values()).count(chain)

    def price(self, chain: str, size: int | None = None) -> int:
        size = self.size(chain) if size is None else size
        if size < 2:
            return 0
        bands = [(41, 10), (31, 9), (21, 8), (11, 7), (6, 6)]
        base = next((level for least, level in bands if size >= least), size)
        return 100 * (base + self.variant.chains[chain])

    def bank(self, chain: str) -> int:
        return self.variant.shares - sum(held[chain] for held in self.held)

    def standing(self) -> list[str]:
        return [chain for chain in self.variant.chains if self.size(chain)]

    def neighbours(self, tile: str) -> list[str]:
        column, row = int(tile[:-1]), self.variant.rows.index(tile[-1])
        near = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        return [
            f"{c}{self.variant.rows[r]}"
            for c, r in near
            if 1 <= c <= self.variant.columns and 0 <= r < len(self.variant.rows)
        ]

    def touched(self, tile: str) -> set[str]:
        return {self.square[near] for near in self.neighbours(tile) if near in self.square} - {"dead"}

    def kind(self, tile: str) -> str:
        touched = self.touched(tile)
        chains = touched - {"alone"}
        if not chains:
            if "alone" not in touched:
                return "lone"
            return "blocked" if len(self.standing()) == len(self.variant.chains) else "found"
        if len(chains) == 1:
            return "grow"
        return "dead" if sum(self.size(chain) >= self.variant.safe for chain in chains) > 1 else "merge"

    def playable(self, seat: int) -> list[str]:
        return [tile for tile in self.hands[seat] if self.kind(tile) not in ("dead", "blocked")]

    def may_end(self) -> bool:
        sizes = [self.size(chain) for chain in self.standing()]
        return bool(sizes) and (max(sizes) >= self.variant.end or min(sizes) >= self.variant.safe)

    def purchases(self) -> list[tuple[str, ...]]:
        legal = []
        prices = {chain: self.price(chain) for chain in self.standing()}
        left = {chain: self.bank(chain) for chain in prices}
        for count in range(4):
            for chosen in combinations_with_replacement(prices, count):
                cost = sum(prices[chain] for chain in chosen)
                if cost <= self.cash[self.turn] and all(chosen.count(c) <= left[c] for c in chosen):
                    legal.append(chosen)
        return legal

    def bonuses(self, chain: str, price: int) -> list[int]:
        """Return the bonus of each seat."""
        amounts = [held[chain] for held in self.held]
        paid = [0] * len(amounts)
        ranks = sorted({amount for amount in amounts if amount}, reverse=True)
        if not ranks:
            return paid
        everybody = range(len(amounts))
        first = [seat for seat in everybody if amounts[seat] == ranks[0]]
        second = [seat for seat in everybody if len(ranks) > 1 and amounts[seat] == ranks[1]]
        if len(first) > 1 or not second:
            for seat in first:
                paid[seat] = -(-15 * price // len(first) // 100) * 100
            return paid
        paid[first[0]] = 10 * price
        for seat in second:
            paid[seat] = -(-5 * price // len(second) // 100) * 100
        return paid

    def worth(self) -> list[int]:
        worths = list(self.cash)
        for chain in self.standing():
            paid = self.bonuses(chain, self.price(chain))
            for seat in range(self.players):
                worths[seat] += paid[seat] + self.held[seat][chain] * self.price(chain)
        return worths

    # -- Deciding ----------------------------------------------------------------------------------

    def options(self) -> list[str]:
        if self.phase == "over":
            return []
        if self.phase == "place":
            tiles = self.playable(self.turn)
            ends = [f"{tile} end" for tile in tiles] if self.variant.end_any_time and self.may_end() else []
            return tiles + ends
        if self.phase == "found":
            return [chain for chain in self.variant.chains if not self.size(chain)]
        if self.phase in ("survivor", "order"):
            chains = self.pending if self.phase == "order" else list(self.before)
            largest = max(self.before[chain] for chain in chains)
            return [chain for chain in chains if self.before[chain] == largest]
        if self.phase == "dispose":
            held = self.held[self.seat][self.defunct]
            return [
                f"trade {trade} sell {sell}"
                for trade in range(0, held + 1, 2)
                for sell in range(held - trade + 1)
                if trade <= 2 * self.bank(self.survivor)
            ]
        texts = [f"buy {' '.join(chosen) or 'nothing'}" for chosen in self.purchases()]
        may_end = self.may_end() and not self.announced
        return texts + [f"{text} end" for text in texts if may_end]

    def play(self, text: str) -> None:
        assert text in self.options(), text
        words = text.split()
        if words[-1] == "end":
            self.announced = True
            words.pop()
        if self.phase == "place":
            self._place(words[0])
        elif self.phase == "found":
            self._found(words[0])
        elif self.phase == "survivor":
            self._merge(words[0])
        elif self.phase == "order":
            self._settle(words[0])
        elif self.phase == "dispose":
            self._dispose(int(words[1]), int(words[3]))
        else:
            for chain in words[1:]:
                if chain != "nothing":
                    self.cash[self.turn] -= self.price(chain)
                    self.held[self.turn][chain] += 1
            self._end_turn()

    def _place(self, tile: str) -> None:
        kind = self.kind(tile)
        self.hands[self.turn].remove(tile)
        self.tile = tile
        chains = [chain for chain in self.variant.chains if chain in self.touched(tile)]
        self.square[tile] = "alone"
        if kind == "grow":
            self._swallow(chains[0], set())
        if kind == "found":
            self.phase = "found"
            if len(self.options()) == 1:
                return self._found(self.options()[0])
            return None
        if kind == "merge":
            self.before = {chain: self.size(chain) for chain in chains}
            self.phase = "survivor"
            if len(self.options()) == 1:
                return self._merge(self.options()[0])
            return None
        return self._shop()

    def _swallow(self, chain: str, defunct: set[str]) -> None:
        """All that is connected to the tile becomes the chain."""
        reached = [self.tile]
        for tile in reached:
            for near in self.neighbours(tile):
                if near not in reached and self.square.get(near) in {"alone", *defunct}:
                    reached.append(near)
        for tile in reached:
            self.square[tile] = chain

    def _found(self, chain: str) -> None:
        if self.bank(chain):
            self.held[self.turn][chain] += 1
        self._swallow(chain, set())
        self._shop()

    def _merge(self, survivor: str) -> None:
        self.survivor = survivor
        self.pending = [chain for chain in self.before if chain != survivor]
        self._swallow(survivor, set(self.pending))
        if self.variant.pay_all_first:
            for chain in self.pending:
                self._pay(chain)
        self._next_defunct()

    def _pay(self, chain: str) -> None:
        paid = self.bonuses(chain, self.price(chain, self.before[chain]))
        for seat in range(self.players):
            self.cash[seat] += paid[seat]

    def _next_defunct(self) -> None:
        if not self.pending:
            return self._shop()
        self.phase, self.seat = "order", self.turn
        if len(self.options()) == 1:
            return self._settle(self.options()[0])
        return None

    def _settle(self, chain: str) -> None:
        self.pending.remove(chain)
        self.defunct = chain
        if not self.variant.pay_all_first:
            self._pay(chain)
        order = [(self.turn + step) % self.players for step in range(self.players)]
        self.to_ask = [seat for seat in order if self.held[seat][chain]]
        self._ask()

    def _ask(self) -> None:
        if self.to_ask:
            self.phase, self.seat = "dispose", self.to_ask.pop(0)
        else:
            self._next_defunct()

    def _dispose(self, trade: int, sell: int) -> None:
        held = self.held[self.seat]
        held[self.defunct] -= trade + sell
        held[self.survivor] += trade // 2
        self.cash[self.seat] += sell * self.price(self.defunct, self.before[self.defunct])
        self._ask()

    def _shop(self) -> None:
        self.phase, self.seat = "buy", self.turn
        if self.options() == ["buy nothing"]:
            self._end_turn()

    # -- From turn to turn -------------------------------------------------------------------------

    def _end_turn(self) -> None:
        if self.announced:
            return self._finish("declared")
        if not any(self.hands):
            return self._finish("all_tiles_played")
        if self.idle >= self.players:
            return self._finish("stuck_round")
        hand = self.hands[self.turn]
        self._draw(hand)
        while dead := [tile for tile in hand if self.kind(tile) == "dead"]:
            for tile in dead[:1] if self.variant.until_clean else dead:
                hand[hand.index(tile)] = ""
                self.square[tile] = "dead"
            self._draw(hand)
            if not self.variant.until_clean:
                break
        if not any(self.hands):
            return self._finish("all_tiles_played")
        self.turn = (self.turn + 1) % self.players
        return self._start_turn()

    def _draw(self, hand: list[str]) -> None:
        """A dead tile's replacement takes its place, others come last."""
        for slot, tile in enumerate(hand):
            if not tile and self.bag:
                hand[slot] = self.bag.pop(0)
        while "" in hand:
            hand.remove("")
        while len(hand) < self.variant.hand and self.bag:
            hand.append(self.bag.pop(0))

    def _start_turn(self) -> None:
        if self.playable(self.turn):
            self.idle = 0
            self.phase, self.seat = "place", self.turn
        else:
            self.idle += 1
            self._shop()

    def _finish(self, reason: str) -> None:
        self.phase, self.reason = "over", reason
