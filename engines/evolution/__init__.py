"""Evolution: populations that advance generation by generation, the record of a run, and its tables (open_run)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from engines.evolution.tables import RunTables


def open_run(folder: "PathLike[str] | str") -> "RunTables":
    """Open the run in a folder as tables (engines.evolution.tables).

    Raises ValueError if the folder holds no run, or a damaged one.
    """
    from engines.evolution.tables import open_run

    return open_run(folder)
