"""The file of a study that goes on where it was left: a line of JSON for its plan, then one a finished series."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from engines.protection.series import Outcome
from engines.storage import write_atomically
from tools.study.protection.plan import Plan, Task

Finished = dict[str, list[Outcome]]  # by the key of the task


def read(path: Path, plan: Plan) -> Finished:
    """What is finished. ValueError for the file of another plan; a last line that was cut off is left out."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return {}
    try:
        if json.loads(lines[0])["plan"] != plan.hash:
            raise ValueError(f"{path} is of another study: other rules, pool, games or aim")
        rows = [json.loads(line) for line in lines[1:-1]]
        return {row["series"]: [_outcome(facts) for facts in row["games"]] for row in rows}
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is no file of a study: {error!r}") from None


def begin(path: Path, plan: Plan, finished: Finished) -> None:
    """Write what is finished so far, without a line that was cut off."""
    rows = [json.dumps({"plan": plan.hash}), *(_row(key, games) for key, games in finished.items())]
    write_atomically(path, "".join(f"{row}\n" for row in rows))


def add(path: Path, task: Task, games: list[Outcome]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{_row(task.key, games)}\n")
        file.flush()
        os.fsync(file.fileno())


def _row(key: str, games: list[Outcome]) -> str:
    return json.dumps({"series": key, "games": [asdict(game) for game in games]})


def _outcome(facts: dict[str, object]) -> Outcome:
    """KeyError or TypeError for what is none."""
    strings = facts["strings"]
    if not isinstance(strings, list):
        raise TypeError("strings are a list")
    return Outcome(**facts | {"strings": tuple(strings)})  # type: ignore[arg-type]
