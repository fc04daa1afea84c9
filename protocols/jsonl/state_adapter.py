"""The adapter for any game whose rules are a core.game.State: actions and positions are texts.

    decide      {"observation": {"text": "x.. ...", "turn": 0}, "legal": {"form": "list", "actions": [{"kind": "move", "move": "a3"}, ...]}}
    action      {"kind": "move", "move": "a3"}
    event       {"kind": "moved", "seat": 0, "move": "a3"}
    end         {"result": {"score": [1.0, -1.0], "reason": "rules"}}

A game with messages of its own inherits from StateGame and overrides the methods that create them, as chess does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import index
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw, Struct

from core.game import SPECTATOR, Game, State
from core.random import Random
from engines.names import near
from engines.player import Player
from engines.version import VERSION
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
    VariantInfo,
)
from protocols.jsonl.codec import ENCODER, decode_action
from protocols.jsonl.messages import COMMON_EVENTS, GameEvent

STANDARD: Final = "standard"  # the only variant
SEEDS: Final = 2**53


class MoveAction(Struct, kw_only=True, tag_field="kind", tag="move"):
    """Play a legal action."""

    move: str  # the text of the action, as `legal` lists it


DECODER: Final = msgspec.json.Decoder(MoveAction)


class Moved(GameEvent, kw_only=True, tag="moved"):
    """A seat has played an action."""

    seat: int
    move: str

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} plays {self.move}."


class Seen(Struct, kw_only=True):
    """The position as a seat sees it."""

    text: str
    turn: int  # the seat to move


class LegalMoves(Struct, kw_only=True, tag_field="form", tag="list"):
    """All legal actions, as `legal` in `decide`."""

    actions: list[MoveAction]


class Score(Struct, kw_only=True):
    """The result of a game."""

    score: list[float]  # by seat: 1 for a win, 0 for a draw, -1 for a loss
    reason: str  # `rules`, `resign` or `forfeit`


class StateGame(GameState):
    """A running game; a move is an action of its State."""

    def __init__(self, state: State, players: int, variant: str, rules_hash: str) -> None:
        self.variant = variant
        self.rules_hash = rules_hash
        self.state = state
        self.players = players
        self.moves = 0  # number of moves that were played

    def seating(self) -> Sequence[int]:
        return range(self.players)

    def due(self) -> Sequence[int]:
        return () if self.state.is_terminal() else (self.state.player(),)

    def phase(self, seat: int) -> str:
        return "move"

    def observation(self, seat: int | None) -> Struct:
        seen = self.state.observation(SPECTATOR if seat is None else seat)
        return Seen(text=seen.text(), turn=self.state.player())

    def legal(self, seat: int) -> Struct:
        return LegalMoves(
            actions=[MoveAction(move=self.state.action_text(each)) for each in self.state.legal_actions()]
        )

    def parse_action(self, seat: int, action: bytes) -> Move:
        text = decode_action(DECODER, action).move
        try:
            return self.state.action_from(text)
        except ValueError as error:
            raise IllegalMove(str(error)[:200], {"field": "move", "reason": "illegal"}) from None

    def format_action(self, seat: int, move: Move) -> Struct | Raw:
        return MoveAction(move=self.state.action_text(move))

    def checked(self, seat: int, move: Move) -> Move:
        action = index(move)
        if action not in self.state.legal_actions():
            raise ValueError(f"illegal action: {action}")
        return action

    def default_action(self, seat: int) -> Move:
        return self.state.legal_actions()[0]

    def apply(self, moves: Mapping[int, Move]) -> list[Event]:
        ((seat, move),) = moves.items()
        event = self.moved(seat, move)
        self.state.apply(move)
        self.moves += 1
        return [Event(public=event)]

    def moved(self, seat: int, move: Move) -> GameEvent:
        """Return the event for a move that is about to be played."""
        return Moved(seat=seat, move=self.state.action_text(move))

    def result(self) -> Struct | None:
        if not self.state.is_terminal():
            return None
        return Score(score=self.state.returns(), reason="rules")

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Struct:
        """Return the result if some seats were given up: a loss for each of them, a win for all others."""
        return Score(score=[-1.0 if seat in seats else 1.0 for seat in range(self.players)], reason=reason)


# -- Players -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A decision for a worker process."""

    player: Player
    state: Any  # the player's observation
    seed: int


class PlayerAgent(Agent):
    """A player in a seat of a StateGame.

    Each decision in a worker process has a seed of its own, so that a replay need not ask a slow player again.
    """

    def __init__(
        self, name: str, player: Player, stream: Callable[[str], Random], seat: int, package: str = ""
    ) -> None:
        """Seat a player; `package` has the name and version of its distribution, if that is another one."""
        self.about = f"{name}, {package or f'galapagos {VERSION}'}" + (
            f": {player.about}" if player.about else ""
        )
        self.is_slow = player.is_slow
        self._player = player
        self._stream = stream
        self._rng = stream(f"seat|{seat}")

    def choose(self, state: GameState, seat: int) -> Move:
        assert isinstance(state, StateGame)
        seen = state.state.observation(seat)
        if seen is state.state:
            seen = seen.clone()  # so that a player that changes what it sees does not change the game
        return self._player.choose(seen, self._rng)

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Thought], Move], Thought]:
        assert isinstance(state, StateGame)
        return chosen, self._thought(state.state.observation(seat), f"lookahead|{seat}|{state.moves}")

    def _thought(self, seen: Any, purpose: str) -> Thought:
        """Return the decision for an observation, with a seed from the stream of this purpose."""
        return Thought(player=self._player, state=seen, seed=int(self._stream(purpose).below(SEEDS)))


def chosen(thought: Thought) -> Move:
    """Return the player's choice. Runs in a worker process."""
    return thought.player.choose(thought.state, Random(thought.seed))


# -- The adapter -------------------------------------------------------------------------------------


class StateAdapter(GameAdapter):
    """The adapter of a game with one variant and no options."""

    def __init__(
        self, game: Game, players: Mapping[str, Callable[[], Player]], about: str = "", package: str = ""
    ) -> None:
        """Adapt a game.

        `players` has constructors of built-in players by name, `about` is a line about the game, and `package` the
        name and version of the distribution that the players come from, if that is another one.
        """
        self.name = game.name
        self.variants = (STANDARD,)
        self.agents = tuple(players)
        self.message_types = MessageTypes(
            observation=Seen,
            actions=(MoveAction,),
            events=(Moved, *COMMON_EVENTS),
            others=(LegalMoves, Score),
        )
        self._game = game
        self._players = players
        self._package = package
        rules = {"game": game.name, "about": about, "players": game.players}
        self._info = VariantInfo(
            rules=rules,
            rules_hash="sha256:" + sha256(ENCODER.encode(rules)).hexdigest(),
            seats=(game.players, game.players),
            options={},
            actions=["move"],
        )

    def has_agent(self, name: str, seat: int) -> bool:
        return name in self._players

    def describe(self, variant: str) -> VariantInfo:
        if variant != STANDARD:
            raise OptionError(
                "$.variant", f"there is no variant {variant[:40]!r}; {near(variant, self.variants)}"
            )
        return self._info

    def open(self, config: GameConfig) -> GameState:
        info = self.describe(config.variant)
        if config.seats != self._game.players:
            raise OptionError("$.seats", f"{self.name} needs {self._game.players} seats, not {config.seats}")
        if config.options:
            raise OptionError(f"$.options.{min(config.options)[:40]}", f"{self.name} has no options")
        state = self._game.new_state(config.streams.stream("deal"))
        return StateGame(state, self._game.players, config.variant, info.rules_hash)

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        return PlayerAgent(name, self._players[name](), stream, seat, self._package)
