"""Core War's evolution, with a reader of Redcode for the fixed opponents that a configuration names."""

from pathlib import Path
from typing import Final

from core.corewar.assembler import assemble
from core.corewar.diagnostics import Severity
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.evolution import experiment
from engines.evolution.run import Experiment
from engines.evolution.run_store import RunStore

RUNS: Final[Path] = experiment.RUNS


def seed_in(config: str) -> int:
    return experiment.seed_in(config, read)


def open_experiment(store: RunStore) -> Experiment:
    return experiment.open_experiment(store, read)


def read(text: str, rules: Rules) -> Warrior:
    """ValueError with the first thing that is wrong."""
    assembly = assemble(text, rules, warriors=2)
    if assembly.warrior is None:
        errors = [each for each in assembly.messages if each.severity is Severity.ERROR]
        raise ValueError(f"line {errors[0].line}: {errors[0].text}" if errors else "no instructions")
    return assembly.warrior
