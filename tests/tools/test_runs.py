"""`galapagos runs export`: files that other programs read as they are."""

import csv
import json
import sys
from pathlib import Path

import pytest

from engines.evolution import open_run
from engines.evolution.run_store import RunStore
from engines.evolution.tables import TABLES
from tests.browser.evolutions import made_up
from tests.tools.galapagos import Galapagos
from tools.__main__ import main


@pytest.fixture
def run(tmp_path: Path) -> Path:
    made_up(tmp_path / "run")
    return tmp_path / "run"


def test_csv_files_hold_all_tables_of_the_run(run: Path, galapagos: Galapagos) -> None:
    said = galapagos.printed("runs", "export", run, "--csv")
    with open_run(run) as tables:
        for name in TABLES:
            path = run / "tables" / f"{name}.csv"
            with path.open(newline="", encoding="utf-8") as file:
                head, *rows = csv.reader(file)
            columns = tables.columns(name)
            assert head == list(columns)
            expected = ["" if cell is None else str(cell) for cell in next(iter(columns.values()))]
            assert [row[0] for row in rows] == expected
            assert f"{path}: {len(rows):,} rows\n" in said
        facts = dict(tables.facts())
        genomes = tables.columns("individuals")["genome"]
    assert json.loads((run / "tables" / "run.json").read_text()) == facts
    with (run / "tables" / "individuals.csv").open(newline="", encoding="utf-8") as file:
        assert [row["genome"] for row in csv.DictReader(file)] == genomes, "lines of a text stay together"


def test_parquet_files_have_the_types_and_values_of_the_tables(
    run: Path, tmp_path: Path, galapagos: Galapagos
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    galapagos.printed("runs", "export", run, "--parquet", "--out", tmp_path / "out")
    kinds = {int: "int64", float: "double", str: "string"}
    with open_run(run) as tables:
        for table in TABLES.values():
            read = parquet.read_table(tmp_path / "out" / f"{table.name}.parquet")
            assert read.to_pydict() == tables.columns(table.name)
            assert [str(field.type) for field in read.schema] == [kinds[each.kind] for each in table.columns]


def test_export_refuses_a_missing_run_an_unusable_folder_or_no_format(
    tmp_path: Path, run: Path, galapagos: Galapagos
) -> None:
    assert "holds no run" in galapagos.refused("runs", "export", tmp_path, "--csv")
    (tmp_path / "file").write_text("")
    assert main(["runs", "export", str(run), "--csv", "--out", str(tmp_path / "file" / "x")]) == 1
    with pytest.raises(SystemExit):
        main(["runs", "export", str(run)])


def test_without_pyarrow_the_error_names_the_package_to_install(
    run: Path, galapagos: Galapagos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install '.[parquet]'" in galapagos.refused("runs", "export", run, "--parquet")
    assert not (run / "tables").exists()


def test_help_describes_each_table_and_column(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["runs", "export", "--help"])
    said = capsys.readouterr().out
    for table in TABLES.values():
        assert f"  {table.name}\n" in said and all(column.meaning in said for column in table.columns)


def test_tables_of_another_run_are_not_overwritten(run: Path, tmp_path: Path, galapagos: Galapagos) -> None:
    with RunStore.create(tmp_path / "other", game="chess", config="", seed=77, version="0"):
        pass
    galapagos.printed("runs", "export", run, "--csv", "--out", tmp_path / "out")
    before = (tmp_path / "out" / "individuals.csv").read_bytes()
    refused = galapagos.refused("runs", "export", tmp_path / "other", "--csv", "--out", tmp_path / "out")
    assert f"{tmp_path / 'out'} has the tables of another run" in refused
    assert (tmp_path / "out" / "individuals.csv").read_bytes() == before
    galapagos.printed("runs", "export", run, "--csv", "--out", tmp_path / "out")
