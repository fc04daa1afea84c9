"""Instructions that a configuration calls common."""

import pytest

from core.corewar.instruction import DJN, DOT_F, DOT_I, MOV, SEQ
from engines.config import ConfigError
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.instructions import instructions, listed


def test_words_name_an_operation_and_perhaps_its_modifier() -> None:
    words = instructions(" mov.i  MOV djn.f cmp ")
    assert words == "MOV.I MOV DJN.F CMP"
    assert listed(words) == ((MOV, DOT_I), (MOV, None), (DJN, DOT_F), (SEQ, None))


def test_all_is_no_list() -> None:
    assert instructions("All") == "all"
    assert listed("all") == ()


@pytest.mark.parametrize("text", ["MOVE", "MOV.", "MOV.Q", "MOV,SPL", "all MOV", ".I"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"instructions must be all or instructions such as SPL MOV\.I"):
        TribesConfig.loads(f"instructions = {text}")


def test_pspace_must_be_on_for_its_instructions() -> None:
    with pytest.raises(ConfigError, match="LDP and STP among the instructions"):
        TribesConfig(instructions="MOV LDP")
    assert TribesConfig(instructions="MOV LDP", pspace="on").instructions == "MOV LDP"


def test_reach_fits_the_core() -> None:
    with pytest.raises(ConfigError, match="reach must be less than half"):
        TribesConfig(near=0.5, reach=4000)
