"""Runs as tables: the same columns for every game, the fitness that was measured, and runs of earlier versions."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from engines.config import RUN_FILE
from engines.evolution import open_run
from engines.evolution.population import Contest, Fitness, Generation, Individual, Measurement, mean_returns
from engines.evolution.run_store import FITNESS, RunStore, StoreError
from engines.evolution.tables import TABLES, RunTables
from tests.engines.acquire import runs as acquire
from tests.engines.corewar.evolution import runs as corewar
from tests.engines.evolution.test_run_store import GENOME, created
from tests.engines.protection import runs as protection
from tests.toy import InlinePool

GAMES = {
    "gp": (acquire.gone_on, acquire.GP),
    "league": (acquire.gone_on, acquire.LEAGUE + acquire.THREE + acquire.ISLANDS),
    "nets": (acquire.gone_on, acquire.NES + acquire.THREE),
    "strings": (protection.gone_on, protection.GA),
    "scrimmages": (corewar.gone_on, corewar.SCRIMMAGE),
    "elites": (corewar.gone_on, corewar.ELITE),
}


def rows(run: RunTables, table: str) -> list[dict[str, Any]]:
    names = [column.name for column in TABLES[table].columns]
    return [dict(zip(names, row, strict=True)) for row in run.rows(table)]


@pytest.mark.parametrize("name", GAMES)
async def test_every_game_has_the_same_tables(name: str, tmp_path: Path) -> None:
    gone_on, config = GAMES[name]
    if name in ("scrimmages", "elites"):
        config = corewar.config_in(tmp_path, config)
    await gone_on(tmp_path / "run", config, 5, InlinePool())
    with open_run(tmp_path / "run") as run:
        facts, found = run.facts(), {table: rows(run, table) for table in TABLES}
        statistics = {each.number: each.statistics for each in run.store.generations()}
        assert facts["generations"] == 5 and facts["better"] == ("lower" if name == "strings" else "higher")
    for table, each in found.items():
        kinds = {column.name: column.kind for column in TABLES[table].columns}
        for row in each:
            assert all(value is None or type(value) is kinds[key] for key, value in row.items()), (table, row)
    people = {row["id"]: row for row in found["individuals"]}
    assert len(people) == facts["individuals"] == len(found["individuals"])
    last = {row["individual"]: (row["fitness"], row["games"]) for row in found["fitness"]}
    assert last and last.keys() <= people.keys()
    for id, row in people.items():
        assert (row["fitness"], row["games"]) == last.get(id, (None, None))
        assert row["parents"] == sum(each["individual"] == id for each in found["parents"])
    assert {row["parent"] for row in found["parents"]} <= people.keys()
    sign = -1 if name == "strings" else 1
    for row in found["generations"]:
        values = [each for each in found["fitness"] if each["generation"] == row["generation"]]
        assert row["measured"] == len(values)
        assert row["births"] == sum(each["generation"] == row["generation"] for each in people.values())
        if values:
            fittest = max(values, key=lambda each: sign * each["fitness"])
            assert row["fitness_best"] == fittest["fitness"]
        if name in ("strings", "nets"):  # most of those that are measured are not on record
            every = statistics[row["generation"]]
            every = every.get("fitness", every)
            assert (row["fitness_mean"], row["fitness_worst"]) == (every.get("mean"), every.get("worst"))
        elif values:
            assert row["fitness_mean"] == fmean(each["fitness"] for each in values)
            assert sign * row["fitness_worst"] == min(sign * each["fitness"] for each in values)
    assert any(row["measured"] for row in found["generations"])


def family(folder: Path, measured: Measurement | None) -> None:
    """Two parents and a child; the parents have played."""
    contests = (
        Contest(players=(0, 1), returns=(1.0, -1.0), ending="row", length=5),
        Contest(players=(1, 0), returns=(0.0, 0.0)),
    )
    child = Individual(id=5, genome=GENOME, parents=(1, 0), generation=1, origin="mating")
    with created(folder) as store:
        born = (Individual(id=0, genome=GENOME), Individual(id=1, genome=GENOME))
        store.write(Generation(number=0, born=born), "", "", 0.5)
        store.write(Generation(number=1, born=(child,), contests=contests, fitness=measured), "", "", 1.5)


def test_parents_and_players_are_rows(tmp_path: Path) -> None:
    family(tmp_path / "run", None)
    with open_run(tmp_path / "run") as run:
        assert run.columns("parents") == {"individual": [5, 5], "number": [0, 1], "parent": [1, 0]}
        assert [row[3:6] for row in run.rows("contests")] == [
            (0, 0, 1.0),
            (1, 1, -1.0),
            (0, 1, 0.0),
            (1, 0, 0.0),
        ]
        assert run.columns("individuals")["parents"] == [0, 0, 2]


def test_an_unknown_length_is_an_empty_cell_and_an_unknown_table_names_the_others(tmp_path: Path) -> None:
    family(tmp_path / "run", None)
    with open_run(tmp_path / "run") as run:
        assert run.columns("contests")["length"] == [5, 5, None, None]
        for read in (run.columns, run.rows):
            with pytest.raises(
                ValueError, match="no table 'foo'; its tables are individuals, parents, fitness"
            ):
                read("foo")


def test_fitness_without_a_record_is_the_mean_of_returns(tmp_path: Path) -> None:
    family(tmp_path / "run", None)
    with open_run(tmp_path / "run") as run:
        assert run.facts()["fitness"] == "mean of the returns of its games"
        assert list(run.rows("fitness")) == [(1, 0, 0.5, 2), (1, 1, -0.5, 2)]
        assert [row[5:9] for row in run.rows("generations")] == [
            (None, None, None, None),
            (0, 0.5, 0.0, -0.5),
        ]


def test_measures_where_lower_is_better(tmp_path: Path) -> None:
    values = (Fitness(id=0, value=30.0, games=4), Fitness(id=1, value=-7.5, games=4))
    measured = Measurement(name="seconds", values=values, is_lower_better=True)
    family(tmp_path / "run", measured)
    with open_run(tmp_path / "run") as run:
        assert (run.facts()["fitness"], run.facts()["better"]) == ("seconds", "lower")
        assert [row[5:9] for row in run.rows("generations")][1] == (1, -7.5, 11.25, 30.0)


def test_mean_returns_average_the_games_of_each_player() -> None:
    assert not mean_returns([])
    contests = [Contest(players=(3, 3), returns=(1.0, 0.0)), Contest(players=(2,), returns=(0.25,))]
    assert mean_returns(contests) == (Fitness(id=3, value=0.5, games=2), Fitness(id=2, value=0.25, games=1))


# -- Runs of the version before ---------------------------------------------------------------------


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Path]:
    """A run as version 1 of the format has it: without the table of fitness."""
    family(tmp_path / "run", None)
    with closing(sqlite3.connect(tmp_path / "run" / RUN_FILE, isolation_level=None)) as database:
        database.executescript("DROP TABLE fitness; PRAGMA user_version = 1; PRAGMA journal_mode = DELETE")
    yield tmp_path / "run"


def test_reading_an_older_run_leaves_the_file_unchanged(older: Path) -> None:
    before = (older / RUN_FILE).read_bytes()
    with open_run(older) as run:
        assert run.columns("individuals")["fitness"] == [0.5, -0.5, None]
    assert (older / RUN_FILE).read_bytes() == before


def test_opening_an_older_run_for_writing_migrates_it(older: Path) -> None:
    with RunStore.open(older) as store:
        digest = store.hash
    measured = Measurement(name="wins", values=(Fitness(id=5, value=2.0, games=3),))
    with RunStore.open(older, writing=True) as store:
        assert store.hash == digest and store.measure is None
        store.write(Generation(number=2, fitness=measured), "", "", 0.5)
    with open_run(older) as run:
        assert run.facts()["fitness"] == "wins" and list(run.rows("fitness")) == [(2, 5, 2.0, 3)]


def test_an_older_run_with_other_tables_is_refused(older: Path) -> None:
    with closing(sqlite3.connect(older / RUN_FILE, isolation_level=None)) as database:
        database.executescript(FITNESS)
    for writing in (False, True):
        with pytest.raises(
            StoreError,
            match=r"run\.sqlite is damaged or foreign|run\.sqlite is damaged: table fitness already exists",
        ):
            RunStore.open(older, writing=writing).close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE fitness SET value = 'high'",
        "UPDATE fitness SET individual = x'00'",
        "UPDATE run SET value = '[]' WHERE key = 'fitness'",
        "UPDATE run SET value = '{' WHERE key = 'fitness'",
    ],
)
def test_damaged_fitness_records_raise_an_error_that_names_the_file(statement: str, tmp_path: Path) -> None:
    family(tmp_path / "run", Measurement(name="wins", values=(Fitness(id=0, value=1.0, games=1),)))
    with closing(sqlite3.connect(tmp_path / "run" / RUN_FILE, isolation_level=None)) as database:
        database.execute(statement)
    with pytest.raises(StoreError, match=r"run\.sqlite is damaged"), open_run(tmp_path / "run") as run:
        run.columns("fitness")
