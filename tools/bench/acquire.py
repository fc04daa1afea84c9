"""Benchmarks of Acquire: whole games of random, heuristic and evolved players, and evaluations of trees."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any, Final

from core.acquire.look_ahead import LookAhead
from core.acquire.players import Heuristic, Player
from core.acquire.playout import GameRunner
from core.acquire.program import LEAF, Program
from core.acquire.ranked_player import FEATURES
from core.acquire.rules import PRESETS, GameSpec
from core.random import Random
from engines.acquire.gp.operators import Generator
from engines.acquire.gp.primitives import ARITHMETIC, QUANTITIES, THESIS, PrimitiveSet
from engines.acquire.gp.simplify import TESTED
from engines.acquire.gp.tree import Tree, arguments, compile_tree
from engines.acquire.registry import create_player, thesis_players
from tools.bench.command import Row, timed

ROUNDS: Final = 3
TREES: Final = 200
DEPTH: Final = 4  # full: 31 nodes
TIMES: Final = 5000  # each tree
PEER_TIMES: Final = 100
GAMES: Final = 1000
SEARCHES: Final = 10  # games of the player that looks ahead
PLAYOUTS: Final = 500  # for each of its decisions
WORDS: Final = (
    (
        "arithmetic",
        PrimitiveSet(name="arithmetic", primitives=(*ARITHMETIC, *QUANTITIES), numbers=THESIS.numbers),
    ),
    ("words of the thesis", THESIS),
)
FUNCTIONS: Final[dict[str, Callable[[float, float], float]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else 0.0,
}

Compiled = Callable[[list[float]], float]


def games() -> Iterator[Row]:
    """Measure games with seven chains; the signature is the first player's final money, summed over the games."""
    yield _games("acquire, 4 at random", [Player() for _ in range(4)], 20_000)
    yield _games("acquire, 2 by rules of thumb", [Heuristic() for _ in range(2)], 10_000)


def search() -> Iterator[Row]:
    """Measure playouts of the player that looks ahead; the signature is its money, summed over the games."""
    tables = GameRunner(GameSpec(PRESETS["thesis-7"], 2))
    players = [create_player(f"search-{PLAYOUTS}"), Heuristic()]
    looking = players[0]
    assert isinstance(looking, LookAhead)
    dollars, seconds = timed(partial(_dollars, tables, players, SEARCHES), ROUNDS)
    yield Row(
        name="acquire, looking ahead",
        figure=int(looking.played) / ROUNDS / median(seconds) / 1000,
        unit="k playouts/s",
        signature=str(dollars),
    )


def trees() -> Iterator[Row]:
    """Measure evaluations of full trees of 31 nodes; the signature is the sum of their values, to five digits."""
    for name, words in WORDS:
        rng = Random(1)
        generator = Generator.of(words)
        every = [generator.tree(DEPTH, True, rng) for _ in range(TREES)]
        features = [float(rng.below(3)) for _ in range(FEATURES)]
        expressions = [compile_tree(tree) for tree in every]
        for expression in expressions:
            for feature, value in enumerate(features):
                expression.set(feature, value)
        total = sum(expression.value() for expression in expressions)
        ours = _rate(partial(_machine, expressions), TIMES)
        lambdas = [_as_lambda(tree) for tree in every]
        assert abs(sum(function(features) for function in lambdas) - total) < 1e-6 * max(abs(total), 1)
        peer = _rate(partial(_python, lambdas, features), PEER_TIMES)
        yield Row(
            name=f"trees of 31 nodes, {name}",
            figure=ours,
            unit="M/s",
            signature=f"{total:.5g}",
            peer="a lambda, as DEAP compiles",
            ratio=ours / peer,
        )


def pairs() -> Iterator[Row]:
    """Measure games a CPU-second of each printed pair against itself; the signature is the first player's money."""
    for preset, name in (("thesis-2002", "3 chains"), ("thesis-7", "7 chains")):
        tables = GameRunner(GameSpec(PRESETS[preset], 2))
        for pair, genome in thesis_players().items():
            players = [genome.express(), genome.express()]
            dollars, seconds = timed(partial(_dollars, tables, players, GAMES), ROUNDS)
            yield Row(
                name=f"{pair}, {name}",
                figure=GAMES / min(seconds),
                unit="games/s",
                signature=str(dollars),
            )


# -- Helpers ---------------------------------------------------------------------------------------


def _games(name: str, players: list[Player], count: int) -> Row:
    tables = GameRunner(GameSpec(PRESETS["thesis-7"], len(players)))
    dollars, seconds = timed(partial(_dollars, tables, players, count), ROUNDS)
    return Row(name=name, figure=count / median(seconds), unit="games/s", signature=str(dollars))


def _dollars(tables: GameRunner, players: list[Player], count: int) -> int:
    """Play `count` games and return the sum of the first player's final money."""
    return sum(tables.play(players, 0, seed)[0] for seed in range(count))


def _machine(expressions: Sequence[Program], times: int) -> None:
    for expression in expressions:
        expression.repeated(times)


def _python(lambdas: Sequence[Compiled], features: list[float], times: int) -> None:
    for function in lambdas:
        for _ in range(times):
            function(features)


def _rate(work: Callable[[int], None], times: int) -> float:
    """Return millions of evaluations a CPU-second, the best of ROUNDS rounds."""
    _, seconds = timed(partial(work, times), ROUNDS)
    return TREES * times / min(seconds) / 1e6


def _as_lambda(tree: Tree) -> Compiled:
    """Compile a tree to a lambda with a call for each node.

    All arguments are computed first, also those of a choice that is not taken.
    """
    names: dict[str, Any] = {f"f{place}": function for place, function in enumerate(FUNCTIONS.values())}
    names["choose"] = lambda truth, then, otherwise: then if truth else otherwise

    def text(tree: Tree) -> str:
        node, parts = tree[0], [text(part) for part in arguments(tree)]
        if isinstance(node, float):
            return repr(node)
        if node in FUNCTIONS:
            return f"f{list(FUNCTIONS).index(node)}({', '.join(parts)})"
        if node in TESTED:
            return f"choose(x[{TESTED[node]}], {', '.join(parts)})"
        (leaf,) = compile_tree(tree).prefix
        return f"x[{leaf - LEAF}]"

    made: Compiled = eval(f"lambda x: {text(tree)}", names)
    return made
