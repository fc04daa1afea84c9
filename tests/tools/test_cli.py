"""What the commands share: the errors that end one, and the numbers of the command line."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from types import ModuleType

import pytest

from tools.__main__ import main
from tools.cli import FAILED, CommandError, natural_int, positive_int, seconds_float


def _command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """`galapagos schema` fails with the error."""

    def run(_: Namespace) -> int:
        raise error

    module = ModuleType("tools.schema")
    module.__dict__.update(add_arguments=lambda parser: None, run=run)
    monkeypatch.setitem(sys.modules, "tools.schema", module)


@pytest.mark.parametrize(
    ("error", "status", "printed"),
    [
        (CommandError("no such thing"), 2, "galapagos schema: no such thing\n"),
        (CommandError(ValueError("broken"), FAILED), 1, "galapagos schema: broken\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_an_error_ends_the_command_with_its_status(
    error: BaseException,
    status: int,
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _command(monkeypatch, error)
    assert main(["schema"]) == status
    assert capsys.readouterr() == ("", printed)


def test_a_wrong_number_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser(prog="galapagos")
    parser.add_argument("--runs", type=positive_int)
    with pytest.raises(SystemExit) as exit:
        parser.parse_args(["--runs", "0"])
    assert exit.value.code == 2
    assert "argument --runs: must be a whole number above 0, not '0'" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "\u0661", "9" * 19, " 1"])
def test_texts_that_are_not_whole_numbers_are_refused(text: str) -> None:
    for kind in (positive_int, natural_int):
        with pytest.raises(ArgumentTypeError):
            kind(text)


def test_whole_numbers_are_parsed() -> None:
    assert (positive_int("7"), natural_int("0"), natural_int("007")) == (7, 0, 7)


@pytest.mark.parametrize("text", ["", "inf", "nan", "-1", "x", "1e999"])
def test_seconds_are_finite_and_not_negative(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ArgumentTypeError):
        seconds_float(text)
    assert (seconds_float("0"), seconds_float("1.5"), seconds_float("1e3")) == (0.0, 1.5, 1000.0)
    for command in (["match", "a", "b", f"--margin={text}"], ["script", "none", f"--seconds={text}"]):
        with pytest.raises(SystemExit):
            main(command)
        assert "seconds are a number of 0 or more" in capsys.readouterr().err


def test_script_names_itself_and_the_file_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its option --command must not replace the name of the command."""
    monkeypatch.chdir(tmp_path)
    assert main(["script", "none.jsonl", "--command", "cat"]) == 2
    assert capsys.readouterr().err == "galapagos script: none.jsonl: No such file or directory\n"
