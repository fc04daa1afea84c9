"""Evolutions that are killed on the way, for the tests that they end as if nothing had happened."""

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from engines.evolution.run_store import RunStore
from tests.conftest import ROOT
from tools.__main__ import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """What `galapagos evolve` is to run."""

    game: str
    config: Path
    generations: int

    def run(self, folder: Path, *more: str) -> None:
        """To the end, in this process."""
        assert main(self._words(folder, *more)) == 0

    def kill(self, folder: Path, *more: str, after: int, seconds: float = 0.0) -> int:
        """Kill a process that runs it, `seconds` after `after` more generations; how many are then on record."""
        expected = generations_of(folder) + after
        with subprocess.Popen(
            [sys.executable, "-m", "tools", *self._words(folder, *more)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            while generations_of(folder) < expected:
                assert process.poll() is None, "it was over before it was killed"
                time.sleep(0.01)
            time.sleep(seconds)
            process.kill()
        return generations_of(folder)

    def _words(self, folder: Path, *more: str) -> list[str]:
        first = "--resume" if (folder / "run.sqlite").exists() else str(self.config)
        goal = ["--generations", str(self.generations), "--quiet"]
        return ["evolve", self.game, first, "--run", str(folder), *goal, *more]


def generations_of(folder: Path) -> int:
    """On record, with the founders; 0 before there is a record."""
    if not (folder / "run.sqlite").exists():
        return 0
    with RunStore.open(folder) as store:
        return store.count("generation")


def facts(folder: Path) -> tuple[int, int, str]:
    """Generations, games and hash."""
    with RunStore.open(folder) as store:
        return store.count("generation"), store.count("contest"), store.hash
