"""No cheating: minions know their state and input alone and stand where they may; dice know no strings."""

from core.protection.board import Scenario, generate_map
from core.protection.policy import Policy
from core.protection.rules import KINDS, RULES, SQUARES
from core.protection.turn import Dice, Turn, TurnLog
from core.random import Random
from tests.core.protection.boards import FACINGS, MINION_NAMES, turn_of
from tests.core.protection.reference import Man
from tests.core.protection.test_policy import step
from tests.core.protection.test_reference import naive_of, place, random_arrangement, random_string


def test_a_move_depends_on_state_and_input_only() -> None:
    """On many boards: the string says what is done in (state, input), and nothing else has a say."""
    rng = Random(3)
    met = set()
    for number in range(40):
        setting = Scenario(RULES["seed"], generate_map(rng))
        arrangement, string = random_arrangement(setting.map, rng), random_string(rng)
        policy, naive = Policy(string), naive_of("seed", setting.map, arrangement, 0)
        free = [
            square
            for square in range(SQUARES)
            if setting.map.is_land(square) and not arrangement.codes[square]
        ]
        for name in ("scout", "scavenger", "common", "amphibious", "jump", "armored"):
            kind, square, facing = MINION_NAMES.index(name), free[rng.below(len(free))], int(rng.below(4))
            turn = turn_of([(name, square, FACINGS[facing])], arrangement, string, setting.map)
            sensed = naive.sense(Man(0, name, place(square), FACINGS[facing]))
            state, action = step(policy, kind, 0, sensed)
            turn.play(Dice(rng), None, 1)
            word = int(turn.minions[0])
            if word >= 0:
                turned = facing + (0, 1, 3, 0)[action] & 3
                assert (word & 3, word >> 2 & 3) == (state, turned), f"{name}, board {number}"
                assert action == 0 or word >> 4 == square
                met.add((kind, sensed))
    assert len(met) > 20


def test_minions_never_stand_on_units_or_forbidden_terrain() -> None:
    rng = Random(5)
    for rules in ("seed", "improved"):
        for _ in range(20):
            setting = Scenario(RULES[rules], generate_map(rng))
            turn = Turn(setting)
            turn.arrange(random_arrangement(setting.map, rng))
            turn.deploy(Policy(random_string(rng)), 3000, rng)
            dice = Dice(rng)
            while turn.phase < 50 and turn.living:
                turn.play(dice, None, 1)
                on_board = 0
                for number in range(int(turn.begin[KINDS])):
                    word = int(turn.minions[number])
                    if word >= 0:
                        on_board += 1
                        assert not turn.field.units[word >> 4]
                        swims = turn.kinds[number] == MINION_NAMES.index("amphibious")
                        assert setting.map.is_land(word >> 4) or (swims and setting.map.codes[word >> 4] == 0)
                assert on_board == turn.living


def test_the_roster_depends_on_the_placement_seed_and_not_on_the_dice() -> None:
    """Other dice change the fights, but move no minion at the start."""
    rng = Random(6)
    setting = Scenario(RULES["improved"], generate_map(rng))
    arrangement, policy = random_arrangement(setting.map, rng), Policy(random_string(rng))
    logs = {}
    for placement, dice in ((9, 1), (9, 2), (10, 1)):
        turn = Turn(setting)
        turn.arrange(arrangement)
        turn.deploy(policy, 2000, Random(placement))
        log = logs[placement, dice] = TurnLog()
        turn.play(Dice(Random(dice)), log, 50)
    first, other_dice, other_places = logs.values()
    assert first.roster == other_dice.roster and len(set(first.roster)) > 5
    assert first.fights != other_dice.fights
    assert first.roster != other_places.roster


def test_start_squares_cover_the_land_and_facings_are_uniform() -> None:
    """Chi-square of the facings of 4,000 minions, and nearly every free square is taken."""
    rng = Random(8)
    setting = Scenario(RULES["seed"], generate_map(rng))
    turn = Turn(setting)
    turn.deploy(Policy(bytes(128) + bytes([0xF0, 0, 0, 0])), 40_000, rng)
    poses = [int(turn.minions[number]) >> 2 for number in range(4000)]
    counts = [sum(pose % 4 == facing for pose in poses) for facing in range(4)]
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 16.3  # 0.1 %
    land = {square for square in range(SQUARES) if setting.map.is_land(square)}
    assert {pose // 4 for pose in poses} == land
