"""The debugger over a connection: `cdb TAG` names a hill, two warriors follow as they are sent to it, then
cdb's commands.

It runs here, not in a worker, a few milliseconds at a time, and of all who debug only one at once.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core.corewar.battle import Battle, from_checksum
from core.corewar.dialect import Dialect
from engines.corewar.battles import Tally
from engines.corewar.hill import Challenger
from engines.corewar.presets import Preset
from protocols.cdb.console import Event, Limits, Output
from protocols.cdb.debugger import Debugger
from protocols.engine_session import WRITE_SECONDS, Reader, Writer
from protocols.hill.service import HillService
from protocols.hill.submission import Submission, SubmissionError, SubmissionReader

WARRIORS: Final = 2
LIMITS: Final = Limits(characters=65_536, slices=1_000)  # of one command: a battle under standard rules


class DebuggingRoom:
    """Where strangers debug, under the rules of an office's hills."""

    def __init__(self, office: HillService) -> None:
        self._office = office
        self._turn = asyncio.Lock()

    async def converse(self, texts: Reader, commands: Reader, writer: Writer, first_line: str) -> None:
        """Take the warriors from `texts`, then commands, until the battle or the input ends.

        TimeoutError when the other side does not read for WRITE_SECONDS, ConnectionError when it is gone.
        """
        try:
            preset = self._office.preset("".join(first_line.lower().split()[1:2]))
            challengers = await self._challengers(preset, texts)
        except ValueError as error:
            await _say(writer, f"{error}\n")
            return
        warriors = [challenger.warrior for challenger in challengers]
        battle = Battle(preset.rules, warriors, preset.rounds, from_checksum(preset.rules, warriors))
        debugger = Debugger(
            battle,
            lambda: _progress(battle),
            dialect=Dialect(icws88=preset.is_88),
            limits=LIMITS,
        )
        await self._show(writer, debugger.start())
        while not debugger.finished:
            data = await commands.readline()
            if not data:
                return
            await self._show(writer, debugger.receive(data.decode("iso-8859-1").rstrip("\r\n")))
        await _say(writer, _progress(battle))

    async def _challengers(self, preset: Preset, texts: Reader) -> list[Challenger]:
        """The first whole letters. SubmissionError for one that is refused, and when there are too few."""
        letters = SubmissionReader()
        challengers: list[Challenger] = []
        while len(challengers) < WARRIORS:
            data = await texts.readline()
            text = letters.receive(data.decode("iso-8859-1").rstrip("\r\n")) if data else letters.end()
            if text is not None:
                submission = replace(Submission.read(text), tag=preset.tag)
                challengers.append((await self._office.assemble(submission)).challenger)
            elif not data:
                raise SubmissionError(f"the debugger needs {WARRIORS} warriors, each to its END")
        return challengers

    async def _show(self, writer: Writer, events: Iterator[Event]) -> None:
        """Let the debugger work, and the loop go round after each of its slices."""
        while True:
            async with self._turn:
                event = next(events, None)
                await asyncio.sleep(0)
            if event is None:
                return
            if isinstance(event, Output):
                await _say(writer, event.text)


def _progress(battle: Battle) -> str:
    """The rounds so far."""
    first, second = battle.warriors
    result = Tally.of_results(battle.results[0])
    return (
        f"{first.name} by {first.author} against {second.name} by {second.author}: "
        f"{result.wins} wins, {result.losses} losses, {result.ties} ties\n"
    )


async def _say(writer: Writer, text: str) -> None:
    writer.write(text.encode("iso-8859-1", "replace"))
    async with asyncio.timeout(WRITE_SECONDS):
        await writer.drain()
