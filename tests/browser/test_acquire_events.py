"""The page's own reading of the events of Acquire: it comes to the observations that the server sends."""

from typing import Any

import pytest
from playwright.async_api import Page

from protocols.jsonl.acquire import AcquireAdapter
from tests.browser.conftest import Serve
from tests.protocols.jsonl.fakes import FakeServer, FixedIds
from tests.protocols.jsonl.scripted import acquire

SETTLED = ("place", "buy")  # phases in which no founding and no merger is under way
READ = """async ([start, rules, steps]) => {
  const { Game } = await import("/static/acquire_game.js");
  const game = new Game(start, "Ann");
  game.begin(rules);
  return steps.map((events) => {
    for (const event of events) game.receive({ say: "", ...event });
    const { hand, idle, ...seen } = game.seen;
    return structuredClone(seen);
  });
}"""
OWN = ("hand", "idle")  # what the events do not say of the other seats


@pytest.mark.parametrize(("variant", "seats"), [("classic", 4), ("thesis-2002", 3), ("mini", 2)])
@pytest.mark.parametrize("holdings", ["open", "hidden"])
async def test_events_alone_lead_to_the_observations_of_the_server(
    serve: Serve, page: Page, variant: str, seats: int, holdings: str
) -> None:
    start, steps, expected = play(variant, seats, {"holdings": holdings})
    await page.goto(await serve())
    rules = start.get("rules") or AcquireAdapter().describe(variant).rules
    read = await page.evaluate(READ, [start, rules, steps])
    assert len(expected) > 3
    for found, wanted in zip(read, expected, strict=True):
        assert found == wanted


def play(variant: str, seats: int, options: dict[str, Any]) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """A whole game: its start, the events before each settled decision, and the observations there."""
    client = FakeServer(acquire(), ids=FixedIds()).player()
    lines = client.create(
        game="acquire", variant=variant, seats=["me", *["heuristic"] * (seats - 1)], seed=5, options=options
    )
    start: dict[str, Any] = {}
    steps: list[list[Any]] = []
    expected: list[dict[str, Any]] = []
    events: list[Any] = []
    while lines[-1]["type"] != "end":
        for line in lines:
            if line["type"] == "start":
                start = line
            elif line["type"] == "event":
                events.append(line)
        decide = lines[-1]
        if decide["phase"] in SETTLED:
            steps.append(events)
            events = []
            expected.append({key: value for key, value in decide["observation"].items() if key not in OWN})
        actions = decide["legal"]["actions"]
        action = actions[decide["seq"] % len(actions)]
        if decide["legal"].get("may_end"):
            action = {**action, "end": True}
        client.say(
            type="action", re=decide["id"], game_id=decide["game_id"], seq=decide["seq"], action=action
        )
        lines = client.received()
    return start, steps, expected
