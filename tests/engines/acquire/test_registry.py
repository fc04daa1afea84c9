"""Players by name: built in, bundled, of files, with options; and what is said of them."""

import pickle
from pathlib import Path

import pytest

from core.acquire.look_ahead import LookAhead
from core.acquire.players import ALWAYS, SELL_ALL, Heuristic, Player
from core.acquire.playout import MonteCarlo
from core.acquire.ranked_player import RankedPlayer
from engines.acquire.registry import (
    PLAYERS,
    PlayerSpec,
    bundled_genomes,
    create_player,
    thesis_players,
    typed_players,
)
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import RunStore

PAIR = thesis_players()["pair-2"]


def test_each_name_creates_its_kind_of_player() -> None:
    assert type(PlayerSpec.parse("random").create()) is Player
    assert type(PlayerSpec.parse("heuristic").create()) is Heuristic
    assert type(PlayerSpec.parse("mc-3").create()) is MonteCarlo
    searches = [PlayerSpec.parse(name).create() for name in ("search", "search-50")]
    assert [player.playouts for player in searches if isinstance(player, LookAhead)] == [2000, 50]
    assert type(PlayerSpec.parse("pair-2").create()) is RankedPlayer
    assert PlayerSpec.parse("pair-2").genome == PAIR


def test_every_bundled_genome_is_listed() -> None:
    built_in = {
        name for name in PLAYERS if name.startswith(("random", "heuristic", "expert", "mc-", "search"))
    }
    assert bundled_genomes().keys() == PLAYERS.keys() - built_in
    assert list(thesis_players()) == ["best-of-run", "pair-1", "pair-2", "pair-3", "pair-4"]
    assert list(typed_players()) == ["composed", "evolved-four", "evolved-seven", "evolved-three"]


def test_bundled_genomes_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled_genomes()
    monkeypatch.setattr(Path, "read_text", None)
    assert thesis_players() and typed_players() and create_player("evolved-net-four")


@pytest.mark.parametrize(
    "name", ["", "Random", "mc-0", "mc-401", "mc-", "mc-1.5", "search-0", "search-50001", "pair-5"]
)
def test_unknown_player_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no player is called"):
        create_player(name)


def test_options_in_a_description_configure_the_player() -> None:
    chance = PlayerSpec.parse("random,disposing=sell-all,ending=always")
    player = chance.create()
    assert (player.disposing, player.ending) == (SELL_ALL, ALWAYS)
    assert chance.describe_options() == "purchases number first, disposing sell all, ending always"
    pair = PlayerSpec.parse("pair-2,tie=last")
    assert pair.name == "pair-2,tie=last" and pair.describe_options().startswith("tie last, ")
    assert PlayerSpec.parse("pair-2,disposing=sell all").describe_options() == (
        "tie random, purchases all, outcomes 1, disposing sell all, ending coin"
    )
    assert "ties between tiles random" in PlayerSpec.parse("heuristic").describe_options()


def test_genomes_are_loaded_from_files_and_run_folders(tmp_path: Path) -> None:
    """A worker elsewhere needs no file."""
    path = tmp_path / "champion.lisp"
    path.write_text(PAIR.dumps(), encoding="utf-8")
    for name in (str(path), str(tmp_path)):
        spec = PlayerSpec.parse(f"{name},tie=first")
        assert spec.genome == PAIR and spec.options.tie == 1
        assert pickle.loads(pickle.dumps(spec)) == spec


def test_a_run_without_a_champion_plays_by_the_ids_of_its_individuals(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with RunStore.create(
        run, game="acquire", config="examination interval = 7", seed=1, version="0"
    ) as store:
        store.write(Generation(number=0, born=(Individual(id=3, genome=PAIR),)), "", "", 1.0)
    with pytest.raises(
        ValueError, match="this run has no champion yet; the first is named after 7 generations"
    ):
        PlayerSpec.parse(str(run))
    assert PlayerSpec.parse(f"{run} 3,tie=first").genome == PAIR
    with pytest.raises(ValueError, match="has no individual with the ID 4"):
        PlayerSpec.parse(f"{run} 4")


@pytest.mark.parametrize(
    ("description", "complaint"),
    [
        ("nobody", "no player is called 'nobody'"),
        ("mc-0", "no player is called"),
        ("heuristic,tie=last", "heuristic has no settings"),
        ("random,tie=last", "unknown setting 'tie=last'; there are disposing, ending, buying"),
        ("pair-1,ending", "unknown setting 'ending'"),
        ("pair-1,ending=soon", "ending cannot be 'soon'; there are coin, always, never"),
    ],
)
def test_invalid_player_descriptions_are_refused(description: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        PlayerSpec.parse(description)


def test_errors_in_a_program_file_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.lisp").write_text("(define place (+ 1", encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.lisp: "):
        PlayerSpec.parse(str(tmp_path / "x.lisp"))
