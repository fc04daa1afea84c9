"""Tuning a champion: what a loss is, equal genomes that a search reads differently, and when a challenger wins."""

import math
from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as replace_struct

from core.chess.evaluation import GENES, Evaluator
from core.chess.move_ordering import is_quiet
from core.chess.notation import START, position_from_fen
from core.chess.position import Position
from core.random import Random
from engines.chess.breeding import TUNED, Grader, MatingBreeder, SearchState, StrategyBreeder, genes_of
from engines.chess.champion_tuning import ChampionTuning, random_genome, without_others
from engines.chess.config import PoolConfig
from engines.chess.game_record import GameRecord, RecordedMove
from engines.chess.game_settings import GameSettings
from engines.chess.genes import POSITIONAL_GENES
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.chess.training_set import COLUMNS, SLOPE, UNITS, Losses, TrainingSet, Weights, weights_of
from tests.engines.chess.test_experiment import EXAMINATION

CONFIG = PoolConfig.loads(EXAMINATION)


def genome(seed: int) -> Genome:
    """Material of a textbook's worth, random positional genes, and something to be scaled in drawish endings."""
    rng = Random(seed)
    numbers = {spec.name: spec for spec in POSITIONAL_GENES}
    base = without_others(load_bundled("handset").extended())
    genes = [
        replace(gene, values=tuple(rng.normal(0.05) for _ in gene.values)) if gene.name in numbers else gene
        for gene in base.genes
    ]
    return replace(
        base,
        genes=tuple(
            replace(gene, values=(0.2, 0.4, 0.6)) if gene.name == "Drawishness Gene" else gene
            for gene in genes
        ),
    )


def weights(*genomes: Genome) -> Weights:
    return np.column_stack([weights_of(each.express().weights) for each in genomes])


def game(seed: int, plies: int, result: float, start: str = START) -> GameRecord:
    """A random game, and random opinions of it."""
    position, rng = position_from_fen(start), Random(seed)
    recorded = []
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves or position.outcome():
            break
        move = moves[rng.below(len(moves))]
        recorded.append(RecordedMove(move=move, cents=int(rng.below(601)) - 300))
        position.make(move)
    return GameRecord(start=start, plies=tuple(recorded), returns=(result, -result), ending="adjudication")


def positions(record: GameRecord) -> list[tuple[Position, RecordedMove]]:
    position = position_from_fen(record.start)
    found = []
    for recorded in record.plies:
        found.append((position.clone(), recorded))
        position.make(recorded.move)
    return found


ENDGAMES = (START, "8/2b2k2/8/5p2/3P4/3B4/5K2/8 w - - 0 1", "8/5k2/8/8/3N4/3B4/5K2/3b4 w - - 0 1")


@pytest.mark.parametrize("result_weight", [0.0, 0.5, 1.0])
def test_the_loss_is_the_cross_entropy_of_the_evaluators_predictions(result_weight: float) -> None:
    """Of all quiet positions, one by one, with logarithms of the mathematical kind."""
    genomes = [genome(seed) for seed in (1, 2)]
    evaluators = [Evaluator(each.express().weights) for each in genomes]
    training_set = TrainingSet(5000, result_weight, 1000)
    expected = [0.0, 0.0]
    count = 0
    for number, start in enumerate(ENDGAMES * 2):
        record = game(number, 80, (number % 3) - 1.0, start)
        training_set.add(record, 39.0, number)
        for ply, (position, recorded) in enumerate(positions(record)):
            target = (recorded.move >> 6) & 63
            captures = position.board[22 + target] != 12 or recorded.move >> 12 >= 3
            if ply < 2 or position.in_check() or captures:
                continue
            sign = -1 if position.player() else 1
            opinion = 1 / (1 + 10 ** (-sign * recorded.cents / 400))
            wish = result_weight * (record.returns[0] + 1) / 2 + (1 - result_weight) * opinion
            count += 1
            for index, evaluator in enumerate(evaluators):
                score = sign * int(evaluator.score(position.board)) / evaluator.unit
                chance = 1 / (1 + 10 ** (-score / 4))
                expected[index] -= wish * math.log(chance) + (1 - wish) * math.log(1 - chance)
    assert count == len(training_set) > 200
    losses = training_set.losses(weights(*genomes), training_set.draw(10_000, 1))
    assert losses == pytest.approx([loss / count for loss in expected], abs=1e-3)
    assert abs(losses[0] - losses[1]) > 3e-3


def test_losses_do_not_depend_on_the_other_genomes_graded() -> None:
    """Bit for bit, whatever the order in which a matrix product adds."""
    training_set = TrainingSet(5000, 0.5, 50)
    for seed in range(20):
        training_set.add(game(seed, 90, (seed % 3) - 1.0), 39.0, seed)
    genomes = [genome(seed) for seed in range(7)]
    rows = training_set.draw(700, 3)
    together = training_set.losses(weights(*genomes), rows)
    assert list(together) == [training_set.losses(weights(each), rows)[0] for each in genomes]
    assert len(set(together)) == 7


def test_a_full_training_set_keeps_the_newest_positions() -> None:
    training_set, whole = TrainingSet(100, 0.5, 30), TrainingSet(10_000, 0.5, 30)
    for seed in range(12):
        for each in (training_set, whole):
            each.add(game(seed, 80, 1.0), 39.0, seed)
    assert len(training_set) == 100 and training_set.added == whole.added == len(whole) > 300
    params = weights(genome(1))
    newest = np.arange(len(whole) - 100, len(whole))
    assert training_set.losses(params, training_set.draw(100, 1)) == pytest.approx(
        whole.losses(params, newest), abs=1e-9
    )


def example_training_set(games: int = 20) -> TrainingSet:
    training_set = TrainingSet(5000, 0.5, 50)
    for seed in range(games):
        training_set.add(game(seed, 90, (seed % 3) - 1.0), 39.0, seed)
    return training_set


def test_genes_of_weights_score_alike_and_show_piece_values() -> None:
    training_set = example_training_set()
    moments = training_set.moments(training_set.draw(5000, 1))
    before = genome(5)
    squares = before["Squares Gene"]
    names = [param.name for param in squares.params]
    raised = tuple(
        value + (2.0 if name.startswith("Knight") else 0.0)
        for name, value in zip(names, squares.values, strict=True)
    )
    before = before.merged(Genome(genes=(replace(squares, values=raised),)))
    after = before.merged(genes_of(weights(before)[:, 0], moments))
    knight = (before["Piece Strength Gene"]["N"], after["Piece Strength Gene"]["N"])
    assert 1.8 < knight[1] - knight[0] < 2.2
    evaluators = [Evaluator(each.express().weights) for each in (before, after)]
    for position, _ in positions(game(6, 90, 0.0)):
        one, other = (int(each.score(position.board)) / each.unit for each in evaluators)
        assert one == pytest.approx(other, abs=1e-4)
    again = genes_of(weights(after)[:, 0], moments)
    assert again.numbers() == pytest.approx(after.only(TUNED).numbers(), abs=1e-9)


@pytest.mark.parametrize(
    "strengths", [(-3.0, -1.0, -1.0, -5.0, -9.0), (0.0,) * 5, (2.0, -3.0, 1.0, 9.0, -5.0)]
)
def test_weights_of_any_sign_become_genes(strengths: tuple[float, ...]) -> None:
    """As those of random genomes are: an army may be worth less than nothing."""
    training_set = example_training_set(3)
    wished = weights(genome(2))[:, 0]
    wished[:5] = wished[COLUMNS : COLUMNS + 5] = strengths
    after = genome(2).merged(genes_of(wished, training_set.moments(training_set.draw(5000, 1))))
    rows = training_set.draw(5000, 1)
    assert training_set.losses(weights(after), rows) == pytest.approx(
        training_set.losses(wished[:, None], rows), abs=1e-3
    )


def test_moments_are_mean_products_of_the_weighed_counts() -> None:
    training_set = example_training_set()
    rows = training_set.draw(300, 2)
    moments = training_set.moments(rows)
    assert moments.shape == (2 * COLUMNS, 2 * COLUMNS) and (moments == moments.T).all()
    rng = np.random.default_rng(1)
    column = rng.normal(size=2 * COLUMNS) / 50
    squares = []
    for row in rows:
        share = training_set._phases[row] / 24
        counts = training_set._counts[row].astype(float)
        squares.append((counts @ (share * column[:COLUMNS] + (1 - share) * column[COLUMNS:])) ** 2)
    assert column @ moments @ column == pytest.approx(sum(squares) / len(squares))


def test_images_differ_from_the_centre_by_the_first_step_in_score() -> None:
    """However rare, or however alike, the counts are: by the first step on average."""
    training_set = example_training_set()
    rows = training_set.draw(5000, 1)
    moments = training_set.moments(rows)
    breeder = StrategyBreeder(replace(CONFIG, gene_pool_population=200, first_step=0.5), genome(1))
    breeder.begin(Random(1))
    breeder.prepare(moments)
    centre = weights(genome(1))
    spreads: list[float] = []

    def watch(images: Weights) -> Losses:
        moves = (images - centre)[: 2 * COLUMNS]
        assert (images[:, :100] + images[:, 100:]) / 2 == pytest.approx(np.tile(centre, 100), abs=1e-9)
        spreads.extend(np.sqrt((moves * (moments @ moves)).sum(axis=0)))
        return training_set.losses(images, rows)

    breeder.step(watch, 1)
    assert min(spreads) > 0.2 and max(spreads) < 0.6 and len(spreads) == 200


def queens(count: int) -> TrainingSet:
    """Games in which a queen more always wins."""
    training_set = TrainingSet(20_000, 1.0, 50)
    for seed in range(count):
        start = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        if seed % 2:
            start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"
        training_set.add(game(seed, 40, -1.0 if seed % 2 else 1.0, start), 39.0, seed)
    return training_set


@pytest.mark.parametrize("kind", [StrategyBreeder, MatingBreeder])
def test_breeders_learn_the_training_set_and_resume_from_their_state(
    kind: type[StrategyBreeder] | type[MatingBreeder],
) -> None:
    """A queen comes to be worth something; and a breeder that is saved in between goes on alike."""
    training_set = queens(40)
    rows = training_set.draw(1000, 1)
    grade: Grader = lambda images: training_set.losses(images, rows)  # noqa: E731
    founder = genome(1)
    strengths = founder["Piece Strength Gene"]
    founder = founder.merged(
        Genome(genes=(replace(strengths, values=tuple(min(value, 4.0) for value in strengths.values)),))
    )
    config = replace(CONFIG, gene_pool_population=40, first_step=0.5, learning_rate=0.3)
    breeder = kind(config, founder)
    breeder.begin(Random(1))
    breeder.prepare(training_set.moments(rows))
    for seed in range(12):
        breeder.step(grade, seed)
    before, after = training_set.losses(weights(founder, founder.merged(breeder.best())), rows)
    assert after < before - 0.02
    other = kind(config, founder, breeder.state)  # type: ignore[arg-type]
    other.prepare(training_set.moments(rows))
    for seed in range(12, 14):
        assert breeder.step(grade, seed) == other.step(grade, seed)
    assert breeder.best() == other.best()


# -- The trial -----------------------------------------------------------------------------------------


def tuning(config: PoolConfig = CONFIG) -> ChampionTuning:
    return ChampionTuning(GameSettings.of(config), 1, genome, lambda: (), genome(1))


def results(tasks: list[SelfPlayGame], challenger: Genome | None, points: float) -> list[GameResult]:
    """Drawn games for the training set; `points` for the challenger in its own."""
    record = game(1, 12, 0.0).pack()
    found = []
    for task in tasks:
        white = 0.0
        if challenger is not None and task.white != task.black:
            white = points if task.white == challenger else -points
        found.append(GameResult(returns=(white, -white), ending="adjudication", plies=12, record=record))
    return found


@pytest.mark.parametrize(("points", "wins"), [(1.0, True), (-1.0, False)])
def test_the_challenger_is_crowned_only_by_winning_the_trial(points: float, wins: bool) -> None:
    config = replace(CONFIG, panel_games=0, panel_interval=0, longest_trial=1000, trial_games=40)
    run = tuning(config)
    run.step([])
    founder = run.champion
    run.step(results(run.tasks(), None, 0.0))
    challenger = run.state.challenger
    assert challenger == 1 and run.champion is founder
    for _ in range(30):
        tasks = run.tasks()
        trial = [task for task in tasks if task.white != task.black]
        assert len(trial) == 40
        run.step(results(tasks, trial[0].white, points))
        if run.state.challenger != challenger:
            break
    else:
        pytest.fail("the trial has no end")
    assert (run.champion.id == challenger) == wins


def test_an_undecided_trial_ends() -> None:
    config = replace(CONFIG, panel_games=0, panel_interval=0, longest_trial=8, trial_games=4)
    run = tuning(config)
    run.step([])
    challengers = []
    for _ in range(4):
        run.step(results(run.tasks(), None, 0.0))
        challengers.append(run.state.challenger)
    assert challengers == [1, 1, 2, 2] and run.champion.id == 0


def test_genomes_are_bred_from_the_minimum_of_positions_on() -> None:
    quiet = 10  # of 12 plies, which have no capture and no check
    config = replace(CONFIG, minimum_positions=2 * CONFIG.paper_games * min(quiet, CONFIG.positions_per_game))
    run = tuning(replace(config, panel_games=0, panel_interval=0))
    run.step([])
    challengers = []
    for _ in range(3):
        run.step(results(run.tasks(), None, 0.0))
        challengers.append(run.state.challenger)
        assert (run.state.breeder is None) == (run.state.added[-1] < config.minimum_positions)
    assert challengers == [None, 1, 1]


@pytest.mark.parametrize("champion", [0, 2])
def test_a_champion_price_keeps_the_breeder_near_the_champion(champion: int) -> None:
    """The founder, which is genome 1, and genome 2 after it; the price on the numbers themselves is off."""
    distances = []
    for price in (0.0, 0.1, 1.0):
        config = replace(CONFIG, price=0.0, champion_price=price, panel_games=0, panel_interval=0)
        config = replace(config, gene_pool_population=40, breeding_steps=20)
        run = tuning(config)
        run.step([])
        if champion:
            state = replace_struct(run.state, centre=champion, next_id=champion + 1)
            run = ChampionTuning(GameSettings.of(config), 1, genome, lambda: (), genome(1), state)
        for _ in range(2):
            run.step(results(run.tasks(), None, 0.0))
        centre = np.array(run.state.breeder.centre)
        distances.append(float(np.linalg.norm(centre - weights(genome(champion or 1))[:, 0])))
    assert distances[0] > 2 * distances[1] > 4 * distances[2] > 0


def test_nodes_per_move_grow_by_a_factor() -> None:
    """From 100 in generation 0, which plays no games, to 1600 in the last planned round, and no further."""
    config = replace(CONFIG, nodes_per_move=100, last_nodes_per_move=1600, planned_rounds=4)
    run = tuning(config)
    run.step([])
    nodes = []
    for _ in range(6):
        tasks = run.tasks()
        nodes.append(tasks[0].nodes)
        run.step(results(tasks, None, 0.0))
    assert nodes == [200, 400, 800, 1600, 1600, 1600]


def test_the_gating_match_may_have_other_nodes_than_the_training_games() -> None:
    run = tuning(replace(CONFIG, trial_nodes=77, panel_games=0, panel_interval=0))
    run.step([])
    run.step(results(run.tasks(), None, 0.0))
    tasks = run.tasks()
    assert {task.nodes for task in tasks if task.white != task.black} == {77}
    assert 77 not in {task.nodes for task in tasks if task.white == task.black}


def test_only_positions_with_a_search_for_a_target_join_the_training_set() -> None:
    """The games of the training set have targets, those of the gating match have none."""
    config = replace(CONFIG, target_nodes=500, panel_games=0, panel_interval=0)
    run = tuning(config)
    run.step([])
    record = game(1, 30, 1.0)
    nodes = [500 if ply % 3 == 0 else 60 for ply in range(len(record.plies))]
    plies = tuple(replace(ply, nodes=n) for ply, n in zip(record.plies, nodes, strict=True))
    packed = replace(record, plies=plies).pack()
    tasks = run.tasks()
    assert {(task.target_nodes, task.targets) for task in tasks} == {(500, config.positions_per_game)}
    outcomes = [replace(each, record=packed) for each in results(tasks, None, 0.0)]
    run.step(outcomes)
    quiet = sum(
        nodes[ply] > 60 and ply >= 2 and not position.in_check() and is_quiet(position.board, recorded.move)
        for ply, (position, recorded) in enumerate(positions(record))
    )
    assert 0 < quiet <= config.positions_per_game
    assert run.state.added[-1] == quiet * config.paper_games
    tasks = run.tasks()
    assert {task.target_nodes for task in tasks if task.white != task.black} == {None}


def test_a_run_of_other_genes_is_refused() -> None:
    begun = tuning()
    begun.step([])
    begun.step(results(begun.tasks(), None, 0.0))
    state = begun.state
    shorter = replace_struct(state, breeder=SearchState(state.breeder.steps, (0.0,) * 749, (), ()))
    with pytest.raises(ValueError, match="749 numbers, by a version with other genes"):
        ChampionTuning(GameSettings.of(CONFIG), 1, genome, lambda: (), genome(1), shorter)


def test_a_founder_must_be_a_sum_of_counts() -> None:
    assert {f"{name} Gene" for name in GENES} - TUNED
    with pytest.raises(ValueError, match="the tuning cannot grade Freedom to Move Gene"):
        ChampionTuning(GameSettings.of(CONFIG), 1, genome, lambda: (), load_bundled("handset").extended())
    with_random_genes = random_genome(Random(1))
    active = {gene.name for gene in with_random_genes.genes if gene.active}
    assert active == TUNED | {"Look Ahead Gene"}


def test_a_lead_of_four_pawns_wins_ten_to_one() -> None:
    """Four pawns are ten to one."""
    assert 1 / (1 + math.exp(-SLOPE * UNITS * 4)) == pytest.approx(10 / 11)
