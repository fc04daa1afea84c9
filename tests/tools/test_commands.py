"""All commands alike: what is wrong is refused before any work, in one sentence, with a status that says whose fault."""

import asyncio
import os
import signal
import sys
from argparse import _SubParsersAction
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.golden.programs import GALAPAGOS, parsers
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import all_commands, main

# Each takes a file, or the folder of a run, in one place.
WITH_A_FILE = (
    "serve --port 0 --page 0 --hill {file}",
    "serve --port 0 --page 0 --tls-cert {file}",
    "match chess:{file} chess:evolved",
    "match acquire:{file} acquire:random",
    "match chess:evolved chess:handset --openings {file}",
    "evolve chess {file} --run new",
    "evolve corewar {file} --run new",
    "evolve acquire {file} --run new",
    "evolve protection {file} --run new",
    "evolve chess --run {file} --resume",
    "play chess chess:{file} human",
    "play acquire {file}",
    "genome show {file}",
    "genome check {file}",
    "genome explain {file}",
    "genome lineage {file} 1",
    "genome compare {file} {file}",
    "genome normalise {file}",
    "genome score {file}",
    "plot {file}",
    "hill submit {file} good.red",
    "hill test {file} good.red",
    "hill standings {file}",
    "hill report {file}",
    "hill remove {file} Dwarf",
    "hill replay {file} new.hill",
    "hill source {file} Dwarf",
    "rank {file}",
    "rank good.red --against {file}",
    "film {file} good.red --out new.html",
    "replay {file}",
    "study {file}",
    "excerpt {file} new",
    "runs export {file} --csv --out new",
    "admin {file} clients",
    "admin {file} ban 192.0.2.7",
    "backup {file} new.tar.gz",
    "restore {file} new",
    "study acquire --people {file}",
    "study protection --pool {file}",
    "sweep chess {file} --out new",
    "pool new --config {file}",
    "pool {file} --table",
    "script {file}",
    "export cutechess --genome {file}",
)
WRITING = (
    "hill create folder",
    "arrangements folder --games 1 --turns 1",
    "film dwarf good.red --out folder",
    "film dwarf good.red --out film.mp4",
    "jsonl --log folder",
    "match chess:evolved chess:handset --pgn folder",
    "match chess:evolved chess:handset --save folder",
    "play chess random random --pgn folder",
    "play acquire --record folder",
    "serve --port 0 --page 0 --home text",
    "serve --port 0 --page 0 --runs nowhere",
)
WITH_A_GAME = ("evolve nogame quick --run new", "sweep nogame quick --out new", "play nogame", "players nogame",
               "configs nogame", "match nogame:x nogame:y", "match --game nogame a b", "reference nopage", "completion noshell")  # fmt: skip
WITH_A_NUMBER = (
    "serve --port {number}",
    "serve --workers {number}",
    "match chess:evolved chess:handset --games {number}",
    "match chess:evolved chess:handset --seed {number}",
    "evolve chess example --run new --generations {number}",
    "evolve chess example --run new --seed {number}",
    "play chess --seed {number}",
    "play acquire --seed {number}",
    "genome random --seed {number}",
    "admin folder ban 192.0.2.7 --hours {number}",
    "genome lineage folder {number}",
    "hill create new.hill --places {number}",
    "hill create new.hill --rounds {number}",
    "rank good.red --rounds {number}",
    "film dwarf good.red --out new.html --round {number}",
    "study protection --games {number}",
    "study protection --workers {number}",
    "study acquire --people folder --workers {number}",
    "sweep chess example --out new --runs {number}",
    "pool new --runs {number}",
    "arrangements new --games {number}",
    "schema --indent {number}",
)
LONG = (
    "match chess:evolved chess:handset --tc 60+0",
    "match acquire:mc-40 acquire:heuristic --workers 1",
    "evolve chess example --run new --workers 1",
    "play chess chess:evolved chess:handset --tc 60+0",
    "rank good.red other.red --rounds 100000 --workers 1",
    "study protection --workers 1",
    "sweep chess example --out new --workers 1",
    "pool new --workers 1",
    "perft startpos 9",
    "bench",
    "jsonl",
)
GOOD = ";redcode-94nop\n;name Good\n;assert 1\nMOV 0, 1\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the files of all cases, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("this is nothing that any command reads\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "good.red").write_text(GOOD)
    (tmp_path / "other.red").write_text(GOOD.replace("Good", "Other") + "DAT 0, 0\n")
    return tmp_path


def status_of(words: str) -> int:
    """What argparse refuses included."""
    try:
        return main(words.split())
    except SystemExit as ending:
        assert isinstance(ending.code, int)
        return ending.code


def refused(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence on standard error, behind the usage or before an assembler's messages; nothing is printed or left."""
    before = sorted(Path().rglob("*"))
    status = status_of(words)
    out, err = capsys.readouterr()
    assert status == 2, (status, err)
    assert not out and "[Errno" not in err and "codec" not in err and "Traceback" not in err, (out, err)
    (sentence,) = [line for line in err.splitlines() if line.startswith("galapagos ")]
    assert len(sentence) < 600
    assert sorted(Path().rglob("*")) == before
    return sentence


@pytest.mark.parametrize("kind", ["missing", "folder", "binary", "text"])
@pytest.mark.parametrize("words", WITH_A_FILE)
def test_commands_refuse_missing_and_foreign_files_by_name(
    words: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kind in refused(words.format(file=kind), capsys)


@pytest.mark.parametrize("words", [*WRITING, *WITH_A_GAME])
def test_commands_refuse_unusable_outputs_and_unknown_games(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(words, capsys)


@pytest.mark.parametrize("number", ["-3", "x"])
@pytest.mark.parametrize("words", WITH_A_NUMBER)
def test_commands_refuse_invalid_numbers_and_quote_them(
    words: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert number in refused(words.format(number=number), capsys)


def test_every_command_is_covered_by_these_tests() -> None:
    tried = {words.split()[0] for words in (*WITH_A_FILE, *WRITING, *WITH_A_GAME, *WITH_A_NUMBER, *LONG)}
    assert tried == all_commands().keys()


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    yield {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


@pytest.mark.parametrize("words", LONG)
async def test_ctrl_c_ends_long_commands_with_status_130(words: str, environment: dict[str, str]) -> None:
    """To the whole group, as a terminal sends it. Nothing but a sentence is said, and the status is 130."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", *words.split(), env=environment, start_new_session=True,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    await asyncio.sleep(1.5)
    assert process.returncode is None
    os.killpg(process.pid, signal.SIGINT)
    if words.startswith("evolve"):
        await asyncio.sleep(0.2)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)  # the first lets the generation come to its end
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE_SECONDS)
    # The second signal may come when Python is about to end; a shell calls that 130, too.
    assert process.returncode in (130, -signal.SIGINT) and b"Traceback" not in errors, errors


@pytest.mark.parametrize("command", all_commands())
def test_help_explains_every_argument(command: str) -> None:
    for name, parser in parsers(GALAPAGOS, command).items():
        assert parser.description and parser.description.endswith("."), name
        for action in parser._actions:
            verbs = action._choices_actions if isinstance(action, _SubParsersAction) else [action]
            helps = [each.help for each in verbs]
            assert all(helps), (name, action.option_strings or action.dest)
