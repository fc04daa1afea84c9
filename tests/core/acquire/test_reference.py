"""The compiled rules against the naive ones, decision by decision."""

import pytest

from core.acquire.setting import Setting
from core.acquire.table import REASON, REASONS, WORTH
from core.random import Random
from tests.core.acquire.reference import Naive
from tests.core.acquire.tables import (
    KINDS_OF_TABLE,
    naive_of,
    random_state,
    seen,
    seen_naively,
    table_name,
)  # fmt: skip


@pytest.mark.parametrize("setting", KINDS_OF_TABLE, ids=table_name)
def test_both_play_the_same_game(setting: Setting) -> None:
    for seed in range(2):
        compare(setting, seed)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_both_play_the_same_twenty_thousand_games() -> None:
    for seed in range(20_000):
        compare(KINDS_OF_TABLE[seed % len(KINDS_OF_TABLE)], seed)


def compare(setting: Setting, seed: int) -> Naive:
    """Play a random game in both; in two of three, the end is announced late or never."""
    state = random_state(setting, seed)
    naive = naive_of(state)
    rng = Random(seed)
    while not state.is_terminal():
        assert seen(state) == seen_naively(naive), f"seed {seed}"
        actions = state.legal_actions()
        texts = [state.action_text(action) for action in actions]
        if seed % 3 and rng.chance(0.95):
            texts = [text for text in texts if not text.endswith(" end")]
        if seed % 2 and naive.phase == "buy":
            texts = [text for text in texts if len(text) == max(map(len, texts))]  # buy much
        text = texts[rng.below(len(texts))]
        naive.play(text)
        state.apply(state.action_from(text))
    assert naive.phase == "over", f"seed {seed}"
    assert REASONS[int(state.table[REASON])] == naive.reason
    assert [int(state.table[WORTH + seat]) for seat in range(naive.players)] == naive.worth()
    return naive
