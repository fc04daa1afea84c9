"""A game of Acquire between two players of a run, for the page (protocols.web.run_contest.RunContest)."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from core.acquire.players import Player
from engines.acquire.experiment import configured
from engines.acquire.genome import Genome
from engines.acquire.gp_config import GpConfig
from engines.acquire.registry import CHANCE, EXPERT, HEURISTIC, PlayerSpec, load_genome
from engines.seeds import SeededStreams
from protocols.jsonl.acquire import AcquireAdapter, AcquireGameState
from protocols.jsonl.adapter import GameConfig
from protocols.web.run_contest import Contestant, ContestTask

FIXED: Final = (CHANCE, HEURISTIC, EXPERT)
replay: Final = None  # the games of a run are on record without their moves


def opponents(config: str) -> Sequence[str]:
    return FIXED


def play(task: ContestTask) -> dict[str, Any]:
    """Return the game as a spectator would receive it: `start`, and `steps` with the events of each decision.

    A step also has the observation after it. `rules` are those of the description of the variant.
    """
    config = configured(task.config)
    adapter, streams = AcquireAdapter(), SeededStreams(task.seed)
    variant = config.game_rules.name
    state = adapter.open(GameConfig(variant=variant, seats=2, options={}, streams=streams))
    assert isinstance(state, AcquireGameState)
    sides = [(task.first, task.second)[entry] for entry in state.seating()]
    names, labels = [each.name for each in sides], [each.label for each in sides]
    players = [_player(each, config) for each in sides]
    rngs = [streams.stream(f"seat|{seat}") for seat in range(len(sides))]
    start = {
        "game_id": "contest", "seq": 0, "seats": [{"name": label} for label in labels], "variant": variant,
        "observation": msgspec.to_builtins(state.observation(None)),
    }  # fmt: skip
    steps: list[dict[str, Any]] = []
    count = 0
    events = state.begin()
    while True:
        lines = []
        for each in events:
            count += 1
            line = msgspec.to_builtins(each.public)
            lines.append(line | {"type": "event", "seq": count, "say": each.public.text(labels)})
        steps.append({"events": lines, "observation": msgspec.to_builtins(state.observation(None))})
        if not (due := state.due()):
            break
        (seat,) = due
        events = state.apply({seat: int(players[seat].choose(state.state.observation(seat), rngs[seat]))})
    result = state.result()
    assert result is not None
    return {
        "start": start,
        "rules": adapter.describe(variant).rules,
        "steps": steps,
        "words": _words(names, result.worth),
    }


def _player(side: Contestant, config: Any) -> Player:
    if side.fixed:
        player = PlayerSpec.parse(side.fixed).create()
    else:
        genome = load_genome(side.genome)
        if isinstance(config, GpConfig) and config.other_decision == "same tree":
            assert isinstance(genome, Genome)
            genome = Genome(place=genome.place or genome.buy, buy=genome.buy or genome.place)
        player = PlayerSpec(name=side.name, genome=genome, options=config.options).create()
    player.begin()
    return player


def _words(names: Sequence[str], worth: Sequence[int]) -> str:
    """Return the result as a sentence."""
    if worth[0] == worth[1]:
        text = f"{names[0]} and {names[1]} tied, each with ${worth[0]:,}."
    else:
        best = int(worth[1] > worth[0])
        text = f"{names[best]} won with ${worth[best]:,}; {names[1 - best]} had ${worth[1 - best]:,}."
    return text[:1].upper() + text[1:]
