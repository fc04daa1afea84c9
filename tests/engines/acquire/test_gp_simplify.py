"""Simplification: shorter, of the same value wherever the facts of a board hold, and players that decide the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.players import Player
from core.acquire.ranked_player import ENDS, FEATURES, LEADS, RANKS, SAFE, TILES, ranked
from core.acquire.rules import PRESETS, GameSpec, Rules
from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.gp.primitives import ADF_NAMES
from engines.acquire.gp.render import agreement, unreachable
from engines.acquire.gp.sexpr import dumps, loads
from engines.acquire.gp.simplify import Facts, cancelled, shortest, simplified
from engines.acquire.gp.tree import Tree, compile_tree, levels
from engines.acquire.registry import thesis_players, thesis_trees, typed_players
from tests.core.acquire.tables import random_game
from tests.engines.acquire.genomes import TREES, composed, grown

SEEDS = st.integers(0, 2**32)
SAFE_1, SAFE_3 = "if-chain-1-is-safe-from-merging", "if-chain-3-is-safe-from-merging"
MAXIMUM_2, LEAD_1 = "if-chain-2-is-of-maximum-size", "if-i-am-maj-stockholder-in-chain-1"
CUBE = "(* (cash-held-by-player) (* (cash-held-by-player) (cash-held-by-player)))"


@st.composite
def boards(draw: st.DrawFn) -> list[float]:
    """Features that a board could have: sizes in the order of ranks, on 108 squares, and what follows from them."""
    sizes = sorted(draw(st.lists(st.integers(0, 60), min_size=RANKS, max_size=RANKS)), reverse=True)
    if sum(sizes) > 108:
        sizes = [36, 36, 36]
    values = [float(draw(st.integers(0, 30))) for _ in range(FEATURES)]
    for rank, size in enumerate(sizes):
        values[ranked(TILES, rank)] = float(size)
        values[ranked(SAFE, rank)] = float(size >= 11)
        values[ranked(ENDS, rank)] = float(size >= 41)
        values[ranked(LEADS, rank)] = float(draw(st.booleans()))
    return values


def value(tree: Tree, features: list[float]) -> float:
    expression = compile_tree(tree)
    for slot, each in enumerate(features):
        expression.set(slot, each)
    return expression.value()


@given(TREES, st.lists(boards(), min_size=1, max_size=8))
def test_folding_preserves_the_value(tree: Tree, every: list[list[float]]) -> None:
    simple = simplified(tree)
    assert len(simple) <= len(tree)
    assert simplified(simple) == simple or len(simplified(simple)) < len(simple)
    for features in every:
        assert value(simple, features) == value(tree, features)


@given(TREES, SEEDS)
def test_cancelling_preserves_the_value(tree: Tree, seed: int) -> None:
    """To the last bit; whether or not it is exact, there and back again is the same."""
    short = shortest(tree)
    assert len(short) <= len(tree) and shortest(short) == short
    there = ("-", "+", "size-of-chain-1", *tree, *tree)
    assert (
        agreement(tree, short, 5, Random(seed)) == agreement(there, shortest(there), 5, Random(seed)) == 1.0
    )


@given(TREES, boards())
def test_unreachable_branches_do_not_affect_the_value(tree: Tree, features: list[float]) -> None:
    """Exchange a dead branch, found by its text, for a number: nothing changes."""
    for line in unreachable(tree):
        branch = loads(line.partition(", because there")[0])
        places = [at for at in range(len(tree)) if tree[at : at + len(branch)] == branch]
        if len(places) == 1:
            at = places[0]
            changed = (*tree[:at], 12345.0, *tree[at + len(branch) :])
            assert value(changed, features) == value(tree, features)


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("(+ 0 (size-of-chain-1))", "(size-of-chain-1)"),
        ("(- (size-of-chain-1) (* 0 (cash-held-by-player)))", "(size-of-chain-1)"),
        ("(- (size-of-chain-1) (size-of-chain-1))", "0"),
        ("(div (* 1 (size-of-chain-1)) (div 3 0))", "0"),
        ("(div (size-of-chain-1) (- 3 2))", "(size-of-chain-1)"),
        (f"({SAFE_1} (+ 1 2) 3)", "3"),
        (f"({MAXIMUM_2} ({SAFE_1} 1 2) 3)", f"({MAXIMUM_2} 1 3)"),
        (f"({SAFE_1} 1 ({SAFE_3} 2 3))", f"({SAFE_1} 1 3)"),
        (f"({LEAD_1} ({LEAD_1} 1 2) 3)", f"({LEAD_1} 1 3)"),
        ("(if (can-end) (cash) (cash))", "(cash)"),
        ("(if (not (can-end)) (cash) 2)", "(if (can-end) 2 (cash))"),
        ("(min 2 (max 3 3))", "2"),
        ("(sum (+ 0 (held (it))))", "(sum (held (it)))"),
        ("(size (if-chain (i-lead) (largest) (largest)))", "(size (largest))"),
    ],
)
def test_constants_and_decided_conditions_are_folded(text: str, simple: str) -> None:
    assert dumps(simplified(loads(text))) == simple


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("(+ (- (size-of-chain-1) (price-of-chain-2)) (price-of-chain-2))", "(size-of-chain-1)"),
        ("(- (size-of-chain-1) (- (size-of-chain-1) (price-of-chain-2)))", "(price-of-chain-2)"),
        ("(- (- 1 (size-of-chain-1)) 1)", "(- 0 (size-of-chain-1))"),
        ("(+ 3 (+ (size-of-chain-1) 4))", "(+ (size-of-chain-1) 7)"),
        ("(+ (- (size-of-chain-1) (* (price-of-chain-2) 2)) (* (price-of-chain-2) 2))", "(size-of-chain-1)"),
        # A quotient and a fraction are not exact, a product of three sums of money is too large.
        ("(+ (- 1 (div (size-of-chain-1) 3)) (div (size-of-chain-1) 3))", ""),
        ("(+ (- (size-of-chain-1) 0.1) 0.1)", ""),
        (f"(+ (- 1 {CUBE}) {CUBE})", ""),
    ],
)
def test_only_exact_sums_are_cancelled(text: str, short: str) -> None:
    assert dumps(cancelled(loads(text))) == (short or text)


def test_trees_of_seventeen_levels_can_be_simplified() -> None:
    tree = loads("(+ (size-of-chain-1) " * 16 + "(size-of-chain-2)" + ")" * 16)
    assert levels(tree) == 17 and simplified(tree) == tree


# -- The trees of the thesis -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sizes"),  # nodes, levels, nodes when simplified
    {
        "best-of-run-place": (15, 5, 11),
        "best-of-run-buy": (11, 4, 7),
        "pair-1-place": (27, 5, 23),
        "pair-1-buy": (17, 5, 3),
        "pair-2-place": (19, 5, 15),
        "pair-2-buy": (7, 3, 3),
        "pair-3-place": (15, 5, 13),
        "pair-3-buy": (9, 4, 9),
        "pair-4-place": (9, 4, 7),
        "pair-4-buy": (7, 4, 7),
    }.items(),
)
def test_thesis_trees_have_known_sizes_before_and_after_simplifying(
    name: str, sizes: tuple[int, int, int]
) -> None:
    assert len(thesis_trees()) == 10
    tree = thesis_trees()[name]
    assert (len(tree), levels(tree), len(simplified(tree))) == sizes
    assert agreement(tree, simplified(tree), 1000, Random(1)) == 1.0


@pytest.mark.parametrize(
    ("name", "simple"),
    [
        (
            "best-of-run-buy",
            "(if-chain-2-is-safe-from-merging"
            f" (+ 7 ({SAFE_3} 2 (stock-held-by-player-in-chain-1)))"
            " (dist-to-nearest-neighbor-of-chain-3))",
        ),
        ("pair-1-buy", f"({SAFE_3} 1 8)"),
        ("pair-2-buy", "(- 0 (size-of-chain-1))"),
    ],
)
def test_thesis_trees_simplify_to_known_programs(name: str, simple: str) -> None:
    assert dumps(simplified(thesis_trees()[name])) == simple


def test_cancelling_sums_shortens_thesis_trees_further() -> None:
    trees = thesis_trees()
    assert len(shortest(trees["best-of-run-place"])) == 7, "it adds and subtracts the bank"
    assert sum(len(shortest(tree)) for tree in trees.values()) <= 94


# -- Players ---------------------------------------------------------------------------------------


def decided(player: Player, rules: Rules, games: int) -> list[int]:
    """All that it decides in random games."""
    chosen = []
    for seed in range(games):
        player.begin()
        for state in random_game(GameSpec(rules, 2), seed):
            if not state.is_terminal():
                chosen.append(int(player.choose(state, Random(seed))))
    return chosen


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize(
    "genome",
    [
        *thesis_players().values(),
        *typed_players().values(),
        *(Genome(place=grown(seed, 7), buy=grown(seed + 50, 7)) for seed in range(6)),
        *(composed(seed) for seed in range(4)),
    ],
)
def test_simplified_players_decide_the_same_under_any_rules(genome: Genome, rules: Rules) -> None:
    short = genome.simplified(rules)
    assert sum(len(tree) for _, tree in short.programs()) <= sum(len(tree) for _, tree in genome.programs())
    assert decided(short.express(), rules, 2) == decided(genome.express(), rules, 2)


def test_known_facts_depend_on_the_rules() -> None:
    """Three chains of six have room where the end is at six, and two chains are never three."""
    facts = {name: Facts.of(rules) for name, rules in PRESETS.items()}
    assert facts["thesis-2002"].truth(ranked(ENDS, 2)) is False
    assert facts["thesis-2002"].truth(ranked(SAFE, 2)) is None
    assert facts["mini"].truth(ranked(ENDS, 1)) is None
    assert facts["mini"].truth(ranked(SAFE, 2)) is False
    assert facts["mini"].truth(ranked(LEADS, 2)) is False
    assert Facts.of(Rules("small", safe=5, end=30)).truth(ranked(ENDS, 2)) is None
    early = Facts.of(Rules("early", safe=11, end=8))
    assert early.with_fact(ranked(SAFE, 1), True).truth(ranked(ENDS, 0)) is True


@given(SEEDS)
def test_simplification_removes_uncalled_functions(seed: int) -> None:
    short = composed(seed).simplified(PRESETS["thesis-7"])
    assert Genome.loads(short.dumps()) == short
    assert short.simplified(PRESETS["thesis-7"]) == short
    words = {node for _, tree in short.programs() for node in tree}
    assert {name for name, _ in short.functions} == words & set(ADF_NAMES)


def test_simplification_removes_registers_that_only_feed_themselves() -> None:
    genome = Genome.loads(
        "(define place (rate-1 (largest))) (define (rate-1 it) (* (memory-2) (size it)))"
        "(define (rate-2 it) (size it)) (define remember-1 (+ 1 (memory-1))) (define remember-2 (cash))"
    )
    short = genome.simplified(PRESETS["thesis-7"])
    assert [name for name, _ in short.programs()] == ["place", "rate-1", "remember-2"]
