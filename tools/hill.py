"""The command `galapagos hill`: makes a hill, submits warriors to it, prints its reports and its table."""

import asyncio
import json
import os
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from glob import escape
from importlib.resources import files
from os.path import lexists
from pathlib import Path
from typing import Final

from engines.corewar.challenge_queue import ChallengeQueue
from engines.corewar.hill import HillError
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS, Preset
from engines.storage import is_held, unfinished_name
from engines.worker_pool import TaskError, WorkerPool, Workers
from protocols.hill.report import (
    Style,
    refusal_text,
    report_data,
    report_text,
    standings_data,
    standings_text,
)
from protocols.hill.service import HillService, Reply
from protocols.hill.submission import Submission, SubmissionError
from protocols.redcode.library import MAX_BYTES
from tools.cli import FAILED, CommandError, add_verb, natural_int, positive_int
from tools.files import visible
from tools.warriors import read_text

REFUSED: Final = 3  # the exit status if a warrior was refused
WORKERS: Final = os.cpu_count() or 1


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    create = add_verb(actions, "create", "create a hill, with the starter warriors on it")
    _common(create)
    create.add_argument(
        "--preset", choices=list(PRESETS), default="94nop", help="the rules of the hill (default: 94nop)"
    )
    create.add_argument("--empty", action="store_true", help="leave out the starter warriors")
    _changes(create, "the preset's")

    for action, summary in (
        ("submit", "let warriors challenge the hill, one after another"),
        ("test", "let warriors fight those of the hill without changing it"),
    ):
        submit = add_verb(actions, action, summary)
        _common(submit)
        submit.add_argument(
            "warriors", nargs="+", metavar="WARRIOR", help="a Redcode file; - is standard input"
        )

    _common(add_verb(actions, "standings", "print the table of the hill"))
    report = add_verb(actions, "report", "print the report of a challenge again")
    _common(report)
    report.add_argument(
        "number",
        nargs="?",
        type=natural_int,
        metavar="CHALLENGE",
        help="the number of the challenge (default: the last)",
    )

    remove = add_verb(actions, "remove", "remove a warrior from the hill")
    _common(remove)
    remove.add_argument("name", metavar="NAME", help="the name of the warrior in the table")
    remove.add_argument(
        "--author", default="", help="the author of the warrior, if several authors have used the name"
    )

    replay = add_verb(actions, "replay", "let all challengers of a hill challenge a new one")
    _common(replay)
    replay.add_argument("new", type=Path, metavar="NEW", help="the file of the new hill")
    _changes(replay, "the old hill's")

    source = add_verb(
        actions, "source", "print the text of a warrior as it was submitted, the latest of its name"
    )
    _common(source)
    source.add_argument("name", metavar="NAME", help="the name of the warrior")


def _changes(parser: ArgumentParser, usual: str) -> None:
    parser.add_argument(
        "--places",
        type=positive_int,
        metavar="N",
        help=f"the number of warriors on the hill (default: {usual})",
    )
    parser.add_argument(
        "--rounds", type=positive_int, metavar="N", help=f"the rounds of each battle (default: {usual})"
    )
    parser.add_argument("--tag", help=f"the word after ;redcode- in submissions (default: {usual})")


def _common(parser: ArgumentParser) -> None:
    parser.add_argument("hill", type=Path, metavar="FILE", help="the file of the hill")
    parser.add_argument("--json", action="store_true", help="print JSON lines")


def run(args: Namespace) -> int:
    """Run an action and return 0, or 3 if a warrior was refused.

    Raises CommandError, with 1 if a file fails, 2 for wrong arguments.
    """
    try:
        if args.action == "create":
            return _create(args)
        store = HillStore.open(args.hill)
        match args.action:
            case "submit" | "test":
                return asyncio.run(_submit(args, store))
            case "remove":
                asyncio.run(_remove(args, store))
            case "replay":
                asyncio.run(_replay(args, store))
            case "standings":
                print(visible(_standings(args, store)), end="")
            case "report":
                print(visible(_report(args, store)), end="")
            case "source":
                text = _source(args, store)  # every byte, unless it goes to a terminal
                print(visible(text) if sys.stdout.isatty() else text, end="")
        return 0
    except (ValueError, IsADirectoryError) as error:
        raise CommandError(error) from None
    except (OSError, sqlite3.Error, TaskError) as error:
        raise CommandError(error, FAILED) from None


# -- Making a hill ---------------------------------------------------------------------------------


def _create(args: Namespace) -> int:
    preset = _changed(args, PRESETS[args.preset])
    if args.empty:
        store = HillStore.create(args.hill, preset)
    else:
        store = asyncio.run(_with_starters(args.hill, preset))
    _announce(args, store)
    return 0


def _changed(args: Namespace, preset: Preset) -> Preset:
    """Return the preset with the options of _changes(). Raises ValueError for values that are not allowed."""
    for name in ("places", "rounds", "tag"):
        if getattr(args, name) is not None:
            preset = replace(preset, **{name: getattr(args, name)})
    return replace(preset, tag=preset.tag.lower())


def _announce(args: Namespace, store: HillStore) -> None:
    preset, members = store.preset, len(store.hill().entries)
    if args.json:
        print(json.dumps({"hill": preset.name, "file": str(store.path), "warriors": members}))
    else:
        print(
            visible(
                f"{store.path}: the {preset.title} hill, {members} of {preset.places} places taken\n{preset.summary}"
            )
        )
    folder = store.path.absolute().parent
    if folder.name == "hills" and is_held(folder.with_name("records")):
        print(f"restart the server of {visible(str(folder.parent))} to open the hill", file=sys.stderr)


async def _with_starters(path: Path, preset: Preset) -> HillStore:
    async with Workers(WORKERS, preload=["protocols.hill.service"]) as pool:
        await create_with_starters([(path, preset)], pool)
    return HillStore(path, preset)


async def _replay(args: Namespace, store: HillStore) -> None:
    preset = _changed(args, store.preset)
    with _new_files([args.new], "replay") as (unfinished,):
        new = HillStore.create(unfinished, preset)
        async with Workers(WORKERS, preload=["protocols.hill.service"]) as pool:
            await ChallengeQueue(new, pool).replay(store)
    _announce(args, HillStore(args.new, preset))


async def create_with_starters(hills: Sequence[tuple[Path, Preset]], pool: WorkerPool) -> None:
    """Create hills with the starter warriors on them; the files get their names when all of them are complete.

    A process that is killed before leaves files with unfinished_name(), which a later call for the same path deletes.
    Raises HillError if a path exists already, and OSError or sqlite3.Error if a file cannot be written.
    """
    with _new_files([path for path, _ in hills], "starters") as made:
        for unfinished, (_, preset) in zip(made, hills, strict=True):
            store = HillStore.create(unfinished, preset)
            await _submit_starters(HillService([store], pool, trusts_authors=True), store)


@contextmanager
def _new_files(paths: Sequence[Path], purpose: str) -> Iterator[list[Path]]:
    """Yield the paths of files to write in place of `paths`, which get these names when the block has ended.

    A process that is killed in the block leaves files with unfinished_name(), which a later call for the same paths and
    purpose deletes. Raises HillError if a path exists already.
    """
    for path in paths:
        if lexists(path):
            raise HillError(f"{path} exists already")
    made = [path.with_name(unfinished_name(path.name, purpose)) for path in paths]
    try:
        for unfinished in made:
            _delete_unfinished(unfinished)
        yield made
        for path, unfinished in zip(paths, made, strict=True):
            os.link(unfinished, path)  # unlike a renaming, it overwrites nothing
    except FileExistsError as error:
        raise HillError(f"{error.filename2} exists already") from None
    finally:
        for unfinished in made:
            _delete_unfinished(unfinished)


def _delete_unfinished(path: Path) -> None:
    """Delete a file that is being written, and all files next to it, also those of a killed process."""
    for each in path.parent.glob(f"{escape(path.name)}*"):
        each.unlink(missing_ok=True)


async def _submit_starters(service: HillService, store: HillStore) -> None:
    """Let the starter warriors that fit the rules challenge an empty hill."""
    for path in sorted((files("engines.corewar") / "warriors").iterdir(), key=lambda path: path.name):
        with suppress(SubmissionError):
            submission = Submission.read(path.read_text("iso-8859-1"))
            await service.submit(replace(submission, tag=store.preset.tag), is_logged=False)


# -- Using a hill -----------------------------------------------------------------------------------


async def _submit(args: Namespace, store: HillStore) -> int:
    status = 0
    texts = [(name, _text(name)) for name in args.warriors]
    async with Workers(WORKERS, preload=["protocols.hill.service"]) as pool:
        service = HillService([store], pool, trusts_authors=True)  # the owner of the file controls everything
        for name, text in texts:
            try:
                submission = Submission.read(text)
                is_test = submission.is_test or args.action == "test"
                tag = submission.tag or store.preset.tag  # a plain ;redcode is for the hill that is named
                reply = await service.submit(replace(submission, is_test=is_test, tag=tag))
            except (SubmissionError, HillError) as error:
                status = REFUSED
                reply = Reply(
                    text=refusal_text(f"{name}: {error}"), data={"refused": str(error), "file": name}
                )
            print(json.dumps(reply.data) if args.json else visible(reply.text), flush=True)
    return status


def _text(name: str) -> str:
    """Return the text of a warrior, in the encoding that keeps every byte.

    Raises CommandError if the text cannot be read.
    """
    if name != "-":
        try:
            return read_text(Path(name))
        except (OSError, ValueError) as error:  # ValueError: a name with a NUL
            raise CommandError(error) from None
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CommandError(f"standard input holds more than {MAX_BYTES:,} bytes", FAILED)
    return data.decode("iso-8859-1")


async def _remove(args: Namespace, store: HillStore) -> None:
    gone = await store.remove(args.name, args.author)
    print(visible(_standings(args, store, gone)), end="")


def _standings(args: Namespace, store: HillStore, removed: Collection[int] = ()) -> str:
    challenge = store.standing()
    if args.json:
        return json.dumps(standings_data(store.preset, challenge, removed)) + "\n"
    return standings_text(store.preset, challenge, removed)


def _report(args: Namespace, store: HillStore) -> str:
    challenge = store.challenge(args.number)
    if challenge is None:
        raise HillError(f"no warrior has challenged {args.hill} yet")
    if args.json:
        return json.dumps(report_data(store.preset, challenge)) + "\n"
    return report_text(store.preset, challenge, Style())


def _source(args: Namespace, store: HillStore) -> str:
    texts = [challenger.source for challenger in store.challengers() if challenger.warrior.name == args.name]
    if not texts:
        raise HillError(f"no warrior called {args.name} has challenged {args.hill}")
    return json.dumps({"name": args.name, "source": texts[-1]}) + "\n" if args.json else texts[-1]
