"""Configurations: what is written reads back, what contradicts itself is refused, the program's own are good."""

from typing import Any

import pytest

from core.acquire.rules import PRESETS
from engines.acquire.conduct import Conduct
from engines.acquire.experiment import RUNS
from engines.acquire.programs.config import ProgramsConfig
from engines.config import ConfigError


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"evolve": "buy", "seed": 2**64 - 1, "outcomes": None, "tie": "last", "money": "hundreds"},
        {
            "rules": "thesis-7",
            "stuck_round": "off",
            "population": 7,
            "games": 3,
            "pairing": "top up",
            "generations": None,
        },
    ],
)
def test_a_configuration_reads_back(settings: Any) -> None:
    config = ProgramsConfig(**settings)
    assert ProgramsConfig.loads(config.dumps()) == config


@pytest.mark.parametrize(
    "path",
    sorted(set(RUNS.glob("*.txt")) - set(RUNS.glob("typed-*")) - set(RUNS.glob("net-*"))),
    ids=lambda path: path.stem,
)
def test_the_configurations_of_the_program_are_good(path: Any) -> None:
    config = ProgramsConfig.loads(path.read_text())
    assert ProgramsConfig.loads(config.dumps()) == config


def test_without_a_key_it_is_the_experiment_of_the_text() -> None:
    assert ProgramsConfig.loads((RUNS / "pair.txt").read_text()) == ProgramsConfig()
    for evolve in ("place", "buy"):
        text = (RUNS / f"thesis-{evolve}.txt").read_text()
        assert ProgramsConfig.loads(text) == ProgramsConfig(evolve=evolve)
    assert ProgramsConfig().conduct == Conduct()


def test_open_points_of_the_rules_can_be_changed() -> None:
    assert ProgramsConfig().played() == PRESETS["thesis-2002"]
    changed = ProgramsConfig(dead_replace="once", hand_out_end="first").played()
    assert (changed.dead_replace, changed.hand_out_end, changed.stuck_round) == ("once", "first", "on")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("population = 15", "line 1: pairing = exact needs an even population"),
        ("\npopulation = 18", "line 2: pairing = exact needs an even population of twice the games"),
        ("pairing = top up\ngames = 5\npopulation = 5", "line 2: games must be fewer than the population"),
        ("reproduction = 0.5", "line 1: crossover at functions"),
        ("elite = enlarges\nelitism = 0.021", "line 2: pairing = exact needs an even number of elite"),
        ("tie = never", "line 1: tie must be random or first or last, not 'never'"),
        ("outcomes = 0", "line 1: outcomes must be all or a whole number from 1"),
        ("most levels = 18", "line 1: most levels must be a whole number from 2 to 17"),
        ("selection = lexicase\npairing = top up", "line 1: selection = lexicase needs as many games"),
        ("generations = 0", "line 1: generations must be no end or a whole number from 1"),
        ("colour = red", "line 1: unknown key 'colour'"),
    ],
)
def test_what_cannot_be_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        ProgramsConfig.loads(text)
