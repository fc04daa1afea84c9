"""Acquire over the JSON lines: its presets and options, its built-in players, and its games as messages."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw

from core.acquire import events as core_events
from core.acquire.actions import (
    BUY,
    DECLARE_END,
    DISPOSE,
    FOUND,
    PHASES,
    PLACE,
    REASONS,
    SURVIVOR,
    UNIT,
    disposal,
    shares_in,
    sold,
    traded,
)
from core.acquire.board import BIT, DEAD, EMPTY, MERGES, OFF_BOARD, TILE_KINDS, UNINCORPORATED
from core.acquire.game import new_game, shuffled_bag
from core.acquire.rules import CHOICES, PRESETS, Chain, GameSpec, Rules, parse_tile, stride, tile_name
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.player import RegistryPlayer
from engines.acquire.registry import PLAYERS, create_player
from engines.names import check_name, near
from protocols.jsonl import acquire_messages as messages
from protocols.jsonl.adapter import (
    Agent,
    Event,
    GameAdapter,
    GameConfig,
    GameState,
    IllegalMove,
    MessageTypes,
    Move,
    OptionError,
    Problem,
    VariantInfo,
)
from protocols.jsonl.codec import ENCODER, decode_action
from protocols.jsonl.messages import COMMON_EVENTS, GameEvent
from protocols.jsonl.state_adapter import PlayerAgent, StateGame

KINDS: Final = ["place", "found", "survivor", "order", "dispose", "buy", "pass"]
NUMBERS: Final = ("columns", "rows", "shares", "cash", "hand", "max_buy", "safe", "end")
MAX_NOTATIONS: Final = len(PRESETS) + 1  # that are cached; clients may play by rules of their own
MAX_CACHED_ACTIONS: Final = 2000  # of a phase whose JSON is cached; rules of a client may have more
PENDING: Final = (FOUND, SURVIVOR)  # phases in which the tile just placed is not settled
DECODER: Final = msgspec.json.Decoder(messages.AcquireAction)

Reading = tuple[int, list[tuple[str, Problem]]]  # the action, and its problems, each in words and as data


class AcquireAdapter(GameAdapter):
    """The adapter of Acquire, for all presets of rules and for rules that options change."""

    def __init__(self) -> None:
        self.name = "acquire"
        self.variants = tuple(PRESETS)
        self.agents = tuple(PLAYERS)
        self.ends_elsewhere = True
        self.message_types = MessageTypes(
            observation=messages.Observation,
            actions=messages.ACTIONS,
            events=(*messages.EVENTS, *COMMON_EVENTS),
            others=(messages.Legal, messages.Opening, messages.Result, messages.Reveal),
        )

    def has_agent(self, name: str, seat: int) -> bool:
        try:
            create_player(name)
        except ValueError:
            return False
        return True

    def describe(self, variant: str) -> VariantInfo:
        rules = _preset(variant)
        options = _options(rules)
        return VariantInfo(
            rules=rules_data(rules),
            rules_hash=rules_hash(rules),
            seats=rules.seats,
            options=options,
            actions=KINDS,
            unrated=frozenset(options) - {"holdings"},
            chance=frozenset(("bag",)),
        )

    def open(self, config: GameConfig) -> GameState:
        preset = _preset(config.variant)
        rules = _with_options(preset, config.options)
        try:
            spec = GameSpec(rules, config.seats)
        except ValueError as error:
            raise OptionError("$.seats", str(error)) from None
        bag = config.options.get("bag")
        try:
            if bag is None:
                tiles = list(map(int, shuffled_bag(spec, config.streams.stream("bag"))))
            else:
                tiles = _tiles(rules, bag)
            state = new_game(spec, tiles, records_events=True)
        except ValueError as error:
            raise OptionError("$.options.bag", str(error)) from None
        if rules == preset:
            return AcquireGameState(state, config.variant, rules_hash(rules))
        return AcquireGameState(state, "custom", rules_hash(rules), rules_data(rules))

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        try:
            player = RegistryPlayer(name)
        except ValueError:
            raise KeyError(name) from None
        return PlayerAgent(name, player, stream, seat)


def rules_hash(rules: Rules) -> str:
    """Return the hash of rules, which does not depend on their name."""
    return "sha256:" + sha256(rules.text().encode()).hexdigest()


def rules_data(rules: Rules) -> dict[str, Any]:
    """Return rules as an object of the wire, for `description` and `start`."""
    return {
        "columns": rules.columns,
        "rows": rules.rows,
        "chains": [
            {"name": chain.name, "letter": chain.letter, "tier": chain.tier} for chain in rules.chains
        ],
        "shares": rules.shares,
        "cash": rules.cash,
        "hand": rules.hand,
        "max_buy": rules.max_buy,
        "safe": rules.safe,
        "end": rules.end,
        "end_check": rules.end_check,
        "seats": list(rules.seats),
        "steps": list(rules.steps),
        "bonus_rounding": "up_100",
        **{name: value for name, value in rules.options().items() if name != "end_check"},
    }


class AcquireGameState(StateGame):
    """A running game of Acquire; a move is an action (core.acquire.actions)."""

    def __init__(
        self, state: AcquireState, variant: str, rules_hash: str, rules: dict[str, Any] | None = None
    ) -> None:
        """Wrap a state that records its events; `rules` are shown in `start` if the variant does not name them."""
        super().__init__(state, int(state.spec.seats), variant, rules_hash)
        self.state: AcquireState = state
        self._notation = notation_of(state.spec.rules)
        self._rules = rules

    def seating(self) -> Sequence[int]:
        return [int(self.state.join_order[seat]) for seat in range(int(self.state.spec.seats))]

    def opening(self) -> messages.Opening:
        position = [self._notation.tiles[self.state.bag[entry]] for entry in self.seating()]
        return messages.Opening(position=position, rules=self._rules)

    def begin(self) -> list[Event]:
        return self._new_events()

    def phase(self, seat: int) -> str:
        return PHASES[self.state.phase()]

    def ending(self) -> bool:
        return self.state.is_announced()

    def observation(self, seat: int | None) -> messages.Observation:
        return _observation(self.state, self._notation, seat)

    def legal(self, seat: int) -> messages.Legal:
        return _legal(self.state, self._notation)

    def parse_action(self, seat: int, action: bytes) -> Move:
        return _parse(self.state, action)

    def format_action(self, seat: int, move: Move) -> Raw:
        return self._notation.actions[self.state.phase()][move]

    def apply(self, moves: Mapping[int, Move]) -> list[Event]:
        (action,) = moves.values()
        self.state.play(action)
        self.moves += 1
        return self._new_events()

    def result(self) -> messages.Result | None:
        if not self.state.is_terminal():
            return None
        worth = self.state.worths()
        return messages.Result(worth=worth, rank=_ranks(worth, ()), reason=REASONS[self.state.end_reason()])

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> messages.Result:
        """Return the result as if the game ended now. Seats that gave up rank after all others."""
        worth = self.state.worths()
        return messages.Result(worth=worth, rank=_ranks(worth, seats), reason=reason)

    def reveal(self) -> messages.Reveal:
        return messages.Reveal(bag=[self._notation.tiles[tile] for tile in self.state.bag])

    def _new_events(self) -> list[Event]:
        happened, self.state.events = self.state.events, []
        return _events(self._notation, happened)


def _ranks(worth: Sequence[int], given_up: Sequence[int]) -> list[int]:
    """Return the rank of each seat: 1 is best, and seats of equal worth share a rank. Those given up come last."""
    keys = [(seat not in given_up, value) for seat, value in enumerate(worth)]
    return [1 + sum(other > own for other in keys) for own in keys]


# -- Options -----------------------------------------------------------------------------------------


def _preset(variant: str) -> Rules:
    if variant not in PRESETS:
        raise OptionError("$.variant", f"there is no variant {variant[:40]!r}; {near(variant, PRESETS)}")
    return PRESETS[variant]


def _options(rules: Rules) -> dict[str, Any]:
    """Return the options of a variant with its rules, each with its type and default."""
    return {
        "bag": {"type": "list", "default": None},
        "chains": {"type": "list", "default": rules_data(rules)["chains"]},
        **{name: {"type": "integer", "default": getattr(rules, name)} for name in NUMBERS},
        **{
            name: {"type": "enum", "values": list(values), "default": getattr(rules, name)}
            for name, values in CHOICES.items()
        },
    }


def _with_options(preset: Rules, options: Mapping[str, Any]) -> Rules:
    """Return the preset with the changes of the options. Raises OptionError if one is unknown or invalid."""
    changes: dict[str, Any] = {}
    for name, value in options.items():
        path = f"$.options.{name}"
        if name == "bag" or value is None:
            continue
        if name in NUMBERS:
            if not isinstance(value, int) or isinstance(value, bool):
                raise OptionError(path, f"{name} must be a whole number")
            changes[name] = value
        elif name in CHOICES:
            if value not in CHOICES[name]:
                raise OptionError(path, f"{name} must be one of {', '.join(CHOICES[name])}")
            changes[name] = value
        elif name == "chains":
            changes[name] = _chains(value)
        else:
            raise OptionError(
                path[:100], f"acquire has no option {name[:40]!r}; {near(name, _options(preset))}"
            )
    if not changes:
        return preset
    fields = {name: getattr(preset, name) for name in (*NUMBERS, *CHOICES, "chains", "steps", "seats")}
    try:
        return Rules(preset.name, **(fields | changes))
    except (ValueError, OverflowError) as error:
        raise OptionError("$.options", str(error)) from None


def _chains(value: Any) -> tuple[Chain, ...]:
    try:
        chains = tuple(Chain(each["name"], each["letter"], each["tier"]) for each in value)
        for chain in chains:
            check_name(chain.name)
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise OptionError(
            "$.options.chains", f"each chain needs a name, a letter and a tier: {error}"
        ) from None
    return chains


def _tiles(rules: Rules, bag: Any) -> list[int]:
    if not isinstance(bag, list) or not all(isinstance(tile, str) for tile in bag):
        raise ValueError("a bag must be a list of tiles such as 1A")
    return [parse_tile(rules, tile) for tile in bag]


# -- Notation ----------------------------------------------------------------------------------------


@lru_cache(MAX_NOTATIONS)
def notation_of(rules: Rules) -> "Notation":
    """Return the notation that all games of these rules share."""
    return Notation(rules)


class Notation:
    """The texts of tiles and chains, and the JSON of actions, for one set of rules; each is made once."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self.stride: Final = int(stride(rules))
        self.tiles: Final = [tile_name(rules, cell) for cell in range((rules.columns + 2) * self.stride)]
        self.chains: Final = [chain.name for chain in rules.chains]
        self.signs: Final = ["x"] * (OFF_BOARD + 1)  # by cell
        self.signs[EMPTY], self.signs[UNINCORPORATED] = ".", "o"
        for index, chain in enumerate(rules.chains):
            self.signs[BIT[index]] = chain.letter
        self.actions: Final = [EncodedActions(self, phase) for phase in range(len(PHASES))]

    def shares(self, purchase: int) -> list[str]:
        """Return the shares of a purchase as a list with a chain's name for each."""
        return [name for index, name in enumerate(self.chains) for _ in range(shares_in(purchase, index))]

    def __reduce__(self) -> tuple[Callable[[Rules], "Notation"], tuple[Rules]]:
        """Pickle the rules alone; the texts follow from them."""
        return notation_of, (self.rules,)


class EncodedActions(dict[int, Raw]):
    """The JSON of each action of one phase, encoded when it is first needed."""

    def __init__(self, notation: Notation, phase: int) -> None:
        super().__init__()
        self._notation = notation
        self._phase = phase

    def __missing__(self, action: int) -> Raw:
        if len(self) >= MAX_CACHED_ACTIONS:
            self.clear()
        made = self[action] = Raw(ENCODER.encode(_action(self._notation, self._phase, action)))
        return made


def _action(notation: Notation, phase: int, action: int) -> messages.AcquireAction:
    is_ending = True if action & DECLARE_END else None
    if phase == PLACE:
        return messages.Place(tile=notation.tiles[action & ~DECLARE_END], end=is_ending)
    if phase == BUY:
        return messages.Buy(shares=notation.shares(action & ~DECLARE_END), end=is_ending)
    if phase == DISPOSE:
        return messages.Dispose(trade=traded(action), sell=sold(action))
    chain = notation.chains[action]
    if phase == FOUND:
        return messages.Found(chain=chain)
    return messages.Survivor(chain=chain) if phase == SURVIVOR else messages.Order(chain=chain)


# -- Observations ------------------------------------------------------------------------------------


def _observation(state: AcquireState, notation: Notation, seat: int | None) -> messages.Observation:
    """Return the observation of a seat: the public part, and the tiles in its hand."""
    cash: list[int | None] = [*state.cash_by_seat()]
    shares: list[list[int] | None] = [*state.shares_by_seat()]
    if notation.rules.holdings != "open":
        for other in range(len(cash)):
            if other != seat:
                cash[other] = shares[other] = None
    return messages.Observation(
        board=_board(state, notation),
        size=state.sizes(),
        price=state.prices(),
        bank=state.banks(),
        cash=cash,
        shares=shares,
        bag_left=state.bag_left(),
        turn=state.turn(),
        idle=state.turns_without_tile(),
        hand=None if seat is None else _hand(state, notation, seat),
    )


def _hand(state: AcquireState, notation: Notation, seat: int) -> list[tuple[str, str]]:
    """Return the tiles in the hand of a seat, each with the effect that placing it would have."""
    return [(notation.tiles[tile], TILE_KINDS[state.kind(tile)]) for tile in state.hand(seat)]


def _board(state: AcquireState, notation: Notation) -> list[str]:
    """Return the rows of the board from A down, with `*` for a tile whose effect is not settled."""
    signs = list(map(notation.signs.__getitem__, state.cells))
    if state.phase() in PENDING:
        signs[state.placed_tile()] = "*"
    stride, squares = notation.stride, "".join(signs)
    end = stride * (notation.rules.columns + 1)
    return [squares[stride + row : end : stride] for row in range(notation.rules.rows)]


# -- Actions -----------------------------------------------------------------------------------------


def _legal(state: AcquireState, notation: Notation) -> messages.Legal:
    """Return the legal actions; `may_end` stands for those that also announce the end."""
    phase = state.phase()
    actions = state.legal_actions()
    may_end = state.may_end() and not state.is_announced()
    if may_end and phase in (PLACE, BUY):
        actions = [action for action in actions if not action & DECLARE_END]
    legal = messages.Legal(actions=list(map(notation.actions[phase].__getitem__, actions)))
    if phase == DISPOSE:
        legal.defunct = notation.chains[state.defunct()]
        legal.survivor = notation.chains[state.survivor()]
        legal.held = state.held()
        legal.price = state.defunct_price()
    elif phase == BUY:
        legal.may_end = may_end
    elif phase == PLACE and may_end and notation.rules.end_check == "any_time":
        legal.may_end = True
    return legal


def _parse(state: AcquireState, data: bytes) -> int:
    """Return the action for a JSON object in the present phase.

    Raises IllegalMove with every problem, or msgspec.ValidationError.
    """
    asked = decode_action(DECODER, data)
    phase = PHASES[state.phase()]
    kind = str(asked.__struct_config__.tag)
    if kind == "pass" and phase == "buy":
        return 0
    if kind != phase:
        raise IllegalMove(
            f"the action must be of the kind {phase}, not {kind}",
            {"field": "kind", "reason": "wrong_phase", "phase": phase},
        )
    match asked:
        case messages.Place():
            action, problems = _place(state, asked)
        case messages.Buy():
            action, problems = _buy(state, asked)
        case messages.Dispose():
            action, problems = _dispose(state, asked)
        case messages.Found() | messages.Survivor() | messages.Order():
            action, problems = _choose(state, asked.chain)
        case messages.Pass():
            raise AssertionError("a pass is handled before its phase is compared")
    if problems:
        raise IllegalMove(problems[0][0], *(problem for _, problem in problems))
    return action


def _place(state: AcquireState, asked: messages.Place) -> Reading:
    rules = state.spec.rules
    problems: list[tuple[str, Problem]] = []
    tile = 0
    try:
        tile = parse_tile(rules, asked.tile)
    except ValueError as error:
        problems.append((str(error), {"field": "tile", "reason": "no_such_tile"}))
    if tile and tile not in state.hand(state.turn()):
        problems.append(
            (f"the tile {asked.tile} is not in your hand", {"field": "tile", "reason": "not_in_hand"})
        )
    elif tile and (kind := state.kind(tile)) > MERGES:
        why = "it would merge two safe chains" if kind == DEAD else "all chains are on the board"
        problems.append(
            (f"{asked.tile} cannot be placed: {why}", {"field": "tile", "reason": TILE_KINDS[kind]})
        )
    if asked.end and not (state.may_end() and rules.end_check == "any_time"):
        problems.append(("the end cannot be announced now", {"field": "end", "reason": "not_allowed"}))
    return tile | DECLARE_END if asked.end else tile, problems


def _buy(state: AcquireState, asked: messages.Buy) -> Reading:
    rules = state.spec.rules
    numbers = {chain.name: index for index, chain in enumerate(rules.chains)}
    problems: list[tuple[str, Problem]] = []
    action = cost = 0
    for name, count in Counter(asked.shares).items():
        chain = numbers.get(name)
        if chain is None:
            problems.append(
                (
                    f"no chain is called {name[:40]!r}; {near(name, numbers)}",
                    _share_problem(name, "no_such_chain"),
                )
            )
        elif not state.price(chain):
            problems.append((f"{name} is not on the board", _share_problem(name, "not_on_board")))
        else:
            left = state.bank(chain)
            if count > left:
                problems.append(
                    (
                        f"the bank has {left} of {name}, not {count}",
                        _share_problem(name, "bank", need=count, have=left),
                    )
                )
            cost += count * state.price(chain)
            action += min(count, 15) * int(UNIT[chain])
    if len(asked.shares) > rules.max_buy:
        few = {"field": "shares", "reason": "too_many", "limit": rules.max_buy}
        problems.append(
            (
                f"{len(asked.shares)} shares are more than the {rules.max_buy} that can be bought in a turn",
                few,
            )
        )
    cash = state.cash(state.turn())
    if cost > cash:
        dear = {"field": "shares", "reason": "money", "need": cost, "have": cash}
        problems.append((f"the shares cost ${cost}, but you have ${cash}", dear))
    if asked.end and not (state.may_end() and not state.is_announced()):
        problems.append(("the end cannot be announced now", {"field": "end", "reason": "not_allowed"}))
    return action | DECLARE_END if asked.end else action, problems


def _dispose(state: AcquireState, asked: messages.Dispose) -> Reading:
    problems: list[tuple[str, Problem]] = []
    held, most = state.held(), state.most_trade()
    for field, number in (("trade", asked.trade), ("sell", asked.sell)):
        if number < 0:
            problems.append(
                (f"{field} must be 0 or more, not {number}", {"field": field, "reason": "negative"})
            )
    if asked.trade % 2:
        problems.append(
            (
                f"trade must be even, not {asked.trade}, because two shares are traded for one",
                {"field": "trade", "reason": "odd"},
            )
        )
    if asked.trade > most:
        problems.append(
            (
                f"at most {most} shares can be traded, not {asked.trade}",
                {"field": "trade", "reason": "too_many", "limit": most},
            )
        )
    if asked.trade + asked.sell > held:
        problems.append(
            (
                f"trade and sell are {asked.trade + asked.sell} together, but you hold {held}",
                {"field": "sell", "reason": "too_many", "limit": held},
            )
        )
    return (0 if problems else disposal(asked.trade, asked.sell)), problems


def _choose(state: AcquireState, name: str) -> Reading:
    rules = state.spec.rules
    for index, chain in enumerate(rules.chains):
        if chain.name == name and state.is_option(index):
            return index, []
    return 0, [
        (f"{name[:40]!r} is not one of the chains to choose from", {"field": "chain", "reason": "not_listed"})
    ]


def _share_problem(name: str, reason: str, **more: int) -> Problem:
    return {"field": "shares", "reason": reason, "chain": name[:40], **more}


# -- Events ------------------------------------------------------------------------------------------


def _events(notation: Notation, happened: Sequence[core_events.Event]) -> list[Event]:
    """Return the events as messages, in order. Tiles drawn together are one event, and only their owner sees them."""
    events: list[Event] = []
    drawn: list[str] = []
    for each in happened:
        if isinstance(each, core_events.Drew):
            if drawn:
                events.pop()
            drawn.append(notation.tiles[each.tile])
            events.append(_drew_event(each.seat, drawn))
        else:
            drawn = []
            if public := _public(notation, each):
                events.append(Event(public=public))
    return events


def _drew_event(seat: int, tiles: list[str]) -> Event:
    return Event(
        public=messages.Drew(seat=seat, count=len(tiles)),
        private_to=seat,
        private=messages.Drew(seat=seat, count=len(tiles), tiles=tuple(tiles)),
    )


def _public(names: Notation, event: core_events.Event) -> GameEvent | None:
    """Return the message of an event; None if other events imply it, or only programs that compare games need it."""
    match event:
        case core_events.TurnStarted():
            return messages.Turn(seat=event.seat)
        case core_events.Placed():
            return messages.Placed(
                seat=event.seat, tile=names.tiles[event.tile], effect=TILE_KINDS[event.kind]
            )
        case core_events.Bought():
            shares = tuple(names.shares(event.purchase))
            return messages.Bought(seat=event.seat, shares=shares, cost=event.cost)
        case core_events.Grew():
            return messages.Grew(seat=event.seat, chain=names.chains[event.chain], size=event.size)
        case core_events.Founded():
            return messages.Founded(
                seat=event.seat, chain=names.chains[event.chain], size=event.size, share=bool(event.shares)
            )
        case core_events.Merged():
            return messages.Merger(
                seat=event.seat,
                survivor=names.chains[event.survivor],
                defunct=tuple(name for index, name in enumerate(names.chains) if event.defunct >> index & 1),
                size=event.size,
            )
        case core_events.BonusPaid():
            return messages.Bonus(
                seat=event.seat,
                chain=names.chains[event.chain],
                place=core_events.BONUS_RANKS[event.rank],
                amount=event.amount,
            )
        case core_events.Disposed():
            return messages.Disposed(
                seat=event.seat,
                chain=names.chains[event.chain],
                hold=event.held,
                trade=event.traded,
                sell=event.sold,
            )
        case core_events.NoTile():
            return messages.NoTile(seat=event.seat)
        case core_events.DeadTile():
            return messages.DeadTile(seat=event.seat, tile=names.tiles[event.tile])
        case core_events.EndAnnounced():
            return messages.EndAnnounced(seat=event.seat)
        case core_events.FinalBonus():
            return messages.FinalBonus(
                seat=event.seat,
                chain=names.chains[event.chain],
                place=core_events.BONUS_RANKS[event.rank],
                amount=event.amount,
            )
        case core_events.FinalSale():
            return messages.FinalSale(
                seat=event.seat, chain=names.chains[event.chain], shares=event.shares, amount=event.amount
            )
    return None
