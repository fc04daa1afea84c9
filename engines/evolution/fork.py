"""Forks: new runs that repeat another run up to a generation, and then continue with another seed or other values.

A fork from the last generation starts from a copy of the run. A fork from an earlier one has no state to start from,
since a store keeps only the last; it repeats the run from its seed, which yields the same generations, and its hashes
are compared with those of the run on the way (Repetition). The same way is taken for excerpts, which have no state.

A state fits only the configuration with which it was made. So a fork may change the keys that Config.fork_keys names,
and no others.
"""

import sqlite3
from collections.abc import Mapping
from functools import partial
from os import scandir
from pathlib import Path
from shutil import copyfile
from typing import Final

from engines.config import RUN_FILE
from engines.evolution.run_history import spaced
from engines.evolution.run_store import MEASURE, Precursor, RunStore, StoreError, write_facts
from engines.storage import LOCK

CHECKPOINTS: Final = 20  # hashes of a run that its fork is compared with, at most


def fork(source: RunStore, folder: Path, generation: int, config: str, seed: int, version: str) -> None:
    """Create a run in a new folder that continues `source` after a generation with another configuration and seed.

    Raises StoreError if the generation is not on record, InUseError, OSError or sqlite3.Error. It may take as long as
    copying the run.
    """
    with source.snapshot():
        old_config, old_seed = source.settings_of(generation)
        precursor = Precursor(
            generation=generation, seed=old_seed, config=old_config, hashes=_checkpoints(source, generation)
        )
        precursors = [each for each in source.precursors if each.generation < generation]
        is_last = generation == source.last_generation and bool(source.state)
        RunStore.create(
            folder,
            game=source.game,
            config=config,
            seed=seed,
            version=version,
            precursors=[*precursors, precursor],
            fill=partial(_copy_run, source, folder) if is_last else None,
        ).close()


def check_repetition(store: RunStore) -> None:
    """Raise StoreError if a fork has not repeated the run that it was forked from."""
    for precursor in store.precursors:
        for number, expected in precursor.hashes.items():
            if number <= store.last_generation:
                compare_hash(number, store.generation(number).hash, {number: expected})


def compare_hash(number: int, found: str, expected: Mapping[int, str]) -> None:
    """Raise StoreError if the hash of a generation differs from the one expected."""
    if expected.get(number, found) != found:
        raise StoreError(
            f"generation {number} is not that of the run that this one was forked from: that run was made by another"
            " version of the program, with real clocks, or from files that have changed. It can be forked from its"
            " last generation, if its folder is complete"
        )


def _copy_run(source: RunStore, folder: Path, database: sqlite3.Connection) -> None:
    """Copy all generations of a run to another database, and the exports to its folder, where the next generation needs them."""
    with scandir(source.folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False) and not entry.name.startswith((RUN_FILE, LOCK)):
                copyfile(entry.path, folder / entry.name, follow_symlinks=False)
    has_fitness = source.measure is not None
    facts = ["state", "mark", "hash", *([MEASURE] if has_fitness else [])]
    write_facts(database, {name: source.fact(name) for name in facts})
    for table in ("generation", "individual", "contest", *(["fitness"] if has_fitness else [])):
        rows = source.stored_rows(table)
        values = ", ".join("?" * len(rows.description))
        database.executemany(f"INSERT INTO {table} VALUES ({values})", rows)


def _checkpoints(source: RunStore, generation: int) -> dict[int, str]:
    """Return hashes of generations up to the given one, which is among them. Raises StoreError without its hash."""
    recorded = [each.number for each in source.generations() if each.number <= generation]
    if generation not in recorded:
        last = source.last_generation
        nearest = min(
            (each.number for each in source.generations()),
            key=lambda each: abs(each - generation),
            default=-1,
        )
        raise StoreError(
            f"{source.folder} has no generation {generation} on record; the nearest is {nearest}, the last {last}"
        )
    return {number: source.generation(number).hash for number in spaced(recorded, CHECKPOINTS)}
