"""What a match move by move is to be: its arguments, understood."""

import json
import math
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from itertools import combinations, count
from pathlib import Path
from typing import Any, Final, cast

from rich.progress import Progress

from core.chess.notation import START, position_from_fen
from core.chess.position import Position
from engines import tournament
from engines.chess.game_record import match_pgn
from engines.chess.pgn import OPENINGS, read_openings
from engines.match import Ending, Result
from engines.statistics import Estimate, Sprt, elo, los, score
from engines.time_control import TimeControl
from engines.tournament import Crosstable, Entrant, Kind, Played
from engines.tournament import run as run_tournament
from tools.games import find_game, open_engine
from tools.match import log
from tools.match.log import Ledger, Rung, progress_bar

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


# What came of a match move by move: intervals, ratings, an SPRT's verdict, as text and as JSON.


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
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
    def of(cls, table: Crosstable, first: int, second: int) -> "Pairing":
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


def text(plan: Plan, table: Crosstable) -> str:
    lines = [f"{len(table.games)} games, {plan.control}, seed {plan.seed}"]
    lines += [pairing.text() for pairing in _pairings(table)]
    if len(table.names) > 2:
        ranking = sorted(zip(table.ratings(), table.names, strict=True), key=lambda each: -each[0].value)
        lines += [
            f"{place}. {name} {_interval(rating, '+z.0f')}" for place, (rating, name) in enumerate(ranking, 1)
        ]
    lines += log.text(_ladder(plan, table))
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


def data(plan: Plan, table: Crosstable) -> dict[str, object]:
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
        "rungs": log.data(_ladder(plan, table)),
        "endings": {ending.value: number for ending, number in table.endings().items()},
        "forfeits": {name: table.forfeits(entrant) for entrant, name in enumerate(table.names)},
    }
    if plan.sprt:
        pairs = table.pairs(0, 1)
        verdict = {"llr": plan.sprt.llr(pairs), "verdict": plan.sprt.verdict(pairs).value}
        data["sprt"] = asdict(plan.sprt) | verdict
    return data


def _ladder(plan: Plan, table: Crosstable) -> list[Rung]:
    played = [sum(player in game.seats for game in table.games) for player in range(len(table.names))]
    return log.rungs(table.order if plan.pairing == "ladder" else (), table.names, played, plan.games)


def _pairings(table: Crosstable) -> list[Pairing]:
    met = combinations(range(len(table.names)), 2)
    return [Pairing.of(table, *pair) for pair in met if sum(table.singles(*pair))]


def _interval(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


# Matches move by move: engine against engine, with intervals, an SPRT if wanted, and the games as PGN.


def prepared(args: Namespace) -> "Duels":
    """ValueError or OSError for arguments that make no match."""
    plan = Plan.of(args)
    return Duels(plan, Ledger(args.save, plan.recipe()))


class Duels:
    """A match, with the games so far."""

    def __init__(self, plan: Plan, ledger: Ledger) -> None:
        self._plan = plan
        self._ledger = ledger
        self._names: list[str] = []
        self._order: tuple[int, ...] = ()  # of the engines, best first, once all is played
        self._games = [_read(index, entry) for index, entry in enumerate(ledger.entries)]

    async def play(self) -> None:
        """ValueError, OSError or EngineError for an engine that does not start."""
        with progress_bar() as bar:
            self._order = await _play(self._plan, self._ledger, self._names, self._games, bar)

    def outcome(self, as_json: bool) -> str:
        """Empty before any game."""
        if not self._games:
            return ""
        table = Crosstable(names=tuple(self._names), games=tuple(self._games), order=self._order)
        return json.dumps(data(self._plan, table)) if as_json else text(self._plan, table)


# -- Helpers ---------------------------------------------------------------------------------------


async def _play(
    plan: Plan, ledger: Ledger, names: list[str], games: list[Played], bar: Progress
) -> tuple[int, ...]:
    """Fill `names`, then add to `games` one by one, so that an interrupt leaves what was played; the order."""
    factories = [partial(open_engine, plan.game, description, plan.seed) for description in plan.engines]
    for factory in factories:
        engine = await factory()
        names.append(_unused(engine.name, names))
        await engine.close()
    done = tuple(games)
    total = plan.games * tournament.count(plan.pairing, len(names), 2)
    task = bar.add_task("", total=total, completed=len(done))
    tally = [0, 0, 0]  # losses, draws, wins of the first

    def heard(played: Played) -> None:
        games.append(played)
        if plan.pgn:
            _append(plan.pgn, _pgn(plan, names, played))
        ledger.add(_written(played))
        tally[played.half_points(0)] += len(names) == 2
        so_far = f"{names[0]} {tally[2]}-{tally[0]}-{tally[1]}" if len(names) == 2 else ""
        bar.update(task, advance=1, description=so_far)

    table = await run_tournament(
        find_game(plan.game),
        [Entrant(name=name, factory=factory) for name, factory in zip(names, factories, strict=True)],
        plan.control,
        plan.seed,
        games=plan.games,
        openings=plan.openings,
        concurrency=plan.concurrency,
        sprt=plan.sprt,
        progress=heard,
        margin_seconds=plan.margin_seconds,
        max_actions=plan.max_actions,
        pairing=plan.pairing,
        done=done,
    )
    return table.order


def _written(played: Played) -> dict[str, object]:
    """For the ledger; the moves are in the PGN."""
    result = played.result
    return {
        "round": played.round,
        "seats": played.seats,
        "returns": result.returns,
        "ending": result.ending.value,
        "culprit": result.culprit,
        "reason": result.reason,
    }


def _read(index: int, entry: Any) -> Played:
    """ValueError for what was not written by _written()."""
    try:
        first, second = map(int, entry["seats"])
        result = Result(
            returns=tuple(map(float, entry["returns"])),
            ending=Ending(entry["ending"]),
            history=(),
            culprit=entry["culprit"],
            reason=entry["reason"],
        )
        return Played(index=index, round=entry["round"], seats=(first, second), result=result)
    except (KeyError, TypeError) as error:
        raise ValueError(f"game {index + 1} of the saved ones cannot be read: {error!r}") from None


def _unused(name: str, names: Sequence[str]) -> str:
    """`name`, or `name 2` and so on for a twin of one in `names`."""
    candidates = (f"{name} {number}" if number > 1 else name for number in count(1))
    return next(candidate for candidate in candidates if candidate not in names)


def _pgn(plan: Plan, names: Sequence[str], played: Played) -> str:
    start = plan.openings[played.round % len(plan.openings)] if plan.openings else position_from_fen(START)
    white, black = (names[entrant] for entrant in played.seats)
    return match_pgn(
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
