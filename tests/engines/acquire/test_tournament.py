"""Tournaments: everybody meets everybody over the same bags, for any number of workers; tables and ratings."""

from itertools import combinations

import pytest

from core.acquire.rules import PRESETS
from engines.acquire.entrant import Entrant
from engines.acquire.measure import play
from engines.acquire.tournament import Played, Standings, Tournament
from engines.executor import processes


def tournament(*names: str, seats: int = 2, bags: int = 5, variant: str = "thesis-2002") -> Tournament:
    entrants = tuple(Entrant.read(name) for name in names)
    return Tournament(rules=PRESETS[variant], entrants=entrants, seats=seats, bags=bags, seed=3)


async def test_workers_change_nothing() -> None:
    played = tournament("heuristic", "random", "pair-4", bags=45)
    assert played.games == 3 * 2 * 45
    outcomes = []
    for workers in (1, 2):
        async with processes(workers, ["engines.acquire.measure"]) as crew:
            batches = [batch async for batch in played.play(crew)]
        outcomes.append(Standings.of(("a", "b", "c"), 2, batches))
    one, other = outcomes
    assert one == other and one.games == played.games
    assert [score.games for score in one.scores] == [180, 180, 180]
    assert set(one.against) == set(combinations(range(3), 2))
    assert one.ratings and one.ratings[0].low > one.ratings[1].high


async def test_the_groups_have_the_bags_in_common() -> None:
    played = tournament("random", "random", "random", bags=3)
    async with processes(1) as crew:
        batches = [batch async for batch in played.play(crew)]
    by_group = {
        group: [game for batch in batches if batch.players == group for game in batch.games]
        for group in played.groups
    }
    assert len({str(games) for games in by_group.values()}) == 1, "three equal pairs in the same bags"


def test_ratings_of_tables() -> None:
    """Whole rankings count: who is second of three is above who is third."""
    games = [(30, 20, 10), (30, 20, 10), (30, 25, 10), (20, 30, 10)]
    standings = Standings.of("abc", 3, [Played(players=(0, 1, 2), games=games)])
    assert standings.ratings
    first, second, third = standings.ratings
    assert first.value > second.value > third.value and first.low < first.value < first.high
    assert standings.against == {(0, 1): (1, 0, 3), (0, 2): (0, 0, 4), (1, 2): (0, 0, 4)}
    assert [score.ranks for score in standings.scores] == [5, 7, 12]


def test_two_players_need_no_rating() -> None:
    assert Standings.of("ab", 2, [Played(players=(0, 1), games=[(1, 2)])]).ratings is None


async def test_slow_players_come_in_small_batches() -> None:
    played = tournament("mc-1", "random", "random", seats=3, variant="thesis-7")
    async with processes(2) as crew:
        batches = [batch async for batch in played.play(crew)]
    assert [len(batch.games) for batch in batches] == [3] * 5
    whole = next(iter(played._batches()))[1]
    assert play(whole)[0] == batches[0].games[0]


@pytest.mark.parametrize(
    ("names", "settings", "complaint"),
    [
        (("random",), {}, "2 seats need as many players"),
        (("random",) * 7, {"seats": 7}, "for 2 to 6 players, not 7"),
        (("random",) * 3, {"seats": 3, "variant": "mini"}, "mini is for 2 to 2"),
        (("random",) * 2, {"bags": 0}, "no bags"),
    ],
)
def test_what_is_no_tournament(names: tuple[str, ...], settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        tournament(*names, **settings)  # type: ignore[arg-type]
