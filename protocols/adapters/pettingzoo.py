"""Acquire as an environment of PettingZoo (AEC), each agent a client of the JSON lines with a seat of its own.

    environment = AcquireEnvironment(("me", "me", "heuristic"), variant="thesis-7")

Each `me` is an agent, named by its place in `seats`:
`player_0`, `player_1`; the others are players of the house. Some variants draw who sits where anew. Numbers of actions and figures of observations are explained by
protocols.adapters.acquire_space.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from core.random import Random
from protocols.adapters.acquire_space import HIDDEN, MOST, AcquireSpace
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.local import LocalClient, Message

Observation = dict[str, NDArray[Any]]
SEEDS: Final = 2**53


class AcquireEnvironment(AECEnv):  # type: ignore[misc]  # its base class is not typed in every release
    """A table of Acquire. An observation has `observation`, float32, and `action_mask`, int8.

    Rewards come at the end: the share of the other seats that an agent has beaten, less the share that has beaten
    it, from 1 for the first to -1 for the last; `infos` then has `worth` in dollars and `rank`.
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
        """`holdings` `hidden`: others' cash and shares are -1; `binding`: the game, if not that of the house.

        ValueError if nobody is `me`, or for a variant that is none.
        """
        super().__init__()
        self.render_mode = render_mode
        self._binding = binding or AcquireAdapter()
        self._chance: Random | None = None  # of games without a seed of their own
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
        self._seats: dict[str, int] = {}  # at the table
        self._decide: Message = {}
        self._spaces: dict[str, Space[Any]] = {
            agent: self._observed_space() for agent in self.possible_agents
        }
        self._choices: dict[str, Space[Any]] = {
            agent: Discrete(len(self.space.actions)) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new game; `options` may hold `rules`, the options of a JSON `create` (for example a bag).

        Games without a seed follow from the last one that was given. ValueError for rules that make no game.
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
        heard = {
            first: self._lines[first].say(
                type="create", game="acquire", variant=self._variant, seats=entries, seed=seed,
                options={"holdings": self._holdings, **((options or {}).get("rules") or {})},
            )
        }  # fmt: skip
        self._game_id = heard[first][0]["game_id"]
        for agent in others:
            heard[agent] = self._lines[agent].say(type="join", game_id=self._game_id)
        self._seats = {agent: lines[0]["seat"] for agent, lines in heard.items()}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Message] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._follow(heard)

    def observe(self, agent: str) -> Observation:
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
        """ValueError for an action that is not legal; nothing has happened then."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in set(self.space.legal(self._decide)):
            raise ValueError(f"not legal here: {self._named(action)}")
        heard = self._lines[agent].say(
            type="action", re=self._decide["id"], game_id=self._game_id,
            action=self.space.actions[action],
        )  # fmt: skip
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._follow({agent: heard})
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text, rows from A down."""
        if self.render_mode is None or not self._lines:
            return None
        (answer,) = self._lines[self.possible_agents[0]].say(type="state", game_id=self._game_id)
        return "\n".join(answer["observation"]["board"])

    def close(self) -> None:
        """The game is given up."""
        self._lines = {}

    # -- The conversation --------------------------------------------------------------------------

    def _named(self, action: int | None) -> str:
        """For those who are told that it was wrong."""
        if action is None or not 0 <= action < len(self.space.actions):
            return f"{action!r}; an action is a number below {len(self.space.actions)}"
        return f"{action}, {self.space.actions[action]}"

    def _connect(self, count: int) -> list[LocalClient]:
        """To a hall of their own: one that has seen many games would remember them all."""
        hall = Hall({"acquire": self._binding})
        connections = [LocalClient(hall) for _ in range(count)]
        for connection in connections:
            connection.say(type="hello", versions=[1], name="environment", holdings_hidden_ok=True)
        return connections

    def _follow(self, heard: Mapping[str, Sequence[Message]]) -> None:
        """Go on to the next decision of an agent, or to the end; what others have been told is on their lines."""
        self._decide = {}
        for agent, line in self._lines.items():
            for message in (*heard.get(agent, ()), *line.hear()):
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
                "observation": Box(HIDDEN, MOST, (self.space.figures,), numpy.float32),
                "action_mask": MultiBinary(len(self.space.actions)),
            }
        )
