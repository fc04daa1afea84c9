"""A game written down while it is played."""

import json
from collections.abc import Callable, Iterator, Sequence

from core.acquire.game import new_game, shuffled_bag
from core.acquire.players import Player
from core.acquire.rules import PRESETS, GameSpec, tile_name
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.record.decision import FORMAT, Json, action_json, decision, events_json, outcome


def written(
    setting: GameSpec,
    bag: Sequence[int],
    choose: Callable[[AcquireState], int],
    seed: int = 0,
    names: Callable[[AcquireState], Sequence[str]] = lambda state: (),
) -> Iterator[str]:
    """The lines of the game that `choose` plays for all seats; `seed` is what the bag came from.

    `names` tells who sits there, by seat.
    """
    state = new_game(setting, list(bag), records_events=True)
    yield _line(_header(state, seed, names(state)))
    number = 0
    while not state.is_terminal():
        action = choose(state)
        seen = decision(state)
        yield _line(
            {"t": "decide", "n": number} | _news(state) | seen | {"action": action_json(state, action)}
        )
        state.apply(action)
        number += 1
    yield _line({"t": "final"} | outcome(state) | {"decisions": number, "events": _take_news(state)})


def recorded(
    setting: GameSpec, players: Sequence[Player], rotation: int, seed: int, names: Sequence[str]
) -> Iterator[str]:
    """The lines of the very game that core.acquire.playout.Tables plays, slower; `names` of the players."""
    source = Random(seed)
    bag = [int(tile) for tile in shuffled_bag(setting, source)]
    rngs = [Random(source.bits()) for _ in players]
    for player in players:
        player.begin()

    def player_at(state: AcquireState, seat: int) -> int:
        return (int(state.join_order[seat]) + rotation) % len(players)

    def choose(state: AcquireState) -> int:
        player = player_at(state, state.player())
        return int(players[player].choose(state.observation(state.player()), rngs[player]))

    def seated(state: AcquireState) -> list[str]:
        return [names[player_at(state, seat)] for seat in range(len(players))]

    return written(setting, bag, choose, seed, seated)


def _header(state: AcquireState, seed: int, names: Sequence[str]) -> Json:
    setting, rules = state.spec, state.spec.rules
    seats = int(setting.seats)
    drawn = [tile_name(rules, int(tile)) for tile in state.bag]
    first = seats if setting.has_position_tiles else 0
    header: Json = {
        "t": "game",
        "format": FORMAT,
        "preset": rules.name,
        "seed": seed,
        "players": seats,
        "chains": [chain.name for chain in rules.chains],
        "bag": drawn,
    }
    if names:
        header["names"] = list(names)
    if PRESETS.get(rules.name) != rules:
        header["rules"] = rules.text()
    if first:
        header["position"] = [drawn[int(state.join_order[seat])] for seat in range(seats)]
    hand = rules.hand
    starts = range(first, first + seats * hand, hand)
    return header | {"hands": [drawn[start : start + hand] for start in starts]}


def _news(state: AcquireState) -> Json:
    events = _take_news(state)
    return {"events": events} if events else {}


def _take_news(state: AcquireState) -> list[Json]:
    events = events_json(state.spec.rules, state.events)
    state.events.clear()
    return events


def _line(data: Json) -> str:
    return json.dumps(data, separators=(",", ":"))
