"""The verb `measure` of `galapagos genome`: plays a string or a defender against the yardsticks of its side."""

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Mapping, Sequence

from core.protection.rules import RULES
from engines.protection.bouts import beaten, is_beaten, total, yardstick_tests
from engines.statistics import score
from tools.cli import add_verb, natural_int, positive_int, progress_bar, seed_int
from tools.genome.protection_named import Named
from tools.genome.source import opened


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    verb = add_verb(
        verbs,
        "measure",
        "play a string or a defender of Advanced Protection against opponents that never change",
    )
    add = verb.add_argument
    add("genome", metavar="NAME|FILE|RUN", help="a bundled string, pool:N, a file, or the folder of a run")
    add("id", nargs="?", type=natural_int, metavar="ID", help="the ID of an individual of the run")
    add(
        "--games",
        type=positive_int,
        default=20,
        metavar="N",
        help="games against each opponent, each on its own map (default: 20)",
    )
    add("--rules", choices=list(RULES), default="improved", help="the rules of the games (default: improved)")
    add(
        "--seed",
        type=seed_int,
        default=1,
        metavar="N",
        help="the seed of everything random; the same seed yields the same games (default: 1)",
    )
    add("--json", action="store_true", help="print JSON")
    verb.set_defaults(verb=measure)


def measure(args: Namespace) -> str:
    """Return the scores against each yardstick, and the number of those beaten."""
    with opened(args.genome, args.id) as source:
        named = Named.read(source)
    tests = yardstick_tests(named.genome, args.rules, args.games, args.seed)
    with progress_bar() as bar:
        tallies = {
            name: test.play() for name, test in bar.track(list(tests.items()), description="yardsticks")
        }
    if args.json:
        return json.dumps({"name": named.name, "games": tallies, "beaten": beaten(tallies)})
    return _table(named.name, tallies)


def _table(name: str, tallies: Mapping[str, Sequence[int]]) -> str:
    share = score([len(tallies) - beaten(tallies), 0, beaten(tallies)])
    width = max(map(len, tallies))
    return "\n".join([
        f"{name} against {len(tallies)} opponents, points with 95 % intervals",
        "",
        *(
            f"{other:{width}}  {score(tally):.1%}{'' if is_beaten(tally) else '  not beaten'}"
            for other, tally in tallies.items()
        ),
        f"{'all':{width}}  {score(total(tallies.values())):.1%}",
        "",
        f"It beats {beaten(tallies)} of {len(tallies)}: {share:.0%}",
    ])  # fmt: skip
