"""The replay of a turn on the page: frame by frame the one that the terminal's log is told by."""

import json
import re
from typing import Any

import msgspec
from playwright.async_api import Page

from core.protection.rules import SIDE
from protocols.jsonl.protection_state import ProtectionGameState
from tests.browser.conftest import Serve
from tests.protocols.jsonl.protection_games import begun, decide_of, free, of_kind, protection_server
from tests.tools.play.test_protection_field import PLACED, RULE, WALKS
from tools.play.protection_field import Frame, frames

SEEDS = range(4)
DEVELOP = """async ([units, events, minions]) => {
  const { Replay } = await import("/static/protection_replay.js");
  const replay = new Replay(new Map(units), events, minions);
  return replay.frames.map((frame) => [
    [...frame.minions].map(([number, { at, facing }]) => [number, at, facing]),
    [...frame.units],
  ]);
}"""


async def test_the_page_replays_the_same_frames_as_the_terminal(serve: Serve, page: Page) -> None:
    await page.goto(await serve())
    for seed in SEEDS:
        units, events = play_turn(seed)
        roster = [minion for event in of_kind(events, "roster") for minion in event["roster"]]
        replay = list(frames(units, roster, of_kind(events, "phases"), RULE))
        standing = [[square_at(at), {"unit": unit}] for at, unit in units.items()]
        shown = await page.evaluate(DEVELOP, [standing, events, RULE["minions"]])
        assert [frame_as_json(frame) for frame in replay] == shown
        assert len(replay) == 51 and len(replay[-1].units) < len(units)


def play_turn(seed: int) -> tuple[dict[tuple[int, int], str], list[dict[str, Any]]]:
    """Units as its phases begin, and what `replay` tells: of all kinds, on both sides."""
    table = protection_server()
    player = table.player()
    messages = begun(player, seed=seed, options={"money": {"human": 14_000, "chaos": 14_000}})
    play = table.games.games["g-31"].state
    assert isinstance(play, ProtectionGameState)
    squares = list(free(decide_of(messages)))[seed::5][:80]
    units = {(x, y): PLACED[index % len(PLACED)] for index, (x, y) in enumerate(squares)}
    place = [{"unit": unit, "at": at} for at, unit in units.items()]
    moves = {
        0: play.parse_action(0, json.dumps({"kind": "setup", "place": place}).encode()),
        1: play.parse_action(1, json.dumps({"kind": "strategy", "string": WALKS}).encode()),
    }
    play.apply(moves)
    events = [msgspec.to_builtins(event) for event in play.replay(1, 1, None, 60_000)()]
    return units, events


def frame_as_json(frame: Frame) -> list[Any]:
    minions = [[number, square_at(each.at), each.facing] for number, each in frame.minions.items()]
    return [minions, [[square_at(at), unit] for at, unit in frame.units.items()]]


def square_at(at: tuple[int, int]) -> int:
    return at[1] * SIDE + at[0]


SENTENCES = """async () => {
  const { FightLog } = await import("/static/protection_replay.js");
  const log = new FightLog();
  const fight = { by: 1, at: 0, n: 4, of: 21, win: true };
  const fights = [{ ...fight, kind: "attack", plunder: 30 }, { ...fight, kind: "mine", win: false }];
  const frames = [{ units: new Map([[0, "drone"]]), fights: [] }, { units: new Map(), fights }];
  log.show({ frames, kinds: new Map([[1, { name: "scout", attack: 15 }]]) }, 1, new Map([["drone", { name: "drone", attack: 3 }]]));
  return [...log.list.children].map((line) => line.textContent);
}"""


async def test_fights_are_told_in_sentences(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}help")
    mine, attack = await page.evaluate(SENTENCES)
    assert re.fullmatch(
        r"Phase 1: The scout attacks the drone at \(\d+, \d+\)\. It has a chance of 15 in 21, and wins and plunders \$30\.",
        attack,
    )
    assert re.fullmatch(
        r"Phase 1: The mine at \(\d+, \d+\) goes off under the scout\. It has a chance of \d+ in 21, and does it no harm\.",
        mine,
    )
