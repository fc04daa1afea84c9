"""Excerpts: small copies of runs for display, with some generations and individuals, no contests and an empty state.

An excerpt cannot be continued. RunHistory.write_excerpt() chooses what it shows.
"""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from engines.config import RUN_FILE
from engines.evolution.run_store import (
    CHAMPION,
    FACTS,
    FORMAT,
    MEASURE,
    PRECURSORS,
    RunStore,
    measure_text,
    words_of,
    write_facts,
)
from engines.storage import connect, create_database


def write_excerpt(
    store: RunStore, folder: Path, champion: int, ids: Iterable[int], generations: Iterable[int]
) -> None:
    """Write a small copy for display to a new folder, with some generations and some individuals.

    The last generation and the champion are always included. An excerpt cannot be continued. It is a single file,
    which can be read where nothing can be written. Raises KeyError for an unknown ID; FileExistsError, OSError or
    sqlite3.Error if it cannot be written.
    """
    facts = {name: store.fact(name) for name in FACTS} | {
        "state": "",
        "mark": "",
        CHAMPION: str(champion),
    }
    if store.precursors:
        facts[PRECURSORS] = store.fact(PRECURSORS)
    if measure := store.measure:
        facts[MEASURE] = measure_text(measure.name, is_lower_better=measure.is_lower_better)
    people = [store.individual(id) for id in sorted({*ids, champion})]
    past = [store.generation(number) for number in sorted({*generations, store.count("generation") - 1})]
    known = {each.id for each in people}
    fitness = [(number, each) for number, each in store.fitness() if each.id in known]

    def fill(database: sqlite3.Connection) -> None:
        write_facts(database, facts)
        database.executemany(
            "INSERT INTO generation VALUES (?, ?, ?, ?)",
            [
                (each.number, each.hash, each.seconds, json.dumps(each.statistics, sort_keys=True))
                for each in past
            ],
        )
        database.executemany(
            "INSERT INTO individual VALUES (?, ?, ?, ?, ?)",
            [(each.id, each.generation, words_of(each.parents), each.origin, each.genome) for each in people],
        )
        database.executemany(
            "INSERT INTO fitness VALUES (?, ?, ?, ?)",
            [(number, each.id, each.value, each.games) for number, each in fitness],
        )

    folder.mkdir(parents=True, exist_ok=True)
    create_database(folder / RUN_FILE, FORMAT, fill)
    with closing(connect(folder / RUN_FILE)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("VACUUM")
