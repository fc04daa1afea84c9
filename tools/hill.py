"""`galapagos hill`: make a hill, send warriors to it, read its reports and its table."""

import asyncio
import json
import os
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from engines.corewar.challenge_queue import BoundedPool, ChallengeQueue
from engines.corewar.hill import HillError
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS, Preset
from engines.worker_pool import TaskError, process_pool
from protocols.hill.office import PRELOAD, Office, Reply
from protocols.hill.report import (
    Style,
    refusal_text,
    report_data,
    report_text,
    standings_data,
    standings_text,
)
from protocols.hill.submission import Submission, SubmissionError

FAILED, USAGE, REFUSED = 1, 2, 3
WORKERS: Final = os.cpu_count() or 1


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    create = actions.add_parser("create", help="make a hill, with the starter warriors on it")
    _common(create)
    create.add_argument("--preset", choices=list(PRESETS), default="94nop", help="its rules (94nop)")
    create.add_argument("--empty", action="store_true", help="without the starter warriors")
    _changes(create, "the preset's")

    for action, help in (
        ("submit", "let warriors challenge the hill, one after the other"),
        ("test", "let them fight, but change nothing"),
    ):
        submit = actions.add_parser(action, help=help)
        _common(submit)
        submit.add_argument("warriors", nargs="+", metavar="WARRIOR", help="a Redcode file; - is the input")

    _common(actions.add_parser("standings", help="the table of the hill"))
    report = actions.add_parser("report", help="the report of a challenge again")
    _common(report)
    report.add_argument("number", nargs="?", type=int, metavar="CHALLENGE", help="its number (the last)")

    remove = actions.add_parser("remove", help="send a warrior away")
    _common(remove)
    remove.add_argument("name", metavar="NAME", help="as it stands in the table")
    remove.add_argument("--author", default="", help="where several authors have used the name")

    replay = actions.add_parser("replay", help="let all who have challenged a hill challenge a new one")
    _common(replay)
    replay.add_argument("new", type=Path, metavar="NEW", help="the new hill's file")
    _changes(replay, "the old hill's")

    source = actions.add_parser("source", help="the text of a warrior as it was sent, the latest of its name")
    _common(source)
    source.add_argument("name", metavar="NAME")


def _changes(parser: ArgumentParser, usual: str) -> None:
    parser.add_argument("--places", type=int, metavar="N", help=f"so many warriors stay ({usual})")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"of each battle ({usual})")
    parser.add_argument("--tag", help=f"what follows ;redcode- in its submissions ({usual})")


def _common(parser: ArgumentParser) -> None:
    parser.add_argument("hill", type=Path, metavar="FILE", help="the hill's file")
    parser.add_argument("--json", action="store_true", help="print JSON, a line each")


def run(args: Namespace) -> int:
    """0 when it was done, 1 for a file that fails, 2 for wrong arguments, 3 when a warrior was refused."""
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
                print(_standings(args, store), end="")
            case "report":
                print(_report(args, store), end="")
            case "source":
                print(_source(args, store), end="")
        return 0
    except ValueError as error:
        return _failed(error, USAGE)
    except (OSError, sqlite3.Error, TaskError) as error:
        return _failed(error, FAILED)


# -- Making one ------------------------------------------------------------------------------------


def _create(args: Namespace) -> int:
    store = HillStore.create(args.hill, _changed(args, PRESETS[args.preset]))
    if not args.empty:
        asyncio.run(_settled(store))
    _announce(args, store)
    return 0


def _changed(args: Namespace, preset: Preset) -> Preset:
    """With what _changes() has read. ValueError for what cannot be."""
    for name in ("places", "rounds", "tag"):
        if getattr(args, name) is not None:
            preset = replace(preset, **{name: getattr(args, name)})
    return replace(preset, tag=preset.tag.lower())


def _announce(args: Namespace, store: HillStore) -> None:
    preset, members = store.preset, len(store.hill().entries)
    if args.json:
        print(json.dumps({"hill": preset.name, "file": str(store.path), "warriors": members}))
    else:
        print(f"{store.path}: the {preset.title} hill, {members} of {preset.places} places taken")


async def _settled(store: HillStore) -> None:
    async with process_pool(WORKERS, preload=PRELOAD) as crew:
        await settle(Office([store], BoundedPool(crew)), store)


async def _replay(args: Namespace, store: HillStore) -> None:
    new = HillStore.create(args.new, _changed(args, store.preset))
    async with process_pool(WORKERS, preload=PRELOAD) as crew:
        await ChallengeQueue(new, BoundedPool(crew)).replay(store)
    _announce(args, new)


async def settle(office: Office, store: HillStore) -> None:
    """Let the starter warriors challenge an empty hill; those that do not fit its rules stay away."""
    folder = files("engines.corewar") / "warriors"
    texts = [each.read_text("iso-8859-1") for each in sorted(folder.iterdir(), key=lambda each: each.name)]
    for text in texts:
        try:
            await office.submit(replace(Submission.read(text), tag=store.preset.tag))
        except SubmissionError:
            continue


# -- Using one -------------------------------------------------------------------------------------


async def _submit(args: Namespace, store: HillStore) -> int:
    status = 0
    async with process_pool(WORKERS, preload=PRELOAD) as crew:
        office = Office([store], BoundedPool(crew))
        for name in args.warriors:
            try:
                submission = Submission.read(_text(name))
                is_test = submission.is_test or args.action == "test"
                reply = await office.submit(replace(submission, is_test=is_test))
            except (SubmissionError, HillError) as error:
                status = REFUSED
                reply = Reply(
                    text=refusal_text(f"{name}: {error}"), data={"refused": str(error), "file": name}
                )
            print(json.dumps(reply.data) if args.json else reply.text, flush=True)
    return status


def _text(name: str) -> str:
    """The text of a warrior, in the encoding that keeps every byte."""
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return data.decode("iso-8859-1")


async def _remove(args: Namespace, store: HillStore) -> None:
    await store.remove(args.name, args.author)
    print(_standings(args, store), end="")


def _standings(args: Namespace, store: HillStore) -> str:
    challenge = store.standing()
    if args.json:
        return json.dumps(standings_data(store.preset, challenge)) + "\n"
    return standings_text(store.preset, challenge)


def _report(args: Namespace, store: HillStore) -> str:
    challenge = store.challenge(args.number)
    if challenge is None:
        raise HillError(f"nobody has challenged {args.hill} yet")
    if args.json:
        return json.dumps(report_data(store.preset, challenge)) + "\n"
    return report_text(store.preset, challenge, Style())


def _source(args: Namespace, store: HillStore) -> str:
    sent = [each.source for each in store.challengers() if each.warrior.name == args.name]
    if not sent:
        raise HillError(f"nobody called {args.name} has challenged {args.hill}")
    return json.dumps({"name": args.name, "source": sent[-1]}) + "\n" if args.json else sent[-1]


def _failed(error: Exception, status: int) -> int:
    print(f"galapagos hill: {error}", file=sys.stderr)
    return status
