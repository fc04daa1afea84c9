"""`galapagos film`: the files it writes, and its errors."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.__main__ import main


@pytest.mark.parametrize("round", ["1", "3"])
def test_the_command(round: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fight.html"
    assert main(["film", "dwarf", "Imp", "--rules", "nano", "--round", round, "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: ")
    text = out.read_text(encoding="utf-8")
    assert f'"round": {round}' in text and '"name": "Dwarf"' in text and '"title": "Dwarf v Imp"' in text


@pytest.mark.skipif(not find_spec("PIL"), reason="Pillow is not installed: pip install '.[plot]'")
def test_a_name_may_ask_for_a_gif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fight.GIF"
    assert main(["film", "dwarf", "imp", "--rules", "nano", "--longest", "40", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 40 instructions, {out.stat().st_size / 1e6:.1f} MB\n"
    assert out.read_bytes().startswith(b"GIF89a")


def test_without_pillow_the_error_names_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.delitem(sys.modules, "tools.mars.gif", raising=False)
    assert main(["film", "dwarf", "imp", "--out", str(tmp_path / "fight.gif")]) == 2
    assert "pip install 'galapagos-engines[plot]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main(["film", "imp", "--rules", "nano", "--out", str(tmp_path / "fight.html")]) == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nobody"], "neither a file nor a starter warrior: clear"),
        (["dwarf", "imp", "--place", "3"], "nearer than the distance"),
    ],
)
def test_wrong_arguments(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", *words, "--out", str(tmp_path / "x.html")]) == 2
    assert reason in capsys.readouterr().err


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["film", "imp", "--rules", "nano", "--out", str(tmp_path / "no" / "x.html")]) == 1
    assert "no/x.html" in capsys.readouterr().err
