"""The three configurations: what is written reads back, what contradicts itself is refused, the bundled ones are good."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.experiment import RUNS, configured
from engines.acquire.genome import PlayerOptions
from engines.acquire.gp_config import GpConfig
from engines.acquire.league_config import LeagueConfig, Opponents
from engines.acquire.nes_config import NesConfig
from engines.acquire.registry import PLAYERS
from engines.config import ConfigError
from tests.engines.acquire.runs import LEAGUE, NES

WEIGHTS = (
    st.floats(0.001, 1000).map(lambda weight: float(f"{weight:.6g}")).filter(lambda weight: weight <= 1000)
)
KINDS = {
    "typed": LeagueConfig,
    "net": NesConfig,
    "rules": NesConfig,
}  # by the beginning of a bundled one's name


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.txt")), ids=lambda path: path.stem)
def test_bundled_configurations_are_valid(path: Any) -> None:
    config = configured(path.read_text())
    assert type(config) is KINDS.get(path.stem.split("-")[0], GpConfig)
    assert type(config).loads(config.dumps()) == config


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"evolve": "buy", "seed": 2**64 - 1, "outcomes": None, "tie": "last", "money": "hundreds"},
        {
            "rules": "thesis-7",
            "population": 7,
            "games": 3,
            "pairing": "top up",
            "generations": None,
        },
    ],
)
def test_a_configuration_reads_back(settings: Any) -> None:
    config = GpConfig(**settings)
    assert GpConfig.loads(config.dumps()) == config


def test_the_default_configuration_is_the_experiment_of_the_thesis() -> None:
    assert GpConfig.loads((RUNS / "pair.txt").read_text()) == GpConfig()
    for evolve in ("place", "buy"):
        text = (RUNS / f"thesis-{evolve}.txt").read_text()
        assert GpConfig.loads(text) == GpConfig(evolve=evolve)
    assert GpConfig().options == PlayerOptions()


def test_the_number_of_tables_grows_with_the_generation() -> None:
    config = LeagueConfig.loads(LEAGUE.replace("tables = 8\nannealing", "tables = 6\nannealing"))
    assert LeagueConfig.loads(config.dumps()) == config
    assert [config.bags_at(generation) for generation in (0, 1, 2, 3, 99)] == [1, 1, 2, 3, 3]


def test_annealing_lowers_the_centre_rate() -> None:
    config = NesConfig.loads(f"{NES}centre rate = 0.8\nannealing = 5\n")
    assert [config.mean_rate_at(generation) for generation in (0, 5, 15)] == [0.8, 0.4, 0.2]
    assert NesConfig.loads(NES).mean_rate_at(99) == 1.0


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
        ("selection = lexicase\npairing = top up", "line 1: selection = lexicase needs pairing = exact"),
        ("generations = 0", "line 1: generations must be no end or a whole number from 1"),
        ("colour = red", "line 1: unknown key 'colour'"),
    ],
)
def test_invalid_gp_configurations_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        GpConfig.loads(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("opponent share = 0.9\nhall share = 0.2\nopponent = heuristic", "line 2: .* add up to more than 1"),
        (
            "champion share = 0.8",
            "opponent share, hall share and champion share must not add up to more than 1",
        ),
        ("opponent share = 0.1", "needs an opponent"),
        ("elite = 200", "less than the population"),
        ("evolve = some decisions", "evolve"),
        ("crossover = 0.9", "add up to more than 1"),
        (
            "opponent = nobody",
            "opponent must be none or different names, each with a weight after it or without, of",
        ),
        ("founders = pair-1", "founders must be random or different names of composed"),
        ("founders = composed, composed", "different names"),
        ("most work = 200000", "most work"),
        ("new levels = 7", "new levels"),
        ("sharing = 0.2", "sharing needs behaviour states"),
        ("islands = 7", "multiples of the number of islands"),
        ("islands = 10\nmigrants = 4", "migrants must not be more than an island's elite"),
        ("doubt = -1", "line 1: doubt must be a whole number"),
        ("shrinkage = 1", "unknown key 'shrinkage'"),
    ],
)
def test_invalid_league_configurations_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        LeagueConfig.loads(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("samples = 5", "samples must be even, not 5"),
        ("opponent share = 0.1", "needs an opponent"),
        ("opponent share = 0.9\nhall share = 0.2\nopponent = heuristic", "add up to more than 1"),
        ("founder = evolved-seven", "founder must be none or one of evolved-net-"),
        ("evolve = rules\nfounder = evolved-net-four", "the founder must be of the kind that evolves, rules"),
        ("founder = evolved-rules", "the founder must be of the kind that evolves, net"),
        ("founder = evolved-net-seven\nchain units = 4", "units must be those of evolved-net-seven"),
        ("chain units = 65", "chain units must be a whole number from 1 to 64"),
        ("evolve = nets", "evolve must be net"),
    ],
)
def test_invalid_nes_configurations_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        NesConfig.loads(text)


# -- Opponents: names with weights --------------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from(sorted(PLAYERS)), WEIGHTS, min_size=1))
def test_opponents_read_back(weights: dict[str, float]) -> None:
    opponents = Opponents(names=tuple(weights), weights=tuple(weights.values()))
    assert Opponents.loads(str(opponents)) == opponents


def test_a_weight_that_is_left_out_is_1() -> None:
    assert str(Opponents.loads("Heuristic  4, pair-1 1.0,pair-2")) == "heuristic 4, pair-1, pair-2"


def test_opponents_are_drawn_as_often_as_they_weigh() -> None:
    rng = Random(5)
    opponents = Opponents.loads("heuristic 6, pair-1 3, random")
    found = Counter(opponents.draw(rng) for _ in range(10_000))
    shares = [found[name] / 10_000 for name in opponents.names]
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


def test_drawing_a_single_opponent_consumes_no_random_numbers() -> None:
    rng, fresh = Random(5), Random(5)
    assert Opponents.loads("pair-3 7").draw(rng) == "pair-3"
    assert rng.bits() == fresh.bits()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "of random, heuristic"),
        ("heuristic, heuristic 2", "different names"),
        ("heuristic,", "different names"),
        ("heuristic 1 2", "a weight after it"),
        ("heuristic x", "weights that are 0.001 to 1000"),
        ("heuristic 0", "weights that are 0.001 to 1000"),
        ("", "different names"),
    ],
)
def test_invalid_lists_of_opponents_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Opponents.loads(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "seed = 1\nWin  weight = 0.5",
            r"line 2: win weight is a key of evolve = all decisions and evolve = net and evolve = rules; "
            r"this file has evolve = pair \(the default\)",
        ),
        (
            "evolve = net\nislands = 2",
            "line 2: islands is a key of evolve = all decisions; this file has evolve = net",
        ),
        ("colour = red", "line 1: unknown key 'colour'"),
        (
            "evolve = typed",
            r"line 1: evolve must be place or buy or pair \(or, with other keys, all decisions or net or rules\), not 'typed'",
        ),
    ],
)
def test_keys_of_other_kinds_of_runs_are_named(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        configured(text)
