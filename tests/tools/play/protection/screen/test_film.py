"""A turn redrawn from the JSON lines: it ends as the rules ended it, and nobody walks where nobody can."""

import json

import msgspec
import pytest

from protocols.jsonl.binding.protection.lexicon import KINDS
from protocols.jsonl.binding.protection.play import ProtectionPlay
from tests.protocols.jsonl.binding.protection.house import begun, decide_of, free, house, of_kind
from tools.play.protection.screen.film import frames

WALKS = "4110333385547777c998bbbb0ddcffff" * 8 + "11212232"  # all kinds of minions
UNITS = ("settler", "mine", "drone", "armor", "artillery", "infantry", "mine", "mine")


@pytest.mark.parametrize("seed", range(12))
def test_the_last_frame_is_the_end_of_the_turn(seed: int) -> None:
    table = house()
    guest = table.player(legal="rules")
    money = {"human": 14_000, "chaos": 14_000}
    heard = begun(guest, seed=seed, options={"detail": "phases", "money": money})
    (start,) = [line for line in heard if line["type"] == "start"]
    play = table.hall.tables["g-31"].play
    assert isinstance(play, ProtectionPlay)
    squares = list(free(decide_of(heard)))[seed::5][:80]
    place = [{"unit": UNITS[index % len(UNITS)], "at": at} for index, at in enumerate(squares)]
    moves = {
        0: play.read(0, json.dumps({"kind": "setup", "place": place}).encode()),
        1: play.read(1, json.dumps({"kind": "strategy", "string": WALKS}).encode()),
    }
    events = [msgspec.to_builtins(happening.event) for happening in play.play(moves)]
    (begin,), (end,) = of_kind(events, "turn_start"), of_kind(events, "turn_end")
    units = {tuple(unit["at"]): unit["unit"] for unit in begin["placed"]}
    film = list(frames(units, begin["roster"], of_kind(events, "phases"), twice=(4, 6)))
    assert [frame.phase for frame in film] == list(range(51))
    for frame in film:
        for minion in frame.minions.values():
            ground = start["map"][minion.at[1]][minion.at[0]]
            assert ground != "^" and (ground != "~" or KINDS[minion.kind] == "amphibious")
            assert frame.units.get(minion.at) is None, "nobody stands on a unit"
    left = dict(begin["bought"])
    for name, count in end["chaos"]["lost"].items():
        left[name] -= count
    standing: dict[str, int] = dict.fromkeys(left, 0)
    for minion in film[-1].minions.values():
        standing[KINDS[minion.kind]] += 1
    assert standing == left
    by_id = {unit["id"]: tuple(unit["at"]) for unit in begin["placed"]}
    fallen = {by_id[each["id"]] for each in end["human"]["lost"]}
    assert set(film[-1].units) == set(units) - fallen and len(fallen) > 3
