"""The command `galapagos genome`: shows, explains and compares genomes of all games, and lists ancestors.

The code for the genomes of one game is in the module that its GameInfo names. Such a module has

    is_meant(source)            whether a text names a genome of the game, or a file of them
    show, explain, compare      the verbs, some of which may be missing; each takes the Source and the arguments
    EXAMPLES                    lines for the help: the words after `galapagos genome`, and their effect
    USUAL                       optional: the verbs that take files which no game recognises by their names
    add_options(verbs)          optional: adds the game's options to the verbs above
    add_verbs(verbs)            optional: adds the game's own verbs
    score(args)                 optional: one of these, which describes a genome by its scores of a position
    changes(before, after, others)  optional: the changes between a parent and a child; the default compares lines
"""

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from engines.evolution.run_store import RunStore
from tools.cli import CommandError, add_verb, natural_int, positive_int
from tools.files import visible
from tools.games import GAMES, best_id
from tools.genome.lineage import Lineage, changed_lines
from tools.genome.source import Source, opened

VERBS: Final = ("show", "explain", "compare")  # a game's module may lack some


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    examples = [line for module in _modules().values() for line in module.EXAMPLES]
    parser.epilog = "\n".join(["examples:", *(f"  galapagos genome {line}" for line in examples)])
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    show = add_verb(verbs, "show", "print the genes of a genome, or its programs as formulas and drawings")
    show.add_argument("genome", metavar="NAME|FILE|RUN", help="a bundled genome or player, a file, or a run")
    show.add_argument(
        "id",
        nargs="?",
        type=natural_int,
        metavar="ID",
        help="the ID of a genome (default: in a run the best; in a file the last, or if the file of games is there too, the last that won three)",
    )
    show.set_defaults(verb=lambda args: _described("show", args.genome, args.id, args))

    lineage = add_verb(
        verbs,
        "lineage",
        "print the ancestors of an individual of a run, and how each differs from its parent",
    )
    lineage.add_argument("folder", type=Path, metavar="RUN", help="the folder of a run of any game")
    lineage.add_argument(
        "id",
        nargs="?",
        type=natural_int,
        metavar="ID",
        help="the individual whose ancestors are shown (default: the best)",
    )
    lineage.add_argument(
        "--depth",
        type=natural_int,
        default=10,
        metavar="N",
        help="the number of births to go back (default: 10)",
    )
    lineage.set_defaults(verb=_lineage)

    explain = add_verb(
        verbs, "explain", "describe in English what a warrior, a program, a net or a string does"
    )
    explain.add_argument(
        "warrior",
        metavar="FILE|RUN",
        help="a file of Redcode or programs, a player or a string by its name, or the folder of a run",
    )
    explain.add_argument(
        "id",
        nargs="?",
        type=natural_int,
        metavar="ID",
        help="the ID of an individual of the run (default: the best)",
    )
    explain.add_argument(
        "--depth",
        type=natural_int,
        default=3,
        metavar="N",
        help="with a run: the number of births to go back (default: 3)",
    )
    explain.set_defaults(verb=lambda args: _described("explain", args.warrior, args.id, args))

    compare = add_verb(
        verbs, "compare", "compare a warrior, program, net or string with known ones, the most similar first"
    )
    compare.add_argument("warrior", metavar="FILE", help="the file or name to compare")
    compare.add_argument(
        "known",
        nargs="+",
        type=Path,
        metavar="KNOWN",
        help="the files or names to compare it with; for Redcode also folders",
    )
    compare.add_argument(
        "--count",
        type=positive_int,
        default=10,
        metavar="N",
        help="the number of warriors to print (default: 10)",
    )
    compare.set_defaults(verb=lambda args: _described("compare", args.warrior, None, args))

    for verb in (show, lineage, explain, compare):
        verb.add_argument("--json", action="store_true", help="print JSON")
    for module in _modules().values():
        if hasattr(module, "add_options"):
            module.add_options({"show": show, "explain": explain, "compare": compare})
        if hasattr(module, "add_verbs"):
            module.add_verbs(verbs)


def run(args: Namespace) -> int:
    try:
        print(visible(args.verb(args)))
    except (
        ValueError,
        OSError,
    ) as error:  # OSError: a name too long for a file, a folder that cannot be written
        raise CommandError(error) from None
    return 0


# -- The verbs: each returns the text to print, or raises ValueError --------------------------------


@cache
def _modules() -> dict[str, ModuleType]:
    """Return the module for genomes of each game that has one."""
    return {name: import_module(game.genomes) for name, game in GAMES.items() if game.genomes}


def _lineage(args: Namespace) -> str:
    with RunStore.open(args.folder) as store:
        changes = getattr(_modules().get(store.game), "changes", changed_lines)
        id = best_id(store) if args.id is None else args.id
        lineage = Lineage.of(store, id, args.depth, changes)
    return json.dumps(lineage.data()) if args.json else lineage.text()


def _described(verb: str, name: str, id: int | None, args: Namespace) -> str:
    with opened(name, id) as source:
        return _describer(verb, source)(args)


def _describer(verb: str, source: Source) -> Callable[[Namespace], str]:
    """Return the verb of the game that a source belongs to, with the source bound.

    The game is that of the run, or the one that is named, or else the first that recognises the name. Raises
    ValueError if the game has no such verb.
    """
    modules = _modules()
    if source.store:
        game = source.store.game
    elif source.game:
        game = source.game
    else:
        usual = (game for game, module in modules.items() if verb in getattr(module, "USUAL", ()))
        meant = (game for game, module in modules.items() if module.is_meant(source.name))
        game = next(meant, None) or next(usual)
    if game not in modules:
        if verb == "show" and source.store:
            return partial(_plain_text, source)
        raise ValueError(
            f"{source.name} is a {'run' if source.store else 'player'} of {game}, for which there are only `galapagos genome show` and `lineage`"
        )
    if not hasattr(modules[game], verb):
        raise ValueError(
            f"genomes of {game} have no `galapagos genome {verb}`; use {_other_commands(modules[game], source.name)}"
        )
    return partial(cast(Callable[[Source, Namespace], str], getattr(modules[game], verb)), source)


def _plain_text(source: Source, args: Namespace) -> str:
    """Return the text of an individual of a game that has no module for genomes."""
    assert source.store is not None
    born = source.individual(source.store.game)
    if args.json:
        return json.dumps({"game": source.store.game, "id": born.id, "genome": born.genome})
    return born.genome.rstrip("\n")


def _other_commands(module: ModuleType, name: str) -> str:
    commands = [f"galapagos genome {verb} {name}" for verb in VERBS if hasattr(module, verb)]
    if hasattr(module, "score"):
        commands.append(f"galapagos genome score {name} FEN")
    return " or ".join(commands)
