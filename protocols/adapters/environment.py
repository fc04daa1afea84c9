"""Advanced Protection as an environment for learning programs: a thin client of the JSON lines.

reset() and step() have the shapes of Gymnasium's methods, but Gymnasium is not needed: a program that wants its
spaces makes them from `observation_shape` and `units`. An observation holds `planes` (24 x 24 bytes each, which numpy
reads without a copy by numpy.asarray), `scalars` (the turn, and dollars) and `ids` (the number of the unit on each
square).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.protection.rules import RULES, SIDE, TERRAINS
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.local import Message, local_clients

GROUND: Final = "".join(terrain.letter for terrain in TERRAINS)  # one plane each
UNITS: Final = tuple(unit.name for unit in RULES["improved"].units[1:])
PLANES: Final = (*GROUND, "gold", *UNITS, "free")
SCALARS: Final = ("turn", "treasury", "human_value", "chaos_value")
ILLEGAL: Final = -1.0  # the reward of a refused setup, which changes nothing

Placement = tuple[str | int, int, int]  # a unit by name or number, x, y
Observation = dict[str, Any]


class ProtectionEnvironment:
    """An environment that plays the human's side, a whole turn at a step.

    An action is a list of placements, or {"place": placements, "salvage": numbers of units}. The reward of a turn is
    the increase of the human's share of both sides' values; these rewards add up to less than 1. At the end of a
    game, 1 is added for a win and subtracted for a loss.
    """

    observation_shape: Final = (len(PLANES), SIDE, SIDE)
    units: Final = UNITS

    def __init__(self, binding: GameAdapter, chaos: str = "chaos:pilot", variant: str = "improved") -> None:
        """Create an environment for the game `binding`, an adapter as the server has it."""
        self._binding = binding
        self._chaos = chaos
        self._variant = variant
        self._board: Message = {}
        self._decide: Message = {}
        self._observation: Observation = {}

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, Message]:
        """Start a new game, giving up a running one, and return (observation, info).

        Raises Refused for options with which no game is possible.
        """
        self.close()
        # Each game has a server of its own, because a server keeps all games that it has run.
        (self._client,) = local_clients({"protection": self._binding})
        self._client.say(type="hello", versions=[1], name="environment")
        messages = self._client.say(
            type="create", game="protection", variant=self._variant, seats=["me", self._chaos], seed=seed,
            options=dict(options or {}),
        )  # fmt: skip
        self._board = next(line for line in messages if line["type"] == "start")
        return self._follow(messages)[0], {"game_id": self._board["game_id"]}

    def step(
        self, action: Sequence[Placement] | Mapping[str, Any]
    ) -> tuple[Observation, float, bool, bool, Message]:
        """Play a turn and return (observation, reward, terminated, truncated, info).

        `info` has the `events` of the turn and the `result` of a finished game; for an illegal setup, which changes
        nothing and has the reward ILLEGAL, it has the `problems`. A game that reaches the turn cap is truncated.
        Raises ValueError if no game is running.
        """
        if not self._decide:
            raise ValueError("no game is running; call reset() first")
        setup = _setup(action)
        before, game_id = _share(self._observation), self._decide["game_id"]
        (checked,) = self._client.say(type="check", re=self._decide["id"], game_id=game_id, action=setup)
        if not checked["ok"]:
            return self._observation, ILLEGAL, False, False, {"problems": checked["problems"]}
        messages = self._client.say(type="action", re=self._decide["id"], game_id=game_id, action=setup)
        observation, result = self._follow(messages)
        reward = _share(observation) - before
        if result:
            reward += result["score"][0] - result["score"][1]
        is_capped = bool(result) and result["reason"] == "turn_cap"
        info = {"events": [line for line in messages if line["type"] == "event"], "result": result}
        return observation, reward, bool(result) and not is_capped, is_capped, info

    @property
    def legal(self) -> Message:
        """The prices, refunds and free squares of the open decision, as in `decide`; empty if no decision is open."""
        return dict(self._decide["legal"]["rules"]) if self._decide else {}

    def close(self) -> None:
        """Give up the running game, if there is one."""
        if self._decide:
            self._client.say(type="resign", game_id=self._decide["game_id"])
            self._decide = {}

    def _follow(self, messages: Sequence[Message]) -> tuple[Observation, Message]:
        """Return the new observation, and the result of the game or {} if it has not ended."""
        end = next((line for line in messages if line["type"] == "end"), None)
        self._decide = {} if end else next(line for line in messages if line["type"] == "decide")
        if end:
            (answer,) = self._client.say(type="state", game_id=self._board["game_id"])
            seen, free = answer["observation"], "0"
        else:
            seen, free = self._decide["observation"], self._decide["legal"]["rules"]["free"]
        self._observation = _observed(self._board, seen, free)
        return self._observation, end["result"] if end else {}


def _setup(action: Sequence[Placement] | Mapping[str, Any]) -> Message:
    parts: Mapping[str, Any] = action if isinstance(action, Mapping) else {"place": action}
    place = [
        {"unit": UNITS[unit] if isinstance(unit, int) else unit, "at": [int(x), int(y)]}
        for unit, x, y in parts.get("place", ())
    ]
    return {"kind": "setup", "place": place, "salvage": [int(number) for number in parts.get("salvage", ())]}


def _observed(board: Message, seen: Message, free: str) -> Observation:
    """Return an observation: planes in the order of PLANES, row by row; scalars; and units' ids, for salvage."""
    cells = bytearray(len(PLANES) * SIDE * SIDE)

    def mark(plane: int, x: int, y: int) -> None:
        cells[(plane * SIDE + y) * SIDE + x] = 1

    for y, row in enumerate(board["map"]):
        for x, symbol in enumerate(row):
            mark(GROUND.index(symbol), x, y)
    for x, y in board["gold"]:
        mark(PLANES.index("gold"), x, y)
    for unit in seen["units"]:
        mark(PLANES.index(unit["unit"]), *unit["at"])
    for square, bit in enumerate(f"{int(free, 16):0{SIDE * SIDE}b}"):
        if bit == "1":
            mark(PLANES.index("free"), square % SIDE, square // SIDE)
    return {
        "planes": memoryview(cells).cast("B", (len(PLANES), SIDE, SIDE)),
        "scalars": tuple(int(seen[name]) for name in SCALARS),
        "ids": {tuple(unit["at"]): unit["id"] for unit in seen["units"]},
    }


def _share(observation: Observation) -> float:
    """Return the human's share of the sum of both sides' values."""
    *_, human, chaos = observation["scalars"]
    return float(human / max(human + chaos, 1))
