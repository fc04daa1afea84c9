"""Advanced Protection as an environment of Gymnasium: a turn is built unit by unit and then played.

    environment = ProtectionGym(chaos="chaos:pilot")
    seen, info = environment.reset(seed=1)
    seen, reward, terminated, truncated, info = environment.step(environment.action_space.sample(info["action_mask"]))

An action is one number: 0 plays the turn; 1 + unit * 576 + square builds a unit there; 1 + 8 * 576 + square salvages
the unit there, which must have been built in an earlier turn. Squares count row by row from the upper left, units in
the order of protocols.adapters.environment.UNITS. The legal actions are in `info["action_mask"]`, and in action_masks()
for the learners of sb3-contrib.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy
from numpy.typing import NDArray

try:
    from gymnasium import Env
    from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
except ModuleNotFoundError as error:
    raise ImportError("this environment needs Gymnasium: pip install '.[gymnasium]'") from error

from core.protection.rules import SIDE, SQUARES
from protocols.adapters.environment import (
    ILLEGAL,
    PLANES,
    SCALARS,
    UNITS,
    Observation,
    Placement,
    ProtectionEnvironment,
)
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.local import Message
from protocols.jsonl.protection import ProtectionAdapter

GO: Final = 0  # the action that plays the turn
SALVAGE: Final = 1 + len(UNITS) * SQUARES  # the first action that salvages
ACTIONS: Final = SALVAGE + SQUARES
FREE: Final = PLANES.index("free")
FIRST_UNIT: Final = PLANES.index(UNITS[0])
THOUSAND: Final = 1000  # the unit of money in observations, in dollars
MAX_SCALAR: Final = 1e6
SEEDS: Final = 2**53  # the seed of a game is below

Seen = dict[str, NDArray[Any]]


class ProtectionGym(Env[Any, Any]):
    """An environment that plays the human's side, one unit at a step.

    An observation has `planes`, in the order of PLANES, including the units built this turn, and `scalars`: the turn,
    and in thousands of dollars the money left to spend and both sides' values. The rewards of the legal actions of a
    game add up to those of ProtectionEnvironment. An illegal action changes nothing and has the reward -1.
    """

    metadata: Final = {"render_modes": ["ansi"]}  # type: ignore[misc]  # Env declares a variable

    def __init__(
        self,
        chaos: str = "chaos:pilot",
        variant: str = "improved",
        render_mode: str | None = None,
        binding: GameAdapter | None = None,
    ) -> None:
        """Create an environment against the opponent `chaos`.

        engines/protection/README.md lists the opponents. `chaos:fixed:N`, which plays string N, and `chaos:random`
        answer at once; the others rate all strings first, which takes some tenths of a second a turn. `binding`
        replaces the server's own adapter of the game.
        """
        self.render_mode = render_mode
        self.action_space = Discrete(ACTIONS)
        self.observation_space = Dict(
            {
                "planes": MultiBinary((len(PLANES), SIDE, SIDE)),
                "scalars": Box(0.0, MAX_SCALAR, (len(SCALARS),), numpy.float32),
            }
        )
        self._world = ProtectionEnvironment(binding or ProtectionAdapter(), chaos, variant)
        self._begin({"planes": bytes(len(PLANES) * SQUARES), "scalars": (0,) * len(SCALARS), "ids": {}})

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Seen, Message]:
        """Start a new game and return (observation, info); `options` are those of the JSON message `create`.

        Raises ValueError for options with which no game is possible.
        """
        super().reset(seed=seed)
        seen, _ = self._world.reset(seed=int(self.np_random.integers(SEEDS)), options=options)
        self._begin(seen)
        return self._observation(), {"action_mask": self.action_masks()}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, Message]:
        """Build or salvage a unit, or play the turn; return (observation, reward, terminated, truncated, info).

        `info` has the new `action_mask`. After a played turn it also has the `events` of the turn and the
        `result` of the game, which is {} until the game has ended.

        Raises ValueError if no game is running.
        """
        if not self._prices:
            raise ValueError("no game is running; call reset() first")
        number = int(action)
        if not 0 <= number < ACTIONS or not self.action_masks()[number]:
            return self._observation(), ILLEGAL, False, False, {"action_mask": self.action_masks()}
        if number == GO:
            setup = {"place": self._placed, "salvage": self._salvaged}
            seen, reward, terminated, truncated, more = self._world.step(setup)
            self._begin(seen)
            return (
                self._observation(),
                reward,
                terminated,
                truncated,
                {**more, "action_mask": self.action_masks()},
            )
        if number < SALVAGE:
            self._place(*divmod(number - 1, SQUARES))
        else:
            self._take_back(number - SALVAGE)
        return self._observation(), 0.0, False, False, {"action_mask": self.action_masks()}

    def action_masks(self) -> NDArray[numpy.int8]:
        """Return a mask of all actions: 1 for each legal action, 0 for each other."""
        mask = numpy.zeros(ACTIONS, numpy.int8)
        if not self._prices:
            return mask
        mask[GO] = 1
        free = self._planes[FREE].ravel()
        for unit, name in enumerate(UNITS):
            if self._prices[name]["cost"] <= self._dollars:
                mask[1 + unit * SQUARES : 1 + (unit + 1) * SQUARES] = free
        mask[[SALVAGE + square for square in self._ids if square not in self._salvaged_squares]] = 1
        return mask

    def render(self) -> str | None:
        """Return the board as text, rows from the top: units as digits 1 to 8, free squares as dots."""
        if self.render_mode is None:
            return None
        units = sum((index + 1) * self._planes[FIRST_UNIT + index].astype(int) for index in range(len(UNITS)))
        rows = zip(numpy.asarray(units), self._planes[FREE], strict=True)
        return "\n".join(
            "".join(str(unit) if unit else " ."[open] for unit, open in zip(*row, strict=True))
            for row in rows
        )

    def close(self) -> None:
        """Give up the running game, if there is one."""
        self._world.close()

    # -- A turn ------------------------------------------------------------------------------------

    def _begin(self, seen: Observation) -> None:
        """Set the state at the start of a turn, in which nothing has been built yet, from an observation."""
        shape = (len(PLANES), SIDE, SIDE)
        self._planes = numpy.array(bytearray(seen["planes"]), numpy.int8).reshape(shape)
        self._scalars = [float(value) for value in seen["scalars"]]
        self._ids = {y * SIDE + x: number for (x, y), number in seen["ids"].items()}
        legal = self._world.legal
        self._prices: dict[str, Message] = legal.get("units", {})
        self._refunds = {each["id"]: each["refund"] for each in legal.get("salvage", ())}
        self._dollars = int(legal.get("treasury", 0))
        self._placed: list[Placement] = []
        self._salvaged: list[int] = []
        self._salvaged_squares: set[int] = set()  # squares

    def _place(self, unit: int, square: int) -> None:
        y, x = divmod(square, SIDE)
        self._dollars -= self._prices[UNITS[unit]]["cost"]
        self._placed.append((unit, x, y))
        self._planes[FIRST_UNIT + unit, y, x] = 1
        self._planes[FREE, y, x] = 0

    def _take_back(self, square: int) -> None:
        number = self._ids[square]
        y, x = divmod(square, SIDE)
        self._dollars += self._refunds[number]
        self._salvaged.append(number)
        self._salvaged_squares.add(square)
        self._planes[FIRST_UNIT : FIRST_UNIT + len(UNITS), y, x] = 0
        self._planes[FREE, y, x] = 1

    def _observation(self) -> Seen:
        turn, _, human, chaos = self._scalars
        figures = [turn, self._dollars / THOUSAND, human / THOUSAND, chaos / THOUSAND]
        return {
            "planes": self._planes.copy(),
            "scalars": numpy.array(figures, numpy.float32).clip(0.0, MAX_SCALAR),
        }
