"""Simplified players decide as they did, by whatever rules, and have nothing that no decision depends on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.players import Player
from core.acquire.ranked_player import ENDS, LEADS, SAFE, ranked
from core.acquire.rules import PRESETS, GameSpec, Rules
from core.random import Random
from engines.acquire.genome import Genome, printed, thesis_players, typed_players
from engines.acquire.trees.shorter.facts import Facts
from engines.acquire.trees.shorter.sums import shortest
from engines.acquire.trees.words.functions import FUNCTIONS
from tests.core.acquire.tables import random_game
from tests.engines.acquire.genomes import composed
from tests.engines.acquire.trees.trees import grown


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
def test_the_same_is_decided_by_any_rules(genome: Genome, rules: Rules) -> None:
    short = genome.simplified(rules)
    assert sum(len(tree) for _, tree in short.programs()) <= sum(len(tree) for _, tree in genome.programs())
    assert decided(short.express(), rules, 2) == decided(genome.express(), rules, 2)


def test_the_rules_make_a_difference() -> None:
    """Three chains of six have room where the end is at six, and two chains are never three."""
    facts = {name: Facts.of(rules) for name, rules in PRESETS.items()}
    assert facts["thesis-2002"].truth(ranked(ENDS, 2)) is False
    assert facts["thesis-2002"].truth(ranked(SAFE, 2)) is None
    assert facts["mini"].truth(ranked(ENDS, 1)) is None
    assert facts["mini"].truth(ranked(SAFE, 2)) is False
    assert facts["mini"].truth(ranked(LEADS, 2)) is False
    small = Facts.of(Rules("small", safe=5, end=30))
    assert small.truth(ranked(ENDS, 2)) is None
    early = Facts.of(Rules("early", safe=11, end=8))
    assert early.knowing(ranked(SAFE, 1), True).truth(ranked(ENDS, 0)) is True


def test_the_printed_trees() -> None:
    """With the facts of their rules alone, and with what cancels out."""
    trees = printed().values()
    facts = Facts.of(PRESETS["thesis-2002"])
    assert sum(map(len, trees)) == 136
    assert sum(len(shortest(tree, facts)) for tree in trees) <= 98


@given(st.integers(0, 2**32))
def test_what_no_decision_depends_on_is_gone(seed: int) -> None:
    short = composed(seed).simplified(PRESETS["thesis-7"])
    assert Genome.loads(short.dumps()) == short
    assert short.simplified(PRESETS["thesis-7"]) == short
    words = {node for _, tree in short.programs() for node in tree}
    assert {name for name, _ in short.functions} == words & set(FUNCTIONS)


def test_a_register_that_only_fills_itself_is_gone() -> None:
    genome = Genome.loads(
        "(define place (rate-1 (largest))) (define (rate-1 it) (* (memory-2) (size it)))"
        "(define (rate-2 it) (size it)) (define remember-1 (+ 1 (memory-1))) (define remember-2 (cash))"
    )
    short = genome.simplified(PRESETS["thesis-7"])
    assert [name for name, _ in short.programs()] == ["place", "rate-1", "remember-2"]
