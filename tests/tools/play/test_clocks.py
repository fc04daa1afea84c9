"""Clocks at the board."""

import os

import pytest

from core.chess.notation import START, position_from_fen
from engines.engine import Info
from engines.match import Turn
from engines.time_control import TimeControl
from tests.tools.play.sittings import QUEEN_UP, standard_input
from tools.__main__ import main
from tools.play.sitting import Sitting


@pytest.mark.parametrize(
    ("start", "outcome"),
    [
        (START, "White has run out of time: Black wins."),
        (QUEEN_UP.format("w"), "White has run out of time: a draw."),
    ],
)
def test_the_flag_falls_while_a_person_thinks(
    start: str, outcome: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    with standard_input(reading):
        assert main(["play", "chess", "human", "random", "--tc", "0.2", "--fen", start]) == 0
    os.close(reading)
    os.close(writing)
    said = capsys.readouterr().out
    assert "White [0 s]> " in said and said.endswith(f"{outcome}\n")


def test_clocks_are_charged_and_refilled() -> None:
    control = TimeControl(seconds=60, increment=2, actions=2)
    sitting = Sitting(position_from_fen(START), [None, None], control)
    left = []
    for text in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5"):
        left.append(sitting.left_seconds())
        thought = Info(action=sitting.state.action_from(text))
        sitting.play(Turn(player=sitting.state.player(), info=thought, seconds=10))
    assert left == [60, 60, 52, 52, 104], "52 - 10 + 2, and 60 more after the second move"
