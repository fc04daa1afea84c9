"""The warriors that come with the program."""

import pytest

from engines.corewar.presets import PRESETS
from protocols.redcode.library import bundled_text, evolved_warriors, parse, starters


@pytest.mark.parametrize("name", PRESETS)
def test_each_bundled_warrior_is_read_again_from_its_text(name: str) -> None:
    preset = PRESETS[name]
    ours = evolved_warriors(preset) + starters(preset)
    assert [parse(bundled_text(named.source), preset, named.source) for named in ours] == ours


def test_evolved_warriors_are_bundled_for_the_rules_that_they_fit() -> None:
    fitting = {
        name: [named.source for named in evolved_warriors(PRESETS[name])]
        for name in ("94nop", "nano", "tiny")
    }
    assert fitting == {
        "94nop": ["general.red", "large.red", "switcher.red", "three.red", "wilkies.red"],
        "nano": ["nano.red"],
        "tiny": ["tiny.red"],
    }


@pytest.mark.parametrize("name", ["", "nano", "../evolved/nano/nano.red", "lineage.txt"])
def test_names_of_unbundled_files_raise_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        bundled_text(name)
