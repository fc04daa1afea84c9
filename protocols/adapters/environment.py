"""Advanced Protection as an environment for learning programs: a thin client of the JSON lines.

reset() and step() have the shapes of Gymnasium's, which is not needed: a program that wants spaces of its classes
makes them from `observation_shape` and `units`. An observation holds `planes`, 24 x 24 bytes each, which numpy
reads without a copy (numpy.asarray), and `scalars`, dollars and the turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.protection.rules import RULES, SIDE, TERRAINS
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.local import Message, local_clients

GROUND: Final = "".join(terrain.letter for terrain in TERRAINS)  # a plane each
UNITS: Final = tuple(unit.name for unit in RULES["improved"].units[1:])
PLANES: Final = (*GROUND, "gold", *UNITS, "free")
SCALARS: Final = ("turn", "treasury", "human_value", "chaos_value")
ILLEGAL: Final = -1.0  # the reward of a setup that was refused; nothing has happened then

Placement = tuple[str | int, int, int]  # a unit by name or number, x, y
Observation = dict[str, Any]


class ProtectionEnvironment:
    """The human's side. An action is a list of placements, or {"place": placements, "salvage": numbers of units}.

    The reward of a turn is how much more of both values together is the human's, which adds up to less than 1; at
    the end of a game 1 is added for a win, and taken for a loss.
    """

    observation_shape: Final = (len(PLANES), SIDE, SIDE)
    units: Final = UNITS

    def __init__(self, binding: GameAdapter, chaos: str = "chaos:pilot", variant: str = "improved") -> None:
        """`binding` is the game, as the server has it."""
        self._binding = binding
        self._chaos = chaos
        self._variant = variant
        self._board: Message = {}
        self._decide: Message = {}
        self._observation: Observation = {}

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, Message]:
        """A new game: (observation, info). Refused for options that make none; a game under way is given up."""
        self.close()
        # A server of its own: one that has run many games would keep them all.
        (self._client,) = local_clients({"protection": self._binding})
        self._client.say(type="hello", versions=[1], name="environment", legal="rules")
        messages = self._client.say(
            type="create", game="protection", variant=self._variant, seats=["me", self._chaos], seed=seed,
            options=dict(options or {}),
        )  # fmt: skip
        self._board = next(line for line in messages if line["type"] == "start")
        return self._follow(messages)[0], {"game_id": self._board["game_id"]}

    def step(
        self, action: Sequence[Placement] | Mapping[str, Any]
    ) -> tuple[Observation, float, bool, bool, Message]:
        """A turn: (observation, reward, terminated, truncated, info); info has its `events`, or `problems`."""
        if not self._decide:
            raise ValueError("reset() begins a game")
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
        """Prices, refunds and free squares of the turn that is due, as `decide` has them; empty if none is."""
        return dict(self._decide["legal"]["rules"]) if self._decide else {}

    def close(self) -> None:
        """The game is given up, if one is under way."""
        if self._decide:
            self._client.say(type="resign", game_id=self._decide["game_id"])
            self._decide = {}

    def _follow(self, messages: Sequence[Message]) -> tuple[Observation, Message]:
        """What is seen now, and the result if the game is over."""
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
    """Planes in the order of PLANES, row by row; ids of units for those who salvage."""
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
    """The human's part of both values."""
    *_, human, chaos = observation["scalars"]
    return float(human / max(human + chaos, 1))
