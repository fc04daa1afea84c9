"""Commands that read a run of a stranger refuse it in a sentence that names the file."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engines.config import RUN_FILE
from tests.browser.evolutions import made_up
from tests.conftest import ROOT
from tests.engines.evolution.test_hostile_runs import TABLES, change
from tests.tools.galapagos import Galapagos
from tests.waiting import PATIENCE_SECONDS


@pytest.mark.parametrize(
    "words",
    [
        ("plot", "RUN"),
        ("excerpt", "RUN", "COPY"),
        ("study", "RUN", "RUN"),
        ("genome", "lineage", "RUN", "1"),
        ("genome", "show", "RUN"),
        ("rank", "RUN"),
        ("evolve", "corewar", "--run", "RUN", "--resume"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_commands_refuse_a_view_of_an_endless_query(
    tmp_path: Path, galapagos: Galapagos, words: tuple[str, ...]
) -> None:
    run = tmp_path / "run"
    made_up(run)
    change(run, TABLES["view"])
    names = {"RUN": run, "COPY": tmp_path / "copy"}
    refused = galapagos.refused(*(names.get(word, word) for word in words))
    assert f"{run / RUN_FILE} is damaged or foreign" in refused


STUCK = """
import sys, threading
from tools import serve
from tools.__main__ import main
from engines.evolution import run_watcher

serve.END_SECONDS = 1
run_watcher.RunStore.open = lambda folder: print("stuck", flush=True) or threading.Event().wait()
sys.exit(main(sys.argv[1:]))
"""


def test_sigterm_ends_the_server_while_a_run_is_read_for_ever(tmp_path: Path) -> None:
    made_up(tmp_path / "runs" / "run")
    words = ["serve", "--port", "0", "--page", "0", "--workers", "1", "--runs", str(tmp_path / "runs")]
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        while "stuck" not in process.stdout.readline():
            assert process.poll() is None
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == -signal.SIGALRM
