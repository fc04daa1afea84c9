"""Limits of remote clients: how many messages they may send, and how the command line changes and shows limits."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.limits import GameLimits, Limits, TokenBucket, limit_lines, parse_limits


def test_a_bucket_allows_a_burst_and_then_a_constant_rate() -> None:
    bucket, sent, now = TokenBucket(20, 40, 0.0), 0, 0.0
    while now < 10.0:
        now += bucket.delay(now)
        bucket.take()
        sent += 1
    assert 239 <= sent <= 241


@given(st.lists(st.floats(0.0, 5.0), max_size=50))
def test_a_client_that_waits_for_the_delay_may_send(pauses: list[float]) -> None:
    bucket, now = TokenBucket(5, 3, 0.0), 0.0
    for pause in pauses:
        now += pause
        delay = bucket.delay(now)
        assert 0.0 <= delay <= 0.2 + 1e-9
        now += delay + 1e-9
        assert bucket.delay(now) == 0.0
        bucket.take()


def test_a_pause_fills_the_bucket() -> None:
    bucket = TokenBucket(20, 40, 0.0)
    bucket.take()
    assert bucket.delay(0.01) == 0.0 and not bucket.is_full
    assert bucket.delay(1.0) == 0.0 and bucket.is_full


def test_limits_are_changed_and_shown() -> None:
    limits, game_limits = parse_limits(["connections=7", "games_games=9", "idle_seconds=0.5"])
    assert (limits.connections, limits.idle_seconds, game_limits.games) == (7, 0.5, 9)
    assert parse_limits([]) == (Limits(), GameLimits())
    assert parse_limits(["tables_games=9"])[1].games == 9, "what games_ was called before"
    lines = [line.split() for line in limit_lines(limits, game_limits)]
    assert ["connections", "7"] in lines and ["games_games", "9"] in lines


def test_each_limit_is_shown_with_its_exact_value_and_a_sentence() -> None:
    lines = list(limit_lines(Limits(), GameLimits()))
    settings = [line for line in lines if line[0] != " " and line[-1] != ":"]
    sentences = [line for line in lines if line[0] == " "]
    assert (
        len(settings) == len(sentences) == len(set(settings)) == len(fields(Limits)) + len(fields(GameLimits))
    )
    assert lines[0].endswith(":") and settings[0].split() == ["connections_per_address", "8"]
    assert parse_limits([setting.replace(" ", "=", 1).replace(" ", "") for setting in settings]) == (
        Limits(),
        GameLimits(),
    )
    assert "games_record_bytes               1048576" in settings
    for sentence in sentences:
        assert sentence.startswith("    ") and sentence.endswith("."), sentence


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("nonsense=1", "no limit is called 'nonsense'"),
        ("games_connections=1", "no limit is called"),
        ("games_games_of_adress=50", "'games_games_of_adress'; did you mean games_games_of_address"),
        ("tables_kept_record=5", "'tables_kept_record'; did you mean games_kept_record"),
        ("connections_per_adress=5", "did you mean connections_per_address or page_connections_per_address"),
        ("connections", "--limit connections has no value; write connections=VALUE"),
        ("connections=many", "connections needs a whole number, not 'many'"),
        ("connections=1.5", "connections needs a whole number, not '1.5'"),
        ("idle_seconds=long", "idle_seconds needs a number, not 'long'"),
        ("idle_seconds=inf", "idle_seconds must be at most 1,000,000,000,000,000, not inf"),
        ("idle_seconds=1e99", "idle_seconds must be at most 1,000,000,000,000,000, not 1e99"),
        ("stop_seconds=1e99", "stop_seconds must be at most 10, not 1e99"),
        ("loop_share=5", "loop_share must be at most 1, not 5"),
        ("connections=0", "connections must be above zero, not 0"),
        ("idle_seconds=nan", "idle_seconds must be above zero, not nan"),
        ("ipv6_prefix_bits=129", "ipv6_prefix_bits must be at most 128"),
    ],
)
def test_invalid_limits_are_refused(setting: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_limits([setting])
