"""Profiles and ratings: kept by name, never outside their folder, and touched by games alone; no turn waits for ratings."""

from pathlib import Path
from typing import Any

import pytest

from engines.protection.adaptation import Calibration, GameHistory, Mode, choose_by_paper_rule
from engines.protection.chaos import Chaos, RatingJob, rate
from engines.protection.profile import Profile, ProfileStore, dumps, loads
from engines.seeds import SeededStreams
from protocols.jsonl.protection_state import ProtectionGameState
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import Client, FakeServer
from tests.protocols.jsonl.protection_games import (
    NOTHING,
    act,
    begun,
    decide_of,
    drones,
    of_kind,
    pool,
    protection_server,
)

RATED = Profile(wins=3, losses=1, ratings=(5,) * 250)


@pytest.mark.parametrize(
    "name",
    ["../ann", "..", ".", "/etc/passwd", "a/b", "a\\b", "ann\x00", "", " ", "x" * 41, "ann.apu", "a\nb"],
)
def test_profile_names_that_could_be_paths_are_refused(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    client = protection_server(folder).player()
    received = begun(client, "chaos:seed", options={"profile": name})
    assert received[0]["type"] == "error" and received[0]["data"]["path"] == "$.options.profile"
    for field in ("profile_show", "profile_delete"):
        answer = client.ask(type="list", **{field: name})
        assert answer["type"] == "error" or not name, "an empty name is none"
    assert list(tmp_path.iterdir()) == [folder] and not list(folder.iterdir())


@pytest.mark.parametrize("has_folder", [True, False])
def test_profiles_are_listed_shown_and_deleted(has_folder: bool, tmp_path: Path) -> None:
    table = protection_server(tmp_path if has_folder else None)
    client = table.player()
    table.games.adapters["protection"].profiles.put("ann", RATED)  # type: ignore[union-attr]
    assert client.ask(type="list", profile_list=True)["profiles"] == ["ann"]
    (shown,) = client.ask(type="list", profile_show="ann", game="protection")["profiles"]
    assert (shown["wins"], shown["losses"], shown["mean"], shown["negative"]) == (3, 1, 5, 0)
    assert shown["file"][0].startswith("3\t1\t5\t5")
    assert client.ask(type="list", profile_delete="ann")["profiles"] == []
    assert client.ask(type="list", profile_show="ann")["code"] == "invalid_params"
    assert client.ask(type="list", profile_delete="ann")["code"] == "invalid_params"


def test_remote_clients_see_no_profiles() -> None:
    client = protection_server().client(is_trusted=False)
    client.say(type="hello", versions=[1])
    client.received()
    for question in ({"profile_list": True}, {"profile_show": "ann"}, {"profile_delete": "ann"}):
        assert client.ask(type="list", **question)["code"] == "not_permitted"


@pytest.mark.parametrize(
    "profile",
    [
        RATED,
        *(
            Profile(ratings=(1,) * 250, pool=each, rules=("improved", "x"))
            for each in ("sha256:0", pool().hash)
        ),
    ],
)
def test_ratings_of_other_strings_or_rules_are_forgotten_on_request(profile: Profile, tmp_path: Path) -> None:
    store = ProfileStore(tmp_path)
    store.put("ann", profile)
    store.flush()
    server = protection_server(tmp_path)
    client = server.player()
    (error,) = begun(client, "chaos:seed", options={"profile": "ann"})
    assert error["data"] == {"path": "$.options.profile", "reason": "needs_reset"}
    created = begun(client, "chaos:seed", options={"profile": "ann", "reset": True})[0]
    assert created["type"] == "created"
    server.flush_profiles()
    kept = ProfileStore(tmp_path).get("ann")
    assert kept is not None and not any(kept.ratings) and kept.wins == profile.wins


def test_a_file_that_is_no_profile_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    (tmp_path / "ann.apu").write_text("1 2 3")
    client = protection_server(tmp_path).player()
    (error,) = begun(client, "chaos:seed", options={"profile": "ann"})
    assert "252 numbers" in error["message"]
    assert client.ask(type="list", profile_show="ann")["code"] == "invalid_params"
    assert (tmp_path / "ann.apu").read_text() == "1 2 3"


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"profile": 3}, "$.options.profile"),
    ({"profile": "ann", "study": "yes"}, "$.options.study"),
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
def test_invalid_options_are_refused_with_their_path(options: dict[str, Any], path: str) -> None:
    (error,) = begun(protection_server().player(), options=options)
    assert (error["code"], error["data"]["path"]) == ("invalid_params", path)


def test_rated_games_refuse_custom_options() -> None:
    client = protection_server().player()
    created, start, _ = begun(client, options={"turn_cap": 3, "map": {"seed": 4}})
    assert start["variant"] == "custom" and not created["rated"]
    assert begun(client, options={"turn_cap": 60, "map": {"seed": 4}})[1]["variant"] == "improved"
    for name, value in {"map": {"seed": 4}, "turn_cap": 3, "money": {}, "observe_ai": True}.items():
        (error,) = begun(client, rated=True, options={name: value})
        assert error["code"] == "not_permitted"
    assert begun(client, rated=True, options={"profile": "ann"})[0]["rated"]


def test_seats_accept_only_agents_of_their_side() -> None:
    client = protection_server().player()
    for seats in (["chaos:seed", "me"], ["me", "user:mines"], ["me", "chaos:fixed:250"], ["me", "chaos:"],
                  ["user:nobody", "chaos:seed"]):  # fmt: skip
        (error,) = client.create(game="protection", seats=seats)
        assert error["code"] == "no_such_agent", seats
    assert client.create(game="protection", seats=["me"])[0]["data"]["path"] == "$.seats"
    for gone in ("agent:chaos:seed", "agent:nobody"):
        (error,) = begun(client, on_gone=gone)
        assert error["code"] == "no_such_agent"
    assert begun(client, on_gone="agent:user:mines")[0]["type"] == "created"


Message = dict[str, Any]


def opened(chaos: str, **options: Any) -> tuple[FakeServer, Client, list[Message]]:
    table = protection_server()
    client = table.player()
    return table, client, begun(client, chaos, seed=3, options={"observe_ai": True, **options})


def turn(client: Client, received: list[Message], count: int = 10) -> list[Message]:
    return act(client, decide_of(received), drones(decide_of(received), count))


def test_no_turn_waits_for_ratings() -> None:
    """Only one arrangement is rated at a time, however fast somebody plays; what is missing is said."""
    table, client, received = opened("chaos:seed")
    received = turn(client, received)
    assert of_kind(received, "turn_end"), "the turn is over, and nothing has been computed elsewhere"
    assert len(table.jobs) == 5
    for _ in range(3):
        received = turn(client, received)
        (event,) = of_kind(received, "ratings")
        assert (event["done"], event["of"], event["stale"]) == (0, 250, True)
    assert len(table.jobs) == 5, "those of the first turn"
    table.work(2)
    received = turn(client, received)
    assert of_kind(received, "ratings")[0]["done"] == 0, "they are of another turn"
    table.work()
    (event,) = of_kind(turn(client, received), "ratings")
    assert (event["done"], event["stale"]) == (250, False)


def test_unfinished_ratings_are_reported_as_stale() -> None:
    table, client, received = opened("chaos:seed")
    received = turn(client, received)
    table.work(3)
    (event,) = of_kind(turn(client, received), "ratings")
    assert (event["done"], event["of"], event["stale"]) == (150, 250, True)


@pytest.mark.parametrize("last_first", [False, True])
def test_chaos_chooses_the_string_by_the_rule_of_the_paper(last_first: bool) -> None:
    """Ratings by hand, then the paper's rule by hand."""
    table, client, received = opened("chaos:seed")
    other, rival, before = protection_server(), SeededStreams(3), decide_of(received)
    quiet = other.player()
    begun(quiet, "chaos:fixed:0", seed=3)
    same = other.games.games["g-31"].state
    assert isinstance(same, ProtectionGameState)
    same.game.set_up(same.parse_action(0, _encoded(drones(before, 10))))
    job = RatingJob.of(same.game.state, pool().packed, rival, 1, real_money=False)
    ratings = rate(job).ratings
    received = turn(client, received)
    table.work(last_first=last_first)
    (event,) = of_kind(turn(client, received), "ratings")
    profile = Profile().rated(ratings)
    assert event["chosen"] == choose_by_paper_rule(0, 0, profile.ratings).index and event["best"] == min(
        profile.ratings
    )


def test_failed_rating_jobs_are_not_learnt() -> None:
    table, client, received = opened("chaos:seed")
    received = turn(client, received)
    for job in table.jobs:
        job.on_done(None, 0.5)
    table.jobs.clear()
    assert of_kind(turn(client, received), "ratings")[0]["done"] == 0
    assert len(table.jobs) == 5, "the next arrangement is rated"


@pytest.mark.parametrize(("target", "aim"), [("novice", 0.6), ("easy", 0.7), ("hard", 0.3), (0.45, 0.45)])
def test_the_pilot_of_the_server_chooses_as_in_the_loop_of_the_engine(
    target: str | float, aim: float
) -> None:
    """The same games turn by turn as in the engine's own loop, with what was learnt in the turns before."""
    table, client, received = opened("chaos:pilot", target=target)
    mode = Mode("pilot", pool().starter, Calibration(aim=aim))
    chaos = Chaos(pool=tuple(each.genome for each in pool().entries), mode=mode, profile=Profile())
    ours = table.games.games["g-31"].state
    quiet = protection_server()
    begun(quiet.player(), "chaos:fixed:0", seed=3)
    theirs = quiet.games.games["g-31"].state
    assert isinstance(theirs, ProtectionGameState) and isinstance(ours, ProtectionGameState)
    game, dues = theirs.game, set()
    for number in range(4):
        setup = drones(decide_of(received), 10 + number)
        index = chaos.choose(GameHistory.of(game), game.streams).index
        game.set_up(theirs.parse_action(0, _encoded(setup)))
        job = chaos.rating_job(game.state, game.streams)
        chaos = chaos.rated(job, rate(job))
        game.play(chaos.string(index))
        received = act(client, decide_of(received), setup)
        (event,) = of_kind(received, "ratings")
        assert event["chosen"] == index
        table.work()
        plan = ours.opponent_model.choose(ours.game).choice.plan if ours.opponent_model else None
        dues.add(plan.is_due if plan else None)
    assert len(dues) == 1 and dues < {True, False}, "a game is settled once"


@pytest.mark.parametrize("mode", ["random", "fixed:7"])
def test_modes_that_do_not_use_ratings_compute_none(mode: str) -> None:
    table, client, received = opened(f"chaos:{mode}")
    turn(client, received)
    assert not table.jobs


def test_a_profile_counts_games_and_keeps_ratings(tmp_path: Path) -> None:
    table = protection_server(tmp_path)
    client = table.player()
    received = begun(client, "chaos:calibrated", options={"profile": "Ann B"}, seed=3)
    received = turn(client, received)
    table.work()
    client.say(type="resign", game_id="g-31")
    client.received()
    table.flush_profiles()
    profile = loads((tmp_path / "Ann B.apu").read_text())
    assert (profile.wins, profile.losses, profile.mode, profile.rules[0]) == (0, 1, "calibrated", "improved")
    assert any(profile.ratings) and profile.pool == pool().hash
    begun(client, "chaos:calibrated", options={"profile": "Ann B"}, seed=4)
    client.say(type="resign", game_id="g-32")
    begun(client, "chaos:calibrated", seed=4)  # nobody's
    client.say(type="resign", game_id="g-33")
    table.flush_profiles()
    assert loads((tmp_path / "Ann B.apu").read_text()) == profile.finished(False)
    assert [path.name for path in tmp_path.iterdir()] == ["Ann B.apu"]
    client.received()
    (*lines,) = client.ask(type="record", game_id="g-32", format="apu")["lines"]
    assert loads("\n".join(lines)) == profile.finished(False)


@pytest.mark.parametrize("mode", ["pilot", "calibrated", "best"])
def test_hybrids_are_bred(mode: str) -> None:
    table, client, received = opened(f"chaos:{mode}", profile="ann")
    for _ in range(2):
        received = turn(client, received)
        table.work()
    (known,) = client.ask(type="list", profile_show="ann")["profiles"]
    assert known["hybrids"] == 10 and known["mode"] == mode


def test_arrangements_are_recorded_if_requested() -> None:
    _, client, received = opened("chaos:fixed:1", arrangements=True)
    turn(client, received, 3)
    client.say(type="resign", game_id="g-31")
    client.received()
    (line,) = client.ask(type="record", game_id="g-31", format="arrangements")["lines"]
    assert '"units":[["drone",' in line and line.count("drone") == 3
    assert client.ask(type="record", game_id="g-31", format="csv")["code"] == "invalid_params"


def test_an_empty_arrangement_is_rated() -> None:
    table, client, received = opened("chaos:best")
    received = act(client, decide_of(received), NOTHING)
    table.work()
    assert of_kind(act(client, decide_of(received), NOTHING), "ratings")[0]["best"] == 0


def _encoded(action: Message) -> bytes:
    import json

    return json.dumps(action).encode()


# -- Owners ----------------------------------------------------------------------------------------

ANN = {"profile": "Ann"}
CODE = "not_permitted"


def owned(server: FakeServer, address: str = "10.0.0.1") -> tuple[Client, str, str]:
    """A remote client with a game that has made a profile: the client, the game's id, the token."""
    client = server.player(address=address)
    created = begun(client, "chaos:seed", options=ANN)[0]
    return client, created["game_id"], created["profile_token"]


def test_a_profile_is_used_by_its_owner_alone(tmp_path: Path) -> None:
    server = protection_server(tmp_path)
    _, _, token = owned(server)
    stranger = server.player(address="10.0.0.2")
    for attempt in (
        {},
        {"profile_token": "p-99"},
        {"profile_token": token[:-1]},
        {"options": {**ANN, "reset": True}},
    ):
        (error,) = begun(stranger, "chaos:seed", **{"options": ANN, **attempt})
        assert (error["code"], error["data"]["path"]) == (CODE, "$.profile_token"), attempt
    created = begun(stranger, "chaos:seed", options=ANN, profile_token=token)[0]
    assert created["type"] == "created" and "profile_token" not in created, "it comes only once"
    assert begun(server.player(), "chaos:seed", options=ANN)[0]["type"] == "created", (
        "a program of this machine"
    )
    server.flush_profiles()
    text = (tmp_path / "Ann.apu").read_text()
    assert token not in text and (tmp_path / "Ann.apu").stat().st_mode & 0o777 == 0o600
    again = protection_server(tmp_path).player(address="10.0.0.3")
    assert begun(again, "chaos:seed", options=ANN)[0]["code"] == CODE
    assert begun(again, "chaos:seed", options=ANN, profile_token=token)[0]["type"] == "created"


def test_a_name_in_another_spelling_is_the_same_profile() -> None:
    server = protection_server()
    owned(server)
    stranger = server.player(address="10.0.0.2")
    (error,) = begun(stranger, "chaos:seed", options={"profile": " Ann "})
    assert error["code"] == CODE


def test_a_profile_is_read_by_its_owner_alone() -> None:
    server = protection_server()
    owner, game_id, token = owned(server)
    owner.say(type="resign", game_id=game_id)
    owner.received()
    stranger = server.player(address="10.0.0.2")
    machine = server.player()
    for question in ({"type": "record", "format": "apu"}, {"type": "explain"}):
        assert stranger.ask(game_id=game_id, **question)["code"] == CODE
        assert owner.ask(game_id=game_id, **question)["type"] != "error"
    assert stranger.ask(type="explain", game_id=game_id, profile_token=token)["type"] == "explained"
    assert stranger.ask(type="record", game_id=game_id)["type"] == "recorded", (
        "the record of the game is public"
    )
    assert machine.ask(type="explain", game_id=game_id)["type"] == "explained"
    lines = owner.ask(type="record", format="apu", game_id=game_id)["lines"]
    assert not any(line.startswith(("O", "V")) for line in lines)


def test_a_player_who_joins_a_game_cannot_read_its_profile() -> None:
    server = protection_server()
    owner = server.player(address="10.0.0.1")
    created = begun(owner, "chaos:seed", seats=["open", "chaos:seed"], options=ANN)[0]
    stranger = server.player(address="10.0.0.2")
    stranger.say(type="join", game_id=created["game_id"])
    stranger.say(type="resign", game_id=created["game_id"])
    stranger.received()
    assert stranger.ask(type="record", format="apu", game_id=created["game_id"])["code"] == CODE


def test_a_profile_is_shown_and_deleted_by_its_owner() -> None:
    server = protection_server()
    owner, _, token = owned(server)
    stranger = server.player(address="10.0.0.2")
    for field in ("profile_show", "profile_delete"):
        for attempt in ({}, {"profile_token": "p-99"}):
            assert stranger.ask(type="list", **{field: "Ann"}, **attempt)["code"] == CODE
    both = {"profile_show": "Bob", "profile_delete": "Ann", "profile_list": True}
    assert stranger.ask(type="list", **both, profile_token=token)["code"] == CODE
    (shown,) = owner.ask(type="list", profile_show="Ann", profile_token=token)["profiles"]
    assert shown["name"] == "Ann" and not any(line.startswith("O") for line in shown["file"])
    assert owner.ask(type="list", profile_delete="Ann", profile_token=token)["profiles"] == []
    created = begun(stranger, "chaos:seed", options=ANN)[0]
    assert created["profile_token"] != token, "the name is free again"


def test_a_game_of_a_former_owner_does_not_change_the_new_profile() -> None:
    server = protection_server()
    owner, game_id, token = owned(server)
    owner.ask(type="list", profile_delete="Ann", profile_token=token)
    _, _, other = owned(server, "10.0.0.2")
    owner.say(type="resign", game_id=game_id)
    owner.received()
    (shown,) = server.player(address="10.0.0.2").ask(type="list", profile_show="Ann", profile_token=other)[
        "profiles"
    ]
    assert (shown["wins"], shown["losses"]) == (0, 0)


def test_a_profile_without_an_owner_belongs_to_this_machine(tmp_path: Path) -> None:
    (tmp_path / "Ann.apu").write_text(dumps(Profile(wins=1)))
    server = protection_server(tmp_path)
    assert begun(server.player(address="10.0.0.1"), "chaos:seed", options=ANN)[0]["code"] == CODE
    created = begun(server.player(), "chaos:seed", options=ANN)[0]
    assert created["type"] == "created" and "profile_token" not in created


def test_the_number_of_new_profiles_per_address_and_hour_is_limited() -> None:
    server = protection_server(limits=GameLimits(profiles_per_hour=2, games_per_session=99))
    client = server.player(address="10.0.0.1")
    for name in ("One", "Two", "Two", "Three"):
        answer = begun(client, "chaos:seed", options={"profile": name}, profile_token="p-2")[0]
        assert (answer["type"], answer.get("code")) == (
            ("created", None) if name != "Three" else ("error", "rate_limited")
        )
    assert answer["data"]["retry_ms"] == 3600_000
    assert begun(client, "chaos:seed")[0]["type"] == "created", "without a profile"
    other = server.player(address="10.0.0.2")
    assert begun(other, "chaos:seed", options={"profile": "Three"})[0]["profile_token"]
    server.wait(3600)
    again = server.player(address="10.0.0.1")
    assert begun(again, "chaos:seed", options={"profile": "Four"})[0]["profile_token"]


def test_a_refused_game_makes_no_profile() -> None:
    server = protection_server()
    client = server.player(address="10.0.0.1")
    assert begun(client, "chaos:seed", options={**ANN, "detail": "all"})[0]["code"] == "invalid_params"
    assert server.games.adapters["protection"].profiles.names() == []  # type: ignore[union-attr]
