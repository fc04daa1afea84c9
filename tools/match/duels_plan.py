"""What a match move by move is to be: its arguments, understood."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from core.chess.position import Position
from engines.chess.pgn import OPENINGS, read_openings
from engines.match.pairing import Kind
from engines.match.rating import Sprt
from engines.time_control import TimeControl
from tools.games import find_game

MARGIN_SECONDS: Final = 0.1  # unless said otherwise, as is
GAMES: Final = 100  # of each pairing


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The arguments, understood."""

    game: str
    engines: tuple[str, ...]
    control: TimeControl
    openings: tuple[Position, ...]
    pgn: Path | None
    sprt: Sprt | None
    games: int
    concurrency: int
    seed: int
    margin_seconds: float
    max_actions: int | None
    pairing: Kind
    opening_file: str | None

    @classmethod
    def of(cls, args: Namespace) -> "Plan":
        """ValueError or OSError for arguments that make no match."""
        find_game(args.game)
        bounds = [("", args.tc), ("nodes=", args.nodes), ("depth=", args.depth)]
        control = ",".join(f"{name}{value}" for name, value in bounds if value is not None)
        if args.game != "chess" and (args.openings or args.pgn):
            raise ValueError("openings and PGN are for chess")
        concurrency = 1 if args.concurrency is None else args.concurrency
        games = GAMES if args.games is None else args.games
        if concurrency < 1 or games < 2 or games % 2:
            raise ValueError("--concurrency must be 1 or more, --games an even number")
        if args.sprt and len(args.players) > 2:
            raise ValueError("--sprt compares two engines")
        return cls(
            game=args.game,
            engines=tuple(args.players),
            control=TimeControl.parse(control or "10+0.1"),
            openings=_openings(args.game, args.openings),
            pgn=args.pgn,
            sprt=Sprt.parse(args.sprt) if args.sprt else None,
            games=games,
            concurrency=concurrency,
            seed=args.seed,
            margin_seconds=MARGIN_SECONDS if args.margin is None else args.margin,
            max_actions=2 * args.max_moves if args.max_moves else None,
            pairing=cast(Kind, args.pairing),
            opening_file=args.openings,
        )

    def recipe(self) -> Mapping[str, object]:
        """Everything that the games follow from."""
        return {
            "game": self.game,
            "players": self.engines,
            "control": str(self.control),
            "openings": self.opening_file,
            "games": self.games,
            "pairing": self.pairing,
            "seed": self.seed,
            "margin_seconds": self.margin_seconds,
            "max_actions": self.max_actions,
        }


def _openings(game: str, file: str | None) -> tuple[Position, ...]:
    """Where games begin: everywhere but in chess, and for 'start', at the start."""
    if game != "chess" or file == "start":
        return ()
    return tuple(read_openings(Path(file) if file else OPENINGS))
