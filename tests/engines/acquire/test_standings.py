"""Standings: whole rankings count in ratings, and two players need none."""

from engines.acquire.standings import Played, Standings


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
