"""cdb over a connection.

A client sends `cdb TAG`, which names a hill whose rules apply, then two warriors in the form of submissions, then
commands. The debuggers run in this process, a few milliseconds at a time, and only one of all remote debuggers at
once.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core.corewar.battle import Battle, from_checksum
from core.corewar.dialect import Dialect
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally
from engines.corewar.hill import Kills
from engines.corewar.presets import Preset
from protocols.cdb.console import Event, Limits, Output
from protocols.cdb.debugger import Debugger
from protocols.cdb.execution import DebugRun
from protocols.engine_session import WRITE_SECONDS, Reader, Writer
from protocols.hill.service import HillService, next_submission
from protocols.hill.submission import Submission, SubmissionError, SubmissionReader

WARRIORS: Final = 2
USAGE: Final = (
    "cdb needs the tag of a hill, whose rules apply; then send two warriors, each from ;redcode to END"
    " or a line with a full stop, and then commands. For example"
)
LIMITS: Final = Limits(characters=65_536, slices=1_000)  # of a line: a battle under standard rules


class RemoteDebugger:
    """The debugging sessions of a server, under the rules of its hills, without access to the host."""

    def __init__(self, hills: HillService) -> None:
        self._hills = hills
        self._turn = asyncio.Lock()

    async def run_session(self, lines: Reader, texts: Reader, writer: Writer, first_line: str) -> None:
        """Read the warriors, then commands, until the battle or the input ends.

        `texts` yields the same lines as `lines`, but many of them count as one message. Raises TimeoutError if the
        peer does not read for WRITE_SECONDS, and ConnectionError if the connection is lost.
        """
        tag = "".join(first_line.lower().split()[1:2])
        if not tag and not any(not store.preset.tag for store in self._hills.stores):
            await _write(writer, f"{USAGE}: cdb {self._hills.stores[0].preset.tag}\n")
            return
        try:
            preset = self._hills.preset(tag)
            battle = await self._read_battle(preset, lines, texts)
        except ValueError as error:
            await _write(writer, f"{error}\n")
            return
        dialect = Dialect(icws88=preset.is_88)
        debugger = Debugger(DebugRun(battle), lambda: _progress(battle), dialect=dialect, limits=LIMITS)
        await self._run(debugger.start(), writer)
        while not debugger.finished:
            data = await lines.readline()
            if not data:
                return
            await self._run(debugger.receive(data.decode("iso-8859-1").rstrip("\r\n")), writer)
        await _write(writer, _progress(battle))

    async def _read_battle(self, preset: Preset, lines: Reader, texts: Reader) -> Battle:
        """Return a battle of the warriors received. Raises SubmissionError if one is refused or missing."""
        reader = SubmissionReader()
        warriors: list[Warrior] = []
        while len(warriors) < WARRIORS:
            text = await next_submission(reader, lines, texts)
            if text is None:
                raise SubmissionError(f"the debugger needs {WARRIORS} warriors, each with a line END")
            submission = replace(Submission.read(text), tag=preset.tag)
            made = await self._hills.assemble(submission)
            if isinstance(made, Kills):
                raise SubmissionError("the debugger needs a warrior with instructions, not only ;kill lines")
            warriors.append(made.challenger.warrior)
        return Battle(preset.rules, warriors, preset.rounds, from_checksum(preset.rules, warriors))

    async def _run(self, events: Iterator[Event], writer: Writer) -> None:
        """Run the debugger step by step, in turn with other debuggers, and let other tasks run after each step."""
        while True:
            async with self._turn:
                event = next(events, None)
                await asyncio.sleep(0)
            if event is None:
                return
            if isinstance(event, Output):
                await _write(writer, event.text)


def _progress(battle: Battle) -> str:
    """Return the results of the rounds so far as a line."""
    first, second = battle.warriors
    result = Tally.of_results(battle.results[0])
    return (
        f"{first.name} by {first.author} against {second.name} by {second.author}: "
        f"{result.wins} wins, {result.losses} losses, {result.ties} ties\n"
    )


async def _write(writer: Writer, text: str) -> None:
    writer.write(text.encode("iso-8859-1", "replace"))
    async with asyncio.timeout(WRITE_SECONDS):
        await writer.drain()
