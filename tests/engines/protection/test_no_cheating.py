"""Chaos does not cheat: it chooses a string, and nothing else depends on who plays."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

from core.protection.board import Scenario, arrangement_of, distance
from core.protection.policy import Policy
from core.protection.rules import INFANTRY, RULES, SQUARES
from core.protection.turn import Dice, Turn, TurnLog
from core.random import Random
from engines.protection.adaptation import GameHistory, Mode, Ratings
from engines.protection.bot_plans import observe
from engines.protection.bots import create_bot
from engines.protection.chaos import Chaos
from engines.protection.game import Placement, ProtectionGame, Setup, new_game
from engines.protection.genome import Genome
from engines.protection.pool import handwritten
from engines.protection.profile import STRINGS, Profile
from engines.seeds import SeededStreams
from tests.core.protection.boards import always, plain_map

BY_HAND = list(handwritten().values())
POOL = tuple(BY_HAND[index % len(BY_HAND)] for index in range(STRINGS))
FAR = 12  # squares, on the torus of 24
QUIET_PHASES = 3  # two actions each, and nobody senses further than 4


@settings(deadline=None, max_examples=60)
@given(st.binary(min_size=132, max_size=132), st.integers(0, 7), st.integers(0, SQUARES * 4 - 1))
def test_units_outside_its_senses_do_not_affect_a_minion(string: bytes, kind: int, pose: int) -> None:
    """A row of soldiers far away changes no move."""
    logs = []
    for far in ([], [square for square in range(SQUARES) if distance(square, pose // 4) == FAR]):
        turn = Turn(Scenario(RULES["improved"], plain_map("t")))
        turn.arrange(arrangement_of(dict.fromkeys(far, INFANTRY)))
        turn.spawn(Policy(string), vec[i64]([int(kind == each) for each in range(8)]), 0)
        turn.place_minion(0, pose)
        logs.append(TurnLog())
        turn.play(Dice(Random(1)), logs[-1])
    assert logs[0].acts[:QUIET_PHASES] == logs[1].acts[:QUIET_PHASES]


def profile(wins: int, losses: int, ratings_seed: int) -> Profile:
    rng = Random(ratings_seed)
    return Profile(wins=wins, losses=losses, ratings=tuple(rng.below(4000) - 2000 for _ in range(STRINGS)))


PROFILES = (profile(30, 2, 1), profile(0, 12, 2), Profile())
MODES = (Mode("seed", 3), Mode("calibrated", 3), Mode("pilot", 3))


def farming(game: ProtectionGame, name: str = "drones") -> None:
    game.set_up(create_bot(name, 0).choose(observe(game), Random(game.state.turn)))


def test_rules_map_and_prices_do_not_depend_on_the_profile() -> None:
    told = set()
    for each in PROFILES:
        for mode in MODES:
            game = new_game(RULES["improved"], SeededStreams(11))
            chaos = Chaos(pool=POOL, mode=mode, profile=each)
            farming(game)
            game.play(chaos.string(chaos.choose(GameHistory.of(game), game.streams).index))
            setting = game.state.scenario
            told.add((repr(setting.rules.fields()), setting.map.codes, setting.map.gold, game.state.turn))
    assert len(told) == 1 and told.pop()[0] == repr(RULES["improved"].fields())


def test_the_choice_of_a_string_does_not_depend_on_the_arrangement() -> None:
    """The same choice before a setup, after it, and where another one was made."""
    for mode in MODES:
        choices = []
        for name in ("drones", "turtle"):
            game = new_game(RULES["improved"], SeededStreams(11))
            chaos = Chaos(pool=POOL, mode=mode, profile=PROFILES[0])
            choices.append(chaos.choose(GameHistory.of(game), game.streams))
            farming(game, name)
            choices.append(chaos.choose(GameHistory.of(game), game.streams))
        assert len(set(choices)) == 1


def test_dice_do_not_depend_on_the_profile() -> None:
    """The same string on the same seed: the same minions on the same squares, and every fight alike."""
    logs = []
    for each in PROFILES:
        game = new_game(RULES["improved"], SeededStreams(5))
        chaos = Chaos(pool=POOL, mode=Mode("fixed:4", 0), profile=each)
        for _ in range(3):
            farming(game)
            logs.append(TurnLog())
            game.play(chaos.string(chaos.choose(GameHistory.of(game), game.streams).index), logs[-1])
            job = chaos.rating_job(game.state, game.streams)
            chaos = chaos.rated(job, Ratings(ratings=(1,) * STRINGS, human=(0,) * STRINGS))
    turns = [(log.roster, log.acts, log.fights) for log in logs]
    assert turns[:3] == turns[3:6] == turns[6:]
    assert sum(len(log.fights) for log in logs) > 30


def test_dice_are_uniform_for_winning_and_losing_users() -> None:
    """Chi-square of the commonest die, 99.9 %, over games of both."""
    for each in PROFILES[:2]:
        rolls: Counter[tuple[int, int]] = Counter()
        for seed in range(12):
            game = new_game(RULES["improved"], SeededStreams(seed))
            chaos = Chaos(pool=POOL, mode=Mode("seed", 3), profile=each)
            while game.over is None and len(game.turns) < 6:
                farming(game, "turtle")
                log = TurnLog()
                game.play(chaos.string(chaos.choose(GameHistory.of(game), game.streams).index), log)
                rolls.update((of, n) for _, _, _, _, n, of, _, _ in log.fights if of)
        sides = Counter(of for of, _ in rolls.elements()).most_common(1)[0][0]
        counts = [rolls[sides, n] for n in range(1, sides + 1)]
        expected = sum(counts) / sides
        assert expected > 10
        degrees = sides - 1
        assert (
            sum((count - expected) ** 2 / expected for count in counts)
            < degrees + 3.3 * (2 * degrees) ** 0.5 + 5
        )


def test_the_human_sees_nothing_of_profile_and_string_before_the_turn() -> None:
    """What a user knows at a setup is the same whatever Chaos remembers, and whichever string it has just chosen."""
    views, choices = [], []
    for each in PROFILES:
        game = new_game(RULES["improved"], SeededStreams(9))
        chaos = Chaos(pool=POOL, mode=Mode("seed", 3), profile=each)
        for turn in range(3):
            choice = chaos.choose(GameHistory.of(game), game.streams)
            views.append(_seen(game))
            farming(game)
            game.play(POOL[turn].code)  # the turns before this one are the same
        choices.append(choice.index)
        farming(game)
        game.play(chaos.string(choice.index))
        views.append(_seen(game))
    before, after = [views[start : start + 3] for start in (0, 4, 8)], views[3::4]
    assert before[0] == before[1] == before[2]
    assert len(set(choices)) == 3 and len(set(after)) > 1, "strings that have been played make a difference"


def _seen(game: ProtectionGame) -> tuple[object, ...]:
    view = observe(game)
    units = tuple(each.__reduce__()[1] for each in view.units)
    return view.turn, view.treasury, view.chaos_value, units, view.losses, tuple(view.free())


def test_chaos_cannot_spend_more_than_its_treasury() -> None:
    """A string that wants everything, and a Chaos without money: nothing is bought."""
    game = ProtectionGame(Scenario(RULES["improved"], plain_map("t")), SeededStreams(1), 2000, 9)
    game.set_up(Setup(place=(Placement(INFANTRY, 0),)))
    played = game.play(always()[:-4] + b"\xff\xff\xff\xff")
    assert played.audit.spent == 0 and not any(played.report.bought)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 1 << 40))
def test_the_choice_depends_only_on_profile_history_and_seed(wins: int, losses: int, seed: int) -> None:
    """A pickled, equal Chaos chooses alike, and other chance does not matter to the modes that take none."""
    for mode in MODES:
        chaos = Chaos(pool=POOL, mode=mode, profile=profile(wins, losses, 3))
        again = Chaos(pool=POOL, mode=Mode(mode.name, 3), profile=profile(wins, losses, 3))
        assert chaos.choose(GameHistory(), SeededStreams(seed)) == again.choose(
            GameHistory(), SeededStreams(seed)
        )
        if mode.name != "pilot":
            assert chaos.choose(GameHistory(), SeededStreams(seed)) == chaos.choose(
                GameHistory(), SeededStreams(seed + 1)
            )


def test_a_random_genome_may_be_in_a_pool() -> None:
    strings = tuple(Genome.random(Random(number)) for number in range(STRINGS))
    chaos = Chaos(pool=strings, mode=Mode("best", 0), profile=PROFILES[0])
    index = chaos.choose(GameHistory(), SeededStreams(1)).index
    assert chaos.profile.ratings[index] == min(chaos.profile.ratings)
    assert chaos.string(index) == strings[index].code
