"""The table of a match, from outcomes written down here."""

from protocols.jsonl.match import GameOutcome, MatchGame, Standings


def outcome(number: int, seed: int, players: tuple[int, ...], *results: float) -> GameOutcome:
    return GameOutcome(
        game=MatchGame(number=number, seed=seed, players=players, group=0),
        ranks=[1 + sum(other > own for other in results) for own in results],
        results=results,
        seconds=[0.5] * len(players),
        forced=[1] * len(players),
    )


def test_before_any_game() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    first, _ = standings.rows()
    assert (first.games, first.low, first.high, first.rating) == (0, 0.0, 1.0, 0.0)
    assert standings.interval() == 1.0


def test_pairs_are_two_games_of_a_seed() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    standings.add(outcome(0, 7, (0, 1), 10, 5))
    standings.add(outcome(1, 8, (0, 1), 3, 3))
    standings.add(outcome(2, 7, (1, 0), 4, 9))
    first, second = standings.rows()
    assert first.pairs == [0, 0, 0, 0, 1] and second.pairs == [1, 0, 0, 0, 0]
    assert (first.wins, first.shared, first.losses) == (2, 1, 0)
    assert first.mean_result == (10 + 3 + 9) / 3 and first.mean_rank == 1.0
    assert first.seconds == 1.5 and first.forced == 3 and first.against[1] == [0, 1, 2]


def test_four_at_a_table() -> None:
    standings = Standings(("a", "b", "c", "d"), has_pairs=False)
    standings.add(outcome(0, 1, (3, 2, 1, 0), 9, 9, 5, 1))
    rows = standings.rows()
    assert [row.mean_rank for row in rows] == [4, 3, 1, 1]
    assert [(row.wins, row.shared, row.losses) for row in rows] == [
        (0, 0, 1),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 0),
    ]
    assert rows[3].against == [[0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]] and rows[0].pairs is None
    assert rows[3].rating == rows[2].rating > rows[1].rating > rows[0].rating
