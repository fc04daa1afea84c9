"""galapagos-mars as a whole, beside what pMARS 0.9.2 answered to the same command lines."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools.mars.terminal import Answer, answer
from tests.waiting import PATIENCE_SECONDS, processor_seconds, wait_until
from tools.mars.options import usage

FOLDER = Path(__file__).parent
RECORDED = [json.loads(line) for line in (FOLDER / "recorded.jsonl").read_text().splitlines()]


@pytest.fixture(autouse=True)
def in_the_folder_of_warriors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / "warriors")


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: " ".join(row["args"])[:40] or "nothing")
def test_recorded_command_lines_give_the_output_of_pmars(row: dict[str, object]) -> None:
    status, out, err = answer(row["args"], row["stdin"])  # type: ignore[arg-type]
    assert (status, out, err.replace(usage("0.9.2"), "<usage>")) == (row["status"], row["out"], row["err"])


def test_starting_places_are_random_without_option_f() -> None:
    """By the second of the day, so both warriors at least once in a place where they are seen to differ."""
    assert answer(["-b", "-r", "2", "waits.red", "waits.red"]).out.endswith("Results: 0 0 2\n")


# -- What pMARS has not ----------------------------------------------------------------------------


def test_json_has_the_rules_rounds_and_results_of_each_warrior() -> None:
    status, out, err = answer(["--json", "-f", "-r", "6", "dwarf.red", "dies.red"])
    data = json.loads(out)
    assert (status, err) == (0, "")
    assert data["rules"]["core_size"] == 8000 and data["rules"]["pspace"] == 500
    assert (data["rounds"], data["rounds_fought"], data["ranking"]) == (6, 6, [1, 2])
    dwarf, dies = data["warriors"]
    assert (dwarf["name"], dwarf["tag"], dwarf["start"], dwarf["length"]) == ("Dwarf", "-94", 1, 4)
    assert (dwarf["wins"], dwarf["ties"], dwarf["losses"], dwarf["score"]) == (6, 0, 0, 18)
    assert (dies["survivals"], dies["losses"]) == ([0, 0], 6)
    assert dwarf["strategy"] == ["a bomb every fourth cell"] and "MOV.I" in dwarf["listing"]


def test_json_contains_assembly_and_usage_errors() -> None:
    status, out, err = answer(["--json", "imp.red", "wrong.red"])
    imp, wrong = json.loads(out)["warriors"]
    assert status == 3 and imp["ready"] and not wrong["ready"] and wrong["complaints"] == err
    assert wrong["messages"][0]["severity"] == "error" and wrong["messages"][0]["line"] is not None
    status, out, _ = answer(["--json", "-r", "x"])
    assert (status, json.loads(out)) == (2, {"status": 2, "error": 'Bad argument for "-r" switch'})


def test_later_pmars_writes_load_files_that_can_be_read_again() -> None:
    status, out, err = answer(["--pmars", "0.9.4", "-A", "counts.red"])
    assert (status, err) == (0, "") and "PIN          7\n       END\n" in out and "START" not in out
    again = answer(["-r", "0", "-"], f";name Counts\n;author Galapagos\n;assert 1\n{out}")
    assert again.out == answer(["-r", "0", "counts.red"]).out


def test_load_files_give_the_start_as_a_number_without_a_label(tmp_path: Path) -> None:
    """As pMARS 0.9.5 writes them, that of an empty program too."""
    (tmp_path / "a.red").write_text(";assert 1\nnop 0\nx mov 0,1\nend x\n")
    (tmp_path / "b.red").write_text(";assert 1\n")
    assert answer(["--pmars", "0.9.5", "-A", str(tmp_path / "a.red")]).out == (
        "       ORG          1\n"
        "       NOP.F  $     0, $     0     \n"
        "       MOV.I  $     0, $     1     \n"
        "       END\n"
    )
    assert (
        answer(["--pmars", "0.9.5", "-A", str(tmp_path / "b.red")]).out
        == "       ORG          0\n       END\n"
    )


def test_later_pmars_reads_long_comments_and_defines_readlimit(tmp_path: Path) -> None:
    warrior = tmp_path / "a.red"
    warrior.write_text(f";strategy {'x' * 400}\n;assert 1\ndat READLIMIT, WRITELIMIT\n")
    status, out, _ = answer(["--pmars", "0.9.5", "-R", "200", "-r", "0", str(warrior)])
    assert status == 0 and "DAT.F  $   200, $     0" in out
    assert answer(["-r", "0", str(warrior)]).status == 3


def test_later_pmars_defines_its_version_and_does_not_continue_comments(tmp_path: Path) -> None:
    warrior = tmp_path / "a.red"
    warrior.write_text(";redcode\n;name A\\\n;assert VERSION == 94\ndat VERSION, 0\n")
    status, out, _ = answer(["--pmars", "0.9.4", "-r", "0", str(warrior)])
    assert status == 0 and 'Program "A\\"' in out and "DAT.F  $    94" in out
    status, out, err = answer(["-r", "0", str(warrior)])
    assert status == 0 and 'Program "A;assert' in out and "DAT.F  $    92" in out and "Missing" in err
    assert answer(["--pmars", "0.9.4", "-Q", "1000", "-b", "-r", "0", "imp.red"]).status == 94


def test_a_write_limit_of_later_pmars_keeps_a_bomb_from_its_target() -> None:
    free = answer(["--pmars", "0.9.4", "-bk", "-F", "4000", "dwarf.red", "waits.red"]).out
    short = answer(["--pmars", "0.9.4", "-bk", "-F", "4000", "-W", "100", "dwarf.red", "waits.red"]).out
    assert (free, short) == ("1 0\n0 0\n", "0 1\n0 1\n")  # the bomb never gets so far


def test_the_manual_names_every_option() -> None:
    status, out, err = answer(["--help"])
    assert (status, err) == (0, "")
    for word in ("-r", "-s", "-c", "-p", "-l", "-d", "-S", "-f", "-F", "-P", "-b", "-k", "-o", "-V", "-=",
                 "-Q", "-e", "-@", "-v", "-8", "-A", "-R", "-W", "--json", "--core-view", "--sane"):  # fmt: skip
        assert word in out
    assert max(map(len, out.splitlines())) <= 100


def test_verbose_reports_the_number_of_assembled_instructions() -> None:
    assert "Dwarf: 4 instructions" in answer(["-V", "-b", "-r", "0", "dwarf.red"]).err


def test_core_view_in_a_pipe_prints_pictures_and_the_results() -> None:
    out = answer(["-b", "-f", "--core-view", "dwarf.red", "dies.red"]).out
    assert out.count("Round 1 of 1") >= 2 and "X death" in out
    assert out.endswith("Dwarf by Galapagos scores 3\nDies by Galapagos scores 0\nResults: 1 0 0\n")


# -- The two builds, without the debugger and with it ------------------------------------------------


def test_the_server_version_reads_no_word_for_the_debugger(tmp_path: Path) -> None:
    """In the version with the debugger, ;assert after an EQU is one, and fails nothing. As both builds of pMARS have it."""
    warrior = tmp_path / "a.red"
    warrior.write_text(";redcode\n;break x\na equ 1\n;assert 0\n mov 0,1\n")
    status, out, err = answer(["-r", "0", str(warrior)])
    assert (status, out) == (3, "")
    assert (
        err == "Error in line 4: ';assert 0'\n        Assertion in this line fails\nNumber of errors: 1\n\n"
    )
    status, out, err = answer(["-er", "0", str(warrior)])
    assert status == 0 and "START  MOV.I  $     0, $     1    T\n" in out
    assert f"\n\nSource: filename '{warrior}'\nNumber of warnings: 2\n" in err and "';break x'" in err


def test_version_names_the_build_and_succeeds() -> None:
    status, out, err = answer(["--version"])
    assert (status, err) == (0, "") and "pMARS 0.9.2" in out and "without the debugger" in out
    status, out, _ = answer(["-e", "--version", "--pmars", "0.9.5"])
    assert status == 0 and "pMARS 0.9.5" in out and "with the debugger" in out


def test_the_screen_before_an_error_names_the_build() -> None:
    assert "SERVER version without debugger" in answer(["-z"]).err
    assert "SERVER" not in answer(["-e", "-z"]).err and "Enter debugger" in answer(["-e"]).err


# -- The debugger ----------------------------------------------------------------------------------


def test_the_debugger_reads_standard_input() -> None:
    status, out, _ = answer(["-b", "-e", "-F", "4000", "imp.red", "dwarf.red"], "step\nregisters\ncontinue\n")
    assert status == 0 and "(cdb) 04001   ADD.AB #     4, $    -1     \n" in out
    assert "Currently executing warrior 1: Dwarf" in out and out.endswith("Results: 0 0 1\n")


def test_quit_ends_with_status_4_and_no_results() -> None:
    status, out, _ = answer(["-b", "-e", "-F", "4000", "imp.red", "dwarf.red"], "quit\n")
    assert status == 4 and "scores" not in out


def test_a_warrior_and_commands_share_standard_input() -> None:
    script = ";redcode\n;assert 1\nmov 0,1\n;redcode\nstep\nprogress\nquit\n"
    status, out, _ = answer(["-b", "-e", "-F", "4000", "-", "dwarf.red"], script)
    assert status == 4 and "Unknown by Anonymous scores 0" in out


# -- Bad luck --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "complaint"),
    [
        (["-s", "1073741824", "imp.red"], "", 254, "Out of memory"),
        (["imp.red\0"], "", 3, "Unable to open file"),
        (["/dev/zero"], "", 3, "Unable to read file"),
        (["-@", "/dev/zero", "imp.red"], "", 2, "Cannot open parameter file"),
        (["-b", "-"], "a" * 100_000, 3, "Error"),
        (["-b", "-"], "(" * 5000 + "\n", 3, "Error"),
        (["-b", "-"], ";assert 1\nfor 1000000000\nfor 1000000000\nmov 0,1\nrof\nrof\n", 3, "Error"),
        (["-b", "-"], ";assert 1\nmov " + "9" * 40 + ", 1\n", 3, "Error"),
    ],
)  # fmt: skip
def test_hostile_input_is_refused_quickly_without_a_traceback(
    arguments: list[str], stdin: str, status: int, complaint: str
) -> None:
    started = time.process_time()
    given = answer(arguments, stdin)
    assert given.status == status and complaint in given.err and "Traceback" not in given.err
    assert time.process_time() - started < 2


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "tools.mars", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def test_ctrl_c_ends_a_long_fight_and_reports_the_scores_so_far() -> None:
    with start("-b", "-f", "-r", "2000000000", "imp.red", "waits.red") as process:
        wait_until(lambda: processor_seconds(process.pid) > 1.5, "that the fight has begun")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130 and out == b""
    assert b"Interrupted in round" in err and b"Imp by Galapagos scores" in err


def test_a_closed_output_pipe_is_no_error() -> None:
    with start("-r", "0", *["splits.red"] * 4) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None and process.stderr.read() == b""
    assert process.returncode == 0


def test_a_fight_imports_no_heavy_modules() -> None:
    heavy = {"argparse", "asyncio", "json", "rich", "subprocess", "tempfile", "typing_extensions", "chess"}
    code = "import sys\nfrom tools.mars.cli import main\nmain(sys.argv[1:])\nprint(*sys.modules)"
    given = subprocess.run(
        [sys.executable, "-c", code, "-bf", "imp.red", "dwarf.red"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert not heavy & set(given.stdout.split()) and "core.corewar.mars" in given.stdout


def test_answers_are_repeatable() -> None:
    def fought() -> Answer:
        return answer(["-bf", "-r", "20", "splits.red", "dwarf.red", "imp.red"])

    assert fought() == fought()


# -- Hostile files -----------------------------------------------------------------------------------


def test_control_characters_of_a_warrior_are_escaped_for_the_terminal(tmp_path: Path) -> None:
    """ESC, BEL and the like, C1 as a byte and in UTF-8, and what turns the direction of writing; not letters."""
    warrior = tmp_path / "a.red"
    name = b"J\xf6rg \xc3\x89 \x1b[2J \x07 \x9b1m \xc2\x9b \xe2\x80\xae \xe2\x80\x8b"
    warrior.write_bytes(b";name " + name + b"\n;author \x1b]0;x\x07\n;assert 1\n\x1b mov 0,1\n")
    shown = "J\xf6rg \xc3\x89 \\x1b[2J \\x07 \\x9b1m \\x9b \\u202e \\u200b"
    status, out, err = answer(["-r", "0", str(warrior)])
    assert status == 3 and "\\x1b mov 0,1" in err and "\x1b" not in err
    warrior.write_bytes(warrior.read_bytes().replace(b"\n\x1b mov", b"\n mov"))
    status, out, err = answer(["-f", str(warrior), "imp.red"])
    assert status == 0 and f'Program "{shown}" (length 1) by "\\x1b]0;x\\x07"' in out
    assert not {"\x1b", "\x07"} & set(out + err)


def test_a_pipe_without_a_writer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.files.WRITER_SECONDS", 0.0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert answer([str(pipe)])[::2] == (3, f"Error:\n        Unable to read file '{pipe}'\n")


def test_a_warrior_is_read_from_a_pipe_of_another_program() -> None:
    code = f"{sys.executable} -m tools.mars -b -r 0 <(cat imp.red) && echo taken"
    given = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert (given.stdout, given.stderr) == ("taken\n", "")
