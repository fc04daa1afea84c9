"""A scrimmage: who is picked, who wins, and when it may stop."""

from dataclasses import replace

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.fight import Outcome, Ring
from engines.corewar.tribes.evaluation.member import Member
from engines.corewar.tribes.evaluation.scrimmage import Scrimmage

CONFIG = TribesConfig(core_size=80, cycles=300, processes=8, length=8, distance=8, founders_longest=8)
RULES = Rules(size=80, cycles=300, processes=8, length=8, distance=8)
SUICIDE = load_file.loads("DAT.F #0, #0", RULES)
WAITER = load_file.loads("JMP.B $0, $0", RULES)


def tribe(*warriors: Warrior) -> list[Member]:
    return [Member(id=100 + seat, warrior=warrior) for seat, warrior in enumerate(warriors)]


def scrimmage(rounds: int | None, stop_decided: bool = False) -> Scrimmage:
    return Scrimmage(ring=Ring.of(CONFIG, rounds), picked=4, winners=2, stop_decided=stop_decided)


def test_the_living_breed_and_the_dead_do_not() -> None:
    members = tribe(SUICIDE, WAITER, SUICIDE, WAITER)
    verdict = scrimmage(10).judge(members, Random(1))
    assert sorted(verdict.winners) == [1, 3] and sorted(verdict.losers) == [0, 2]
    points = dict(zip(verdict.fought, verdict.points, strict=True))
    assert points[1] == points[3] == 2 * 30 + 10
    assert (members[1].rounds, members[1].wins, members[1].ties) == (30, 20, 10)
    assert members[0].rounds == 30


def test_equal_ones_are_told_apart_by_lot() -> None:
    picked = {scrimmage(1).judge(tribe(*[WAITER] * 6), Random(seed)).winners for seed in range(60)}
    assert len({winner for winners in picked for winner in winners}) == 6


def test_an_exact_fight_has_all_places() -> None:
    ring = Ring.of(CONFIG, None)
    outcome = ring.fight(WAITER, WAITER, Random(1))
    assert outcome.rounds == 2 * (80 + 1 - 16) and outcome.ties == outcome.rounds
    assert Outcome(wins=1, ties=2, losses=3).reversed == Outcome(wins=3, ties=2, losses=1)


def test_a_fight_that_begins_alike_may_be_taken_to_go_on_so() -> None:
    config = replace(CONFIG, rounds_alike=3)
    full, short = Ring.of(CONFIG, 10), Ring.of(config, 10)
    tied = short.fight(WAITER, WAITER, Random(1))
    assert (tied.wins, tied.ties, tied.losses) == (0, 10, 0)
    assert tied.executed < full.fight(WAITER, WAITER, Random(1)).executed
    mixed = short.fight(SUICIDE, SUICIDE, Random(1))
    assert mixed == full.fight(SUICIDE, SUICIDE, Random(1)), "who begins dies, so its rounds are not alike"


def test_stopping_early_changes_nobodys_fate() -> None:
    soup, stopped = Soup.of(CONFIG), 0
    for seed in range(80):
        rng = Random(seed)
        warriors = [Warrior("", "", soup.cells(4, rng), 0) for _ in range(6)]
        full = scrimmage(5).judge(tribe(*warriors), Random(seed))
        short = scrimmage(5, stop_decided=True).judge(tribe(*warriors), Random(seed))
        assert sorted(short.winners) == sorted(full.winners)
        stopped += sum(short.points) < sum(full.points)
    assert stopped > 5
