"""Standings of matches by hand: pairs, tables, ratings, and what is kept of millions of games."""

import pickle

from engines.match.match import Match
from engines.match.schedule import MatchGame, Schedule
from engines.match.standings import GameOutcome, Standings
from engines.seeds import game_seed
from engines.statistics import score


def outcome(number: int, seed: int, players: tuple[int, ...], *results: float) -> GameOutcome:
    return GameOutcome(
        game=MatchGame(number=number, seed=seed, players=players, group=0),
        ranks=[1 + sum(other > own for other in results) for own in results],
        results=results,
        seconds=[0.5] * len(players),
        forced=[1] * len(players),
    )


def test_standings_before_any_game_are_empty() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    first = standings.player(0)
    assert (first.games, first.share, first.mean_rank) == (0, None, 0.0)
    assert standings.interval() == 1.0


def test_pairs_are_two_games_of_a_seed() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    standings.add(outcome(0, 7, (0, 1), 10, 5))
    standings.add(outcome(1, 8, (0, 1), 3, 3))
    standings.add(outcome(2, 7, (1, 0), 4, 9))
    first = standings.player(0)
    assert standings.pairs(0) == [0, 0, 0, 0, 1] and standings.pairs(1, 0) == [1, 0, 0, 0, 0]
    assert (first.wins, first.draws, first.losses) == (2, 1, 0)
    assert first.mean_result == (10 + 3 + 9) / 3 and first.mean_rank == 1.0
    assert first.seconds == 1.5 and first.forced == 3 and standings.against(0, 1) == (0, 1, 2)
    assert standings.counts(0, 1) == [0, 1, 2], "half a pair: single games count"
    assert standings.test_counts(0, 1) == [0, 0, 0, 0, 1], "a sequential test waits"
    standings.add(outcome(3, 8, (1, 0), 1, 3))
    assert standings.counts(0, 1) == [0, 0, 0, 1, 1]
    share = standings.player(0).share
    assert share == score([0, 0, 0, 1, 1]) and share.value == 7 / 8


def test_pairs_are_of_two_players_each() -> None:
    """The same seed between others is another pair."""
    standings = Standings(("a", "b", "c"), has_pairs=True)
    standings.add(outcome(0, 7, (0, 1), 1, 0))
    standings.add(outcome(1, 7, (0, 2), 1, 0))
    assert standings.pairs(0) == [0] * 5
    standings.add(outcome(2, 7, (1, 0), 1, 0))
    assert standings.pairs(0, 1) == [0, 0, 1, 0, 0] and standings.pairs(0, 2) == [0] * 5


def test_games_of_four_count_places_and_pairwise_results() -> None:
    standings = Standings(("a", "b", "c", "d"))
    standings.add(outcome(0, 1, (3, 2, 1, 0), 9, 9, 5, 1))
    rows = [standings.player(index) for index in range(4)]
    assert [row.mean_rank for row in rows] == [4, 3, 1, 1]
    assert [(row.wins, row.draws, row.losses) for row in rows] == [
        (0, 0, 1),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 0),
    ]
    assert [standings.against(3, other) for other in range(3)] == [(0, 0, 1), (0, 0, 1), (0, 1, 0)]
    ratings = standings.ratings()
    assert ratings[3] == ratings[2] and ratings[2].value > ratings[1].value > ratings[0].value


def test_table_ratings_use_whole_rankings() -> None:
    """Whole rankings count: the second of three is above the third."""
    standings = Standings("abc", keeps_tables=True)
    for number, worths in enumerate([(30, 20, 10), (30, 20, 10), (30, 25, 10), (20, 30, 10)]):
        standings.add(outcome(number, number, (0, 1, 2), *worths))
    first, second, third = standings.table_ratings()
    assert first.value > second.value > third.value and first.low < first.value < first.high


def test_table_ratings_do_not_depend_on_the_seats() -> None:
    one, other = (Standings("abc", keeps_tables=True) for _ in range(2))
    one.add(outcome(0, 0, (0, 1, 2), 30, 20, 10))
    other.add(outcome(0, 0, (2, 0, 1), 10, 30, 20))
    assert one.table_ratings() == other.table_ratings()


def test_a_match_of_millions_of_games_keeps_no_list_of_them() -> None:
    match = Match(Schedule(players=("a", "b"), games=10_000_000, mirror=True))
    sizes = []
    for _ in range(2):
        for _ in range(60):
            games = match.next_games(20)
            assert len(games) == 20
            match.add([outcome(each.number, each.seed, each.players, 1, 0) for each in games], lambda: False)
        sizes.append(len(pickle.dumps(match.standings)))
    assert sizes[0] == sizes[1] and match.done == 2400
    assert len(match.seeds) == 1000 and match.seeds[2] == game_seed(0, 1)
