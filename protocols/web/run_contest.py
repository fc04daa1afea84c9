"""Contests on the page of a run: the champion of a generation against that of another one, or a fixed opponent.

    GET /api/runs/RUN/champions                            who can play, and the fixed opponents of the game
    GET /api/runs/RUN/contest?first=G&second=G|NAME&seed=N  one contest; the same address gives the same contest
    GET /api/runs/RUN/individuals/ID/games                 the last games of an individual that are on record
    GET /api/runs/RUN/games/NUMBER                         one of them, in the form of a contest, if its moves are on record

A contest is played in a worker process by a module of the game (RunContest), queued and charged like a fight. Its answer
has `words`, the result as a sentence, and what the game's part of the page shows (static/GAME_contest.js).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

import msgspec
from aiohttp import web

from engines.evolution.champions import RunChampion, champions
from engines.evolution.run_history import GameStatistics
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import RunStatus
from engines.names import near
from protocols.web.responses import Routes, error, json_response, number
from protocols.web.run_tree import ReadRun

Task = TypeVar("Task", "ContestTask", "RecordedGame")

LARGEST_SEED: Final = 2**31 - 1
MAX_GAMES: Final = 30  # of an individual
NO_CONTESTS: Final = "no contests can be shown of the runs of this game"
NO_GAME: Final = "the run has no game of this number whose moves are on record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A side of a contest: a genome, or the name of one of the game's fixed opponents."""

    name: str  # in a sentence, such as "the champion of generation 40"
    label: str  # as a name, such as "Generation 40"
    genome: str = ""
    fixed: str = ""  # the name if it is a fixed opponent


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestTask:
    """A contest for a worker process."""

    config: str  # of the run, as text
    first: Contestant
    second: Contestant
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """A game on record of a run, for a worker process."""

    record: bytes
    players: tuple[Contestant, ...]


class RunContest(Protocol):
    """The part of a game that plays contests of its runs: a module."""

    def opponents(self, config: str) -> Sequence[str]:
        """Return the names of the fixed opponents that a genome of a run may meet, the weakest first."""
        ...

    def play(self, task: ContestTask) -> dict[str, Any]:
        """Return `words`, and what the game's part of the page shows.

        Raises ValueError, with a sentence for people, if the contest cannot be played.
        """
        ...

    @property
    def replay(self) -> "Callable[[RecordedGame], dict[str, Any]] | None":
        """A function that returns the same of a game on record; None if records have no moves."""
        ...


@dataclass(frozen=True, slots=True)
class Contests:
    """The parts of the games that play contests, and the queue of the work for worker processes (FightsApi.run)."""

    of: Callable[[str], RunContest | None]  # by the name of the game; None if the game has none
    queue: Callable[[web.Request, Callable[[Any], bytes], Any], Awaitable[bytes]]


class ContestApi:
    """The routes of contests."""

    def __init__(
        self,
        find: Callable[[web.Request], RunStatus],
        read: ReadRun,
        statistics: Callable[[RunStore], GameStatistics],
        contests: Contests | None,
    ) -> None:
        """Create the API. `find` returns the run that a request names; `read` reads from its store."""
        self._find = find
        self._read = read
        self._statistics = statistics
        self._contests = contests

    def routes(self) -> Routes:
        return [
            web.get("/api/runs/{run}/champions", self._champions),
            web.get("/api/runs/{run}/contest", self._contest),
            web.get("/api/runs/{run}/individuals/{id}/games", self._games),
            web.get("/api/runs/{run}/games/{number}", self._game),
        ]

    async def _champions(self, request: web.Request) -> web.Response:
        run = self._find(request)
        contest = self._part(run)

        def read(store: RunStore) -> dict[str, Any]:
            if contest is None:
                return {"champions": [], "opponents": []}
            return {
                "champions": champions(store, self._statistics(store)),
                "opponents": contest.opponents(store.config),
            }

        return json_response(await self._read(run, read))

    async def _contest(self, request: web.Request) -> web.Response:
        run = self._find(request)
        contest = self._part(run)
        if self._contests is None or contest is None:
            raise error(web.HTTPNotFound, NO_CONTESTS)
        seed = number(request.query.get("seed", "1"))
        if seed is None or seed > LARGEST_SEED:
            raise error(web.HTTPBadRequest, f"seed must be a whole number from 0 to {LARGEST_SEED}")

        def read(store: RunStore) -> ContestTask:
            known = {each.generation: each for each in champions(store, self._statistics(store))}
            fixed = contest.opponents(store.config)
            first, second = (
                _contestant(store, known, () if side == "first" else fixed, request.query.get(side, ""))
                for side in ("first", "second")
            )
            return ContestTask(config=store.config, first=first, second=second, seed=seed)

        task = await self._read(run, read)
        return json_response(msgspec.Raw(await self._contests.queue(request, played, (contest.play, task))))

    async def _games(self, request: web.Request) -> web.Response:
        run = self._find(request)
        id = number(request.match_info["id"])
        contest = self._part(run)

        def read(store: RunStore) -> list[dict[str, Any]]:
            return [
                {
                    "number": place,
                    "generation": generation,
                    "players": game.players,
                    "returns": game.returns,
                    "ending": game.ending,
                    "length": game.length,
                    "remark": game.remark,
                    "has_moves": has_record and contest is not None and contest.replay is not None,
                }
                for place, generation, has_record, game in store.contests_of(
                    -1 if id is None else id, MAX_GAMES
                )
            ]

        return json_response(await self._read(run, read))

    async def _game(self, request: web.Request) -> web.Response:
        run = self._find(request)
        contest = self._part(run)
        place = number(request.match_info["number"])

        def read(store: RunStore) -> RecordedGame:
            try:
                game = store.contest(-1 if place is None else place)
            except KeyError:
                raise error(web.HTTPNotFound, NO_GAME) from None
            players = (
                Contestant(name=f"individual {id:,}", label=f"Individual {id:,}") for id in game.players
            )
            return RecordedGame(record=game.record, players=tuple(players))

        if self._contests is None or contest is None or contest.replay is None:
            raise error(web.HTTPNotFound, NO_GAME)
        recorded = await self._read(run, read)
        return json_response(
            msgspec.Raw(await self._contests.queue(request, played, (contest.replay, recorded)))
        )

    def _part(self, run: RunStatus) -> RunContest | None:
        return self._contests.of(run.game) if self._contests else None


def played(work: tuple[Callable[[Task], dict[str, Any]], Task]) -> bytes:
    """Return the JSON of a contest: `refused` has the reason if it cannot be played. Runs in a worker process.

    `work` is play() or replay() of a game's RunContest, and its task.
    """
    play, task = work
    try:
        return msgspec.json.encode(play(task))
    except ValueError as reason:
        return msgspec.json.encode({"refused": str(reason)})


def _contestant(
    store: RunStore, known: dict[int, RunChampion], fixed: Sequence[str], wanted: str
) -> Contestant:
    """Return the side that a query names by a generation, or by the name of a fixed opponent.

    Raises HTTPNotFound if there is none.
    """
    if wanted in fixed:
        return Contestant(name=wanted, label=wanted, fixed=wanted)
    champion = known.get(-1 if (generation := number(wanted)) is None else generation)
    if champion is None:
        advice = near(wanted, [*map(str, known), *fixed])
        raise error(web.HTTPNotFound, f"no champion of a generation {wanted[:40]!r} is on record; {advice}")
    kind = "ancestor" if champion.is_ancestor else "champion"
    return Contestant(
        name=f"the {kind} of generation {champion.generation:,}",
        label=f"Generation {champion.generation:,}",
        genome=store.individual(champion.id).genome,
    )
