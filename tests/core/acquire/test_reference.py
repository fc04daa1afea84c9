"""The compiled rules against the naive ones, decision by decision."""

from typing import Any

import pytest

from core.acquire.actions import REASONS
from core.acquire.rules import GameSpec
from core.random import Random
from tests.core.acquire.reference import Naive
from tests.core.acquire.tables import (
    KINDS_OF_TABLE,
    SMALL,
    naive_of,
    random_state,
    seen,
    seen_naively,
    table_name,
)  # fmt: skip


@pytest.mark.parametrize("setting", KINDS_OF_TABLE, ids=table_name)
def test_the_rules_agree_with_the_naive_reference(setting: GameSpec) -> None:
    for seed in (0, 4):
        compare(setting, seed)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_rules_agree_with_the_naive_reference_in_2000_games() -> None:
    for seed in range(2000):
        compare(KINDS_OF_TABLE[seed % len(KINDS_OF_TABLE)], seed)


@pytest.mark.parametrize(
    "fault",
    [{"safe": 5}, {"end": 15}, {"until_clean": True}, {"end_any_time": False}],
)
def test_a_planted_fault_in_the_reference_is_found(fault: dict[str, Any]) -> None:
    setting = GameSpec(SMALL, 2)
    with pytest.raises(AssertionError):
        for seed in range(60):
            compare(setting, seed, **fault)


def compare(setting: GameSpec, seed: int, **fault: Any) -> Naive:
    """Play a random game in both, the naive one with a `fault` in its rules.

    In two of three games the end is announced late or never; in half of them much is bought.
    """
    state = random_state(setting, seed)
    naive = naive_of(state, **fault)
    rng = Random(seed)
    while not state.is_terminal():
        assert seen(state) == seen_naively(naive), f"seed {seed}"
        actions = state.legal_actions()
        texts = [state.action_text(action) for action in actions]
        if seed % 3 and rng.chance(0.95):
            texts = [text for text in texts if not text.endswith(" end")]
        if seed // 3 % 2 and naive.phase == "buy":
            texts = [text for text in texts if len(text) == max(map(len, texts))]  # buy much
        text = texts[rng.below(len(texts))]
        naive.play(text)
        state.apply(state.action_from(text))
    assert naive.phase == "over", f"seed {seed}"
    assert REASONS[state.end_reason()] == naive.reason
    assert state.worths() == naive.worth()
    return naive
