"""A fifth game works with everything that is there, and what is broken in one is found.

The first half is what the tests of any game begin with; the second proves that the checks can fail.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from core.game import State
from core.random import Random
from engines.engine import Engine, Info, Limit
from engines.match.referee import Ending, play
from engines.player import Player, PlayerEngine, RandomPlayer
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from tests.conformance import (
    VariableGenome,
    check_engine,
    check_game,
    check_genome,
    check_player,
    check_state,
)
from tests.engines.match.engine_match import play_match
from tests.fifth_game.tictactoe import Board, Careful, First, SquarePlayer, SquareWeights, TicTacToe

GAME = TicTacToe()
ONE_NODE = TimeControl(nodes=1)
CENTRE_CORNERS = SquareWeights.loads("2 1 2\n1 3 1\n2 1 2")


def test_tic_tac_toe_passes_the_game_conformance_checks() -> None:
    check_game(GAME, games=20)


def test_square_weights_pass_the_genome_conformance_checks() -> None:
    check_genome(SquareWeights)


async def test_the_engines_pass_the_engine_conformance_checks() -> None:
    await check_engine(SquarePlayer(CENTRE_CORNERS), GAME)
    await check_engine(RandomEngine(3), GAME)


@pytest.mark.parametrize("player", [First(), Careful(), RandomPlayer()])
async def test_the_players_pass_the_conformance_checks_alone_and_as_engines(player: Player) -> None:
    check_player(player, GAME)
    await check_engine(PlayerEngine("one", player, 3), GAME)


async def test_a_match_of_players_does_not_depend_on_the_number_of_games_at_a_time() -> None:
    def engines() -> list[Callable[[], Awaitable[Engine]]]:
        async def chance() -> Engine:
            return PlayerEngine("chance", RandomPlayer(), 7)

        return [chance, chance]

    one, many = [
        await play_match(GAME, engines(), ONE_NODE, seed=5, games=10, concurrency=concurrency)
        for concurrency in (1, 4)
    ]
    assert one.actions == many.actions and len(set(one.actions.values())) > 5


async def test_a_player_that_raises_loses_and_one_that_changes_the_state_does_not_change_the_game() -> None:
    engines = [PlayerEngine("first", First(), 1), PlayerEngine("other", RaisingPlayer(), 1)]
    result = await play(GAME, engines, ONE_NODE, Random(1))
    assert result.ending is Ending.CRASH and result.culprit == 1 and "no idea" in result.reason
    engines = [PlayerEngine("first", First(), 1), PlayerEngine("other", ChangingPlayer(), 1)]
    result = await play(GAME, engines, ONE_NODE, Random(1))
    assert result.ending is Ending.NORMAL


def test_the_game_tree_has_the_published_numbers_of_games() -> None:
    """255,168 games, 5,478 positions (the numbers that the literature has)."""
    games: dict[str, int] = {}

    def count(board: Board) -> int:
        if board.squares not in games:
            below = 0
            for action in board.legal_actions():
                child = board.clone()
                child.apply(action)
                below += count(child)
            games[board.squares] = below or 1
        return games[board.squares]

    assert count(Board()) == 255_168
    assert len(games) == 5_478


async def test_the_engines_play_a_match() -> None:
    first, second = SquarePlayer(CENTRE_CORNERS, "first"), SquarePlayer(CENTRE_CORNERS, "second")
    result = await play(GAME, [first, second], ONE_NODE, Random(1))
    assert result.ending is Ending.NORMAL
    assert [turn.action for turn in result.history] == [4, 0, 2, 6, 8, 1, 3, 5, 7]
    assert result.returns == (0.0, 0.0)


async def test_a_hill_climb_by_mutation_finds_a_better_genome() -> None:
    """And a hill climb by mutation finds one: evolution needs nothing but the genome and a match."""

    rng = Random(3)
    best = SquareWeights.loads("1 2 1\n2 0 2\n1 2 1")
    record = start = await _points_against_random(best)
    for _ in range(30):
        child = best.mutate(rng)
        points = await _points_against_random(child)
        if points > record:
            best, record = child, points
    assert record > start + 10
    assert await _points_against_random(CENTRE_CORNERS) > start + 10


async def _points_against_random(genome: SquareWeights) -> int:
    """Half points of 40 games, the same 40 for every genome."""

    async def evolved() -> Engine:
        return SquarePlayer(genome)

    async def chance() -> Engine:
        return RandomEngine()

    played = await play_match(GAME, [evolved, chance], ONE_NODE, seed=5, games=40)
    losses, draws, wins = played.standings.against(0, 1)
    assert losses + draws + wins == 40
    return 2 * wins + draws


# -- What is broken is found -----------------------------------------------------------------------


class EndlessOptions(Board):
    def legal_actions(self) -> list[int]:
        return [at for at in range(9) if self.squares[at] == "."]


class SharedClone(Board):
    def clone(self) -> "Board":
        return self


class TakesAnything(Board):
    def apply(self, action: int) -> None:
        self.squares = self.squares[: action % 9] + "xo"[self.player()] + self.squares[action % 9 + 1 :]


class OneTextForAll(Board):
    def action_text(self, action: int) -> str:
        return "a1"


class EarlyReturns(Board):
    def returns(self) -> list[float]:
        return [1.0, -1.0]

    def is_terminal(self) -> bool:
        return "." not in self.squares


class ThreeSeats(Board):
    def player(self) -> int:
        return 2


class IgnoresActionText(Board):
    def action_from(self, text: str) -> int:
        return self.legal_actions()[0]


@pytest.mark.parametrize(
    ("board", "law"),
    [
        (EndlessOptions("xxxoo...."), "legal actions end exactly"),
        (SharedClone(), "shares nothing"),
        (TakesAnything(), "must be a ValueError"),
        (OneTextForAll(), "share a text"),
        (EarlyReturns(), "returns are zero"),
        (ThreeSeats(), "one of the seats"),
        (IgnoresActionText(), "reads action_text"),
    ],
)
def test_broken_states_fail_the_conformance_checks(board: State, law: str) -> None:
    check_state(Board(), 2)
    with pytest.raises(AssertionError, match=law):
        check_state(board, 2)


class AlternatingStart(TicTacToe):
    def __init__(self) -> None:
        super().__init__()
        self.games = 0

    def new_state(self, rng: Random) -> Board:
        self.games += 1
        return Board() if self.games % 2 else Board("xo.......")


class AcceptsAnyStateText(TicTacToe):
    def state_from(self, text: str) -> Board:
        return Board()


@pytest.mark.parametrize(
    ("game", "law"), [(AlternatingStart(), "same seed"), (AcceptsAnyStateText(), "state_from")]
)
def test_broken_games_fail_the_conformance_checks(game: TicTacToe, law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_game(game)


@dataclass(frozen=True, slots=True)
class RoundedText(SquareWeights):
    def dumps(self) -> str:
        return " ".join(f"{weight:.3f}" for weight in self.weights)


@dataclass(frozen=True, slots=True)
class NeverMutates(SquareWeights):
    def mutate(self, rng: Random) -> "NeverMutates":
        return self


@dataclass(frozen=True, slots=True)
class NeverMixes(SquareWeights):
    def mate(self, other: "NeverMixes", rng: Random) -> "NeverMixes":
        return self


@dataclass(frozen=True, slots=True)
class AcceptsAnyGenomeText(SquareWeights):
    @classmethod
    def loads(cls, text: str) -> "AcceptsAnyGenomeText":
        try:
            return cls(SquareWeights.loads(text).weights)
        except ValueError:
            return cls((0.0,) * 9)


@pytest.mark.parametrize(
    ("genome", "law"),
    [
        (RoundedText, "must equal x"),
        (NeverMutates, "never changes"),
        (NeverMixes, "never mixes"),
        (AcceptsAnyGenomeText, "must be a ValueError"),
    ],
)
def test_broken_genomes_fail_the_conformance_checks(genome: type[VariableGenome], law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_genome(genome)


class RaisingPlayer(First):
    def choose(self, state: State, rng: Random) -> int:
        raise RuntimeError("no idea")


class ChangingPlayer(First):
    def choose(self, state: State, rng: Random) -> int:
        action = state.legal_actions()[0]
        state.apply(action)
        return action


class IllegalPlayer(First):
    def choose(self, state: State, rng: Random) -> int:
        return 9


class UnseededPlayer(First):
    def __init__(self) -> None:
        self.choices = 0

    def choose(self, state: State, rng: Random) -> int:
        self.choices += 1
        return state.legal_actions()[-(self.choices % 2)]


class UndescribedPlayer(First):
    about = ""


class LocalPlayer(First):
    def __init__(self) -> None:
        self.key = lambda: 0


@pytest.mark.parametrize(
    ("player", "law"),
    [
        (ChangingPlayer(), "leaves the state"),
        (IllegalPlayer(), "legal action"),
        (UnseededPlayer(), "same action"),
        (UndescribedPlayer(), "a line about it"),
        (LocalPlayer(), "can be pickled"),
    ],
)
def test_broken_players_fail_the_conformance_checks(player: Player, law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_player(player, GAME)


class Slow(SquarePlayer):
    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        await asyncio.sleep(0)
        yield Info(action=state.legal_actions()[0])


class Stubborn(SquarePlayer):
    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=state.legal_actions()[0])
        await asyncio.Event().wait()


class ChangesTheState(SquarePlayer):
    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        first = state.legal_actions()[0]
        state.apply(first)
        yield Info(action=first)


class Wild(SquarePlayer):
    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=9)


class IgnoresLimits(SquarePlayer):
    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=state.legal_actions()[0])


class NeverAnswers(SquarePlayer):
    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        if limit.depth == -1:
            yield Info(action=0)


class AcceptsAnyOption(SquarePlayer):
    async def configure(self, name: str, value: str) -> None:
        pass


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (Slow, "before the first await"),
        (Stubborn, "no end to thinking"),
        (ChangesTheState, "leaves the state"),
        (Wild, "legal action"),
        (IgnoresLimits, "illegal action under"),
        (NeverAnswers, "before the first await"),
        (AcceptsAnyOption, "unknown option"),
    ],
)
async def test_broken_engines_fail_the_conformance_checks(
    kind: type[SquarePlayer], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.conformance.PATIENCE_SECONDS", 0.2)
    with pytest.raises(AssertionError, match=law):
        await check_engine(kind(CENTRE_CORNERS), GAME)
