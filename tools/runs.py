"""The command `galapagos runs export`: writes a run as tables for pandas, R and spreadsheets."""

import csv
import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from engines.evolution.tables import TABLES, RunTables, Table, open_run
from engines.storage import read_text
from tools.cli import FAILED, CommandError, add_verb, counted

Write = Callable[[RunTables, Table, Path], int]  # writes a table to a file and returns the number of rows

FACTS: Final = "run.json"  # the file that describes the run
BATCH: Final = 50_000  # rows of a Parquet file that are in memory
INSTALL: Final = ".venv/bin/pip install '.[parquet]'"


def add_arguments(parser: ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="runs_command", metavar="COMMAND", required=True)
    export = add_verb(commands, "export", "write a run as tables")
    export.formatter_class = RawDescriptionHelpFormatter
    export.epilog = _legend()
    export.add_argument("run_folder", type=Path, metavar="RUN", help="the folder of a run, finished or not")
    form = export.add_mutually_exclusive_group(required=True)
    form.add_argument(
        "--csv", action="store_true", help="write a file of comma-separated values for each table"
    )
    form.add_argument(
        "--parquet", action="store_true", help=f"write a Parquet file for each table (needs {INSTALL})"
    )
    export.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for the files (default: RUN/tables)"
    )


def run(args: Namespace) -> int:
    """Write the files, print the path and the number of rows of each, and return 0.

    Raises CommandError: with status 1 if a file cannot be written or the run is in use, with status 2 if the folder
    holds no run or pyarrow is missing.
    """
    out = args.out or args.run_folder / "tables"
    suffix, write = (".csv", _write_csv) if args.csv else (".parquet", _parquet_writer())
    try:
        with open_run(args.run_folder) as tables:
            facts = tables.facts()
            _check_folder(out, facts)
            _create_folder(out)
            for table in TABLES.values():
                path = out / f"{table.name}{suffix}"
                rows = _replace_file(path, partial(write, tables, table))
                print(f"{path}: {counted(rows, 'row')}", flush=True)
            text = json.dumps(tables.facts(), indent=2) + "\n"
        _replace_file(out / FACTS, lambda file: file.write_text(text, encoding="utf-8"))
        print(f"{out / FACTS}: a description of the run and its fitness")
    except BrokenPipeError:  # of standard output; tools.__main__ handles it
        raise
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    return 0


# -- Files -----------------------------------------------------------------------------------------


def _check_folder(out: Path, facts: Mapping[str, Any]) -> None:
    """Raise ValueError if the folder `out` has tables of another run; a run may have gone on since its export."""
    try:
        known = json.loads(read_text(out / FACTS))
    except OSError:
        return
    except ValueError:
        known = None
    same = ("game", "seed", "config")
    if not isinstance(known, dict) or any(known.get(key) != facts[key] for key in same):
        raise ValueError(
            f"{out} has the tables of another run, which {out / FACTS} describes; choose another --out"
        )


def _create_folder(out: Path) -> None:
    """Create the folder `out` if it does not exist. Raises CommandError with status 1 if that fails."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(error, FAILED) from None


def _replace_file(path: Path, write: Callable[[Path], int]) -> int:
    """Replace `path` by a file that `write` writes next to it, and return the result of `write`."""
    unfinished = path.with_name(f"{path.name}.new")
    try:
        result = write(unfinished)
        unfinished.replace(path)
        return result
    except OSError as error:
        raise CommandError(error, FAILED) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _write_csv(tables: RunTables, table: Table, path: Path) -> int:
    """Write a table as comma-separated values in UTF-8, with the names of the columns in the first line."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([column.name for column in table.columns])
        for row in tables.rows(table.name):
            writer.writerow(row)
            count += 1
    return count


def _parquet_writer() -> Write:
    """Return a function that writes Parquet files. Raises CommandError if pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise CommandError(f"Parquet files need another package: {INSTALL}") from None
    kinds = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}

    def write(tables: RunTables, table: Table, path: Path) -> int:
        schema = pyarrow.schema([(column.name, kinds[column.kind]) for column in table.columns])
        rows, count = tables.rows(table.name), 0
        with ParquetWriter(path, schema) as writer:
            while batch := list(islice(rows, BATCH)):
                columns = [
                    pyarrow.array(cells, kind)
                    for cells, kind in zip(_transposed(batch), schema.types, strict=True)
                ]
                writer.write_table(pyarrow.Table.from_arrays(columns, schema=schema))
                count += len(batch)
        return count

    return write


def _transposed(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return the columns of a table, given by its rows."""
    return list(zip(*rows, strict=True))


def _legend() -> str:
    """Return the description of all tables and columns, for --help."""
    lines = [
        "The tables, with their columns; `pandas.read_csv` and R's `read.csv` read them as they are:",
        "",
    ]
    for table in TABLES.values():
        lines += [f"  {table.name}", *(f"    {each.name:14} {each.meaning}" for each in table.columns)]
    lines += [
        "",
        f"{FACTS} describes the fitness, and whether a higher or a lower value is better. Its `generations` count the",
        "founders' generation 0 too: a run that is at generation 12 has 13. In Python:",
        "",
    ]
    lines += [
        "  from engines.evolution import open_run",
        "  with open_run(RUN) as run: individuals = run.columns('individuals')",
    ]
    return "\n".join(lines)
