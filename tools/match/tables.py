"""Matches of Acquire: players of the panel and of files at tables of two to six, whole games inside the core."""

import json
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import count
from typing import Final

from core.acquire.rules import PRESETS
from engines.acquire.entrant import Entrant
from engines.acquire.tournament import Played, Standings, Tournament
from engines.executor import processes
from engines.rating import Estimate, score
from tools.match.bar import progress_bar

PREFIX: Final = "acquire:"
BAGS: Final = 100  # unless said otherwise
PRELOAD: Final = ("engines.acquire.measure",)  # what workers begin with
SEEDS: Final = 2**31


def prepared(args: Namespace) -> "Tables":
    """ValueError or OSError for arguments that make no match."""
    variant = "classic" if args.variant is None else args.variant
    if variant not in PRESETS:
        raise ValueError(f"no variant is called {variant[:40]!r}; there are {', '.join(PRESETS)}")
    seats = 2 if args.seats is None else args.seats
    games = BAGS * seats if args.games is None else args.games
    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    if seats < 2:
        raise ValueError(f"a table has two seats or more, not {seats}")
    if games < seats or games % seats:
        raise ValueError(
            f"every bag is played once for every seat: --games {games} is no multiple of {seats}"
        )
    if workers < 1 or not 0 <= args.seed < SEEDS:
        raise ValueError("--workers must be 1 or more, --seed a number from 0 below 2^31")
    players = [Entrant.read(_bare(player)) for player in args.players]
    players += players[-1:] * (seats - len(players))
    tournament = Tournament(
        rules=PRESETS[variant],
        entrants=tuple(players),
        seats=seats,
        bags=games // seats,
        seed=args.seed,
        records=args.records,
    )
    if args.records:
        args.records.mkdir(parents=True, exist_ok=True)
    return Tables(tournament, workers)


class Tables:
    """A match, with the games so far."""

    def __init__(self, tournament: Tournament, workers: int) -> None:
        self._tournament = tournament
        self._workers = workers
        self._played: list[Played] = []

    async def play(self) -> None:
        """OSError for records that cannot be written, TaskError for players that end their process."""
        with progress_bar() as bar:
            task = bar.add_task("", total=self._tournament.games)
            async with processes(self._workers, preload=PRELOAD) as crew:
                async for batch in self._tournament.play(crew):
                    self._played.append(batch)
                    bar.update(task, advance=len(batch.games))

    def outcome(self, as_json: bool) -> str:
        """Empty before any game."""
        if not self._played:
            return ""
        names: list[str] = []
        for entrant in self._tournament.entrants:
            names.append(_unused(entrant.name, names))
        standings = Standings.of(names, self._tournament.seats, self._played)
        if as_json:
            return json.dumps(_data(self._tournament, standings))
        return "\n".join(_text(self._tournament, standings))


# -- Helpers ---------------------------------------------------------------------------------------


def _bare(player: str) -> str:
    """Without the name of the game, which may be left out of a match of Acquire."""
    return player.removeprefix(PREFIX)


def _unused(name: str, names: Sequence[str]) -> str:
    """`name`, or `name (2)` and so on for a twin of one in `names`."""
    candidates = (f"{name} ({number})" if number > 1 else name for number in count(1))
    return next(candidate for candidate in candidates if candidate not in names)


def _text(tournament: Tournament, standings: Standings) -> Iterator[str]:
    seats, ratings = tournament.seats, standings.ratings
    bags = standings.games // seats // len(tournament.groups)
    yield (
        f"{tournament.rules.name}, {standings.games:,} games of {seats}, seed {tournament.seed}: "
        f"{bags:,} bags, each played once for every seat"
    )
    width = max(map(len, standings.names))
    kind = "" if ratings is None else "Elo [95 %]" if seats == 2 else "rating"
    head = f"{'':{width}} {'games':>7} {'wins':>7} {'shared':>6} {'rank':>5} {'mean worth':>10}  {'first [95 %]':^19}"
    yield f"{head}  {kind}".rstrip()
    for index in sorted(
        range(len(standings.names)), key=lambda index: -standings.scores[index].win_rate.value
    ):
        own = standings.scores[index]
        rating = "" if ratings is None else _rating(ratings[index], seats)
        line = (
            f"{standings.names[index]:{width}} {own.games:7,} {own.wins:7,} {own.ties:6,} "
            f"{own.ranks / own.games:5.2f} {_money(own.dollars / own.games):>10}  {_percent(own.win_rate):19}"
        )
        yield f"{line}  {rating}".rstrip()
    if len(standings.names) > 2 and seats == 2:
        for (one, other), (losses, ties, wins) in standings.against.items():
            yield (
                f"{standings.names[one]} v {standings.names[other]}: {wins:,}-{losses:,}-{ties:,} "
                f"(wins, losses, shared), {_percent(score((losses, ties, wins)))}"
            )
    yield (
        f"first: the share of first places, a shared one counting half; equal players have {1 / seats:.1%}. "
        "Intervals are Wilson's, 95 %."
    )
    if ratings and seats > 2:
        yield "rating: Plackett-Luce (openskill), from 25 on, with two deviations to either side."
    for customs, names in _customs(tournament.entrants).items():
        yield f"{', '.join(names)}: {customs}"


def _customs(entrants: Sequence[Entrant]) -> dict[str, list[str]]:
    """Who goes about it so."""
    by_customs: dict[str, list[str]] = {}
    for entrant in dict.fromkeys(entrants):
        by_customs.setdefault(entrant.customs(), []).append(entrant.name)
    return by_customs


def _data(tournament: Tournament, standings: Standings) -> dict[str, object]:
    """The same for JSON."""
    ratings = standings.ratings
    rows: list[dict[str, object]] = []
    for index, (name, own) in enumerate(zip(standings.names, standings.scores, strict=True)):
        row: dict[str, object] = {
            "player": name,
            "customs": tournament.entrants[index].customs(),
            "games": own.games,
            "wins": own.wins,
            "shared": own.ties,
            "losses": own.losses,
            "first": asdict(own.win_rate),
            "mean_rank": own.ranks / own.games,
            "mean_worth": own.dollars / own.games,
            "mean_share": own.mean_share,
        }
        if ratings is not None:
            row["rating"] = asdict(ratings[index])
        rows.append(row)
    return {
        "game": "acquire",
        "variant": tournament.rules.name,
        "rules": tournament.rules.options(),
        "seats": tournament.seats,
        "games": standings.games,
        "seed": tournament.seed,
        "rating": None if ratings is None else "elo" if tournament.seats == 2 else "plackett-luce",
        "players": rows,
        "against": [
            {
                "first": standings.names[one],
                "second": standings.names[other],
                "wins": wins,
                "losses": losses,
                "shared": ties,
                "score": asdict(score((losses, ties, wins))),
            }
            for (one, other), (losses, ties, wins) in standings.against.items()
        ],
    }


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:6.1%} [{100 * estimate.low:4.1f}, {100 * estimate.high:4.1f}]"


def _rating(estimate: Estimate, seats: int) -> str:
    if seats == 2:
        return f"{estimate.value:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}]"
    return f"{estimate.value:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"


def _money(dollars: float) -> str:
    return f"${dollars:,.0f}"
