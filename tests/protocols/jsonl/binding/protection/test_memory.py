"""Ratings between turns: no turn waits for them, they are those of the rules, and a profile is touched by its games alone."""

from pathlib import Path
from typing import Any

import pytest

from engines.protection.adaptation import Calibration, GameHistory, Mode, choose_by_paper_rule
from engines.protection.chaos import Chaos, RatingJob, rate
from engines.protection.profile import Profile, loads
from engines.seeds import SeededStreams
from protocols.jsonl.protection import ProtectionGameState
from tests.protocols.jsonl.binding.protection.house import (
    NOTHING,
    act,
    begun,
    decide_of,
    drones,
    house,
    of_kind,
    pool,
)
from tests.protocols.jsonl.fakes import Guest, House

Message = dict[str, Any]


def opened(chaos: str, **options: Any) -> tuple[House, Guest, list[Message]]:
    table = house()
    guest = table.player(legal="rules", observe="full")
    return table, guest, begun(guest, chaos, seed=3, options={"observe_ai": True, **options})


def turn(guest: Guest, heard: list[Message], count: int = 10) -> list[Message]:
    return act(guest, decide_of(heard), drones(decide_of(heard), count))


def test_no_turn_waits_for_ratings() -> None:
    """Only one arrangement is rated at a time, however fast somebody plays; what is not there is told."""
    table, guest, heard = opened("chaos:seed")
    heard = turn(guest, heard)
    assert of_kind(heard, "turn_end"), "the turn is over, and nothing has been computed elsewhere"
    assert len(table.hall.errands) == 5
    for _ in range(3):
        heard = turn(guest, heard)
        (told,) = of_kind(heard, "ratings")
        assert (told["done"], told["of"], told["stale"]) == (0, 250, True)
    assert len(table.hall.errands) == 5, "those of the first turn"
    table.work(2)
    heard = turn(guest, heard)
    assert of_kind(heard, "ratings")[0]["done"] == 0, "they are of another turn"
    table.work()
    (told,) = of_kind(turn(guest, heard), "ratings")
    assert (told["done"], told["stale"]) == (250, False)


def test_part_of_the_ratings_is_told() -> None:
    table, guest, heard = opened("chaos:seed")
    heard = turn(guest, heard)
    table.work(3)
    (told,) = of_kind(turn(guest, heard), "ratings")
    assert (told["done"], told["of"], told["stale"]) == (150, 250, True)


@pytest.mark.parametrize("last_first", [False, True])
def test_the_string_is_the_one_that_the_rule_chooses(last_first: bool) -> None:
    """Ratings by hand, then the paper's rule by hand."""
    table, guest, heard = opened("chaos:seed")
    other, rival, before = house(), SeededStreams(3), decide_of(heard)
    quiet = other.player(legal="rules", observe="full")
    begun(quiet, "chaos:fixed:0", seed=3)
    same = other.hall.tables["g-31"].play
    assert isinstance(same, ProtectionGameState)
    same.game.set_up(same.parse_action(0, _encoded(drones(before, 10))))
    job = RatingJob.of(same.game.state, pool().packed, rival, 1, real_money=False)
    ratings = rate(job).ratings
    heard = turn(guest, heard)
    table.work(last_first=last_first)
    (told,) = of_kind(turn(guest, heard), "ratings")
    profile = Profile().rated(ratings)
    assert told["chosen"] == choose_by_paper_rule(0, 0, profile.ratings).index and told["best"] == min(
        profile.ratings
    )


def test_what_fails_elsewhere_is_not_learnt() -> None:
    table, guest, heard = opened("chaos:seed")
    heard = turn(guest, heard)
    for errand in table.hall.errands:
        errand.done(None, table.now)
    table.hall.errands.clear()
    assert of_kind(turn(guest, heard), "ratings")[0]["done"] == 0
    assert len(table.hall.errands) == 5, "the next arrangement is rated"


@pytest.mark.parametrize(("target", "aim"), [("novice", 0.6), ("expert", 0.4), (0.7, 0.7)])
def test_the_pilot_at_a_table_is_the_one_of_the_studies(target: str | float, aim: float) -> None:
    """The same games turn by turn as in the engine's own loop, with what was learnt in the turns before."""
    table, guest, heard = opened("chaos:pilot", target=target)
    mode = Mode("pilot", pool().starter, Calibration(aim=aim))
    chaos = Chaos(pool=tuple(each.genome for each in pool().entries), mode=mode, profile=Profile())
    ours = table.hall.tables["g-31"].play
    quiet = house()
    begun(quiet.player(legal="rules"), "chaos:fixed:0", seed=3)
    theirs = quiet.hall.tables["g-31"].play
    assert isinstance(theirs, ProtectionGameState) and isinstance(ours, ProtectionGameState)
    game, dues = theirs.game, set()
    for number in range(4):
        setup = drones(decide_of(heard), 10 + number)
        index = chaos.choose(GameHistory.of(game), game.streams).index
        game.set_up(theirs.parse_action(0, _encoded(setup)))
        job = chaos.rating_job(game.state, game.streams)
        chaos = chaos.rated(job, rate(job))
        game.play(chaos.string(index))
        heard = act(guest, decide_of(heard), setup)
        (told,) = of_kind(heard, "ratings")
        assert told["chosen"] == index
        table.work()
        plan = ours.opponent_model.choose(ours.game).choice.plan if ours.opponent_model else None
        dues.add(plan.is_due if plan else None)
    assert len(dues) == 1 and dues < {True, False}, "a game is settled once"


@pytest.mark.parametrize("mode", ["random", "fixed:7"])
def test_who_does_not_choose_by_ratings_makes_none(mode: str) -> None:
    table, guest, heard = opened(f"chaos:{mode}")
    turn(guest, heard)
    assert not table.hall.errands


def test_a_profile_counts_games_and_keeps_ratings(tmp_path: Path) -> None:
    table = house(tmp_path)
    guest = table.player(legal="rules")
    heard = begun(guest, "chaos:calibrated", options={"profile": "Ann B"}, seed=3)
    heard = turn(guest, heard)
    table.work()
    guest.say(type="resign", game_id="g-31")
    guest.heard()
    profile = loads((tmp_path / "Ann B.apu").read_text())
    assert (profile.wins, profile.losses, profile.mode, profile.rules[0]) == (0, 1, "calibrated", "improved")
    assert any(profile.ratings) and profile.pool == pool().hash
    begun(guest, "chaos:calibrated", options={"profile": "Ann B"}, seed=4)
    guest.say(type="resign", game_id="g-32")
    begun(guest, "chaos:calibrated", seed=4)  # nobody's
    guest.say(type="resign", game_id="g-33")
    assert loads((tmp_path / "Ann B.apu").read_text()) == profile.finished(False)
    assert [path.name for path in tmp_path.iterdir()] == ["Ann B.apu"]
    guest.heard()
    (*lines,) = guest.ask(type="record", game_id="g-32", format="apu")["lines"]
    assert loads("\n".join(lines)) == profile.finished(False)


@pytest.mark.parametrize("mode", ["pilot", "calibrated", "best"])
def test_hybrids_are_bred(mode: str) -> None:
    table, guest, heard = opened(f"chaos:{mode}", profile="ann")
    for _ in range(2):
        heard = turn(guest, heard)
        table.work()
    (known,) = guest.ask(type="list", profile_show="ann")["profiles"]
    assert known["hybrids"] == 10 and known["mode"] == mode


def test_arrangements_for_those_who_asked_for_them() -> None:
    _, guest, heard = opened("chaos:fixed:1", arrangements=True)
    turn(guest, heard, 3)
    guest.say(type="resign", game_id="g-31")
    guest.heard()
    (line,) = guest.ask(type="record", game_id="g-31", format="arrangements")["lines"]
    assert '"units":[["drone",' in line and line.count("drone") == 3
    assert guest.ask(type="record", game_id="g-31", format="csv")["code"] == "invalid_params"


def test_nothing_placed_is_rated_too() -> None:
    table, guest, heard = opened("chaos:best")
    heard = act(guest, decide_of(heard), NOTHING)
    table.work()
    assert of_kind(act(guest, decide_of(heard), NOTHING), "ratings")[0]["best"] == 0


def _encoded(action: Message) -> bytes:
    import json

    return json.dumps(action).encode()
