"""Matches move by move: engine against engine, with intervals, an SPRT if wanted, and the games as PGN."""

import json
import math
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Self, cast

from core.game import State
from engines import tournament
from engines.match import Ending, Result
from engines.statistics import Estimate, Sprt, elo, los, score
from engines.time_control import TimeControl
from engines.tournament import Crosstable, Entrant, Kind, Played
from protocols.external.engine import check_variant
from tools.cli import check_writable, progress_bar
from tools.games import GAMES, find_game, open_engine
from tools.match.log import LadderRow, MatchLog, ladder, ladder_text, unused_name

CONTROL: Final = "10+0.1"  # these are the defaults of options
MARGIN_SECONDS: Final = 0.1
USUAL_GAMES: Final = 100  # of each pairing


def prepare(args: Namespace) -> "EngineMatch":
    """ValueError or OSError for arguments that make no match."""
    plan = Plan.of(args)
    return EngineMatch(plan, MatchLog(args.save, plan.settings()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be played, from the arguments."""

    game: str
    engines: tuple[str, ...]  # as tools.games.open_engine takes them
    control: TimeControl
    openings: tuple[State, ...]  # none: the game's start
    opening_file: str | None
    pgn: Path | None
    sprt: Sprt | None
    games: int
    concurrency: int
    seed: int
    margin_seconds: float
    max_actions: int | None
    pairing: Kind

    @classmethod
    def of(cls, args: Namespace) -> Self:
        """ValueError or OSError for arguments that make no match."""
        find_game(args.game)
        bounds = [("", args.tc), ("nodes=", args.nodes), ("depth=", args.depth)]
        control = ",".join(f"{name}{value}" for name, value in bounds if value is not None)
        info = GAMES[args.game]
        if (args.openings and not info.openings) or (args.pgn and not info.match_record):
            raise ValueError(f"there are no openings and no PGN for {args.game}")
        concurrency = 1 if args.concurrency is None else args.concurrency
        games = USUAL_GAMES if args.games is None else args.games
        if games % 2:
            raise ValueError(f"each opening is played with both colours: --games is even, not {games}")
        if args.sprt and len(args.players) > 2:
            raise ValueError("--sprt compares two engines")
        if args.pgn:
            check_writable(args.pgn)
        openings: Sequence[State] = ()
        if info.openings and args.openings != "start":
            openings = info.openings(args.openings)
        return cls(
            game=args.game,
            engines=tuple(args.players),
            control=TimeControl.parse(control or CONTROL),
            openings=tuple(openings),
            opening_file=args.openings,
            pgn=args.pgn,
            sprt=Sprt.parse(args.sprt) if args.sprt else None,
            games=games,
            concurrency=concurrency,
            seed=args.seed,
            margin_seconds=MARGIN_SECONDS if args.margin is None else args.margin,
            max_actions=2 * args.max_moves if args.max_moves else None,
            pairing=cast(Kind, args.pairing),
        )

    def settings(self) -> Mapping[str, object]:
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


class EngineMatch:
    """A match, with the games so far."""

    def __init__(self, plan: Plan, log: MatchLog) -> None:
        self._plan = plan
        self._log = log
        self._names: list[str] = []
        self._order: tuple[int, ...] = ()  # of the engines, best first, once all is played
        self._games = [_loaded(index, entry) for index, entry in enumerate(log.entries)]

    async def play(self) -> None:
        """ValueError, OSError or EngineError for an engine that does not start."""
        plan, names = self._plan, self._names
        factories = [partial(open_engine, plan.game, description, plan.seed) for description in plan.engines]
        for factory in factories:
            engine = await factory()
            names.append(unused_name(engine.name, names, "{} {}"))
            try:
                check_variant(engine, plan.openings)
            finally:
                await engine.close()
        with progress_bar() as bar:
            total = plan.games * tournament.count(plan.pairing, len(names), 2)
            task = bar.add_task("", total=total, completed=len(self._games))
            tally = [0, 0, 0]  # losses, draws, wins of the first of two

            def record(played: Played) -> None:
                """At once, so that an interrupt leaves what was played."""
                self._games.append(played)
                if plan.pgn:
                    _append(plan.pgn, self._pgn(played))
                self._log.add(_dumped(played))
                tally[played.half_points(0)] += len(names) == 2
                so_far = f"{names[0]} {tally[2]}-{tally[0]}-{tally[1]}" if len(names) == 2 else ""
                bar.update(task, advance=1, description=so_far)

            table = await tournament.run(
                find_game(plan.game),
                [Entrant(name=name, factory=factory) for name, factory in zip(names, factories, strict=True)],
                plan.control,
                plan.seed,
                games=plan.games,
                openings=plan.openings,
                concurrency=plan.concurrency,
                sprt=plan.sprt,
                progress=record,
                margin_seconds=plan.margin_seconds,
                max_actions=plan.max_actions,
                pairing=plan.pairing,
                done=tuple(self._games),
            )
        self._order = table.order

    def outcome(self, as_json: bool) -> str:
        """Empty before any game."""
        if not self._games:
            return ""
        table = Crosstable(names=tuple(self._names), games=tuple(self._games), order=self._order)
        return json.dumps(_data(self._plan, table)) if as_json else _text(self._plan, table)

    def _pgn(self, played: Played) -> str:
        openings = self._plan.openings
        start = openings[played.round % len(openings)] if openings else None
        match_record = GAMES[self._plan.game].match_record
        assert match_record
        return match_record(
            played.result,
            start,
            [self._names[entrant] for entrant in played.seats],
            self._plan.control,
            event=f"galapagos match, seed {self._plan.seed}",
            date=date.today().strftime("%Y.%m.%d"),
            round_text=f"{played.round + 1}.{played.index % 2 + 1}",
        )


# -- Games in the log and in the PGN file ------------------------------------------------------------


def _dumped(played: Played) -> dict[str, object]:
    """For the log; the moves are in the PGN."""
    result = played.result
    return {
        "round": played.round,
        "seats": played.seats,
        "returns": result.returns,
        "ending": result.ending.value,
        "culprit": result.culprit,
        "reason": result.reason,
    }


def _loaded(index: int, entry: Any) -> Played:
    """ValueError for what was not made by _dumped()."""
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


def _append(path: Path, text: str) -> None:
    """One write a game: a reader, or a kill, finds whole games."""
    with path.open("ab", buffering=0) as file:
        file.write(text.encode())


# -- The outcome -------------------------------------------------------------------------------------


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
    def of(cls, table: Crosstable, first: int, second: int) -> Self:
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
            f"score {self.score:.1%}, Elo {self.elo:+z.0f}, LOS {self.los:.1%}"
        )


def _text(plan: Plan, table: Crosstable) -> str:
    lines = [f"{len(table.games)} games, {plan.control}, seed {plan.seed}"]
    lines += [pairing.text() for pairing in _pairings(table)]
    if len(table.names) > 2:
        ranking = sorted(zip(table.ratings(), table.names, strict=True), key=lambda pair: -pair[0].value)
        lines += [f"{place}. {name} {rating:+z.0f}" for place, (rating, name) in enumerate(ranking, 1)]
    lines += ladder_text(_ladder(plan, table))
    endings = [f"{ending.value} {number}" for ending, number in table.endings().most_common()]
    lines.append(f"endings: {', '.join(endings)}")
    forfeits = [
        f"{name} {table.forfeits(entrant)}"
        for entrant, name in enumerate(table.names)
        if table.forfeits(entrant)
    ]
    lines.append(f"forfeits: {', '.join(forfeits) or 'none'}")
    if plan.sprt:
        pairs = table.pairs(0, 1)
        lines.append(
            f"SPRT of {plan.sprt.elo0:g} against {plan.sprt.elo1:g} {plan.sprt.model} Elo: "
            f"{plan.sprt.verdict(pairs).value}, LLR {plan.sprt.llr(pairs):.2f} "
            f"in ({plan.sprt.lower:.2f}, {plan.sprt.upper:.2f})"
        )
    return "\n".join(lines)


def _data(plan: Plan, table: Crosstable) -> dict[str, object]:
    """For JSON, which has no infinity: an Elo of null is one that no number of games bounds."""
    pairings = [asdict(pairing) for pairing in _pairings(table)]
    for pairing in pairings:
        pairing["elo"] = {name: elo if math.isfinite(elo) else None for name, elo in pairing["elo"].items()}
    data: dict[str, object] = {
        "games": len(table.games),
        "control": str(plan.control),
        "seed": plan.seed,
        "pairings": pairings,
        "ratings": {name: asdict(rating) for name, rating in zip(table.names, table.ratings(), strict=True)},
        "rungs": [asdict(row) for row in _ladder(plan, table)],
        "endings": {ending.value: number for ending, number in table.endings().items()},
        "forfeits": {name: table.forfeits(entrant) for entrant, name in enumerate(table.names)},
    }
    if plan.sprt:
        pairs = table.pairs(0, 1)
        verdict = {"llr": plan.sprt.llr(pairs), "verdict": plan.sprt.verdict(pairs).value}
        data["sprt"] = asdict(plan.sprt) | verdict
    return data


def _ladder(plan: Plan, table: Crosstable) -> list[LadderRow]:
    played = [sum(player in game.seats for game in table.games) for player in range(len(table.names))]
    return ladder(table.order if plan.pairing == "ladder" else (), table.names, played, plan.games)


def _pairings(table: Crosstable) -> list[_Pairing]:
    """Of those who have met."""
    pairs = combinations(range(len(table.names)), 2)
    return [_Pairing.of(table, *pair) for pair in pairs if sum(table.singles(*pair))]
