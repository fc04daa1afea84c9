"""Genomes of rules of thumb: their text, and that genes times scales are what is played."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.acquire import rules_of_thumb
from core.acquire.players import Heuristic
from core.acquire.playout import GameRunner
from core.acquire.rules import PRESETS, GameSpec
from engines.acquire.registry import bundled_genomes, load_genome
from engines.acquire.rules_genome import GENES, NAMES, RulesError, RulesGenome

finite = st.floats(allow_nan=False, allow_infinity=False)
genomes = st.builds(
    RulesGenome, weights=st.lists(finite, min_size=len(GENES), max_size=len(GENES)).map(tuple)
)


@settings(max_examples=50)
@given(genome=genomes)
def test_genomes_read_back_bit_for_bit(genome: RulesGenome) -> None:
    again = load_genome(genome.dumps())
    assert again == genome and repr(again) == repr(genome)


def test_genes_may_come_in_any_order_with_comments() -> None:
    genome = RulesGenome.founder()
    head, *rows = genome.dumps().splitlines()
    text = "\n".join(["; by hand", "", head, *(f"  {row} ; why" for row in reversed(rows))])
    assert load_genome(text) == genome


def test_each_gene_stands_for_the_weight_of_its_name() -> None:
    places = {
        name.lower().replace("_", "-"): int(value)
        for name, value in vars(rules_of_thumb).items()
        if name.isupper() and name not in ("CLOSE", "CERTAIN", "WEIGHTS") and isinstance(value, int)
    }
    assert {name: place for name, place in places.items() if name in NAMES} == {
        name: place for place, name in enumerate(NAMES)
    }
    assert len(NAMES) == int(rules_of_thumb.WEIGHTS)


def test_the_founder_plays_nearly_as_the_heuristic() -> None:
    runner = GameRunner(GameSpec(PRESETS["thesis-7"], 2))
    players = [RulesGenome.founder().express(), Heuristic()]
    worths = [runner.play(players, game % 2, game // 2) for game in range(400)]
    assert 160 <= sum(own > other for own, other in worths) <= 240


def test_steps_are_added_to_genes() -> None:
    genome = RulesGenome.founder()
    moved = genome.moved([1.0] + [0.0] * (len(GENES) - 1))
    assert moved.weights[0] == genome.weights[0] + 1 and moved.weights[1:] == genome.weights[1:]
    assert moved.values()[0] == moved.weights[0] * 12_000
    assert genome.with_weights(moved.weights) == moved


TEXT = RulesGenome.founder().dumps()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(rules 2)\n", r"line 1: \(rules 1\) is expected, not '\(rules 2\)'"),
        ("(rules 1)\n", r"line 2: the text ends without \(ahead \.\.\.\)"),
        (TEXT.replace("(cost -1)", "(costs -1)"), "line 8: 'costs' is no gene"),
        (TEXT + "(cost 1)\n", "line 33: 'cost' is there already"),
        (TEXT.replace("(cost -1)", "(cost inf)"), "line 8: a number is expected, not 'inf'"),
        (TEXT.replace("(cost -1)", "(cost 1e999)"), "line 8: a number is expected, not '1e999'"),
        (TEXT.replace("(cost -1)", "cost -1"), "line 8: a line is a name and a number in parentheses"),
        ("(rules 1)" + " " * 70_000, "the text is too long"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        load_genome(text)


def test_wrong_genes_are_refused() -> None:
    with pytest.raises(ValueError, match="31 genes, not 1"):
        RulesGenome(weights=(1.0,))
    with pytest.raises(ValueError, match="finite"):
        RulesGenome(weights=(float("nan"),) * len(GENES))


def test_the_bundled_rules_differ_from_the_founder() -> None:
    assert isinstance(rules := bundled_genomes()["evolved-rules"], RulesGenome)
    assert rules != RulesGenome.founder()
