"""Matches: every seat taken in turn, near the published figures, the same in parts; records and ratings of the games."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.acquire.rules import PRESETS, Rules
from engines.acquire.match import MatchSpec, Played, Score, Standings, play_match, scores
from engines.acquire.record import replay
from engines.acquire.registry import PlayerSpec

THREE, SEVEN = PRESETS["thesis-2002"], PRESETS["thesis-7"]


def contest(rules: Rules, *names: str, bags: int, **more: Any) -> MatchSpec:
    players = tuple(PlayerSpec.parse(name) for name in names)
    return MatchSpec(rules=rules, players=players, bags=bags, **{"seed": 1} | more)


@pytest.mark.parametrize(("rules", "rate"), [(THREE, 0.923), (SEVEN, 0.984)], ids=["3 chains", "7 chains"])
def test_the_heuristic_beats_chance(rules: Rules, rate: float) -> None:
    heuristic, chance = scores(play_match(contest(rules, "heuristic", "random", bags=1000)))
    estimate = heuristic.win_rate
    assert estimate.low - 0.01 < rate < estimate.high + 0.01
    assert heuristic.wins == chance.losses and heuristic.ties == chance.ties
    assert heuristic.games == 2000 and heuristic.mean_share + chance.mean_share == pytest.approx(1)
    assert heuristic.ranks + chance.ranks == 6000 - heuristic.ties


def test_it_beats_three_of_them() -> None:
    played = scores(play_match(contest(SEVEN, "heuristic", "random", "random", "random", bags=250)))
    assert played[0].wins / 1000 == pytest.approx(0.992, abs=0.01)
    assert sum(score.wins for score in played) + min(1, played[0].ties) <= 1000


def test_equal_players_are_equal() -> None:
    one, other = scores(play_match(contest(THREE, "random", "random", bags=500, seed=2)))
    assert one.win_rate.low < 0.5 < one.win_rate.high
    assert abs(one.mean_share - 0.5) < 0.01 and one.dollars + other.dollars > 0


def test_parts_are_the_whole() -> None:
    whole = contest(THREE, "heuristic", "random", "mc-1", bags=9, first=190)
    parts = whole.batches(4)
    assert [part.bags for part in parts] == [4, 4, 1] and whole.games == 27
    assert [game for part in parts for game in play_match(part)] == play_match(whole)


def test_records_are_the_games(tmp_path: Path) -> None:
    """They end as the games of the core do, tell who sat where, and replay."""
    played = play_match(contest(SEVEN, "heuristic", "pair-1,tie=last", "random", bags=1, records=tmp_path))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [
        f"heuristic-pair_1-random-000001-{turn}.jsonl" for turn in (1, 2, 3)
    ]
    for file, worths in zip(files, played, strict=True):
        lines = file.read_text(encoding="utf-8").splitlines()
        names = json.loads(lines[0])["names"]
        by_name = dict(zip(names, json.loads(lines[-1])["scores"], strict=True))
        assert [by_name[name] for name in ("heuristic", "pair-1,tie=last", "random")] == list(worths)
        assert replay(lines) == len(lines) - 2


def test_what_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="one bag"):
        contest(THREE, "random", "random", bags=0)
    with pytest.raises(ValueError, match="2 to 6 players"):
        play_match(contest(THREE, "random", bags=1))
    with pytest.raises(ValueError, match="no score"):
        _ = Score().win_rate


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
