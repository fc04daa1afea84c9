"""Modes and hybrids: who is played when, and what is kept of a turn's children."""

from dataclasses import replace

import pytest

from core.random import Random
from engines.protection.adaptation.calibration import Calibration
from engines.protection.adaptation.chooser import Known
from engines.protection.adaptation.course import Course
from engines.protection.adaptation.hybrids import ADVANCED, CHILDREN, KEPT, PARENTS, bred, kept
from engines.protection.adaptation.modes import Mode, chooser
from engines.protection.adaptation.names import MODES
from engines.protection.game.chance import Seeded
from engines.protection.genome import LOCI, Genome
from engines.protection.pool.handwritten import handwritten
from engines.protection.profile.profile import STRINGS, Hybrid, Profile

STARTER = 7
RATINGS = tuple(range(-100, 150))
CHILD = Hybrid(rating=-500, genome=handwritten()["quilt"])
KNOWN = Profile(wins=3, losses=1, ratings=RATINGS)


def index(mode: str, profile: Profile, *standings: float) -> int:
    known = Known(profile=profile, course=Course(standings=standings))
    return chooser(mode, STARTER).choose(known, Seeded(5)).index


def test_a_new_user_meets_the_starter() -> None:
    assert {index(mode, Profile()) for mode in MODES if mode != "random"} == {STARTER}


def test_each_mode() -> None:
    assert index("seed", KNOWN) == 50
    assert index("calibrated", KNOWN) == 75  # 5 of 8 games: a quarter of the best
    assert index("best", KNOWN) == 0
    assert index("fixed:249", KNOWN) == 249
    known, drawn = Known(profile=KNOWN, course=Course()), chooser("random", 0)
    strings = {drawn.choose(known, Seeded(seed)).index for seed in range(999)}
    assert len(strings) > 220 and max(strings) < STRINGS


def test_a_game_under_way_is_steered() -> None:
    assert index("calibrated", KNOWN, 0.9) < index("calibrated", KNOWN) < index("calibrated", KNOWN, 0.1)
    assert index("seed", KNOWN, 0.9) == index("seed", KNOWN)


def test_hybrids_are_for_the_advanced() -> None:
    few, many = (Profile(wins=wins, losses=0, ratings=RATINGS, hybrids=(CHILD,)) for wins in (1, 99))
    assert Calibration().share(1, 0) < ADVANCED < Calibration().share(99, 0)
    assert index("best", few) == 0
    assert index("best", many) == index("calibrated", many) == STRINGS
    assert index("seed", many) == 0
    assert index("best", replace(many, hybrids=())) == 0


@pytest.mark.parametrize("name", ["", "Seed", "fixed", "fixed:", "fixed:250", "fixed:-1", "fixed:²"])
def test_what_is_no_mode(name: str) -> None:
    with pytest.raises(ValueError, match="a mode is pilot, calibrated, seed, best, random or fixed:0"):
        chooser(name, 0)
    with pytest.raises(ValueError, match="the starter is 0 to 249"):
        Mode(name="seed", starter=250)


def test_who_learns_and_who_breeds() -> None:
    rules = [chooser(mode, STARTER) for mode in (*MODES, "fixed:7")]
    assert [rule.name for rule in rules] == [*MODES, "fixed:7"]
    assert {rule.name for rule in rules if rule.learns} == {"pilot", "calibrated", "seed", "best"}
    assert {rule.name for rule in rules if rule.breeds} == {"pilot", "calibrated", "best"}


def test_children_have_the_lowest_for_parents() -> None:
    strings = [Genome.of([number % 16] * 264) for number in range(20)]
    children = bred(strings, [-number for number in range(20)], Random(3))
    assert len(children) == CHILDREN
    assert bred(strings, [-number for number in range(20)], Random(3)) == children
    loci = [set(child.nibbles) for child in children]
    lowest = {number % 16 for number in range(20 - PARENTS, 20)}
    assert all(found <= lowest and len(found) <= 2 for found in loci)
    assert sum(len(found) == 2 for found in loci) > CHILDREN // 2, f"one in {2 ** (LOCI - 1)} is a copy"


def test_the_best_are_kept() -> None:
    rng = Random(4)
    hybrids = [Hybrid(rating=-number, genome=Genome.random(rng)) for number in range(30)]
    again = [Hybrid(rating=5, genome=hybrids[29].genome)]
    best = kept([*again, *hybrids])
    assert [each.rating for each in best] == [-29 + number for number in range(KEPT)]
    assert kept(best) == best
    assert kept([]) == ()
