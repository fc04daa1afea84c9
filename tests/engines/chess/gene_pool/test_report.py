"""What a gene pool prints: the manual's sample, in columns, with totals that add up."""

from dataclasses import replace

import pytest

from engines.chess.gene_pool.report import Meeting, PoolReport, Standing, mating_remark

SAMPLE = """\
Gene pool ID: 0  Gene pool size: 16  New blood introduced: 126 (*)
Games: 22768  White wins: 10469  Black wins: 9562  Draws: 2737
Time: 38.538 sec  Gene pool file name: pool.txt

    ID   Wins  Streak  Draws  Streak
 59014      9       7      1       0 T
 59031      3       3      0       0
 59054      1       0      2       2
 59055      2       2      0       0
 59074      1       1      0       0
 59077      1       1      0       0
 59078      1       1      0       0
 59081      1       1      0       0
 59095      0       0      0       0
 59096      0       0      0       0
 59097      0       0      0       0
 59098      0       0      0       0
 59099      0       0      0       0
 59100      0       0      0       0 *
 59101      0       0      0       0
 59102      0       0      0       0

59055 vs 59097: White!
59074 vs 59101: Black!
59102 vs 59100: White!
59096 vs 59014: None! 59014 mates with random / 59014 dies
59031 vs 59078: None!
59054 vs 59095: Black!
59098 vs 59099: Black!
59081 vs 59077: White!

Most wins: 18 by ID 20968
Longest lived: 27 by ID 45394
"""

WHITE, DRAW, BLACK = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)
REPORT = PoolReport(
    pool=0,
    size=16,
    new_blood=126,
    games=22768,
    white_wins=10469,
    black_wins=9562,
    draws=2737,
    game_seconds=38.538,
    file_name="pool.txt",
    standings=(
        Standing(id=59100, is_new_blood=True),
        Standing(id=59014, wins=9, winning_streak=7, draws=1, is_transferred=True),
        Standing(id=59031, wins=3, winning_streak=3),
        Standing(id=59054, wins=1, draws=2, drawing_streak=2),
        Standing(id=59055, wins=2, winning_streak=2),
        *(Standing(id=id, wins=1, winning_streak=1) for id in (59074, 59077, 59078, 59081)),
        *(Standing(id=id) for id in (59095, 59096, 59097, 59098, 59099, 59101, 59102)),
    ),
    meetings=(
        Meeting(white=59055, black=59097, returns=WHITE),
        Meeting(white=59074, black=59101, returns=BLACK),
        Meeting(white=59102, black=59100, returns=WHITE),
        Meeting(white=59096, black=59014, returns=DRAW, remark=mating_remark(59014, None)),
        Meeting(white=59031, black=59078, returns=DRAW),
        Meeting(white=59054, black=59095, returns=BLACK),
        Meeting(white=59098, black=59099, returns=BLACK),
        Meeting(white=59081, black=59077, returns=WHITE),
    ),
    most_wins=(18, 20968),
    longest_lived=(27, 45394),
)


def test_the_manuals_sample() -> None:
    assert REPORT.text() == SAMPLE


def test_columns_are_as_wide_as_the_longest_id() -> None:
    few = replace(
        REPORT, standings=(Standing(id=8), Standing(id=1234567, is_transferred=True, is_new_blood=True))
    )
    assert few.text().split("\n\n")[1] == (
        "      ID   Wins  Streak  Draws  Streak\n"
        "       8      0       0      0       0\n"
        " 1234567      0       0      0       0 T *"
    )


def test_the_first_round_without_records_and_clocks() -> None:
    first = replace(
        REPORT, most_wins=None, longest_lived=None, game_seconds=None, meetings=REPORT.meetings[:1]
    )
    assert first.text().endswith(" 59102      0       0      0       0\n\n59055 vs 59097: White!\n")
    assert "\nTime: none  Gene pool file name: pool.txt\n" in first.text()


def test_a_mate_of_the_past() -> None:
    assert mating_remark(59014, 4711) == "59014 mates with 4711 / 59014 dies"


@pytest.mark.parametrize("changes", [{"games": 22024}, {"draws": 2736}, {"white_wins": 10470}])
def test_totals_must_add_up(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"\d+ games, but \d+ wins and draws"):
        replace(REPORT, **changes)  # type: ignore[arg-type]
