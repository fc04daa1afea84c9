"""Examples of the JSON lines from games that are played for the reference, the same lines each time."""

import json
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import Any, Final

from core.random import Random
from engines.seeds import SeededStreams
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.local import LocalClient, LocalRuntime, Message, Refused
from protocols.jsonl.server import Environment, GameServer, IdGenerator
from tools.games import game_adapters

MAX_ITEMS: Final = 3  # shown of a list
MAX_LETTERS: Final = 70  # of a text
MAX_FIELDS: Final = 12  # of an object
LEFT_OUT: Final = "…"
# Lines that do not occur in small games.
RARE: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "server": {
        "ping": {"type": "ping", "id": "ping"},
        "gap": {"type": "gap", "missed": 12},
        "kept": {"type": "kept", "game_id": "g-1", "kept": False},
    },
    "acquire actions": {
        "order": {"kind": "order", "chain": "Luxor"},
        "pass": {"kind": "pass"},
    },
    "acquire events": {
        "no_tile": {"kind": "no_tile", "seat": 1},
    },
    "protection actions": {
        "strategy": {"kind": "strategy", "pool": 17},
    },
    "protection events": {
        "roster": {"kind": "roster", "turn": 3, "roster": []},
    },
}
COMMON: Final = (
    {"kind": "forced", "seat": 0, "reason": "timeout"},
    {"kind": "left", "seat": 1},
    {"kind": "rejoined", "seat": 1},
)
HEAD: Final = {"type": "event", "game_id": "g-1", "seq": 9}  # the first fields of an event

Examples = defaultdict[str, dict[str, str]]  # lines by kind and type


def examples() -> Examples:
    """Return the first line of each type in each direction, shortened, and those of actions and events by kind."""
    found: Examples = defaultdict(dict)
    adapters = game_adapters()
    for kind, lines in RARE.items():
        head = HEAD if kind.endswith(" events") else {}
        found[kind] |= {name: _text(head | line) for name, line in lines.items()}
    for game in adapters:
        found[f"{game} events"] |= {str(event["kind"]): _text(HEAD | event) for event in COMMON}
    _record_conversation(found, adapters)
    _matches(found, adapters)
    for variant, seats in (("classic", 4), ("thesis-2002", 2), ("classic", 3), ("classic", 4)):
        _acquire(found, adapters, variant, seats)
    _protection(found, adapters)
    _chess(found, adapters)
    return found


class _Ids(IdGenerator):
    """A generator of consecutive IDs, with a constant seed."""

    def __init__(self, seed: int) -> None:
        self.first_decide = 1
        self._counted = {letter: count(1) for letter in "srgm"}
        self._seed = SeededStreams(seed, "salt")

    def session(self) -> str:
        return f"s-{next(self._counted['s'])}"

    def token(self) -> str:
        return f"r-{next(self._counted['r'])}"

    def game(self) -> str:
        return f"g-{next(self._counted['g'])}"

    def match(self) -> str:
        return f"m-{next(self._counted['m'])}"

    def seed(self) -> SeededStreams:
        return self._seed


class _Runtime(LocalRuntime):
    """A runtime in which no time passes."""

    time = staticmethod(lambda: 0.0)


class _Client(LocalClient):
    """A client whose lines are recorded in both directions."""

    def __init__(self, found: Examples, server: GameServer, runtime: LocalRuntime) -> None:
        super().__init__(server, runtime)
        self._found = found

    def say(self, **message: Any) -> list[Message]:
        self._found["client"].setdefault(message["type"], _text(message))
        return super().say(**message)

    def received(self) -> list[Message]:
        lines = super().received()
        for line in lines:
            if "table" in line:  # its duration differs each time
                line["table"] = [row | {"seconds": 0.1} for row in line["table"]]
            self._found["server"].setdefault(line["type"], _text(line))
        return lines


def _clients(
    found: Examples, adapters: Mapping[str, GameAdapter], names: tuple[str, ...], seed: int = 7
) -> list[_Client]:
    """Return clients of a new server with these names."""
    runtime = _Runtime()
    server = GameServer(adapters, Environment(runtime=runtime), ids=_Ids(seed), name="galapagos")
    clients = [_Client(found, server, runtime) for _ in names]
    for client, name in zip(clients, names, strict=True):
        role = "director" if name == "Director" else "player"
        client.say(type="hello", versions=[1], name=name, role=role)
    return clients


def _record_conversation(found: Examples, adapters: Mapping[str, GameAdapter]) -> None:
    """Record the conversation of two players and a spectator, with other requests of each."""
    ann, bob, eve, again = _clients(found, adapters, ("Ann", "Bob", "Eve", "Ann"))
    ann.say(type="ping", id=1)
    ann.say(type="describe", id=2, game="chess")
    ann.say(type="limits", id=3)
    ann.say(type="create", id=4, game="acquire", variant="thesis-2002", seats=["me", "open"])
    bob.say(type="list", id=1, what="games", state="open")
    lines = bob.say(type="join", id=2, game_id="g-1") + ann.received()
    eve.say(type="watch", id=1, game_id="g-1", from_seq=0)
    eve.say(type="unwatch", id=2, game_id="g-1")
    decide = next(line for line in lines if line["type"] == "decide")
    ann_is_due = decide["seat"] == 0
    first, second = (ann, bob) if ann_is_due else (bob, ann)
    first.say(type="state", id=5, game_id="g-1")
    action = decide["legal"]["actions"][0]
    first.say(type="check", id=6, re=decide["id"], game_id="g-1", action={"kind": "pass"})
    first.say(type="action", id=7, re=decide["id"], game_id="g-1", seq=decide["seq"], action=action)
    second.received()
    again.say(type="resume", id=8, token="r-1", games=[{"game_id": "g-1", "from_seq": 1}])
    ann.received()
    bob.say(type="resign", id=9, game_id="g-1")
    again.received()
    bob.say(type="record", id=10, game_id="g-1")
    bob.say(type="explain", id=11, game_id="g-1")
    bob.say(type="create", id=12, game="acquire", seats=["me", "open"])
    bob.say(type="leave", id=13, game_id="g-2")
    with suppress(Refused):
        bob.say(type="create", id=14, game="go", seats=["me", "open"])
    bob.say(type="bye")
    found["client"]["pong"] = _text({"type": "pong", "re": "ping"})


def _matches(found: Examples, adapters: Mapping[str, GameAdapter]) -> None:
    (director,) = _clients(found, adapters, ("Director",))
    director.say(
        type="match", id=1, game="acquire", players=["random", "heuristic"], games=30, mirror=True, seed=7
    )
    director.say(type="match_cancel", id=2, match_id="m-1")


def _acquire(found: Examples, adapters: Mapping[str, GameAdapter], variant: str, seats: int) -> None:
    """Record a whole game of random actions, whose end is announced as soon as possible."""
    rng = Random(seats)
    (client,) = _clients(found, adapters, ("Ann",), seed=seats)
    lines = client.say(type="create", game="acquire", variant=variant, seats=["me"] * seats)
    while lines and lines[-1]["type"] == "decide":
        _note_game(found, "acquire", lines)
        legal = lines[-1]["legal"]
        action = legal["actions"][int(rng.below(len(legal["actions"])))]
        if legal.get("may_end") and action["kind"] == "place":
            action["end"] = True
        lines = _act(found, "acquire", client, lines[-1], action)
    _note_game(found, "acquire", lines)


def _protection(found: Examples, adapters: Mapping[str, GameAdapter]) -> None:
    (client,) = _clients(found, adapters, ("Ann",))
    options = {"detail": "phases", "observe_ai": True}
    lines = client.say(
        type="create", game="protection", variant="improved", seats=["me", "chaos:pilot"], options=options
    )
    for turn in range(1, 4):
        _note_game(found, "protection", lines)
        rules = lines[-1]["legal"]["rules"]
        free = f"{int(rules['free'], 16):0576b}"
        squares = [(square % 24, square // 24) for square, bit in enumerate(free) if bit == "1"][: 2 + turn]
        place = [{"unit": "settler", "at": list(at)} for at in squares[:2]]
        lines = _act(found, "protection", client, lines[-1], {"kind": "setup", "place": place, "salvage": []})
    _note_game(found, "protection", lines)
    client.say(type="replay", id=1, game_id="g-1", turn=1, **{"from": 1, "to": 2})


def _chess(found: Examples, adapters: Mapping[str, GameAdapter]) -> None:
    (client,) = _clients(found, adapters, ("Ann",))
    lines = client.say(type="create", game="chess", seats=["me", "me"])
    _note_game(found, "chess", lines)
    _note_game(found, "chess", _act(found, "chess", client, lines[-1], {"kind": "move", "uci": "e2e4"}))


def _act(
    found: Examples, game: str, client: _Client, decide: Message, action: dict[str, Any]
) -> list[Message]:
    found[f"{game} actions"].setdefault(action["kind"], _text(action))
    return client.say(type="action", re=decide["id"], game_id=decide["game_id"], action=action)


def _note_game(found: Examples, game: str, lines: list[Message]) -> None:
    for line in lines:
        if line["type"] == "event":
            found[f"{game} events"].setdefault(line["kind"], _text(line))


def _text(message: Message) -> str:
    return json.dumps(_shortened(message), ensure_ascii=False, separators=(",", ":"))


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return (
            value
            if len(value) <= MAX_LETTERS or value.startswith("sha256:")
            else value[:MAX_LETTERS] + LEFT_OUT
        )
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        kept = [_shortened(each) for each in value[:MAX_ITEMS]]
        return kept if len(value) <= MAX_ITEMS else [*kept[:-1], LEFT_OUT]
    if isinstance(value, dict):
        if "$defs" in value or "$ref" in value or len(value) > 2 * MAX_FIELDS:
            return {LEFT_OUT: LEFT_OUT}
        return {name: _shortened(each) for name, each in value.items()}
    return value
