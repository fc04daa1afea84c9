"""Single games between genomes: their endings, their clocks, and that nothing but the task decides."""

import pickle
import re
from typing import Literal

import pytest

from core.chess.game import Chess
from core.chess.notation import START
from core.random import Random
from engines.chess.engine import ChessEngine
from engines.chess.game_record import GameRecord, pgn
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.self_play import GameResult, SelfPlayGame, play
from engines.match.referee import play as play_match
from engines.time_control import TimeControl

SEARCHES: tuple[Literal["seed", "strong"], ...] = ("seed", "strong")
HANDSET = load_bundled("handset")
both_searches = pytest.mark.parametrize("search", SEARCHES)


def looking_ahead(positions_per_second: float, speculation: float) -> Genome:
    """The hand-set genome with another Look Ahead Gene."""
    text = HANDSET.dumps()
    text = re.sub("(?<=Positions Per Second: ).*", str(positions_per_second), text)
    return Genome.loads(re.sub("(?<=Speculation Constant: ).*", str(speculation), text))


CAREFUL = looking_ahead(50_000.0, 0.0)
DARING = looking_ahead(1e9, 1.0)  # looks ahead always


def record(outcome: GameResult) -> GameRecord:
    return GameRecord.unpack(outcome.record)


def random_game(seed: int, search: Literal["seed", "strong"]) -> SelfPlayGame:
    rng = Random(seed)
    return SelfPlayGame(
        white=Genome.random(rng),
        black=CAREFUL.mutate(rng),
        seed=seed,
        search=search,
        seconds=3.0,
        nodes_per_second=5_000.0,
        max_moves=60,
    )


# -- A function of the task ------------------------------------------------------------------------


@both_searches
def test_equal_tasks_have_equal_outcomes(search: Literal["seed", "strong"]) -> None:
    for seed in range(4):
        task = random_game(seed, search)
        outcome = play(task)
        assert pickle.loads(pickle.dumps(play))(pickle.loads(pickle.dumps(task))) == outcome
        assert pickle.loads(pickle.dumps(outcome)) == outcome


def test_the_seed_decides_the_gambles() -> None:
    gambler = looking_ahead(300.0, 0.6)
    records = {
        play(
            SelfPlayGame(
                white=gambler, black=gambler, seed=seed, seconds=5.0, nodes_per_second=2_000.0, max_moves=20
            )
        ).record
        for seed in range(3)
    }
    assert len(records) == 3


@both_searches
async def test_self_play_equals_a_match_between_two_engines(search: Literal["seed", "strong"]) -> None:
    """The same moves, lines and scores as the engines' own, where no flag falls."""
    seconds, rate, seed = 4.0, 10_000.0, 11
    task = SelfPlayGame(
        white=CAREFUL,
        black=looking_ahead(2_000.0, 0.5),
        seed=seed,
        search=search,
        seconds=seconds,
        nodes_per_second=rate,
        max_moves=25,
    )
    rng = Random(seed)
    engines = [ChessEngine(genome, seed=int(rng.bits())) for genome in (task.white, task.black)]
    for engine in engines:
        await engine.configure("Search", search)
        await engine.configure("Hash", "1")
    control = TimeControl(seconds=seconds, nodes_per_second=rate)
    result = await play_match(Chess(), engines, control, Random(0), max_actions=50)
    game = record(play(task))
    thoughts = [turn.info for turn in result.history]
    assert game.moves == tuple(thought.action for thought in thoughts)
    assert [ply.nodes for ply in game.plies] == [thought.nodes for thought in thoughts]
    assert [ply.line for ply in game.plies] == [thought.line[:8] for thought in thoughts]
    assert [ply.mate or None for ply in game.plies] == [thought.mate for thought in thoughts]


def test_lines_may_be_left_out() -> None:
    task = random_game(1, "seed")
    fields = {name: getattr(task, name) for name in SelfPlayGame.__slots__} | {"lines": False}
    full, bare = record(play(task)), record(play(SelfPlayGame(**fields)))
    assert full.moves == bare.moves
    assert any(ply.line for ply in full.plies) and not any(ply.line for ply in bare.plies)


# -- Endings ---------------------------------------------------------------------------------------


@both_searches
@pytest.mark.parametrize(
    ("start", "ending", "returns", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "checkmate", (1.0, -1.0), 1),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "checkmate", (-1.0, 1.0), 1),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 99 1", "checkmate", (-1.0, 1.0), 1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", (0.0, 0.0), 0),
        ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "insufficient material", (0.0, 0.0), 1),
        ("4k3/8/8/r7/8/8/8/4K2R b K - 99 70", "fifty moves", (0.0, 0.0), 1),
        ("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1", "threefold repetition", (0.0, 0.0), None),
    ],
)
def test_games_end_by_the_rules_of_chess(
    search: Literal["seed", "strong"],
    start: str,
    ending: str,
    returns: tuple[float, float],
    plies: int | None,
) -> None:
    outcome = play(SelfPlayGame(white=HANDSET, black=HANDSET, start=start, seed=1, search=search, nodes=500))
    assert (outcome.ending, outcome.returns) == (ending, returns)
    assert plies is None or outcome.plies == plies
    kept = record(outcome)
    assert (kept.ending, kept.returns, len(kept.plies)) == (ending, returns, outcome.plies)
    assert kept.start == start and ending in pgn(kept, white=1, black=2, round_text="1")


@both_searches
def test_a_long_game_is_a_draw(search: Literal["seed", "strong"]) -> None:
    outcome = play(SelfPlayGame(white=HANDSET, black=HANDSET, seed=1, search=search, nodes=50, max_moves=3))
    assert (outcome.ending, outcome.returns, outcome.plies) == ("adjudication", (0.0, 0.0), 6)


def test_white_stays_the_first_player_when_black_starts() -> None:
    """White is the first player all the same."""
    start = START.replace(" w ", " b ")
    for white, black, returns in ((DARING, CAREFUL, (-1.0, 1.0)), (CAREFUL, DARING, (1.0, -1.0))):
        outcome = play(
            SelfPlayGame(white=white, black=black, start=start, seed=1, seconds=2.0, nodes_per_second=1_000.0)
        )
        assert (outcome.ending, outcome.returns) == ("time", returns)
        assert outcome.plies == (1 if white is DARING else 0)


# -- Clocks ----------------------------------------------------------------------------------------


def test_a_side_that_spends_too_many_nodes_loses_on_time() -> None:
    outcome = play(SelfPlayGame(white=CAREFUL, black=DARING, seed=1, seconds=3.0, nodes_per_second=1_000.0))
    assert (outcome.ending, outcome.returns, outcome.plies) == ("time", (1.0, -1.0), 1)
    clocks = record(outcome).clocks
    assert clocks and clocks.left[0] > 0.0 >= clocks.left[1] > -0.01
    assert '[Termination "time forfeit"]' in pgn(record(outcome), white=1, black=2, round_text="1")


def test_no_flag_falls_against_bare_material() -> None:
    start = "7k/8/8/8/8/8/2Q5/K7 w - - 0 1"
    outcome = play(
        SelfPlayGame(white=DARING, black=CAREFUL, start=start, seed=1, seconds=1.0, nodes_per_second=1_000.0)
    )
    assert (outcome.ending, outcome.returns) == ("time against bare material", (0.0, 0.0))


@both_searches
def test_clocks_count_nodes(search: Literal["seed", "strong"]) -> None:
    task = SelfPlayGame(
        white=CAREFUL,
        black=CAREFUL,
        seed=1,
        search=search,
        seconds=2.0,
        increment=0.25,
        nodes_per_second=4_000.0,
        max_moves=10,
    )
    game = record(play(task))
    assert game.clocks and (game.clocks.seconds, game.clocks.increment) == (2.0, 0.25)
    for side in (0, 1):
        spent = sum(ply.nodes for ply in game.plies[side::2]) / 4_000.0
        assert spent > 0.25
        assert game.clocks.left[side] == pytest.approx(2.0 + 10 * 0.25 - spent)


@both_searches
def test_nodes_are_never_overdrawn(search: Literal["seed", "strong"]) -> None:
    task = SelfPlayGame(white=DARING, black=CAREFUL, seed=1, search=search, nodes=300, max_moves=10)
    game = record(play(task))
    assert game.clocks is None
    assert max(ply.nodes for ply in game.plies) == 300
    both = SelfPlayGame(
        white=DARING,
        black=CAREFUL,
        seed=1,
        search=search,
        nodes=300,
        seconds=60.0,
        nodes_per_second=1_000.0,
        max_moves=10,
    )
    assert max(ply.nodes for ply in record(play(both)).plies) <= 300


def test_positions_are_searched_again_for_targets() -> None:
    """At most as many as are asked for, all of them quiet; the game until the first of them is the same."""
    plain, few, many = (
        record(
            play(
                SelfPlayGame(
                    white=CAREFUL, black=DARING, seed=1, search="strong", nodes=100, max_moves=40,
                    target_nodes=700 if targets else None, targets=targets,
                )
            )
        )
        for targets in (0, 3, 100)
    )  # fmt: skip
    deep = [[ply for ply, each in enumerate(game.plies) if each.nodes > 100] for game in (plain, few, many)]
    assert not deep[0] and len(deep[1]) == 3 and 3 < len(deep[2]) < 40
    assert deep[2][:3] == deep[1]
    first = deep[1][0]
    assert plain.plies[:first] == few.plies[:first] and plain.plies[first] != few.plies[first]
    for game in (few, many):
        assert {each.nodes for each in game.plies if each.nodes > 100} == {700}


@both_searches
def test_games_can_be_timed_by_the_wall_clock(search: Literal["seed", "strong"]) -> None:
    game = record(
        play(SelfPlayGame(white=CAREFUL, black=CAREFUL, seed=1, search=search, seconds=0.4, max_moves=15))
    )
    assert game.clocks and all(left < 0.4 for left in game.clocks.left)
    assert sum(ply.nodes for ply in game.plies) > 1_000


def test_a_side_can_lose_on_wall_clock_time() -> None:
    outcome = play(SelfPlayGame(white=DARING, black=CAREFUL, seed=1, seconds=0.2))
    assert (outcome.ending, outcome.returns) == ("time", (-1.0, 1.0))


# -- Games that cannot be --------------------------------------------------------------------------


def test_a_game_needs_a_time_or_node_limit_and_a_valid_position() -> None:
    with pytest.raises(ValueError, match="seconds or nodes"):
        SelfPlayGame(white=HANDSET, black=HANDSET, seed=1)
    with pytest.raises(ValueError, match="above zero"):
        SelfPlayGame(white=HANDSET, black=HANDSET, seed=1, nodes=0)
    with pytest.raises(ValueError, match="more than those of a move"):
        SelfPlayGame(white=HANDSET, black=HANDSET, seed=1, nodes=100, target_nodes=100)
    with pytest.raises(ValueError, match="FEN"):
        play(SelfPlayGame(white=HANDSET, black=HANDSET, seed=1, nodes=100, start="nonsense"))
