"""The description of Acquire."""

from io import StringIO
from typing import TYPE_CHECKING, Any, cast

from tools.cli import counted
from tools.games.info import GameInfo, RecordDiffers, References, WebPage

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence
    from pathlib import Path

    from core.game import Game
    from engines.catalogue import PlayerInfo
    from engines.engine import Engine
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter
    from protocols.web.run_contest import RunContest


def _rules() -> "Game":
    from core.acquire.game import Acquire
    from core.acquire.rules import PRESETS

    return Acquire(PRESETS["classic"], 2)


def engine(*arguments: Any) -> "Engine":
    from engines.acquire.engine import AcquireEngine

    return AcquireEngine(*arguments)


def _adapter(profiles: "Path | None") -> "GameAdapter":
    from protocols.jsonl.acquire import AcquireAdapter

    return AcquireAdapter()


def _catalogue() -> "list[PlayerInfo]":
    from engines.acquire.registry import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.acquire import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.acquire import experiment

    return cast("GameReference", experiment)


def _check_record(name: str, data: bytes) -> str | None:
    from engines.acquire.old_record import MismatchError, is_old, replay

    if not is_old(data):
        return None
    try:
        decisions = len(replay(StringIO(data.decode())).actions)
        return f"{counted(decisions, 'decision')} as recorded"
    except MismatchError as difference:
        raise RecordDiffers(difference) from None


def _convert_record(data: bytes) -> "Sequence[bytes] | None":
    from engines.acquire.old_record import is_old, replay

    if not is_old(data):
        return None
    from protocols.jsonl.acquire_record import convert

    return convert(replay(StringIO(data.decode())))


def _add_play_arguments(parser: "ArgumentParser") -> None:
    from pathlib import Path

    from tools.cli import seed_int

    parser.epilog = (
        "You found and merge hotel chains by placing tiles, and buy up to three shares a turn; the player with most\n"
        "money at the end wins. The table shows the board (your tiles as +), the chains (! means safe), and the\n"
        "cash and shares of all players. At the prompt type\n\n"
        "  3c           to place a tile; the effect of each of your tiles is listed below the board\n"
        "  luxor, l     to choose a chain\n"
        "  l l t, 2l t  to buy two shares of Luxor and one of Tower; - buys nothing\n"
        "  trade 4      when a chain of yours disappears: trade, sell, hold; trade 2 sell 3; sell all\n"
        "  2l end       to end the game with this turn, if its end may be declared\n"
        "  help         also: moves, board, rules, resign, quit\n\n"
        "examples:\n"
        "  galapagos play acquire                           against the player heuristic\n"
        "  galapagos play acquire mc-10 heuristic random    against three players\n"
        "  galapagos play acquire pair-1 --variant thesis-2002\n"
        "                                        three chains, against a pair that evolved in 2002\n"
        "  galapagos play acquire --seed 7 --record g.jsonl  a game to repeat, and galapagos replay g.jsonl"
    )
    add = parser.add_argument
    add(
        "opponents",
        nargs="*",
        metavar="OPPONENT",
        help="one to five players: random, heuristic, mc-K (which plays K games for each tile), or a name from `galapagos players acquire` (default: heuristic)",
    )
    add(
        "--variant",
        default="classic",
        help="the rules: classic, tlstyer, thesis-2002, thesis-7 or mini (default: classic)",
    )
    add("--name", default="Human", help="your name (default: Human)")
    add(
        "--seed",
        type=seed_int,
        metavar="S",
        help="the seed of the game; the same seed yields the same order of tiles (default: a random seed)",
    )
    add("--hidden", action="store_true", help="play with hidden cash and shares")
    add("--record", type=Path, metavar="FILE", help="write the game to this new file, as JSON lines")


def _contest() -> "RunContest":
    from protocols.web import acquire_contest

    return acquire_contest


GAME = GameInfo(
    name="acquire",
    title="Acquire",
    about="Acquire against one to five evolved players",
    rules=_rules,
    engine=engine,
    match="tools.match.tables",
    check_record=_check_record,
    convert_record=_convert_record,
    adapter=_adapter,
    catalogue=_catalogue,
    evolution=_evolution,
    page=WebPage(styles=["play"]),
    preload=("protocols.jsonl.acquire",),
    first_run="typed-7",
    first_run_about="programs that place tiles and buy shares",
    statistics=_statistics,
    contest=_contest,
    genomes="tools.genome.acquire",
    play="tools.play.acquire",
    play_arguments=_add_play_arguments,
    study="tools.study.acquire",
    named="acquire:NAME, acquire:FILE, acquire:RUN or 'acquire:RUN ID', with ,ending=always and the like",
    references=References(
        messages=("protocols.jsonl.acquire_messages",),
        configurations=(
            ("acquire, genetic programming", "engines.acquire.gp_config", "GpConfig"),
            ("acquire, a league (`evolve = all decisions`)", "engines.acquire.league_config", "LeagueConfig"),
            ("acquire, nets (`evolve = net`)", "engines.acquire.nes_config", "NesConfig"),
        ),
        python=(
            ("PettingZoo", "protocols.adapters.pettingzoo", ("AcquireEnvironment",)),
            ("Players of Acquire", "engines.acquire.registry", ("create_player",)),
        ),
    ),
)
