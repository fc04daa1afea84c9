"""The report of a fight as one JSON object: everything a script could want."""

import json
from collections.abc import Sequence

from core.corewar.battle import Battle
from core.corewar.rules import Rules
from protocols.redcode.messages import Message
from tools.mars.command_line.options import Options
from tools.mars.results import Standing, by_score
from tools.mars.roster import Entry


def report(
    options: Options,
    rules: Rules,
    entries: Sequence[Entry],
    battle: Battle | None,
    standings: Sequence[Standing],
    status: int,
) -> str:
    """One line. `status` is the exit status without -Q; places in `ranking` are those of naming, from 1."""
    warriors = [_warrior(entry) for entry in entries]
    data: dict[str, object] = {
        "pmars": options.mode,
        "status": status,
        "rules": {
            "core_size": rules.size,
            "cycles": rules.cycles,
            "processes": rules.processes,
            "length": rules.length,
            "distance": rules.distance,
            "pspace": rules.pspace,
            "read_limit": rules.read_limit,
            "write_limit": rules.write_limit,
            "icws88": options.icws88,
        },
        "rounds": options.rounds,
        "formula": options.formula,
        "warriors": warriors,
    }
    if battle:
        data |= {
            "rounds_fought": battle.round + int(battle.mars.over),
            "instructions": battle.executed,
            "ranking": [seat + 1 for seat in by_score(standings)],
        }
        for warrior, standing in zip(warriors, standings, strict=True):
            warrior.update(_result(standing))
    return json.dumps(data) + "\n"


def _warrior(entry: Entry) -> dict[str, object]:
    data: dict[str, object] = {
        "file": entry.file or None,
        "ready": entry.is_ready,
        "complaints": entry.complaints,
    }
    assembly = entry.assembly
    if assembly:
        data |= {
            "messages": [_message(message) for message in assembly.messages],
            "name": assembly.name,
            "author": assembly.author,
            "tag": assembly.tag,
            "strategy": list(assembly.strategy),
            "version": assembly.version,
            "date": assembly.date,
            "length": len(assembly.cells),
            "start": assembly.start,
            "pin": assembly.pin,
            "listing": entry.listing,
        }
    return data


def _message(message: Message) -> dict[str, object]:
    return {
        "severity": message.severity.value.lower(),
        "line": message.line,
        "column": message.column,
        "source": message.source,
        "text": message.text,
        "count": message.count,
    }


def _result(standing: Standing) -> dict[str, object]:
    """`survivals` counts rounds by the number of survivors, from 1."""
    return {
        "score": standing.score,
        "wins": standing.survivals[0],
        "ties": sum(standing.survivals[1:]),
        "losses": standing.losses,
        "survivals": list(standing.survivals),
    }
