"""Acquire as an environment of PettingZoo (AEC), in which each agent is a client of the JSON lines with its own seat.

    environment = AcquireEnvironment(("me", "me", "heuristic"), variant="thesis-7")

Each `me` is an agent, named by its place in `seats`: `player_0`, `player_1`; the others are players of the server.
Some variants draw the seating at random. Every action of a set of rules has a number, and the observation of a seat
is a row of figures; AcquireSpace defines both. The figures contain nothing that the JSON lines do not show to that
seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy
from numpy.typing import NDArray

try:
    from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise ImportError("this environment needs PettingZoo: pip install '.[pettingzoo]'") from error

from core.random import Random
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.local import LocalClient, Message, local_clients

PHASES: Final = ("place", "found", "survivor", "order", "dispose", "buy")
THOUSAND: Final = 1000  # dollars, the unit of money in observations
MAX_FIGURE: Final = 1000.0  # the upper bound of all figures
HIDDEN: Final = -1.0
SEEDS: Final = 2**53

Key = tuple[object, ...]
Observation = dict[str, NDArray[Any]]


class AcquireEnvironment(AECEnv):  # type: ignore[misc]  # its base class is not typed in every release
    """An environment of one game of Acquire. An observation has `observation`, float32, and `action_mask`, int8.

    Rewards come at the end of a game: the share of the other seats that an agent has beaten, less the share that has
    beaten the agent, from 1 for the first to -1 for the last; `infos` then has `worth` in dollars and `rank`.
    """

    metadata: Final = {"name": "galapagos_acquire_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        seats: Sequence[str] = ("me", "me"),
        variant: str = "classic",
        holdings: str = "open",
        render_mode: str | None = None,
        binding: GameAdapter | None = None,
    ) -> None:
        """Create an environment; each of `seats` is `me` for an agent, or names a player of the server.

        With `holdings` `hidden`, the cash and shares of other seats are -1. `binding` replaces the server's own
        adapter of the game. Raises ValueError if no seat is `me` or the variant is unknown.
        """
        super().__init__()
        self.render_mode = render_mode
        self._binding = binding or AcquireAdapter()
        self._chance: Random | None = None  # gives seeds to games that are reset without one
        self._seating = tuple(seats)
        self._variant = variant
        self._holdings = holdings
        self.possible_agents = [f"player_{place}" for place, name in enumerate(seats) if name == "me"]
        if not self.possible_agents:
            raise ValueError("at least one of the seats must be 'me'")
        (described,) = self._connect(1)[0].say(type="describe", game="acquire", variant=variant)
        self.space: Final = AcquireSpace(described["rules"], len(seats))
        self.agents: list[str] = []
        self._lines: dict[str, LocalClient] = {}
        self._seats: dict[str, int] = {}  # each agent's seat at the table
        self._decide: Message = {}
        self._spaces: dict[str, Space[Any]] = {
            agent: self._observed_space() for agent in self.possible_agents
        }
        self._choices: dict[str, Space[Any]] = {
            agent: Discrete(len(self.space.actions)) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations, the same for all agents."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions, the numbers of AcquireSpace."""
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new game; `options` may hold `rules`, the options of a JSON `create` (for example a bag).

        The seeds of games without one follow from the last seed that was given. Raises ValueError for rules with
        which no game is possible.
        """
        if seed is not None:
            self._chance = Random(seed)
        elif self._chance is not None:
            seed = int(self._chance.below(SEEDS))
        self.agents = list(self.possible_agents)
        self._lines = dict(zip(self.agents, self._connect(len(self.agents)), strict=True))
        first, *others = self.agents
        entries = ["open" if name == "me" else name for name in self._seating]
        entries[self._seating.index("me")] = "me"
        messages = {
            first: self._lines[first].say(
                type="create", game="acquire", variant=self._variant, seats=entries, seed=seed,
                options={"holdings": self._holdings, **((options or {}).get("rules") or {})},
            )
        }  # fmt: skip
        self._game_id = messages[first][0]["game_id"]
        for agent in others:
            messages[agent] = self._lines[agent].say(type="join", game_id=self._game_id)
        self._seats = {agent: lines[0]["seat"] for agent, lines in messages.items()}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Message] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._follow(messages)

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation; its `action_mask` is all 0 while another agent decides."""
        decide = None
        if self._decide and agent == self.agent_selection:
            decide, seen = self._decide, self._decide["observation"]
        else:
            (answer,) = self._lines[agent].say(type="state", game_id=self._game_id)
            seen = answer["observation"]
        mask = numpy.zeros(len(self.space.actions), numpy.int8)
        if decide is not None:
            mask[list(self.space.legal(decide))] = 1
        figures = self.space.figures_of(seen, self._seats[agent], decide)
        return {"observation": numpy.array(figures, numpy.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the selected agent. Raises ValueError, and changes nothing, if the action is illegal.

        For an agent whose game has ended, the action must be None.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in set(self.space.legal(self._decide)):
            raise ValueError(f"the action is not legal here: {self._named(action)}")
        messages = self._lines[agent].say(
            type="action", re=self._decide["id"], game_id=self._game_id,
            action=self.space.actions[action],
        )  # fmt: skip
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._follow({agent: messages})
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board as text, rows from A down, or None without a render mode or a game."""
        if self.render_mode is None or not self._lines:
            return None
        (answer,) = self._lines[self.possible_agents[0]].say(type="state", game_id=self._game_id)
        return "\n".join(answer["observation"]["board"])

    def close(self) -> None:
        """Give up the game."""
        self._lines = {}

    # -- Clients -----------------------------------------------------------------------------------

    def _named(self, action: int | None) -> str:
        """Return an illegal action as an error message names it."""
        if action is None or not 0 <= action < len(self.space.actions):
            return f"{action!r}; an action must be a number below {len(self.space.actions)}"
        return f"{action}, {self.space.actions[action]}"

    def _connect(self, count: int) -> list[LocalClient]:
        """Return clients of a new server; each game has its own, because a server keeps all games that it has run."""
        connections = local_clients({"acquire": self._binding}, count)
        for connection in connections:
            connection.say(type="hello", versions=[1], name="environment")
        return connections

    def _follow(self, messages: Mapping[str, Sequence[Message]]) -> None:
        """Take each agent's messages, and set the next decision and its agent, or the results of the game."""
        self._decide = {}
        for agent, line in self._lines.items():
            for message in (*messages.get(agent, ()), *line.received()):
                if message["type"] == "decide":
                    self._decide, self.agent_selection = message, agent
                elif message["type"] == "end":
                    self._end(agent, message["result"])

    def _end(self, agent: str, result: Message) -> None:
        ranks, seat = result["rank"], self._seats[agent]
        beaten = sum(rank > ranks[seat] for rank in ranks)
        ahead = sum(rank < ranks[seat] for rank in ranks)
        self.rewards[agent] = (beaten - ahead) / (len(ranks) - 1)
        self.terminations[agent] = True
        self.infos[agent] = {"worth": result["worth"][seat], "rank": ranks[seat]}

    def _observed_space(self) -> Dict:
        return Dict(
            {
                "observation": Box(HIDDEN, MAX_FIGURE, (self.space.figures,), numpy.float32),
                "action_mask": MultiBinary(len(self.space.actions)),
            }
        )


class AcquireSpace:
    """The numbering of actions and figures for one set of rules and one number of seats.

    Actions, in this order: place a tile (by rows), found, survivor, order (a chain), dispose (trade, sell; the rest
    is held), buy (chains of the shares). If a tile or a purchase may announce the end of the game, all actions of
    that kind are repeated, with the announcement, after the actions of that kind without it.
    """

    def __init__(self, rules: Mapping[str, Any], seats: int) -> None:
        """Create the numbering for `rules`, the record that `describe` answers, and the number of seats."""
        self._columns, self._rows = int(rules["columns"]), int(rules["rows"])
        self._chains = [str(chain["name"]) for chain in rules["chains"]]
        self._signs = "o*" + "".join(chain["letter"] for chain in rules["chains"])
        self._seats = seats
        self.actions: Final[tuple[Message, ...]] = tuple(_actions(rules))
        self.kinds: Final = {kind: _span(self.actions, kind) for kind in PHASES}
        self.layout: Final = _layout(self._rows * self._columns, self._signs, len(self._chains), seats)
        self.figures: Final = max(part.stop for part in self.layout.values())
        self._numbers = {_key(action): number for number, action in enumerate(self.actions)}

    def number(self, action: Message) -> int:
        """Return the number of an action as the JSON lines write it. Raises KeyError if there is no such action."""
        return self._numbers[_key(action)]

    def legal(self, decide: Message) -> Iterator[int]:
        """Yield the numbers of the legal actions of a decision."""
        for action in decide["legal"]["actions"]:
            yield self.number(action)
            if decide["legal"].get("may_end"):
                yield self.number({**action, "end": True})

    def figures_of(self, seen: Message, seat: int, decide: Message | None) -> list[float]:
        """Return the figures of a seat's observation, with those of `decide` if the seat owes a decision."""
        figures = [0.0] * self.figures

        def put(part: str, values: Sequence[float]) -> None:
            start = self.layout[part].start
            figures[start : start + len(values)] = [min(float(value), MAX_FIGURE) for value in values]

        order = [(seat + step) % self._seats for step in range(self._seats)]
        squares = "".join(seen["board"])
        put("board", [square == sign for sign in self._signs for square in squares])
        hand = {tile for tile, _ in seen["hand"] or ()}
        put("hand", [name in hand for name in _tiles(self._columns, self._rows)])
        put("size", seen["size"])
        put("price", [price / THOUSAND for price in seen["price"]])
        put("bank", seen["bank"])
        cash = [seen["cash"][each] for each in order]
        put("cash", [HIDDEN if dollars is None else dollars / THOUSAND for dollars in cash])
        shares = [seen["shares"][each] or [HIDDEN] * len(self._chains) for each in order]
        put("shares", [count for row in shares for count in row])
        put("bag", [seen["bag_left"]])
        put("idle", [seen["idle"]])
        put("turn", [each == seen["turn"] for each in order])
        if decide is not None:
            legal = decide["legal"]
            put("phase", [phase == decide["phase"] for phase in PHASES])
            put("may_end", [bool(legal.get("may_end"))])
            put("defunct", [name == legal.get("defunct") for name in self._chains])
            put("into", [name == legal.get("survivor") for name in self._chains])
            put("held", [legal.get("held") or 0])
        return figures


def _actions(rules: Mapping[str, Any]) -> Iterator[Message]:
    chains = [chain["name"] for chain in rules["chains"]]
    places = [{"kind": "place", "tile": tile} for tile in _tiles(rules["columns"], rules["rows"])]
    yield from places
    if rules["end_check"] == "any_time":
        yield from ({**action, "end": True} for action in places)
    for kind in ("found", "survivor", "order"):
        yield from ({"kind": kind, "chain": chain} for chain in chains)
    for trade in range(0, rules["shares"] + 1, 2):
        for sell in range(rules["shares"] - trade + 1):
            yield {"kind": "dispose", "trade": trade, "sell": sell}
    purchases = [
        {"kind": "buy", "shares": list(shares)}
        for count in range(rules["max_buy"] + 1)
        for shares in combinations_with_replacement(chains, count)
    ]
    yield from purchases
    yield from ({**action, "end": True} for action in purchases)


def _tiles(columns: int, rows: int) -> list[str]:
    """Return the names of all tiles row by row, as the board is shown."""
    return [f"{column + 1}{chr(ord('A') + row)}" for row in range(rows) for column in range(columns)]


def _key(action: Message) -> Key:
    shares = tuple(sorted(action.get("shares", ())))
    words = (action.get(name) for name in ("tile", "chain", "trade", "sell"))
    return (action["kind"], *words, shares, bool(action.get("end")))


def _span(actions: Sequence[Message], kind: str) -> range:
    numbers = [number for number, action in enumerate(actions) if action["kind"] == kind]
    return range(numbers[0], numbers[-1] + 1)


def _layout(squares: int, signs: str, chains: int, seats: int) -> dict[str, range]:
    """Return the part of the figures that each name stands for.

    Seats are counted from the observing one on, chains in the order of the rules.
    """
    sizes = {
        "board": len(signs)
        * squares,  # lone tiles, the tile that is being placed, each chain: 0 or 1 for each square
        "hand": squares,  # own tiles
        "size": chains,  # tiles
        "price": chains,  # thousands of dollars a share
        "bank": chains,  # shares
        "cash": seats,  # thousands of dollars; -1: hidden
        "shares": seats * chains,  # -1: hidden
        "bag": 1,  # tiles
        "idle": 1,  # turns in a row without a playable tile
        "turn": seats,  # 1 for the seat whose turn it is
        "phase": len(PHASES),  # this and all that follow: of the decision that the own seat owes
        "may_end": 1,
        "defunct": chains,  # the chain whose shares are disposed of
        "into": chains,  # the chain whose shares they may be traded for
        "held": 1,
    }
    layout, start = {}, 0
    for part, size in sizes.items():
        layout[part] = range(start, start + size)
        start += size
    return layout
