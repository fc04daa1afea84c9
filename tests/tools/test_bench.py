"""`galapagos bench`: its figures are printed, and its signatures are those of the code (tests/golden)."""

import json
from pathlib import Path

import pytest

from tests.tools.galapagos import Galapagos
from tools.__main__ import main


def test_signatures_are_repeatable(galapagos: Galapagos) -> None:
    first, second = (
        [json.loads(line) for line in galapagos.printed("bench", "seed", "evaluate", "--json").splitlines()]
        for _ in range(2)
    )
    signatures = [row["signature"] for row in first]
    assert signatures == [row["signature"] for row in second] and all(signatures)


@pytest.mark.slow  # it searches for three seconds
def test_the_memory_figure_is_between_20_and_80_mib(galapagos: Galapagos) -> None:
    row = galapagos.data("bench", "memory")
    assert 20.0 < row["figure"] < 80.0


def test_the_table_has_a_row_of_figures_for_each_benchmark(galapagos: Galapagos) -> None:
    head, row = galapagos.printed("bench", "seed").splitlines()
    assert head.split() == ["benchmark", "figure", "unit", "signature", "ratio"]
    assert row.startswith("seed search, 8 genes ") and " k nodes/s " in row


def test_unknown_names_are_refused(galapagos: Galapagos) -> None:
    assert galapagos.refused("bench", "chaos").startswith(
        "galapagos bench: no benchmark is called 'chaos'; there are perft"
    )


def test_a_benchmark_without_its_data_is_skipped_with_a_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The warriors of the benchmark are not part of the program."""
    monkeypatch.delenv("GALAPAGOS_DATA", raising=False)
    assert main(["bench", "nano", "--json"]) == 0
    streams = capsys.readouterr()
    assert not streams.out
    assert streams.err.startswith("galapagos bench: nano: ") and "GALAPAGOS_DATA" in streams.err


POSITIONS = """# two mates, and a move that must not be played
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm h3; id "no mate";

6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd8#;
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am h3;
"""


def test_tactics_counts_the_positions_that_are_solved(galapagos: Galapagos, tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(POSITIONS)
    row = galapagos.data("bench", "tactics", file, "--nodes", "200")
    assert (row["figure"], row["unit"]) == (2, "of 4")
    assert row["note"] == "missed: no mate, line 5"
    again = galapagos.data("bench", "tactics", file, "--nodes", "300", "--genome", "handset")
    assert again["signature"] == row["signature"]
    other = POSITIONS.replace("bm h3", "bm Rd8#")
    file.write_text(other)
    assert galapagos.data("bench", "tactics", file, "--milliseconds", "5")["signature"] != row["signature"]


def test_tactics_reads_fens_with_operations(galapagos: Galapagos, tmp_path: Path) -> None:
    file = tmp_path / "mates.epd"
    file.write_bytes(
        b'\xef\xbb\xbf6k1/5ppp/8/8/8/8/8/4R1K1 w - - 3 17 bm Re8#; id "caf\xc3\xa9";\r\n; remark\r\n'
        b'6k1/5ppp/8/8/8/8/8/4R1K1 w - - hmvc 3; am Re8; c0 "not this";\r\n'
    )
    row = galapagos.data("bench", "tactics", file, "--nodes", "200")
    assert "of 2" in str(row) and "missed: not this" in str(row)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id "x";', "some.epd, line 1: a position needs bm or am"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qd8;", "some.epd, line 1: illegal san"),
        ("no position", "some.epd, line 1: "),
    ],
)
def test_tactics_names_the_line_that_is_no_position(
    galapagos: Galapagos, tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "some.epd"
    file.write_text(text)
    assert words in galapagos.refused("bench", "tactics", file)
    assert "No such file" in galapagos.refused("bench", "tactics", tmp_path / "none.epd")
    assert "needs a file" in galapagos.refused("bench", "tactics")


JUDGED = """8/8/8/8/8/6k1/6p1/6K1 b - - c0 "g3f3 700 g3h3 520 g3f4 500 g3g4 500 g3h4 500";
6k1/5ppp/8/8/8/8/5PPP/7K w - - c0 "h1g1 500 f2f3 490 f2f4 480 g2g3 470 g2g4 460 h2h3 450 h2h4 440";
"""


def test_choices_are_graded_by_the_points_that_they_lose(galapagos: Galapagos, tmp_path: Path) -> None:
    file, saved = tmp_path / "judged.epd", tmp_path / "choices.txt"
    file.write_text(JUDGED)
    row = galapagos.data("bench", "choices", file, "--nodes", "400", "--save", saved)
    points = [
        {move: int(number) for move, number in zip(words[::2], words[1::2], strict=True)}
        for words in (line.split('"')[1].split() for line in JUDGED.splitlines())
    ]
    regrets = [
        max(known.values()) - known[move]
        for known, line in zip(points, saved.read_text().splitlines(), strict=True)
        for move in line.split()
    ]
    assert len(regrets) == 6 and row["figure"] == pytest.approx(sum(regrets) / 6)
    same, gain = galapagos.printed(
        "bench", "choices", file, "--nodes", "400", "--against", saved, "--json"
    ).splitlines()
    assert json.loads(same) == row and json.loads(gain)["figure"] == 0.0
    saved.write_text("g3f3 g3f3 g3f3\nh1g1 h1g1 h1g1\n")
    worse = galapagos.printed("bench", "choices", file, "--nodes", "400", "--against", saved, "--json")
    assert json.loads(worse.splitlines()[1])["figure"] == pytest.approx(-sum(regrets) / 6)


def test_choices_judges_positions_of_its_own_games(galapagos: Galapagos, tmp_path: Path) -> None:
    file, again = tmp_path / "some.epd", tmp_path / "again.epd"
    for made in (file, again):
        galapagos.printed("bench", "choices", made, "--make", "1")
    assert file.read_text() == again.read_text()
    row = galapagos.data("bench", "choices", file, "--nodes", "400", "--set", "see_depth=-1")
    assert row["unit"] == "/1000" and 0.0 <= row["figure"] <= 1000.0
    assert "exists" in galapagos.refused("bench", "choices", file, "--make", "1")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (JUDGED.replace(" g3h4 500", ""), (), "all legal moves"),
        (JUDGED.replace("c0", "c1"), (), "needs c0"),
        (JUDGED, ("--set", "depth=3"), "no parameter 'depth'"),
        (JUDGED, ("--set", "see_depth=x"), "is not NAME=NUMBER"),
    ],
)
def test_choices_refuses_wrong_files_and_settings(
    galapagos: Galapagos, tmp_path: Path, text: str, options: tuple[str, ...], message: str
) -> None:
    file = tmp_path / "judged.epd"
    file.write_text(text)
    assert message in galapagos.refused("bench", "choices", file, *options)
