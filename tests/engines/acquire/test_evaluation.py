"""Fitness tasks: points, tallies, batches, and tests of a champion."""

from pathlib import Path

import pytest

from core.acquire.rules import PRESETS
from engines.acquire.evaluation import Arena, HallOfFameTest, PanelTest, batches, points, tally
from engines.acquire.genome import Genome, PlayerOptions
from engines.acquire.league_config import LeagueConfig
from engines.acquire.registry import thesis_players, typed_players
from tests.engines.acquire.runs import LEAGUE

ARENA = Arena(rules=PRESETS["thesis-2002"], options=PlayerOptions())


def test_points_compare_a_player_with_its_best_opponent() -> None:
    assert points([3000, 1000, 9000], 0.0) == 0.25
    assert points([3000, 1000, 9000], 0.5) == 0.125
    assert points([9000, 3000], 1.0) == 1.0
    assert points([0, 0], 0.3) == 0.5


def test_a_tally_compares_a_player_with_its_best_opponent() -> None:
    assert tally([[3, 1, 2], [3, 3, 1], [3, 1, 4], [2, 1, 0]]) == (1, 1, 2)
    assert tally([]) == (0, 0, 0)


def test_batched_games_equal_games_played_one_by_one() -> None:
    genomes = list(thesis_players().values())
    games = [(number % 5, (number + 1 + number % 4) % 5, number) for number in range(260)]
    some = list(batches(ARENA, genomes, games))
    assert [len(batch.games) for batch in some] == [250, 10]
    assert some[1].play() == [
        ARENA.play([genomes[one].express(), genomes[other].express()], 0, seed)
        for one, other, seed in games[250:]
    ]


def test_hall_of_fame_tests_favour_the_stronger_candidate() -> None:
    composed, evolved = (typed_players()[name] for name in ("composed", "evolved-three"))
    random = Genome(place=(1.0,))

    def met(genome: Genome, *former: Genome) -> tuple[int, int, int]:
        return HallOfFameTest(arena=ARENA, genome=genome, former=former, games=40, seed=5).play()

    losses, _, wins = met(evolved, random, composed)
    assert wins > losses and wins + losses <= 40
    losses, _, wins = met(random, composed, evolved)
    assert wins < losses


def test_bundled_genomes_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each configuration, and not for each task of a worker."""
    test = PanelTest(arena=ARENA, genome=typed_players()["composed"], games=1, seed=1)
    config, tallies = LeagueConfig.loads(LEAGUE), test.play()
    monkeypatch.setattr(Path, "read_text", None)
    assert LeagueConfig.loads(LEAGUE) == config and test.play() == tallies
    assert list(tallies) == ["random", "heuristic", "best-of-run", "pair-1", "pair-2", "pair-3", "pair-4"]
