"""Records of Advanced Protection: games replay to the letter, and go on after a kill at any line of their journal."""

from pathlib import Path

import pytest

from protocols.jsonl.journal import Journal, restore, whole_lines
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.protection import ProtectionGameState, strategy_of
from protocols.jsonl.protection_explain import Strategy
from protocols.jsonl.record import RecordError, replay_record
from tests.protocols.jsonl.binding.protection.house import act, begun, binding, decide_of, drones, house
from tests.protocols.jsonl.fakes import FixedNames, House, returned

MONEY = {"human": 200, "chaos": 600}


def ended(path: Path, seats: list[str], detail: str = "phases") -> tuple[House, list[bytes]]:
    """A whole game, and its journal."""
    table = house(journal=Journal(path))
    guest = table.player(legal="rules")
    heard = begun(
        guest, seats=seats, options={"detail": detail, "money": MONEY, "turn_cap": 5, "profile": "ann"}
    )
    table.work()
    count = 9
    while "me" in seats and not any(line["type"] == "end" for line in heard):
        heard = act(guest, decide_of(heard), drones(decide_of(heard), count))
        table.work()
        count -= 1
    return table, whole_lines((path / "g-31.jsonl").read_bytes())


@pytest.mark.parametrize(
    "seats",
    [["me", "chaos:pilot"], ["user:mines", "chaos:best"], ["user:reactive", "chaos:random"],
     ["user:greedy", "chaos:seed"]],
    ids=" ".join,
)  # fmt: skip
def test_a_record_replays(seats: list[str], tmp_path: Path) -> None:
    table, lines = ended(tmp_path, seats)
    assert lines[-1].startswith(b'{"type":"end"')
    relived = replay_record(lines, binding(), JsonlLimits())
    assert relived.table.end_line and relived.events > 5
    known = table.hall.bindings["protection"].profiles
    assert known is not None
    before = known.show("ann")
    assert replay_record(lines, table.hall.bindings, JsonlLimits()).table.end_line
    assert known.show("ann") == before, "to tell a game again teaches nothing"


def test_a_changed_record_is_noticed(tmp_path: Path) -> None:
    _, lines = ended(tmp_path, ["me", "chaos:fixed:2"])
    (where,) = [number for number, line in enumerate(lines) if b'"kind":"turn_end","turn":1' in line]
    wrong = [*lines[:where], lines[where].replace(b'"produced":', b'"produced":1'), *lines[where + 1 :]]
    with pytest.raises(RecordError, match=f"line {where + 1}: "):
        replay_record(wrong, binding(), JsonlLimits())


def test_a_game_goes_on_after_a_kill_at_any_line(tmp_path: Path) -> None:
    """The same setups end it as it ended without the kill; Chaos plays fixed strings, which nothing has to teach."""
    _, whole = ended(tmp_path / "whole", ["me", "chaos:fixed:2"], "summary")
    resumed = 0
    for cut in range(2, len(whole)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "g-31.jsonl").write_bytes(b"\n".join(whole[:cut]) + b'\n{"type":"ev')
        journal = Journal(folder)
        table = house(journal=journal, names=FixedNames(first_game=31, first_session=1000))
        if not restore(table.hall, journal, table.now):
            continue
        guest = returned(table, "r-1")
        count = 9 - sum(b'"kind":"turn_end"' in line for line in whole[:cut])
        while not table.hall.tables["g-31"].is_over:
            heard = guest.heard()
            decides = [line for line in heard if line["type"] == "decide"]
            if not decides:
                break
            decide = decides[-1]
            guest.say(type="state", game_id="g-31")
            turn = guest.heard()[-1]["observation"]["turn"]
            action = drones(decide, 10 - turn)
            guest.say(type="action", re=decide["id"], game_id="g-31", seq=decide["seq"], action=action)
        assert count <= 9
        lines = whole_lines((folder / "g-31.jsonl").read_bytes())
        told = [line for line in lines if b'"kind":"turn_end"' in line]
        expected = [line for line in whole if b'"kind":"turn_end"' in line]
        assert [_without_seq(line) for line in told] == [_without_seq(line) for line in expected], (
            f"cut at {cut}"
        )
        resumed += 1
    assert resumed > 10


def test_chaos_goes_on_with_what_it_knew(tmp_path: Path) -> None:
    """After a kill the profile is that of its file, and the last arrangement is rated once more."""
    table = house(tmp_path / "profiles", journal=Journal(tmp_path / "games"))
    guest = table.player(legal="rules")
    heard = begun(guest, "chaos:calibrated", options={"profile": "ann"})
    act(guest, decide_of(heard), drones(decide_of(heard), 20))
    journal = Journal(tmp_path / "games")
    again = house(tmp_path / "profiles", journal=journal, names=FixedNames(first_game=31, first_session=1000))
    assert restore(again.hall, journal, again.now) == 1
    assert again.hall.bindings["protection"].profiles.names() == []  # type: ignore[union-attr]
    again.work()
    assert again.hall.bindings["protection"].profiles.names() == ["ann"]  # type: ignore[union-attr]
    guest = returned(again, "r-1")
    assert decide_of(guest.heard())["phase"] == "setup"


@pytest.mark.parametrize("profile", ["ann", None])
def test_the_pilot_goes_on_where_it_was(profile: str | None, tmp_path: Path) -> None:
    """The course of the game and what each string did on the last arrangement come back: the same string, for the same reason."""
    table = house(tmp_path / "profiles", journal=Journal(tmp_path / "games"))
    guest = table.player(legal="rules", observe="full")
    heard = begun(guest, "chaos:pilot", seed=3, options={"profile": profile})
    for count in (10, 15, 20):
        heard = act(guest, decide_of(heard), drones(decide_of(heard), count))
        table.work()
    journal = Journal(tmp_path / "games")
    again = house(tmp_path / "profiles", journal=journal, names=FixedNames(first_game=31, first_session=1000))
    assert restore(again.hall, journal, again.now) == 1
    unlearnt = next_strategy(again)
    again.work()
    before, after = next_strategy(table), next_strategy(again)
    assert before.aim and after.aim and unlearnt.aim
    assert (unlearnt.aim.done, unlearnt.aim.expected) == (0, None)
    assert (after.aim.done, after.aim.due, after.aim.ratio) == (250, before.aim.due, before.aim.ratio)
    assert after.aim.expected is not None
    assert (after.index, after.aim.expected) == (before.index, before.aim.expected)


def next_strategy(table: House) -> Strategy:
    """What Chaos would play now."""
    play = table.hall.tables["g-31"].play
    assert isinstance(play, ProtectionGameState) and play.opponent_model
    return strategy_of(play.opponent_model.mode.name, play.opponent_model.choose(play.game))


def _without_seq(line: bytes) -> bytes:
    return line.partition(b'"kind"')[2]
