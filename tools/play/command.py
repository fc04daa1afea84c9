"""`galapagos play`: a game at the terminal. The arguments of all games are here, so that help loads none of them."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module
from pathlib import Path

from engines.protection import DEFAULT_MODE, FIXED, MODES
from tools.cli import seed_int
from tools.games import GAMES
from tools.games.info import GameInfo


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "`galapagos play GAME --help` explains a game."
    games = parser.add_subparsers(dest="game", metavar="GAME", required=True)
    for name, module, add, summary in (
        ("chess", "tools.play.move_by_move", _chess, "chess, between any of people, evolved players and other engines"),
        ("acquire", "tools.play.acquire", _acquire, "Acquire, against one to five evolved players"),
        ("protection", "tools.play.protection", _protection, "Advanced Protection, against Chaos, which learns"),
    ):  # fmt: skip
        game = games.add_parser(name, help=summary, description=f"galapagos play {name}: {summary}.")
        game.formatter_class = RawDescriptionHelpFormatter
        add(game)
        game.set_defaults(module=module)
    for info in GAMES.values():
        if info.name not in games.choices and info.rules is not None:
            game = games.add_parser(
                info.name, help=info.about, description=f"galapagos play {info.name}: {info.about}."
            )
            game.formatter_class = RawDescriptionHelpFormatter
            _any(game, info)
            game.set_defaults(module="tools.play.move_by_move", fen=None, pgn=None, unicode=False)


def run(args: Namespace) -> int:
    return int(import_module(args.module).run(args))


def _chess(parser: ArgumentParser) -> None:
    # Players stand right behind the game: argparse reads a list of positional arguments in one piece.
    parser.usage = "%(prog)s [PLAYER ...] [--tc TC] [--fen FEN] [--pgn FILE] [--unicode] [--seed S]"
    parser.epilog = (
        "A player is human, random, chess:GENOME[,option=value...], 'uci:COMMAND' or 'cecp:COMMAND'.\n"
        "At the prompt type a move, or help.\n\n"
        "examples:\n"
        "  galapagos play chess                                  you have White against chess:evolved\n"
        "  galapagos play chess chess:evolved,strength=40 human  the same with colours changed, and easier\n"
        "  galapagos play chess human human --tc 5:00+3          two people with clocks\n"
        "  galapagos play chess chess:random random --pgn FILE   to watch"
    )
    add = parser.add_argument
    add("players", nargs="*", metavar="PLAYER", help="White, then Black")
    add(
        "--tc",
        default="st=3",
        help="5:00+3 or 40/300 is a clock for everybody; st=10, nodes=20000, depth=6 bind engines only (st=3)",
    )
    add("--fen", help="the position to begin with")
    add(
        "--pgn", type=Path, metavar="FILE", help="append the game to this file, also if it is left unfinished"
    )
    add("--unicode", action="store_true", help="draw the pieces as figures, not as letters")
    add("--seed", type=seed_int, default=1, metavar="S", help="of everything random (1)")


def _any(parser: ArgumentParser, info: GameInfo) -> None:
    """Add the arguments of a game of another package."""
    parser.usage = "%(prog)s [PLAYER ...] [--tc TC] [--seed S]"
    names = ", ".join(f"{info.name}:{name}" for name in info.players)
    parser.epilog = (
        f"A player is human, random, or one of {names or 'none'}.\nAt the prompt type a move, or help."
    )
    add = parser.add_argument
    add("players", nargs="*", metavar="PLAYER", help="in the order of the seats")
    add("--tc", default="st=3", help="5:00+3 is a clock for everybody (st=3)")
    add("--seed", type=seed_int, default=1, metavar="S", help="of everything random (1)")


def _acquire(parser: ArgumentParser) -> None:
    parser.epilog = (
        "You found and merge hotel chains by placing tiles, and buy up to three shares a turn; whoever has most\n"
        "money at the end wins. The table shows the board (your tiles as +), the chains (! is safe), and what\n"
        "everybody has. At the prompt type\n\n"
        "  3c           to place a tile; below the board it says what each of yours would do\n"
        "  luxor, l     for a chain\n"
        "  l l t, 2l t  to buy two shares of Luxor and one of Tower; - buys nothing\n"
        "  trade 4      when a chain of yours disappears: trade, sell, hold; trade 2 sell 3; sell all\n"
        "  2l end       to end the game with this turn, once it may be ended\n"
        "  help         also: moves, board, rules, resign, quit\n\n"
        "examples:\n"
        "  galapagos play acquire                           against heuristic\n"
        "  galapagos play acquire mc-10 heuristic random    four at the table\n"
        "  galapagos play acquire pair-1 --variant thesis-2002\n"
        "                                        three chains, against a pair that evolved in 2002\n"
        "  galapagos play acquire --seed 7 --record g.jsonl  a game to repeat, and galapagos replay g.jsonl"
    )
    add = parser.add_argument
    add(
        "opponents",
        nargs="*",
        metavar="OPPONENT",
        help="one to five of random, heuristic, mc-K (K games a tile) and others that the server offers (heuristic)",
    )
    add(
        "--variant",
        default="classic",
        help="the rules: classic, tlstyer, thesis-2002, thesis-7, mini (classic)",
    )
    add("--name", default="Human", help="yours (Human)")
    add("--seed", type=seed_int, metavar="S", help="the same bag again (drawn anew)")
    add("--hidden", action="store_true", help="play with hidden cash and shares")
    add("--record", type=Path, metavar="FILE", help="write the game there, a new file, as JSON lines")


def _protection(parser: ArgumentParser) -> None:
    parser.epilog = (
        "You farm a map of 24 x 24 squares and defend the farms. Each turn you buy and place units; then Chaos's\n"
        "minions act for 50 phases, by one of 250 strings that it chooses by how you have played. You win when you\n"
        "are worth more than twenty times what Chaos is. At the prompt type\n\n"
        "  place drone 5 7 9 7   to put drones on columns 5 and 9 of row 7; drone 5 7 does it too\n"
        "  salvage 5 7           to sell what stands there; undo takes the last order back\n"
        "  go                    to begin the turn; log tells its fights\n"
        "  help                  also: map, rules, resign, quit\n\n"
        "examples:\n"
        "  galapagos play protection --name Ann --profiles profiles   Chaos remembers Ann\n"
        "  galapagos play protection --target novice                  it aims at your winning 60 games of 100\n"
        "  galapagos play protection --seed 7 --record g.jsonl        a game to repeat, and galapagos replay g.jsonl"
    )
    add = parser.add_argument
    modes = "; ".join(f"{name} {about}" for name, about in MODES.items())
    add("--chaos", default=DEFAULT_MODE, metavar="MODE",
        help=f"{modes}; {FIXED}0 to {FIXED}249 that string ({DEFAULT_MODE})")  # fmt: skip
    add(
        "--target",
        help="for whom pilot and calibrated aim: novice, intermediate, expert (you win 60, 50, 40 games of 100), or a share as 0.7 (intermediate)",
    )
    add("--variant", default="improved", help="the rules: improved, seed (improved)")
    add("--name", default="Human", help="yours (Human)")
    add("--profiles", type=Path, metavar="FOLDER", help="keep what Chaos knows of you there, as NAME.apu")
    add("--seed", type=seed_int, metavar="S", help="the same map and dice again (drawn anew)")
    add("--record", type=Path, metavar="FILE", help="write the game there, a new file, as JSON lines")
