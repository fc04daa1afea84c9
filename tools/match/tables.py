"""Matches of Acquire: players of the panel and of files at tables of two to six, with whole games inside the core.

A bag is an order in which the tiles are drawn: each bag is played once for every rotation of the players.
"""

from argparse import Namespace
from typing import Final

from core.acquire.rules import PRESETS
from engines.acquire.match import TableConfig, deal_seed, play_tables
from engines.acquire.player import LOOKAHEAD
from engines.acquire.registry import PlayerSpec
from engines.match.match import MatchPlan
from engines.names import near
from protocols.jsonl.acquire_record import play_recorded_tables
from tools.match.report import Terms
from tools.match.series import Plan, Series, in_workers, keep_in, own_names, schedule_of, sprt_of

PREFIX: Final = "acquire:"
BAGS: Final = 100  # the default for each group of players
SEEDS: Final = 2**31
BATCH_BAGS: Final = 200  # in a task of a worker
SLOW_BAGS: Final = 2  # the same for players that try tiles out
PARTS: Final = 20  # the least number of tasks of a group, so that progress is visible
PRELOAD: Final = ("engines.acquire.match",)  # imported by workers when they start


def prepare(args: Namespace) -> Series:
    """Return a match of Acquire. Raises ValueError or OSError if the arguments describe none."""
    variant = "classic" if args.variant is None else args.variant
    if variant not in PRESETS:
        raise ValueError(f"no variant is called {variant[:40]!r}; {near(variant, PRESETS)}")
    rules = PRESETS[variant]
    fewest, most = rules.seats
    seats = 2 if args.seats is None else args.seats
    if not max(fewest, 2) <= seats <= most:
        raise ValueError(f"{rules.name} is for {fewest} to {most} players, not {seats}")
    if args.seed >= SEEDS:
        raise ValueError(f"--seed must be below 2^31, not {args.seed}")
    players = [PlayerSpec.parse(player.removeprefix(PREFIX)) for player in args.players]
    players += players[-1:] * (seats - len(players))
    names = own_names([player.name for player in players])
    is_slow = any(player.name.startswith(LOOKAHEAD) for player in players)
    games = BAGS * seats if args.games is None else args.games
    batch = seats * max(1, min(SLOW_BAGS if is_slow else BATCH_BAGS, games // seats // PARTS))
    schedule = schedule_of(
        args,
        names,
        seats,
        usual=games,
        mirror=True,
        counts_pairs=False,  # published strengths count single games
        block=batch,
        seeds=deal_seed,
    )
    plan = MatchPlan(
        game="acquire",
        schedule=schedule,
        config=TableConfig(rules=rules, players=tuple(players), seats=seats),
        play=play_recorded_tables if args.records else play_tables,
        batch=batch,
    )
    return Series(
        args,
        Plan(
            schedule=schedule,
            play=in_workers(args, plan, PRELOAD),
            terms=Terms(
                game="acquire",
                by=rules.name,
                facts={"variant": rules.name, "rules": rules.options()},
                sprt=sprt_of(args),
                customs=[player.describe_options() for player in players],
            ),
            settings={
                "game": "acquire",
                "variant": rules.name,
                "players": [player.name for player in players],
                "seats": seats,
                "bags": schedule.games // seats,
                "pairing": schedule.pairing,
                "seed": schedule.seed,
            },
            names=names,
            keep=keep_in(args.records, names),
        ),
    )
