"""The command `galapagos arrangements`: logs what scripted users build each turn, for `galapagos evolve` and `pool`.

Each user plays its own games against the starter string of the bundled pool. Games of people yield the same lines
over the JSON lines if they were created with the option `arrangements`.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from core.protection.rules import RULES
from core.protection.turn import TurnLog
from engines.evolution.population import derive_seed
from engines.protection.boardfiles import ArrangementRecord, rules_hash
from engines.protection.bots import BUILDERS, create_bot, set_up
from engines.protection.game import ProtectionGame, new_game
from engines.protection.pool import bundled_pool
from engines.seeds import SeededStreams
from tools.cli import CommandError, check_writable, counted, positive_int, progress_bar, seed_int


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the file to which the lines are appended")
    add(
        "--users",
        default=",".join(BUILDERS),
        metavar="NAME,...",
        help=f"the users (default: {','.join(BUILDERS)})",
    )
    add(
        "--games",
        type=positive_int,
        default=1,
        metavar="N",
        help="games of each user, each on its own map (default: 1)",
    )
    add("--turns", type=positive_int, default=4, metavar="N", help="the most turns of a game (default: 4)")
    add("--rules", choices=list(RULES), default="improved", help="the rules of the games (default: improved)")
    add(
        "--seed",
        type=seed_int,
        default=1,
        metavar="N",
        help="the seed of everything random; the same seed yields the same lines (default: 1)",
    )


def run(args: Namespace) -> int:
    try:
        check_writable(args.file)
        lines = []
        games = [(name, number) for name in args.users.split(",") for number in range(args.games)]
        with progress_bar() as bar:
            for name, number in bar.track(games, description="games"):
                lines += [logged.dumps() for logged in _built(name, number, args)]
        with args.file.open("a", encoding="utf-8") as log:
            log.writelines(f"{line}\n" for line in lines)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    print(f"{args.file}: {counted(len(lines), 'arrangement')} added")
    return 0


def _built(name: str, number: int, args: Namespace) -> Iterator[ArrangementRecord]:
    """Yield the arrangement of each turn of a game, except those without a unit."""
    pool, bot = bundled_pool(), create_bot(name, number)
    chance = SeededStreams(derive_seed(args.seed, number), salt=name)
    game: ProtectionGame = new_game(RULES[args.rules], chance)
    while game.over is None and len(game.turns) < args.turns:
        set_up(game, bot)
        state = game.state
        if state.units:
            yield ArrangementRecord(
                board=state.scenario.map,
                arrangement=state.arrangement(),
                rules_hash=rules_hash(state.scenario.rules),
                turn=state.turn,
                treasury=state.treasury,
                chaos_treasury=state.chaos_treasury,
            )
        game.play(pool.entries[pool.starter].genome.code, TurnLog() if bot.watches else None)
