"""`galapagos film`: the files it writes, and its errors."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tools.galapagos import Galapagos
from tools.__main__ import main


@pytest.mark.parametrize("round", ["1", "3"])
def test_film_writes_a_page_of_the_chosen_round(round: str, tmp_path: Path, galapagos: Galapagos) -> None:
    out = tmp_path / "fight.html"
    printed = galapagos.printed("film", "dwarf", "Imp", "--rules", "nano", "--round", round, "--out", out)
    assert printed.startswith(f"{out}: ")
    text = out.read_text(encoding="utf-8")
    assert f'"round": {round}' in text and '"name": "Dwarf"' in text and '"title": "Dwarf v Imp"' in text


@pytest.mark.skipif(not find_spec("PIL"), reason="Pillow is not installed: pip install '.[plot]'")
def test_a_file_name_ending_in_gif_writes_a_gif(tmp_path: Path, galapagos: Galapagos) -> None:
    out = tmp_path / "fight.GIF"
    printed = galapagos.printed("film", "dwarf", "imp", "--rules", "nano", "--longest", "40", "--out", out)
    assert printed == f"{out}: 40 instructions, {out.stat().st_size / 1e3:.0f} kB\n"
    assert out.read_bytes().startswith(b"GIF89a")


def test_without_pillow_the_error_names_the_package_to_install(
    tmp_path: Path, galapagos: Galapagos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.delitem(sys.modules, "tools.mars.gif", raising=False)
    refused = galapagos.refused("film", "dwarf", "imp", "--out", tmp_path / "fight.gif")
    assert ".venv/bin/pip install '.[plot]'" in refused
    assert not list(tmp_path.iterdir())
    galapagos.printed("film", "imp", "--rules", "nano", "--out", tmp_path / "fight.html")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nobody"], "neither a file nor a bundled warrior; there are clear"),
        (["dwarf", "imp", "--place", "3"], "nearer than the distance"),
    ],
)
def test_unknown_warriors_and_places_too_near_are_refused(
    words: list[str], reason: str, tmp_path: Path, galapagos: Galapagos
) -> None:
    assert reason in galapagos.refused("film", *words, "--out", tmp_path / "x.html")


def test_the_first_file_selects_the_rules_unless_they_are_given(tmp_path: Path, galapagos: Galapagos) -> None:
    warrior, out = tmp_path / "mine.red", tmp_path / "x.html"
    warrior.write_text(";redcode-nano\n;name Mine\n;assert CORESIZE == 80\nmov 0, 1\n", encoding="ascii")
    galapagos.printed("film", "imp", warrior, "--out", out)
    assert '"size": 80,' in out.read_text(encoding="utf-8")
    refused = galapagos.refused("film", warrior, "--rules", "94nop", "--out", out)
    assert refused.endswith(
        "Under the 94nop rules CORESIZE is 8000.\nIt is written for the nano hill: try --rules nano\n"
    )


def test_a_file_that_cannot_be_written_is_named_in_the_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", "imp", "--rules", "nano", "--out", str(tmp_path / "no" / "x.html")]) == 2
    assert "no/x.html" in capsys.readouterr().err
