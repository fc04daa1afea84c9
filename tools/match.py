"""`galapagos match`: engine against engine, with intervals, an SPRT if wanted, and the games as PGN."""

import asyncio
import json
import math
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from itertools import combinations, count
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from core.chess.fen import START, position_from_fen
from core.chess.position import Position
from engines.chess.pgn import OPENINGS, game_text, read_openings
from engines.engine import EngineError
from engines.rating import Estimate, Sprt, elo, los, score
from engines.time_control import TimeControl
from engines.tournament import Crosstable, Entrant, Played
from engines.tournament import run as run_tournament
from tools.games import find_game, open_engine

FAILED, USAGE, INTERRUPTED = 1, 2, 130


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "engines",
        nargs="+",
        metavar="ENGINE",
        help="chess:handset, chess:FILE,hash=64, random, 'uci:COMMAND ...' or 'cecp:COMMAND ...' "
        "with name=..., option.NAME=VALUE; two or more, each plays each",
    )
    add("--game", default="chess", help="the game they play (chess)")
    add("--tc", help="10+0.1 (default), 40/60+1, st=2, 10+0.1,nps=20000: in seconds")
    add("--nodes", type=int, metavar="N", help="nodes a move")
    add("--depth", type=int, metavar="D", help="plies a move")
    add("--games", type=int, default=100, metavar="N", help="games of each pairing, an even number (100)")
    add(
        "--openings",
        metavar="FILE",
        help="FEN or EPD lines, or PGN; each is played twice (58 standard ones; 'start' for none)",
    )
    add("--pgn", type=Path, metavar="FILE", help="append the games to this file")
    add("--concurrency", type=int, default=1, metavar="K", help="games at a time (1)")
    add("--sprt", metavar="E0,E1", help="elo0,elo1[,alpha,beta][,logistic]: stop when one is accepted")
    add("--seed", type=int, default=1, metavar="S", help="of everything random (1)")
    add("--max-moves", type=int, metavar="N", help="a draw after so many moves of each side")
    add("--margin", type=float, default=0.1, metavar="SEC", help="overdraft forgiven on the clock (0.1)")
    add("--json", action="store_true", help="print the outcome as JSON")


def run(args: Namespace) -> int:
    """0 when the match was played, 1 for an engine that does not start, 2 for wrong arguments."""
    try:
        plan = _Plan.of(args)
    except (ValueError, OSError) as error:
        return _failed(error, USAGE)
    status = 0
    games: list[Played] = []
    names: list[str] = []
    try:
        with _bar() as bar:
            asyncio.run(_play(plan, names, games, bar))
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (ValueError, OSError, EngineError) as error:
        status = _failed(error, FAILED)
    if games:
        table = Crosstable(names=tuple(names), games=tuple(games))
        print(json.dumps(_data(plan, table)) if args.json else _text(plan, table))
    return status


# -- Before and while it is played -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
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

    @classmethod
    def of(cls, args: Namespace) -> "_Plan":
        """ValueError or OSError for arguments that make no match."""
        find_game(args.game)
        bounds = [("", args.tc), ("nodes=", args.nodes), ("depth=", args.depth)]
        control = ",".join(f"{name}{value}" for name, value in bounds if value is not None)
        if args.game != "chess" and (args.openings or args.pgn):
            raise ValueError("openings and PGN are for chess")
        if len(args.engines) < 2:
            raise ValueError("a match needs two engines or more")
        if args.concurrency < 1 or args.games < 2 or args.games % 2:
            raise ValueError("--concurrency must be 1 or more, --games an even number")
        if args.sprt and len(args.engines) > 2:
            raise ValueError("--sprt compares two engines")
        return cls(
            game=args.game,
            engines=tuple(args.engines),
            control=TimeControl.parse(control or "10+0.1"),
            openings=_openings(args.game, args.openings),
            pgn=args.pgn,
            sprt=Sprt.parse(args.sprt) if args.sprt else None,
            games=args.games,
            concurrency=args.concurrency,
            seed=args.seed,
            margin_seconds=args.margin,
            max_actions=2 * args.max_moves if args.max_moves else None,
        )


def _openings(game: str, file: str | None) -> tuple[Position, ...]:
    """Where games begin: everywhere but in chess, and for 'start', at the start."""
    if game != "chess" or file == "start":
        return ()
    return tuple(read_openings(Path(file) if file else OPENINGS))


async def _play(plan: _Plan, names: list[str], games: list[Played], bar: Progress) -> None:
    """Fill `names`, then `games` one by one, so that an interrupt leaves what was played."""
    factories = [partial(open_engine, plan.game, description, plan.seed) for description in plan.engines]
    for factory in factories:
        engine = await factory()
        names.append(_unused(engine.name, names))
        await engine.close()
    task = bar.add_task("", total=plan.games * math.comb(len(names), 2))
    tally = [0, 0, 0]  # losses, draws, wins of the first

    def heard(played: Played) -> None:
        games.append(played)
        if plan.pgn:
            _append(plan.pgn, _pgn(plan, names, played))
        tally[played.half_points(0)] += len(names) == 2
        so_far = f"{names[0]} {tally[2]}-{tally[0]}-{tally[1]}" if len(names) == 2 else ""
        bar.update(task, advance=1, description=so_far)

    await run_tournament(
        find_game(plan.game),
        [Entrant(name=name, open=factory) for name, factory in zip(names, factories, strict=True)],
        plan.control,
        plan.seed,
        games=plan.games,
        openings=plan.openings,
        concurrency=plan.concurrency,
        sprt=plan.sprt,
        progress=heard,
        margin_seconds=plan.margin_seconds,
        max_actions=plan.max_actions,
    )


def _unused(name: str, names: Sequence[str]) -> str:
    """`name`, or `name 2` and so on for a twin of one in `names`."""
    candidates = (f"{name} {number}" if number > 1 else name for number in count(1))
    return next(candidate for candidate in candidates if candidate not in names)


def _bar() -> Progress:
    """Progress on stderr, silent where nobody watches."""
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )


def _pgn(plan: _Plan, names: Sequence[str], played: Played) -> str:
    start = plan.openings[played.round % len(plan.openings)] if plan.openings else position_from_fen(START)
    white, black = (names[entrant] for entrant in played.seats)
    return game_text(
        played.result,
        start,
        white,
        black,
        plan.control,
        event=f"galapagos match, seed {plan.seed}",
        date=date.today().strftime("%Y.%m.%d"),
        round_text=f"{played.round + 1}.{played.index % 2 + 1}",
    )


def _append(path: Path, text: str) -> None:
    """One write a game: whoever reads along, or kills us, finds whole games."""
    with path.open("ab", buffering=0) as file:
        file.write(text.encode())


def _failed(error: Exception, status: int) -> int:
    print(f"galapagos match: {error}", file=sys.stderr)
    return status


# -- After it --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairing:
    """One engine against another, from the first one's view; intervals are the 95 % ones."""

    first: str
    second: str
    wins: int
    losses: int
    draws: int
    pairs: tuple[int, ...]  # that made 0, 1/2, 1, 1 1/2, 2 points
    score: Estimate
    elo: Estimate
    los: float

    @classmethod
    def of(cls, table: Crosstable, first: int, second: int) -> "_Pairing":
        singles, pairs = table.singles(first, second), table.pairs(first, second)
        losses, draws, wins = singles
        counts = pairs if 2 * sum(pairs) == sum(singles) else singles  # an interrupt may split a pair
        return cls(
            first=table.names[first],
            second=table.names[second],
            wins=wins,
            losses=losses,
            draws=draws,
            pairs=pairs,
            score=score(counts),
            elo=elo(counts),
            los=los(counts),
        )

    def text(self) -> str:
        return (
            f"{self.first} v {self.second}: {self.wins}-{self.losses}-{self.draws} (wins, losses, draws), "
            f"score {_interval(self.score, '.3f')}, Elo {_interval(self.elo, '+z.0f')}, LOS {self.los:.1%}"
        )


def _text(plan: _Plan, table: Crosstable) -> str:
    lines = [f"{len(table.games)} games, {plan.control}, seed {plan.seed}"]
    lines += [pairing.text() for pairing in _pairings(table)]
    if len(table.names) > 2:
        ranking = sorted(zip(table.ratings(), table.names, strict=True), key=lambda each: -each[0].value)
        lines += [
            f"{place}. {name} {_interval(rating, '+z.0f')}" for place, (rating, name) in enumerate(ranking, 1)
        ]
    lines.append(
        "endings: "
        + ", ".join(f"{ending.value} {number}" for ending, number in table.endings().most_common())
    )
    forfeits = [
        f"{name} {table.forfeits(entrant)}"
        for entrant, name in enumerate(table.names)
        if table.forfeits(entrant)
    ]
    lines.append("forfeits: " + (", ".join(forfeits) or "none"))
    if plan.sprt:
        pairs = table.pairs(0, 1)
        lines.append(
            f"SPRT of {plan.sprt.elo0:g} against {plan.sprt.elo1:g} {plan.sprt.model} Elo: "
            f"{plan.sprt.verdict(pairs).value}, LLR {plan.sprt.llr(pairs):.2f} "
            f"in ({plan.sprt.lower:.2f}, {plan.sprt.upper:.2f})"
        )
    return "\n".join(lines)


def _data(plan: _Plan, table: Crosstable) -> dict[str, object]:
    """The same for JSON, which has no infinity: an Elo of null is one that no number of games bounds."""
    pairings = [asdict(pairing) for pairing in _pairings(table)]
    for pairing in pairings:
        pairing["elo"] = {name: elo if math.isfinite(elo) else None for name, elo in pairing["elo"].items()}
    data: dict[str, object] = {
        "games": len(table.games),
        "control": str(plan.control),
        "seed": plan.seed,
        "pairings": pairings,
        "ratings": {name: asdict(rating) for name, rating in zip(table.names, table.ratings(), strict=True)},
        "endings": {ending.value: number for ending, number in table.endings().items()},
        "forfeits": {name: table.forfeits(entrant) for entrant, name in enumerate(table.names)},
    }
    if plan.sprt:
        pairs = table.pairs(0, 1)
        verdict = {"llr": plan.sprt.llr(pairs), "verdict": plan.sprt.verdict(pairs).value}
        data["sprt"] = asdict(plan.sprt) | verdict
    return data


def _pairings(table: Crosstable) -> list[_Pairing]:
    met = combinations(range(len(table.names)), 2)
    return [_Pairing.of(table, *pair) for pair in met if sum(table.singles(*pair))]


def _interval(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"
