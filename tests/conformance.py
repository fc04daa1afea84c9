"""What every game, genome and engine must do; each game's tests call these.

A broken law raises AssertionError and says which one. Nothing here knows a particular game.
"""

import asyncio
import pickle
from collections.abc import AsyncGenerator
from typing import Protocol, Self

from core.game import Game, State
from core.random import Random
from engines.engine import Clock, Engine, Info, Limit
from engines.evolution.population import Genome
from engines.player import Player
from tests.waiting import PATIENCE_SECONDS

NONSENSE = ("", " ", "no such thing", "\x00", "e9e9", "-1", "9" * 400, "{}", "ö\n\n")


class VariableGenome(Genome, Protocol):
    """A genome that brings its own founders and variation."""

    @classmethod
    def random(cls, rng: Random) -> Self:
        """A newcomer, as an evolution from nothing begins with; a function of the rng's state."""
        ...

    def mutate(self, rng: Random) -> Self:
        """A changed copy, always valid; it may be equal to the original."""
        ...

    def mate(self, other: Self, rng: Random) -> Self:
        """A child of two parents, always valid; each of its genes is one of theirs. Nothing mutates."""
        ...


def check_game(game: Game, games: int = 3, longest: int = 2_000) -> None:
    """Play random games of `game` to their ends, checking every state on the way."""
    assert game.name and game.players >= 1, "a game has a name and one seat or more"
    for seed in range(games):
        actions = _random_game(game, seed, longest)
        assert _random_game(game, seed, longest) == actions, "the same seed must give the same game"
        replayed = game.new_state(Random(seed))
        for action in actions:
            replayed.apply(action)
        assert replayed.is_terminal(), "the same actions must lead to the same state"
        assert len(replayed.returns()) == game.players, "one return for each player"
    for text in NONSENSE:
        try:
            game.state_from(text)
        except (ValueError, NotImplementedError):
            continue
        raise AssertionError(f"state_from({text!r}) must be a ValueError")


def check_state(state: State, players: int) -> None:
    """The laws of one state, which is left as it was."""
    before = _visible_facts(state)
    actions, returns = state.legal_actions(), state.returns()
    assert bool(actions) != state.is_terminal(), "legal actions end exactly with the game"
    assert len(returns) == players, "one return for each player"
    assert all(isinstance(state.can_win(player), bool) for player in range(players))
    if state.is_terminal():
        assert _is_refused_unchanged(state, 0), "nothing is legal once the game is over"
        return
    assert not any(returns), "returns are zero while the game goes on"
    assert 0 <= state.player() < players, "the player is one of the seats"
    assert len(set(actions)) == len(actions), "an action is listed once"
    texts = [state.action_text(action) for action in actions]
    assert len(set(texts)) == len(texts), "no two actions share a text"
    assert [state.action_from(text) for text in texts] == actions, "action_from() reads action_text()"
    for text in NONSENSE:
        try:
            state.action_from(text)
        except ValueError:
            continue
        raise AssertionError(f"action_from({text!r}) must be a ValueError")
    for illegal in (-1, max(actions) + 1, 2**40):
        assert illegal in actions or _is_refused_unchanged(state, illegal), (
            f"action {illegal} must be a ValueError"
        )
    copy = state.clone()
    assert _visible_facts(copy) == before, "a clone equals its original"
    travelled = pickle.loads(pickle.dumps(state))
    assert _visible_facts(travelled) == before, "a state can be pickled, since it travels to worker processes"
    copy.apply(actions[0])
    travelled.apply(actions[0])
    assert _visible_facts(travelled) == _visible_facts(copy), (
        "a state that was pickled goes on as the original"
    )
    assert _visible_facts(state) == before, "a clone shares nothing, and questions change nothing"


def check_genome(kind: type[VariableGenome], seeds: int = 20) -> None:
    """The laws of a genome: text and back, pure and repeatable variation, clear errors."""
    changed = mixed = False
    for seed in range(seeds):
        mother, father = kind.random(Random(seed)), kind.random(Random(seed + seeds))
        before = mother.dumps()
        assert kind.random(Random(seed)) == mother, "random() is a function of its seed"
        _check_text(mother)
        child = mother.mutate(Random(seed))
        assert child == mother.mutate(Random(seed)), "mutate() is a function of its seed"
        _check_text(child)
        changed |= child != mother
        both = mother.mate(father, Random(seed))
        assert both == mother.mate(father, Random(seed)), "mate() is a function of its seed"
        _check_text(both)
        mixed |= both not in (mother, father)
        assert mother.mate(mother, Random(seed)) == mother, "mating with oneself changes nothing"
        assert mother.dumps() == before, "mutate() and mate() leave the parents as they were"
    assert changed, "mutate() never changes anything"
    assert mixed, "mate() never mixes anything"
    for text in NONSENSE:
        try:
            kind.loads(text)
        except ValueError:
            continue
        raise AssertionError(f"loads({text!r}) must be a ValueError")


def check_player(player: Player, game: Game, games: int = 3, longest: int = 2_000) -> None:
    """The laws of a player: described, can be pickled, legal, pure; its randomness is all from `rng`."""
    about = getattr(player, "about", None)
    assert isinstance(about, str) and about and about.isprintable(), "a player has a line about it"
    assert isinstance(getattr(player, "is_slow", None), bool), "a player is slow or not"
    for seed in range(games):
        state = game.new_state(Random(seed))
        rng = Random(seed)
        for _ in range(longest):
            if state.is_terminal():
                break
            seen = state.observation(state.player())
            before = _visible_facts(seen)
            try:
                travelled = pickle.loads(pickle.dumps(player))
            except Exception as error:
                raise AssertionError(
                    "a player can be pickled, since it travels to worker processes"
                ) from error
            action = player.choose(seen, Random(seed))
            assert _visible_facts(seen) == before, "choosing leaves the state as it was"
            assert action in seen.legal_actions(), "a player chooses a legal action"
            again = [each.choose(seen, Random(seed)) for each in (player, travelled)]
            assert again == [action, action], "the same state and rng give the same action"
            state.apply(player.choose(seen, rng))


async def check_engine(engine: Engine, game: Game, seconds: float = 30.0) -> None:
    """The laws of an engine: ready at once, legal, obedient to stop and to every limit; then closes it."""
    async with asyncio.timeout(seconds):
        assert engine.name and engine.author, "an engine has a name and an author"
        for option in engine.options:
            if option.kind != "button":
                assert option.checked(option.default) == option.default, (
                    f"{option.name}'s default is not valid"
                )
                await engine.configure(option.name, option.default)
        try:
            await engine.configure("no such option", "1")
            raise AssertionError("an unknown option must be a ValueError")
        except ValueError:
            pass
        for seed in range(2):
            await engine.new_game()
            state = game.new_state(Random(seed))
            rng = Random(seed)
            for _ in range(6):
                if state.is_terminal():
                    break
                await _check_thinking(engine, state)
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])
        await engine.close()


# -- Helpers ---------------------------------------------------------------------------------------


def _random_game(game: Game, seed: int, longest: int) -> list[int]:
    state = game.new_state(Random(seed))
    rng = Random(seed + 1)
    played: list[int] = []
    check_state(state, game.players)
    while not state.is_terminal():
        assert len(played) < longest, f"a random game is not over after {longest} actions"
        actions = state.legal_actions()
        played.append(actions[rng.below(len(actions))])
        state.apply(played[-1])
        check_state(state, game.players)
    return played


def _visible_facts(state: State) -> tuple[object, ...]:
    """All that one can see of a state without playing on."""
    over = state.is_terminal()
    return over, over or state.player(), tuple(state.legal_actions()), tuple(state.returns())


def _is_refused_unchanged(state: State, action: int) -> bool:
    before = _visible_facts(state)
    try:
        state.apply(action)
    except ValueError:
        return _visible_facts(state) == before
    return False


def _check_text(genome: Genome) -> None:
    text = genome.dumps()
    again = type(genome).loads(text)
    assert again == genome, "loads(dumps(x)) must equal x"
    assert again.dumps() == text, "equal genomes have one text"


async def _check_thinking(engine: Engine, state: State) -> None:
    before, actions = _visible_facts(state), state.legal_actions()
    stream = engine.think(state, Limit())
    first = _first_info(stream)
    assert first is not None, "the first info must come before the first await"
    assert first.action in actions, "the first info is a legal action"
    await stream.aclose()
    assert _visible_facts(state) == before, "thinking leaves the state as it was"

    thinking = asyncio.create_task(_infos(engine.think(state, Limit())))
    await asyncio.sleep(0.01)
    thinking.cancel()
    await asyncio.wait({thinking})
    assert thinking.cancelled() or thinking.result(), "a cancelled search ends, and keeps its last info"

    for limit in (
        Limit(nodes=200),
        Limit(depth=1),
        Limit(seconds=0.05),
        Limit(clock=Clock(seconds=0.2)),
        Limit(clock=Clock(seconds=-1.0)),
        Limit(seconds=1.0, nodes_per_second=200),
        Limit(nodes=200, actions=(actions[-1],)),
    ):
        try:
            infos = await asyncio.wait_for(_infos(engine.think(state, limit)), PATIENCE_SECONDS)
        except TimeoutError:
            raise AssertionError(f"no end to thinking under {limit}") from None
        assert infos, f"no info under {limit}"
        allowed = limit.actions or actions
        assert all(info.action in allowed for info in infos), f"illegal action under {limit}"
        for info in infos:
            assert not info.line or info.line[0] == info.action, "a line begins with its action"
            _check_line(state, info.line)
    assert _visible_facts(state) == before, "thinking leaves the state as it was"


async def _infos(stream: AsyncGenerator[Info, None]) -> list[Info]:
    return [info async for info in stream]


def _first_info(stream: AsyncGenerator[Info, None]) -> Info | None:
    """What the stream says without giving way to the event loop."""
    try:
        stream.__anext__().__await__().__next__()
    except StopIteration as answer:
        info: Info = answer.value
        return info
    except StopAsyncIteration:
        pass
    return None


def _check_line(state: State, line: tuple[int, ...]) -> None:
    position = state.clone()
    for action in line:
        assert action in position.legal_actions(), f"the expected line holds an illegal action: {action}"
        position.apply(action)
