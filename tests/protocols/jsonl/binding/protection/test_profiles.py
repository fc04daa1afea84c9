"""Profiles by name: never outside their folder, shown and deleted for those who may, not mixed with other strings."""

from pathlib import Path
from typing import Any

import pytest

from engines.protection.profile import Profile, ProfileStore
from tests.protocols.jsonl.binding.protection.house import begun, house

RATED = Profile(wins=3, losses=1, ratings=(5,) * 250)


@pytest.mark.parametrize(
    "name",
    ["../ann", "..", ".", "/etc/passwd", "a/b", "a\\b", "ann\x00", "", " ", "x" * 41, "ann.apu", "a\nb"],
)
def test_a_name_is_never_a_path(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    guest = house(folder).player()
    heard = begun(guest, "chaos:seed", options={"profile": name})
    assert heard[0]["type"] == "error" and heard[0]["data"]["path"] == "$.options.profile"
    for field in ("profile_show", "profile_delete"):
        answer = guest.ask(type="list", **{field: name})
        assert answer["type"] == "error" or not name, "an empty name is none"
    assert list(tmp_path.iterdir()) == [folder] and not list(folder.iterdir())


@pytest.mark.parametrize("has_folder", [True, False])
def test_listed_shown_deleted(has_folder: bool, tmp_path: Path) -> None:
    table = house(tmp_path if has_folder else None)
    guest = table.player()
    table.hall.bindings["protection"].profiles.put("ann", RATED)  # type: ignore[union-attr]
    assert guest.ask(type="list", profile_list=True)["profiles"] == ["ann"]
    (shown,) = guest.ask(type="list", profile_show="ann", game="protection")["profiles"]
    assert (shown["wins"], shown["losses"], shown["mean"], shown["negative"]) == (3, 1, 5, 0)
    assert shown["file"][0].startswith("3\t1\t5\t5")
    assert guest.ask(type="list", profile_delete="ann")["profiles"] == []
    assert guest.ask(type="list", profile_show="ann")["code"] == "invalid_params"
    assert guest.ask(type="list", profile_delete="ann")["code"] == "invalid_params"


def test_strangers_see_no_profiles() -> None:
    guest = house().guest(is_trusted=False)
    guest.say(type="hello", versions=[1])
    guest.heard()
    for question in ({"profile_list": True}, {"profile_show": "ann"}, {"profile_delete": "ann"}):
        assert guest.ask(type="list", **question)["code"] == "not_permitted"


@pytest.mark.parametrize(
    "profile", [RATED, Profile(ratings=(1,) * 250, pool="sha256:0", rules=("improved", "x"))]
)
def test_ratings_of_other_strings_are_forgotten_on_request(profile: Profile, tmp_path: Path) -> None:
    ProfileStore(tmp_path).put("ann", profile)
    guest = house(tmp_path).player()
    (error,) = begun(guest, "chaos:seed", options={"profile": "ann"})
    assert error["data"] == {"path": "$.options.profile", "reason": "needs_reset"}
    created = begun(guest, "chaos:seed", options={"profile": "ann", "reset": True})[0]
    assert created["type"] == "created"
    kept = ProfileStore(tmp_path).get("ann")
    assert kept is not None and not any(kept.ratings) and kept.wins == profile.wins


def test_a_file_that_is_no_profile(tmp_path: Path) -> None:
    (tmp_path / "ann.apu").write_text("1 2 3")
    guest = house(tmp_path).player()
    (error,) = begun(guest, "chaos:seed", options={"profile": "ann"})
    assert "252 numbers" in error["message"]
    assert guest.ask(type="list", profile_show="ann")["code"] == "invalid_params"
    assert (tmp_path / "ann.apu").read_text() == "1 2 3"


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"profile": 3}, "$.options.profile"),
    ({"detail": "all"}, "$.options.detail"),
    ({"map": 3}, "$.options.map"),
    ({"map": {}}, "$.options.map"),
    ({"map": {"seed": -1}}, "$.options.map.seed"),
    ({"map": {"lines": ["t" * 24] * 23}}, "$.options.map"),
    ({"map": {"lines": ["x" * 24] * 24}}, "$.options.map"),
    ({"map": {"lines": ["t" * 24] * 24, "gold": [[24, 0]]}}, "$.options.map"),
    ({"map": {"lines": ["t" * 24] * 24, "gold": [3]}}, "$.options.map"),
    ({"money": {"human": -1}}, "$.options.money.human"),
    ({"money": {"human": True}}, "$.options.money.human"),
    ({"money": {"all": 1}}, "$.options.money"),
    ({"target": "master"}, "$.options.target"),
    ({"target": 1.0}, "$.options.target"),
    ({"target": []}, "$.options.target"),
    ({"adaptation": {"mercy": "much"}}, "$.options.adaptation.mercy"),
    ({"adaptation": {"replicates": 99}}, "$.options.adaptation.replicates"),
    ({"observe_ai": 1}, "$.options.observe_ai"),
    ({"wings": 2}, "$.options.wings"),
    ({"scavenger_yield": "none"}, "$.options.scavenger_yield"),
    ({"max_minions": 20_001}, "$.options"),
    ({"turn_cap": 1.5}, "$.options.turn_cap"),
]


@pytest.mark.parametrize(("options", "path"), OPTIONS, ids=lambda each: str(each)[:40])
def test_options_that_cannot_be(options: dict[str, Any], path: str) -> None:
    (error,) = begun(house().player(), options=options)
    assert (error["code"], error["data"]["path"]) == ("invalid_params", path)


def test_options_of_the_laboratory() -> None:
    guest = house().player(legal="rules")
    created, start, _ = begun(guest, options={"turn_cap": 3, "map": {"seed": 4}})
    assert start["variant"] == "custom" and not created["rated"]
    assert begun(guest, options={"turn_cap": 60, "map": {"seed": 4}})[1]["variant"] == "improved"
    for name, value in {"map": {"seed": 4}, "turn_cap": 3, "money": {}, "observe_ai": True}.items():
        (error,) = begun(guest, rated=True, options={name: value})
        assert error["code"] == "not_permitted"
    assert begun(guest, rated=True, options={"profile": "ann"})[0]["rated"]


def test_who_sits_where() -> None:
    guest = house().player()
    for seats in (["chaos:seed", "me"], ["me", "user:mines"], ["me", "chaos:fixed:250"], ["me", "chaos:"],
                  ["user:nobody", "chaos:seed"]):  # fmt: skip
        (error,) = guest.create(game="protection", seats=seats)
        assert error["code"] == "no_such_agent", seats
    assert guest.create(game="protection", seats=["me"])[0]["data"]["path"] == "$.seats"
    for gone in ("agent:chaos:seed", "agent:nobody"):
        (error,) = begun(guest, on_gone=gone)
        assert error["code"] == "no_such_agent"
    assert begun(guest, on_gone="agent:user:mines")[0]["type"] == "created"
