"""`galapagos genome`: genomes of all games shown, explained and compared, and the ancestors of an individual."""

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from core.random import Random
from engines.chess.genome import Genome
from engines.chess.genome_file import catalogue
from engines.corewar.presets import PRESETS
from engines.evolution.run_store import RunStore
from tools.cli import CommandError, natural_int, positive_int, seed_int
from tools.files import visible
from tools.games import GAMES
from tools.genome import chess, protection
from tools.genome.lineage import Lineage
from tools.genome.source import Source, opened

VERBS: Final = ("show", "explain", "compare")  # of which a game's module has some
# The game of a file whose name does not tell it.
USUAL: Final = {"show": "chess", "explain": "corewar", "compare": "corewar"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos genome show evolved           a bundled genome\n"
        "  galapagos genome show pool.txt 247323   one of the many in the file of a gene pool\n"
        "  galapagos genome score handset '8/8/4k3/8/4P3/4K3/8/8 w - -'\n"
        "  galapagos genome random --seed 7 > random.txt\n"
        "  galapagos genome explain mine.red       what a warrior of Core War does when it runs\n"
        "  galapagos genome explain RUN 4711       the same of one that has evolved, with its ancestors\n"
        "  galapagos genome compare mine.red hill/ the nearest known warriors\n"
        "  galapagos genome explain pair-1         the programs of a player of Acquire in English\n"
        "  galapagos genome compare pair-1 RUN     how different two of them are\n"
        "  galapagos genome explain militia        what a string of Advanced Protection does, in English\n"
        "  galapagos genome explain pool:117       one of the 250 of the bundled pool\n"
        "  galapagos genome check mine.aps         whether a file is a string, and warnings about it"
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    listing = verbs.add_parser("list", help="the genomes that come with the program")
    listing.set_defaults(verb=_list)

    show = verbs.add_parser("show", help="a card: its genes, or its programs as formulas and drawings")
    show.add_argument(
        "genome",
        metavar="NAME|FILE|RUN",
        help="a bundled genome, or a file of genomes; of Acquire a player, a file or a run",
    )
    show.add_argument(
        "id",
        nargs="?",
        type=natural_int,
        metavar="ID",
        help="the one of this ID in the file (the last; with games beside it, the last that won three)",
    )
    show.add_argument("--svg", type=Path, metavar="DIR", help="programs of Acquire as drawings, too")
    show.set_defaults(verb=lambda args: _described("show", args.genome, args.id, args))

    score = verbs.add_parser("score", help="what each gene gives for a position")
    score.add_argument("genome", metavar="NAME|FILE", help="a bundled genome, or a file of genomes")
    score.add_argument("fen", nargs="*", metavar="FEN", help="in quotation marks or not (startpos)")
    score.add_argument(
        "--id",
        type=natural_int,
        help="the one of this ID in the file (the last; with games beside it, the last that won three)",
    )
    score.set_defaults(verb=chess.score)

    random = verbs.add_parser("random", help="the text of a random genome of chess, as evolutions begin with")
    random.add_argument("--seed", type=seed_int, required=True, metavar="N", help="same seed, same genome")
    random.set_defaults(verb=lambda args: Genome.random(Random(args.seed)).dumps().rstrip())

    lineage = verbs.add_parser("lineage", help="the ancestors of an individual, from the record of a run")
    lineage.add_argument("folder", type=Path, metavar="RUN", help="the folder of an evolution, of any game")
    lineage.add_argument(
        "id", type=natural_int, metavar="ID", help="the individual whose ancestors are shown"
    )
    lineage.add_argument("--depth", type=natural_int, default=10, metavar="N", help="births to go back (10)")
    lineage.set_defaults(verb=_lineage)

    explain = verbs.add_parser("explain", help="what a warrior does when it runs; programs in English")
    explain.add_argument(
        "warrior", metavar="FILE|RUN", help="Redcode, programs of Acquire, a string, or a run"
    )
    explain.add_argument("id", nargs="?", type=natural_int, metavar="ID", help="of an individual of the run")
    explain.add_argument("--rules", choices=list(PRESETS), help="a hill's (those that the text asks for)")
    explain.add_argument(
        "--depth", type=natural_int, default=3, metavar="N", help="births to go back in a run (3)"
    )
    explain.set_defaults(verb=lambda args: _described("explain", args.warrior, args.id, args))

    compare = verbs.add_parser("compare", help="the known warriors that a warrior's code is like; programs")
    compare.add_argument("warrior", metavar="FILE", help="Redcode, or programs of Acquire")
    compare.add_argument("known", nargs="+", type=Path, metavar="KNOWN", help="the same, or folders of it")
    compare.add_argument("--rules", choices=list(PRESETS), help="a hill's (those that the text asks for)")
    compare.add_argument(
        "--count", type=positive_int, default=10, metavar="N", help="of warriors to print (10)"
    )
    compare.set_defaults(verb=lambda args: _described("compare", args.warrior, None, args))

    check = verbs.add_parser("check", help="whether a text is a string of Advanced Protection, and warnings")
    check.set_defaults(verb=protection.check)
    normalise = verbs.add_parser(
        "normalise", help="a string of Advanced Protection without the states that it never comes to"
    )
    normalise.set_defaults(verb=protection.normalise)
    for verb in (check, normalise):
        verb.add_argument("genome", metavar="NAME|FILE|RUN", help="hand-written, pool:N, a file, or a run")
        verb.add_argument("id", nargs="?", type=natural_int, metavar="ID", help="of an individual of the run")

    for verb in (listing, show, score, lineage, explain, compare, check, normalise):
        verb.add_argument("--json", action="store_true", help="print JSON")


def run(args: Namespace) -> int:
    try:
        print(visible(args.verb(args)))
    except (
        ValueError,
        OSError,
    ) as error:  # OSError: a name too long for a file, a folder that cannot be written
        raise CommandError(error) from None
    return 0


# -- The verbs: each gives what is printed, or ValueError ------------------------------------------


def _list(args: Namespace) -> str:
    titles = {player.name: player.title for player in sorted(catalogue(), key=lambda player: player.name)}
    if args.json:
        return json.dumps(titles)
    return "\n".join(f"{name:12} {title}" for name, title in titles.items())


def _lineage(args: Namespace) -> str:
    with RunStore.open(args.folder) as store:
        lineage = Lineage.of(store, args.id, args.depth)
    return json.dumps(lineage.data()) if args.json else lineage.text()


def _described(verb: str, name: str, id: int | None, args: Namespace) -> str:
    with opened(name, id) as source:
        return _describer(verb, source)(args)


def _describer(verb: str, source: Source) -> Callable[[Namespace], str]:
    """The function of a game's module: the game of a run, or else the one whose names or files are like this one."""
    modules = {name: import_module(game.genomes) for name, game in GAMES.items() if game.genomes}
    if source.store:
        game = source.store.game
    else:
        game = next((game for game, module in modules.items() if module.is_meant(source.name)), USUAL[verb])
    if game not in modules:
        raise ValueError(f"{source.name} is a run of {game}, of which only `galapagos genome lineage` knows")
    if not hasattr(modules[game], verb):
        raise ValueError(f"there is no {verb} for {game}; use: {_others(modules[game])} {source.name}")
    return partial(cast(Callable[[Source, Namespace], str], getattr(modules[game], verb)), source)


def _others(module: ModuleType) -> str:
    return " or ".join(f"galapagos genome {verb}" for verb in VERBS if hasattr(module, verb))
