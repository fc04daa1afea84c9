"""What a house keeps, and where: one folder for everything, or a place for each thing."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS

FIRST_HILLS: Final = ("94nop", "nano")  # of a new folder; galapagos hill makes others


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """None, or nothing: it is not kept."""

    records: Path | None
    profiles: Path | None
    runs: tuple[Path, ...]
    hills: tuple[HillStore, ...]
    new_hills: tuple[HillStore, ...] = ()  # some of them, on which nobody stands yet


def add_home_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--home",
        type=Path,
        metavar="FOLDER",
        help="keep everything there: games, what Chaos knows of users, hills (two to begin with) and runs",
    )
    add("--records", type=Path, metavar="FOLDER", help="keep the records of games there, and go on with them")
    add("--profiles", type=Path, metavar="FOLDER", help="keep what Chaos knows of users there (NAME.apu)")
    add(
        "--hill",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="take warriors for this hill (galapagos hill create makes one); may be repeated",
    )
    add(
        "--runs",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="show the evolutions below this folder on the page, also while they are under way; may be repeated",
    )


def open_home(args: Namespace) -> Home:
    """Made where it is missing. ValueError or OSError with the reason if something there cannot be used."""
    home: Path | None = args.home
    hills = [HillStore.open(path) for path in args.hill]
    if home is None:
        return Home(records=args.records, profiles=args.profiles, runs=tuple(args.runs), hills=tuple(hills))
    for room in ("records", "profiles", "hills", "runs"):
        (home / room).mkdir(parents=True, exist_ok=True)
    found = sorted((home / "hills").glob("*.hill"))
    new = [] if found else _first_hills(home / "hills")
    return Home(
        records=args.records or home / "records",
        profiles=args.profiles or home / "profiles",
        runs=(home / "runs", *args.runs),
        hills=(*hills, *(HillStore.open(path) for path in found), *new),
        new_hills=tuple(new),
    )


def _first_hills(folder: Path) -> Sequence[HillStore]:
    return [HillStore.create(folder / f"{name}.hill", PRESETS[name]) for name in FIRST_HILLS]
