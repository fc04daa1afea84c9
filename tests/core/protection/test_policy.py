"""The layout of the 1056-bit string."""

import pytest

from core.protection.policy import Policy

COUNTING = bytes.fromhex("0123456789abcdef" * 16 + "01234567")


def step(policy: Policy, minion: int, state: int, sensed: int) -> tuple[int, int]:
    """The next state and the action."""
    nibble = int(policy.automata[minion * 32 + state * 8 + sensed])
    return nibble >> 2, nibble & 3


def test_a_nibble_is_the_next_state_and_the_action() -> None:
    policy = Policy(COUNTING)
    for minion in range(8):
        for state in range(4):
            read = " ".join(
                f"{sensed}>{step(policy, minion, state, sensed)[0]}{'FRLS'[step(policy, minion, state, sensed)[1]]}"
                for sensed in range(8)
            )
            if state % 2 == 0:
                assert read == "0>0F 1>0R 2>0L 3>0S 4>1F 5>1R 6>1L 7>1S"
            else:
                assert read == "0>2F 1>2R 2>2L 3>2S 4>3F 5>3R 6>3L 7>3S"
    assert list(policy.preferences) == list(range(8))


def test_each_minion_and_state_has_its_bytes_in_the_string() -> None:
    for minion in range(8):
        for state in range(4):
            string = bytearray(132)
            string[minion * 16 + state * 4 + 3] = 0x0D  # input 7: state 3, turn right
            policy = Policy(bytes(string))
            found = [
                (kind, at, sensed)
                for kind in range(8)
                for at in range(4)
                for sensed in range(8)
                if step(policy, kind, at, sensed) == (3, 1)
            ]
            assert found == [(minion, state, 7)]


def test_load_reads_one_row_of_several_strings() -> None:
    policy = Policy(bytes(132))
    policy.load(bytes(132) + COUNTING + bytes(132), 1)
    assert list(policy.automata) == list(Policy(COUNTING).automata)
    assert list(policy.preferences) == list(range(8))


@pytest.mark.parametrize(("length", "row"), [(131, 0), (133, 0), (0, 0), (264, 2), (264, -1)])
def test_rows_out_of_range_are_refused(length: int, row: int) -> None:
    with pytest.raises(ValueError, match="no string number"):
        Policy(bytes(132)).load(bytes(length), row)
