"""Matches of Acquire: players of the panel and of files at tables of two to six, whole games inside the core."""

import json
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from itertools import count
from typing import Any, Final

from engines.acquire.measure import Contest, play, scores
from engines.acquire.standings import Played, Standings
from engines.match import pairing
from engines.match.pairing import Group
from engines.run.executor import Crew, processes
from tools.match import rungs, tables_outcome
from tools.match.bar import progress_bar
from tools.match.ledger import Ledger
from tools.match.tables_plan import Plan

PRELOAD: Final = ("engines.acquire.measure",)  # what workers begin with
AHEAD: Final = 4  # batches a worker between two looks


def prepared(args: Namespace) -> "Tables":
    """ValueError or OSError for arguments that make no match."""
    plan = Plan.of(args)
    if plan.records:
        plan.records.mkdir(parents=True, exist_ok=True)
    return Tables(plan, Ledger(args.save, plan.recipe()))


class Tables:
    """A match, with the games so far."""

    def __init__(self, plan: Plan, ledger: Ledger) -> None:
        self._plan = plan
        self._ledger = ledger
        self._played = [_read(entry) for entry in ledger.entries]
        self._order: list[int] = []  # of the entrants, best first, once all is played

    async def play(self) -> None:
        """OSError for records that cannot be written, TaskError for players that end their process."""
        plan = self._plan
        course = pairing.rounds(plan.pairing, len(plan.entrants), plan.seats)
        groups, first = next(course), 0  # of the batches of the round
        meetings = pairing.count(plan.pairing, len(plan.entrants), plan.seats)
        with progress_bar() as bar:
            task = bar.add_task("", total=meetings * plan.bags * plan.seats)
            bar.advance(task, sum(len(batch.games) for batch in self._played))
            async with processes(plan.workers, preload=PRELOAD) as crew:
                for number in count():
                    batches = list(plan.batches(groups, number))
                    async for games in self._rest(crew, batches[max(len(self._played) - first, 0) :]):
                        bar.advance(task, games)
                    end = first + len(batches)
                    results = [_shares(group, self._played[first:end]) for group in groups]
                    try:
                        groups, first = course.send(results), end
                    except StopIteration as end:
                        self._order = end.value
                        return

    def outcome(self, as_json: bool) -> str:
        """Empty before any game."""
        if not self._played:
            return ""
        names: list[str] = []
        for entrant in self._plan.entrants:
            names.append(_unused(entrant.name, names))
        standings = Standings.of(names, self._plan.seats, self._played)
        ladder = rungs.rungs(
            self._order if self._plan.pairing == "ladder" else (),
            names,
            [score.games for score in standings.scores],
            self._plan.bags * self._plan.seats,
        )
        if as_json:
            return json.dumps(tables_outcome.data(self._plan, standings, ladder))
        return "\n".join(tables_outcome.text(self._plan, standings, ladder))

    async def _rest(self, crew: Crew, batches: Sequence[tuple[Group, Contest]]) -> AsyncIterator[int]:
        """Play what is not played yet of a round, telling the number of games of each batch."""
        step = AHEAD * crew.workers
        for start in range(0, len(batches), step):
            some = batches[start : start + step]
            worths = await crew.map(play, [contest for _, contest in some])
            for (players, _), games in zip(some, worths, strict=True):
                self._played.append(Played(players=players, games=games))
                self._ledger.add([players, games])
                yield len(games)


# -- Helpers ---------------------------------------------------------------------------------------


def _shares(group: Group, played: Sequence[Played]) -> list[float]:
    """Of first places, of each member."""
    games = [worths for batch in played if batch.players == group for worths in batch.games]
    return [score.win_rate.value for score in scores(games)]


def _read(entry: Any) -> Played:
    """A batch of the ledger. ValueError for what is none."""
    try:
        players, games = entry
        return Played(players=tuple(map(int, players)), games=[list(map(int, worths)) for worths in games])
    except TypeError as error:
        raise ValueError(f"saved games cannot be read: {error}") from None


def _unused(name: str, names: Sequence[str]) -> str:
    """`name`, or `name (2)` and so on for a twin of one in `names`."""
    candidates = (f"{name} ({number})" if number > 1 else name for number in count(1))
    return next(candidate for candidate in candidates if candidate not in names)
