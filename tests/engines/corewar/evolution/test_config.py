"""The configuration of tribes: what it takes, what it refuses, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import DJN, DOT_F, DOT_I, MOV, SEQ
from engines.config import ConfigError
from engines.corewar.evolution.config import TribesConfig, common_instructions, instructions

TEAM = "team = 2\nevaluation = elite\n"


def test_an_empty_configuration_has_the_documented_defaults() -> None:
    config = TribesConfig.loads("")
    assert (config.tribes, config.tribe_size, config.picked, config.rounds) == (10, 50, 4, 10)
    assert config.births == 2
    assert config.points() == (3, 1)
    assert config.rules.cycles == 80_000


def test_a_written_configuration_contains_every_key() -> None:
    config = TribesConfig(seed=3, rounds=None, evaluation="elite", kept=0.25, longest=100)
    text = config.dumps()
    assert text.count("\n") == 85
    assert "rounds = exact" in text and "longest = 100" in text
    assert TribesConfig.loads(text) == config
    assert config.births == 50 - 12


@given(st.text(max_size=300))
def test_any_text_raises_nothing_but_config_errors(text: str) -> None:
    try:
        config = TribesConfig.loads(text)
    except ConfigError:
        return
    assert TribesConfig.loads(config.dumps()) == config


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("core size = 1", "line 1: core size must be a whole number"),
        ("seed = 1\ndistance = 50", "line 2: distance must be at least the length, 100"),
        ("length = 60\ndistance = 60\nfounders longest = 61", "line 3: founders shortest"),
        ("core size = 150", "line 1: core size must be at least 200, for two warriors 100 cells apart"),
        ("winners = 4", "line 1: winners must be fewer than picked"),
        ("score formula = W*", "line 1: score formula must be a formula in W and S"),
        ("score formula = 1/0", "line 1: score formula must be a formula in W and S"),
        ("kept = 1\nevaluation = elite", "line 1: kept must leave at least one warrior"),
        ("evaluation = elite\nopponents = none", "line 1: evaluation = elite needs opponents"),
        ("longest = 101", "line 1: longest must not be above the length, 100"),
        ("elected = of all", "line 1: elected = of all needs evaluation = elite"),
        ("parents = niches", "line 1: parents = niches needs niches"),
        ("parts = stone", "parts, and a phrase weight above 0, need pspace = on"),
        ("phrase weight = 1\npspace = off", "line 2: parts, and a phrase weight"),
        ("protected = parts", "line 1: protected = parts needs parts"),
        ("start = last", "line 1: start must be first or evolved"),
        ("fewest changes = 9", "line 1: fewest changes"),
        ("flip weight = 0", "line 1: one of flip weight, redraw weight"),
        ("tribe = 3", "line 1: unknown key 'tribe'; did you mean tribes"),
        ("pspace size = 9000", "line 1: pspace size must not"),
        ("join weight = 1\nstart = evolved", "line 1: join weight needs start = first"),
        ("instructions = MOV LDP", "line 1: LDP and STP among the instructions need pspace = on"),
        ("near = 0.5\nreach = 4000", "line 2: reach must be less than half"),
        (TEAM + "core size = 300", "line 1: 4 warriors 100 cells apart need a core size of 400"),
        (TEAM + "tribes = 1", "line 1: a team of 2 needs at least 2 tribes"),
        ("team = 2", "line 1: teams need evaluation = elite, and no elites"),
        (
            TEAM + "rounds = exact",
            "line 1: teams need a number of rounds and of panel rounds, and no rounds alike",
        ),
    ],
)
def test_invalid_configurations_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as error:
        TribesConfig.loads(text)
    assert str(error.value).startswith(reason), str(error.value)


def test_a_formula_gives_the_points() -> None:
    assert TribesConfig(score_formula="(W*W-1)/S*100-S").points() == (299, 98)


def test_instructions_name_an_operation_and_optionally_a_modifier() -> None:
    words = instructions(" mov.i  MOV djn.f cmp ")
    assert words == "MOV.I MOV DJN.F CMP"
    assert common_instructions(words) == ((MOV, DOT_I), (MOV, None), (DJN, DOT_F), (SEQ, None))


def test_instructions_all_yields_no_list_of_common_instructions() -> None:
    assert instructions("All") == "all"
    assert common_instructions("all") == ()


@pytest.mark.parametrize("text", ["MOVE", "MOV.", "MOV.Q", "MOV,SPL", "all MOV", ".I"])
def test_unknown_instructions_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"instructions must be all or instructions such as SPL MOV\.I"):
        TribesConfig.loads(f"instructions = {text}")
