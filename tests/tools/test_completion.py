"""What a shell offers after some words: commands, options, and the names of what comes with the program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.waiting import PATIENCE_SECONDS

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("galapagos ev", {"evolve "}),
        ("galapagos evolve cor", {"corewar "}),
        ("galapagos evolve corewar na", {"nano "}),
        ("galapagos evolve chess na", set()),
        ("galapagos configs corewar na", {"nano "}),
        ("galapagos evolve --gen", {"--generations "}),
        ("galapagos match acquire:evolved-net-s", {"acquire:evolved-net-seven "}),
        ("galapagos hill sub", {"submit "}),
        ("galapagos --vers", {"--version "}),
    ],
)
def test_completion_offers_the_words_that_can_follow(line: str, expected: set[str], tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    environment = os.environ | {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
    }
    command = [sys.executable, "-m", "tools"]
    subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=True, timeout=PATIENCE_SECONDS
    )
    assert set(filter(None, answer.read_text().split("\n") if answer.exists() else ())) == expected


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is missing")
@pytest.mark.skipif(not (BIN / "galapagos").exists(), reason="galapagos is not installed beside this Python")
def test_bash_completes_command_names() -> None:
    script = f"""
        PATH={BIN}:$PATH
        eval "$(galapagos completion bash)"
        COMP_WORDS=(galapagos ev) COMP_CWORD=1 COMP_LINE='galapagos ev' COMP_POINT=12
        _python_argcomplete galapagos ev galapagos
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS
    )
    assert done.stdout.split() == ["evolve"], done.stderr
