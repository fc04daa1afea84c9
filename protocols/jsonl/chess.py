"""The adapter of chess to the JSON lines.

A game starts from the start position, from an opening that the seed draws, or from the FEN in the option `fen`. The
built-in players are the bundled genomes: sets of parameters for this program's evaluation and search
(engines/chess/README.md).
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from core.chess.notation import START, fen, position_from_fen, san
from core.chess.position import OUTCOMES, Position
from core.game import State
from core.random import Random
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, catalogue, load_bundled
from engines.chess.player import Player as Searcher
from engines.engine import Limit
from engines.names import near
from engines.player import Player
from protocols.jsonl.adapter import (
    Agent,
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
from protocols.jsonl.state_adapter import PlayerAgent, StateGame

NODES: Final = 5_000  # searched by a built-in player for each move, in about 15 ms
HASH_MEBIBYTES: Final = 1  # the size of its transposition table
STANDARD: Final = "standard"
OPENINGS: Final = "openings"
VARIANTS: Final = {STANDARD: "the start position", OPENINGS: "one of the bundled openings, drawn by the seed"}
OPTIONS: Final = {"fen": {"type": "fen", "default": None}}
SIDES: Final = ("white", "black")


class MoveAction(Struct, kw_only=True, tag_field="kind", tag="move"):
    """Make a move."""

    uci: str  # from square, to square and promotion, as in UCI: `e2e4`, `e1g1` (castling), `e7e8q`


DECODER: Final = msgspec.json.Decoder(MoveAction)


class Moved(GameEvent, kw_only=True, tag="moved"):
    """A seat has made a move."""

    seat: int
    uci: str  # as in the action
    san: str  # in standard algebraic notation

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} plays {self.san}."


class ChessObservation(Struct, kw_only=True):
    """The position, which is the same for all seats."""

    fen: str
    turn: Literal["white", "black"]
    check: bool  # the side to move is in check
    repeated: int  # how often the position has occurred before


class LegalMoves(Struct, kw_only=True, tag_field="form", tag="list"):
    """All legal moves, as `legal` in `decide`."""

    actions: list[MoveAction]


class ChessOpening(Struct, kw_only=True):
    """The fields that chess adds to `start`; missing if there are no notes."""

    notes: list[str]  # sentences about parts of the option `fen` that are impossible and were changed


class ChessResult(Struct, kw_only=True):
    """The result of a game; White is seat 0."""

    score: list[float]  # by seat: 1 for a win, 1/2 for a draw, 0 for a loss
    reason: str  # one of `ends` in the rules, `resign` or `forfeit`


class ChessState(StateGame):
    """A running game of chess; a move is an int of core.chess."""

    def __init__(self, position: Position, variant: str) -> None:
        super().__init__(position, len(SIDES), variant, _rules_hash(variant))
        self.position = position

    def opening(self) -> ChessOpening | None:
        return ChessOpening(notes=self.position.notes) if self.position.notes else None

    def observation(self, seat: int | None) -> ChessObservation:
        position = self.position
        return ChessObservation(
            fen=fen(position),
            turn="black" if position.player() else "white",
            check=position.in_check(),
            repeated=int(position.repetitions(2)),
        )

    def legal(self, seat: int) -> LegalMoves:
        moves = self.position.legal_actions()
        return LegalMoves(actions=[self.format_action(seat, move) for move in moves])

    def parse_action(self, seat: int, action: bytes) -> Move:
        text = decode_action(DECODER, action).uci
        try:
            return self.position.parse_uci(text)
        except ValueError as error:
            raise IllegalMove(str(error), {"field": "uci", "reason": "illegal"}) from None

    def format_action(self, seat: int, move: Move) -> MoveAction:
        return MoveAction(uci=self.position.action_text(move))

    def moved(self, seat: int, move: Move) -> Moved:
        return Moved(seat=seat, uci=self.position.action_text(move), san=san(self.position, move))

    def result(self) -> ChessResult | None:
        outcome = self.position.outcome()
        if not outcome:
            return None
        return ChessResult(score=[(points + 1) / 2 for points in self.position.returns()], reason=outcome)

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> ChessResult:
        """Return a win for the other side, or a draw.

        A forfeit is a draw if the other side cannot mate (FIDE Laws, 6.9), or if both sides have forfeited.
        """
        score = [0.0 if seat in seats else 1.0 for seat in (0, 1)]
        if reason == "forfeit" and not any(
            self.position.can_win(seat) for seat in (0, 1) if seat not in seats
        ):
            score = [0.5, 0.5]
        return ChessResult(score=score, reason=reason)


# -- Players -----------------------------------------------------------------------------------------


class GenomePlayer(Player):
    """A bundled genome. It searches NODES nodes for each move, so that its moves are the same on every machine."""

    about = f"{NODES:,} nodes a move"
    is_slow = True

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, state: State, rng: Random) -> Move:
        assert isinstance(state, Position)
        searcher = Searcher(_genome(self.name), "strong", HASH_MEBIBYTES, rng)
        for _ in searcher.think(state, Limit(nodes=NODES)):
            pass
        return searcher.info.action


@cache
def _genome(name: str) -> Genome:
    return load_bundled(name)


# -- The adapter -------------------------------------------------------------------------------------


class ChessAdapter(GameAdapter):
    """The adapter of chess by the laws of FIDE; draws by repetition and by fifty moves need no claim."""

    def __init__(self) -> None:
        self.name = "chess"
        self.variants = tuple(VARIANTS)
        self.agents = tuple(player.name for player in catalogue())
        self.message_types = MessageTypes(
            observation=ChessObservation,
            actions=(MoveAction,),
            events=(Moved, *COMMON_EVENTS),
            others=(LegalMoves, ChessOpening, ChessResult),
        )

    def has_agent(self, name: str, seat: int) -> bool:
        return name in bundled()

    def describe(self, variant: str) -> VariantInfo:
        if variant not in VARIANTS:
            raise OptionError("$.variant", f"there is no variant {variant[:40]!r}; {near(variant, VARIANTS)}")
        return VariantInfo(
            rules=_rules(variant),
            rules_hash=_rules_hash(variant),
            seats=(2, 2),
            options=OPTIONS,
            actions=["move"],
            unrated=frozenset(OPTIONS),
            # The option `fen` replaces the opening that the seed would draw.
            chance=frozenset(OPTIONS) if variant == OPENINGS else frozenset(),
        )

    def open(self, config: GameConfig) -> GameState:
        self.describe(config.variant)
        if config.seats != 2:
            raise OptionError("$.seats", f"chess needs 2 seats, not {config.seats}")
        if unknown := config.options.keys() - OPTIONS.keys():
            name = min(unknown)
            raise OptionError(
                f"$.options.{name}", f"chess has no option {name[:40]!r}; {near(name, OPTIONS)}"
            )
        start = config.options.get("fen")
        if start is None:
            openings = _openings() if config.variant == OPENINGS else (START,)
            start = openings[int(config.streams.stream("opening").below(len(openings)))]
        try:
            position = position_from_fen(start if isinstance(start, str) else "")
        except ValueError as error:
            raise OptionError("$.options.fen", str(error)) from None
        if position.is_terminal():
            raise OptionError("$.options.fen", f"the game has ended in this position: {position.outcome()}")
        return ChessState(position, config.variant)

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        if name not in bundled():
            raise KeyError(name)
        return PlayerAgent(name, GenomePlayer(name), stream, seat)


@cache
def _openings() -> tuple[str, ...]:
    lines = (files("engines.chess") / "openings.epd").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def _rules(variant: str) -> dict[str, Any]:
    start = list(_openings()) if variant == OPENINGS else [START]
    return {"start": VARIANTS[variant], "positions": start, "ends": list(OUTCOMES), "sides": list(SIDES)}


def _rules_hash(variant: str) -> str:
    return "sha256:" + sha256(ENCODER.encode(_rules(variant))).hexdigest()
