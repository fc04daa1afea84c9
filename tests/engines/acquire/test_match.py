"""Matches: every seat taken in turn, near the published figures, the same in parts; records and ratings of the games."""

import json
from typing import Any

import pytest

from core.acquire.rules import PRESETS, Rules
from engines.acquire.match import MatchSpec, Score, TableConfig, deal_seed, play_match, play_tables, scores
from engines.acquire.registry import PlayerSpec
from engines.match.match import Batch, Match, Play
from engines.match.schedule import Schedule
from engines.match.standings import GameOutcome
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.acquire_record import play_recorded_tables
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits

THREE, SEVEN = PRESETS["thesis-2002"], PRESETS["thesis-7"]


def contest(rules: Rules, *names: str, bags: int, **more: Any) -> MatchSpec:
    players = tuple(PlayerSpec.parse(name) for name in names)
    return MatchSpec(rules=rules, players=players, bags=bags, **{"seed": 1} | more)


@pytest.mark.parametrize(("rules", "rate"), [(THREE, 0.923), (SEVEN, 0.984)], ids=["3 chains", "7 chains"])
def test_the_heuristic_beats_the_random_player_at_the_published_rate(rules: Rules, rate: float) -> None:
    heuristic, chance = scores(play_match(contest(rules, "heuristic", "random", bags=1000)))
    estimate = heuristic.win_rate
    assert estimate.low - 0.01 < rate < estimate.high + 0.01
    assert heuristic.wins == chance.losses and heuristic.ties == chance.ties
    assert heuristic.games == 2000 and heuristic.mean_share + chance.mean_share == pytest.approx(1)
    assert heuristic.ranks + chance.ranks == 6000 - heuristic.ties


def test_the_heuristic_beats_three_random_players() -> None:
    played = scores(play_match(contest(SEVEN, "heuristic", "random", "random", "random", bags=250)))
    assert played[0].wins / 1000 == pytest.approx(0.992, abs=0.01)
    assert sum(score.wins for score in played) + min(1, played[0].ties) <= 1000


def test_equal_players_score_equally() -> None:
    one, other = scores(play_match(contest(THREE, "random", "random", bags=500, seed=2)))
    assert one.win_rate.low < 0.5 < one.win_rate.high
    assert abs(one.mean_share - 0.5) < 0.01 and one.dollars + other.dollars > 0


def tables(names: tuple[str, ...], games: int, play: Play = play_tables) -> list[GameOutcome]:
    players = tuple(PlayerSpec.parse(name) for name in names)
    config = TableConfig(rules=THREE, players=players, seats=len(names))
    schedule = Schedule(players=names, games=games, seats=len(names), mirror=True, seed=1, seeds=deal_seed)
    return play(Batch(config=config, games=Match(schedule).next_games(games)))


def test_tables_give_the_results_of_play_match() -> None:
    """Each player has what it has in the games of play_match, wherever it sits."""
    names = ("heuristic", "random", "mc-1")
    worths = play_match(contest(THREE, *names, bags=2))
    for outcome, wanted in zip(tables(names, 6), worths, strict=True):
        by_player = dict(zip(outcome.game.players, outcome.results, strict=True))
        assert [by_player[player] for player in range(3)] == list(wanted)
        assert outcome.ranks == [1 + sum(other > own for other in outcome.results) for own in outcome.results]


def test_records_end_as_their_games_did_and_replay() -> None:
    """They end as the games of the core do, tell who sat where, and replay."""
    names = ("heuristic", "pair-1,tie=last", "random")
    for outcome in tables(names, 3, play_recorded_tables):
        lines = [line.rstrip(b"\n") for line in outcome.record]
        header, end = json.loads(lines[0]), json.loads(lines[-1])
        worths = {
            seat["name"]: worth for seat, worth in zip(header["seats"], end["result"]["worth"], strict=True)
        }
        assert [worths[names[player]] for player in outcome.game.players] == outcome.results
        assert replay_record(lines, {"acquire": AcquireAdapter()}, GameLimits()).game.end_line


def test_invalid_matches_and_empty_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="one bag"):
        contest(THREE, "random", "random", bags=0)
    with pytest.raises(ValueError, match="2 to 6 players"):
        play_match(contest(THREE, "random", bags=1))
    with pytest.raises(ValueError, match="a score needs"):
        _ = Score().win_rate
