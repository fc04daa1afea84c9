"""Matches move by move: engine against engine, with intervals, an SPRT if wanted, and the games as PGN."""

import json
from argparse import Namespace
from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from rich.progress import Progress

from core.chess.fen import START, position_from_fen
from engines.chess.pgn import game_text
from engines.match import pairing
from engines.match.match import Ending, Result
from engines.match.tournament import Crosstable, Entrant, Played
from engines.match.tournament import run as run_tournament
from tools.games import find_game, open_engine
from tools.match import duels_outcome
from tools.match.bar import progress_bar
from tools.match.duels_plan import Plan
from tools.match.ledger import Ledger


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
        return (
            json.dumps(duels_outcome.data(self._plan, table))
            if as_json
            else duels_outcome.text(self._plan, table)
        )


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
    total = plan.games * pairing.count(plan.pairing, len(names), 2)
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
