"""`galapagos export`: what it writes parses, names the engine of this environment, and starts it."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import pytest
from chess.engine import INFO_ALL, Limit, SimpleEngine

from engines.chess.engine import DEFAULT, OPTIONS
from engines.chess.genome_file import bundled, load_bundled
from engines.evolution.run_store import RunStore
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import main

PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/games"
ENGINE = str(Path(sys.executable).absolute().with_name("galapagos-chess"))


def exported(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["export", *words]) == 0
    streams = capsys.readouterr()
    assert streams.err.startswith("galapagos export: ") and streams.err.count("\n") == 1, "what to do with it"
    return streams.out


@pytest.fixture
def spaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The engine of an environment with a blank in its path."""
    folder = tmp_path / "my games"
    folder.mkdir()
    for name in ("python", "galapagos-chess"):
        (folder / name).touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    return str(folder / "galapagos-chess")


@pytest.fixture
def evolved(tmp_path: Path) -> Path:
    file = tmp_path / "evolved.txt"
    file.write_text(load_bundled("unevolved").dumps())
    return file


def test_a_genome_of_a_run_has_the_name_of_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    RunStore.create(tmp_path / "breed", game="chess", config="", seed=1, version="0").close()
    file = tmp_path / "breed" / "pool.txt_best_genome.txt"
    file.write_text(load_bundled("unevolved").dumps())
    for genome, name in ((file, "Galapagos breed pool_best_genome"), (file.parent, "Galapagos breed")):
        assert json.loads(exported(capsys, "cutechess", "--genome", str(genome)))[0]["name"] == name


# -- cutechess -------------------------------------------------------------------------------------


def test_cutechess_has_each_genome_over_both_protocols(capsys: pytest.CaptureFixture[str]) -> None:
    entries = json.loads(exported(capsys, "cutechess"))
    assert len(entries) == 2 * len(bundled())
    assert len({entry["name"] for entry in entries}) == len(entries), "cutechess tells engines by their names"
    assert entries[0]["name"] == f"Galapagos {DEFAULT}"
    for entry in entries:
        engine, flag, genome = shlex.split(entry["command"])
        assert (engine, flag) == (ENGINE, "--genome")
        assert genome in bundled() and genome in entry["name"]
        assert entry["protocol"] in ("uci", "xboard")


def test_cutechess_command_starts_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    entry = json.loads(exported(capsys, "cutechess", "--genome", "unevolved"))[0]
    done = subprocess.run(
        shlex.split(entry["command"]),
        input="uci\nquit\n",
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "uciok"


def test_cutechess_quotes_blanks(spaced: str, capsys: pytest.CaptureFixture[str]) -> None:
    for entry in json.loads(exported(capsys, "cutechess")):
        assert entry["command"].startswith(f'"{spaced}" --genome ')


def test_cutechess_names_a_genome_file_by_its_absolute_path(
    evolved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(evolved.parent)
    entries = json.loads(exported(capsys, "cutechess", "--genome", "evolved.txt"))
    assert [entry["name"] for entry in entries] == ["Galapagos evolved", "Galapagos evolved (xboard)"]
    assert shlex.split(entries[0]["command"])[2] == str(evolved)


# -- xboard ----------------------------------------------------------------------------------------


def test_xboard_list_has_the_form_that_xboard_reads(capsys: pytest.CaptureFixture[str]) -> None:
    comment, opening, *lines, closing = exported(capsys, "xboard").splitlines()
    assert comment == f'; xboard -fcp "{ENGINE} --genome {DEFAULT}"'
    assert (opening, closing) == ("-firstChessProgramNames {", "}")
    assert len(lines) == len(bundled())
    for line in lines:
        name, fcp, command, folder, nothing = shlex.split(line)
        assert (fcp, folder, nothing) == ("-fcp", "-fd", "")
        assert shlex.split(command) == [ENGINE, "--genome", name.removeprefix("Galapagos ")]


def test_xboard_quotes_blanks(spaced: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = exported(capsys, "xboard").splitlines()[2]
    assert shlex.split(shlex.split(line)[2])[0] == spaced


@pytest.mark.external
def test_xboard_starts_an_engine_of_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not (shutil.which("xboard", path=PATH) and shutil.which("xvfb-run")):
        pytest.skip("needs xboard and xvfb-run")
    settings, log = tmp_path / "galapagos.xboard", tmp_path / "debug.log"
    settings.write_text(exported(capsys, "xboard"))
    xboard = ["xboard", f"@{settings}", "-fe", "Galapagos unevolved", "-debug", "-nameOfDebugFile", str(log)]
    process = subprocess.Popen(
        ["xvfb-run", "-a", *xboard],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PATH": PATH, "HOME": str(tmp_path)},
        start_new_session=True,
    )
    try:
        for _ in range(150):
            time.sleep(0.1)
            if log.exists() and "feature done=1" in log.read_text(errors="replace"):
                break
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
    conversation = log.read_text(errors="replace")
    assert f"{ENGINE} --genome unevolved\n" in conversation
    assert "<first : feature done=1" in conversation


# -- lichess-bot and fastchess ---------------------------------------------------------------------


def test_lichess_bot_section_is_yaml(spaced: str, capsys: pytest.CaptureFixture[str]) -> None:
    yaml = pytest.importorskip("yaml")
    section = yaml.safe_load(exported(capsys, "lichess-bot"))["engine"]
    assert f"{section['dir']}/{section['name']}" == spaced
    assert section["protocol"] == "uci"
    assert section["uci_options"]["Genome"] == DEFAULT


def test_lichess_bot_sets_options_that_exist(evolved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its values are JSON, which YAML contains; python-chess stops at an option that an engine has not."""
    text = exported(capsys, "lichess-bot", "--genome", str(evolved))
    _, options = text.split("uci_options:\n")
    found = {
        name.strip(): str(json.loads(value))
        for name, value in (line.split(": ", 1) for line in options.splitlines())
    }
    assert found["GenomeFile"] == str(evolved)
    known = {option.name: option for option in OPTIONS}
    assert all(known[name].checked(value) == value for name, value in found.items())


def test_the_engine_plays_a_game_as_lichess_bot_plays_it(capsys: pytest.CaptureFixture[str]) -> None:
    """By python-chess, without the options that it sets by itself; clocks, all that is told, and pondering."""
    yaml = pytest.importorskip("yaml")
    section = yaml.safe_load(exported(capsys, "lichess-bot", "--genome", "evolved"))["engine"]
    managed = {"MultiPV", "Ponder", "UCI_Chess960", "UCI_Variant"}
    options = {name: value for name, value in section["uci_options"].items() if name not in managed}
    board, clocks = chess.Board(), [3.0, 3.0]
    with SimpleEngine.popen_uci([f"{section['dir']}/{section['name']}"], stderr=subprocess.DEVNULL) as engine:
        engine.configure(options)
        while board.ply() < 16 and not board.is_game_over():
            white, black = (max(clock, 0.1) for clock in clocks)  # on a busy machine they may run out
            limit = Limit(white_clock=white, black_clock=black, white_inc=0.1, black_inc=0.1)
            began = time.monotonic()
            played = engine.play(board, limit, info=INFO_ALL, ponder=True, draw_offered=False)
            clocks[board.turn == chess.BLACK] += 0.1 - (time.monotonic() - began)
            assert played.move and played.move in board.legal_moves and "score" in played.info
            board.push(played.move)
            if ponder := played.ponder:
                board.push(ponder)
        engine.ping()


def test_fastchess_export_is_a_command_line(
    spaced: str, evolved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(exported(capsys, "fastchess", "--genome", "handset", "--genome", str(evolved)))
    assert words[0] == "fastchess"
    assert words.count("-engine") == words.count(f"cmd={spaced}") == 2
    assert {"name=Galapagos handset", "option.Genome=handset"} <= set(words)
    assert {"name=Galapagos evolved", f"option.GenomeFile={evolved}"} <= set(words)
    assert "proto=uci" in words


# -- Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["cutechess", "--genome", "nothere"], "cannot read the genome file 'nothere'"),
        (["fastchess", "--genome", "handset"], "two genomes or more"),
        (["xboard", "--genome", "{blank}"], "a blank in its name"),
    ],
)
def test_errors_are_one_line(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank = tmp_path / "my genome.txt"
    blank.write_text(load_bundled("handset").dumps())
    assert main(["export", *(word.format(blank=blank) for word in words)]) == 2
    streams = capsys.readouterr()
    assert not streams.out
    assert streams.err.startswith("galapagos export: ") and complaint in streams.err
    assert streams.err.count("\n") == 1


def test_an_environment_without_the_engine_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert main(["export", "cutechess"]) == 2
    assert f"no galapagos-chess in {tmp_path}" in capsys.readouterr().err


def test_an_unknown_program_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["export", "arena"])
    assert stopped.value.code == 2
    assert "invalid choice: 'arena'" in capsys.readouterr().err
