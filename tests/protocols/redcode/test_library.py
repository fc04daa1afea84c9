"""The warriors that come with the program."""

import pytest

from engines.corewar.presets import PRESETS
from protocols.redcode.library import bred, parse, starters, text_of_ours


@pytest.mark.parametrize("name", PRESETS)
def test_each_of_ours_is_read_again_from_its_text(name: str) -> None:
    preset = PRESETS[name]
    ours = bred(preset) + starters(preset)
    assert [parse(text_of_ours(each.source), preset, each.source) for each in ours] == ours


def test_the_bred_ones_fit_their_own_rules() -> None:
    fitting = {name: [each.source for each in bred(PRESETS[name])] for name in ("94nop", "nano", "tiny")}
    assert fitting == {"94nop": ["large.red", "switcher.red"], "nano": ["nano.red"], "tiny": ["tiny.red"]}


@pytest.mark.parametrize("name", ["", "nano", "../evolved/nano/nano.red", "lineage.txt"])
def test_nothing_else_is_ours(name: str) -> None:
    with pytest.raises(KeyError):
        text_of_ours(name)
