"""The player `search`: settings in its description, and the policy that suits the table."""

import pickle
from pathlib import Path

import pytest

from core.acquire.actions import PLACE
from core.acquire.look_ahead import LookAhead
from core.acquire.players import Heuristic, Player
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.registry import PlayerSpec, bundled_genomes
from engines.acquire.search import SearchOptions, TablePolicy
from tests.core.acquire.tables import random_state


class Named(Player):
    """A player that notes whenever it is asked."""

    def __init__(self, asked: list[str], name: str) -> None:
        super().__init__()
        self._asked = asked
        self._name = name

    def choose(self, state: AcquireState, rng: Random) -> int:
        self._asked.append(self._name)
        return int(super().choose(state, rng))


@pytest.mark.parametrize(
    ("rules", "seats", "asked"),
    [
        ("thesis-2002", 2, "few"),
        ("thesis-2002", 4, "few"),
        ("thesis-7", 2, "two"),
        ("classic", 3, "more"),
        ("tlstyer", 6, "more"),
    ],
)
def test_the_policy_suits_the_table(rules: str, seats: int, asked: str) -> None:
    names: list[str] = []
    policy = TablePolicy(Named(names, "few"), Named(names, "two"), Named(names, "more"))
    state = random_state(GameSpec(PRESETS[rules], seats), 3)
    action = policy.choose(state, Random(1))
    assert names == [asked] and action in state.legal_actions()


def test_the_budget_may_be_a_time() -> None:
    """A search of a millisecond ends, though its number of playouts would take weeks."""
    player = PlayerSpec.parse("search,milliseconds=1").create()
    assert isinstance(player, LookAhead)
    state = random_state(GameSpec(PRESETS["thesis-7"], 2), 3)
    assert state.phase() == PLACE
    assert player.choose(state, Random(1)) in state.legal_actions()
    assert 0 < player.played < 1_000_000


def test_a_number_of_playouts_is_kept_nearly() -> None:
    player = LookAhead(Heuristic(), Heuristic(), 1000)
    state = random_state(GameSpec(PRESETS["thesis-7"], 2), 3)
    player.choose(state, Random(1))
    assert 900 <= player.played <= 1000


def test_a_policy_may_be_a_bundled_player_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "net.lisp"
    path.write_text(bundled_genomes()["evolved-net-four"].dumps(), encoding="utf-8")
    state = random_state(GameSpec(PRESETS["thesis-7"], 2), 3)
    for name in ("evolved-net-four", str(path)):
        spec = PlayerSpec.parse(f"search-20,policy={name}")
        assert spec.genome == bundled_genomes()["evolved-net-four"]
        again = pickle.loads(pickle.dumps(spec)).create()
        assert spec.create().choose(state, Random(2)) == again.choose(state, Random(2))


def test_the_description_tells_budget_and_policy() -> None:
    described = {
        name: PlayerSpec.parse(name).describe_options()
        for name in ("search-500", "search,milliseconds=250,policy=evolved-seven")
    }
    assert list(described.values()) == [
        "500 playouts a decision; in doubt as the evolved net for the table",
        "250 ms a decision; in doubt as the policy",
    ]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("search,milliseconds=0", "milliseconds must be a whole number from 1 to 600,000, not '0'"),
        ("search,milliseconds=700000", "milliseconds must be a whole number"),
        ("search,milliseconds=²", "milliseconds must be a whole number"),
        ("search,milliseconds", "unknown setting 'milliseconds'"),
        ("search,tie=first", "unknown setting 'tie=first'; there are milliseconds, policy"),
        ("search,policy=heuristic", "the policy of search must be an evolved player, a file or a run"),
        ("search-0,milliseconds=5", "no player is called 'search-0'"),
    ],
)
def test_unsuitable_settings_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint.replace("(", r"\(")):
        PlayerSpec.parse(name)


def test_names_with_other_numbers_are_no_searches() -> None:
    assert SearchOptions.of("search") == SearchOptions.of("search-2000") == SearchOptions()
    assert SearchOptions.of("search-50000") and not SearchOptions.of("search-50001")
