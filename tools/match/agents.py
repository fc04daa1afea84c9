"""Matches of players of the JSON lines, played as whole games in worker processes."""

from argparse import Namespace
from typing import Final

from engines.match.match import MatchPlan
from engines.names import near
from protocols.jsonl.adapter import OptionError
from protocols.jsonl.match import BATCH_GAMES, MatchConfig, play_batch
from protocols.jsonl.match_source import has_slow_agent
from tools.games import GAMES, game_adapters
from tools.match.series import Series, own_names, schedule_of, series_of

PRELOAD: Final = ("protocols.jsonl.match",)


def prepare(args: Namespace) -> Series:
    """Return a match of players of the JSON lines. Raises ValueError or OSError if the arguments describe none."""
    adapter = game_adapters()[args.game]
    variant = args.variant or adapter.variants[0]
    if variant not in adapter.variants:
        raise ValueError(f"no variant is called {variant[:40]!r}; {near(variant, adapter.variants)}")
    seats = 2 if args.seats is None else args.seats
    names = [player.removeprefix(f"{args.game}:") for player in args.players]
    agent_from = GAMES[args.game].agent_from or str
    players = [agent_from(name) for name in names]
    sitting = [[adapter.has_agent(name, seat) for seat in range(seats)] for name in players]
    for name, able in zip(names, sitting, strict=True):
        if not any(able):
            raise ValueError(f"{args.game} has no player {name[:40]!r}; {near(name, adapter.agents)}")
    try:
        is_slow = has_slow_agent(adapter, variant, {}, players, seats)
    except OptionError as error:
        raise ValueError(str(error)) from None
    schedule = schedule_of(args, own_names(names), seats, sitting=sitting)
    plan = MatchPlan(
        game=args.game,
        schedule=schedule,
        config=MatchConfig(
            adapter=adapter,
            variant=variant,
            options={},
            players=tuple(players),
            match_id=f"m-{args.seed}",
            recorded=schedule.total if args.records else 0,
        ),
        play=play_batch,
        batch=1 if is_slow else BATCH_GAMES,
    )
    return series_of(args, variant, plan, PRELOAD)
