"""The GUI's side of the Chess Engine Communication Protocol, version 2, and of version 1 where need be.

Reference: Tim Mann, H. G. Muller, "Chess Engine Communication Protocol". The engine is kept in force
mode and told to `go` for each move, so that one order of commands serves games, analysis and take-backs.
"""

import asyncio
import re
from contextlib import suppress
from typing import Final

from core.chess.notation import START
from core.chess.position import Position, move_text
from engines.engine import EngineError, Info, Limit, Option
from protocols.client.cecp_edit import edit_commands
from protocols.client.cecp_features import Features
from protocols.client.cecp_limits import Told
from protocols.client.foreign import ForeignEngine
from protocols.client.process import EngineProcess, Patience, shown
from protocols.client.question import Question, Report

MOVE: Final = re.compile(r"(?:move|\d+\. \.\.\.) +(\S+).*")
RESIGNATION: Final = re.compile(r"(?:tellics +)?resign\b.*")
RESULT: Final = re.compile(r"(1-0|0-1|1/2-1/2|\*)(?: .*)?")
THINKING: Final = re.compile(r"(\d{1,4})\S? +([-+]?\d{1,9}) +(\d{1,12}) +(\d{1,15})\b(.*)")
NO_MOVE: Final = re.compile(r"\d*\.+|\(.\)")  # move numbers, marks such as (-)
# An engine that refuses one of these is out of step; any other command it may refuse.
VITAL: Final = r"(?:usermove|new|force|go|setboard|edit|[a-h][1-8][a-h][1-8][nbrq]?)\b.*"
REFUSAL: Final = re.compile(
    rf"illegal move[^:]*|(?:illegal move|error)[^:]*: *{VITAL}|tellusererror +illegal position.*",
    re.IGNORECASE,
)
MATE: Final = 100_000
LOST: Final = ("0-1", "1-0")  # [player]: the result that is a loss


class CecpEngine(ForeignEngine):
    stop_command = "?"

    def __init__(self, process: EngineProcess, patience: Patience) -> None:
        super().__init__(process, patience)
        self._features = Features()
        self._told = Told()
        self._pings = 0
        self._start = ""  # the FEN at which the game in the engine began; none: we cannot tell
        self._played: list[int] = []  # the moves made there since
        self._resigned = False  # unasked, which some do right after their move

    async def _introduce(self) -> None:
        self._process.send("xboard", "protover 2")
        seconds: float | None = self._patience.first_line
        while not self._features.is_done:
            try:
                async with asyncio.timeout(seconds):
                    self._attend(await self._process.line())
            except TimeoutError:
                break  # it speaks version 1, or has said all
            seconds = None if self._features.is_loading else self._patience.features
        if not self._features.plays_chess:
            raise EngineError(f"{self.name} does not play normal chess")
        self.name = shown(self._features.name) or self.name
        self.options = tuple(self._features.options)
        self._new()
        await self._ready()

    async def _ask(self, position: Position, limit: Limit) -> Info | None:
        moves = position.moves()
        known = len(self._played)
        if position.start != self._start or moves[:known] != self._played:
            self._set_up(position.start)
            known = 0
        else:
            self._process.send("force")
        usermove = "usermove " if self._features.has("usermove") else ""
        self._process.send(*(f"{usermove}{move_text(move)}" for move in moves[known:]))
        self._played = moves
        if not known or self._features.has("ping"):
            await self._ready()
        if self._resigned and known:
            return self._ended(Info(action=position.legal_actions()[0], resign=True))
        self._resigned = False
        self._process.send(*self._told.news(limit, self._features), "go")
        self._question = Question(position, limit)
        return None

    def _hear(self, line: str) -> Info | None:
        self._attend(line)
        question = self._question
        if question is None:
            return None
        if match := MOVE.fullmatch(line):
            return self._answered(question, match[1])
        if self._resigned:
            return self._ended(Info(action=question.position.legal_actions()[0], resign=True))
        if match := RESULT.fullmatch(line):
            # It claims that the game is over, which it is not, and so will not move.
            resign = match[1] == LOST[question.position.player()]
            action = question.position.legal_actions()[0] if resign else -1
            return self._ended(Info(action=action, text=shown(line), resign=resign))
        return question.hear(read_thinking(line))

    def _set(self, option: Option, value: str) -> None:
        if option.name in ("memory", "cores"):
            self._process.send(f"{option.name} {value}")
        elif option.kind == "button":
            self._process.send(f"option {option.name}")
        else:
            number = {"true": "1", "false": "0"}.get(value, value) if option.kind == "check" else value
            self._process.send(f"option {option.name}={number}")

    def _new(self) -> None:
        self._set_up(START)

    async def _ready(self) -> None:
        if not self._features.has("ping"):
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience.hush):
                    while True:
                        self._attend(await self._process.line())
            return
        self._pings += 1
        pong = f"pong {self._pings}"
        self._process.send(f"ping {self._pings}")
        async with self._within(self._patience.ready, "answer ping"):
            while (line := await self._process.line()) != pong:
                self._attend(line)

    # -- Parts -------------------------------------------------------------------------------------

    def _set_up(self, start: str) -> None:
        """Begin a game at a FEN."""
        self._process.send("new", "force", "easy", "post")
        if start != START and self._features.has("setboard"):
            self._process.send(f"setboard {start}")
        elif start != START:
            self._process.send(*edit_commands(start))
        self._start, self._played = start, []
        self._told.new_game()

    def _attend(self, line: str) -> None:
        """What may come at any time. EngineError when the engine refuses what it must obey."""
        if line.startswith("feature "):
            replies = list(self._features.learn(line))
            self._process.send(*replies)
        elif RESIGNATION.fullmatch(line):
            self._resigned = True
        elif REFUSAL.fullmatch(line):
            self._question, self._start = None, ""
            raise EngineError(f"{self.name} says {shown(line)!r}")

    def _answered(self, question: Question, text: str) -> Info | None:
        self._question = None
        thought = question.answer(text)
        if thought is None or thought.action < 0:
            self._start = ""
        else:
            self._played.append(thought.action)
        return thought

    def _ended(self, thought: Info) -> Info:
        """The engine has ended its game."""
        self._question, self._start = None, ""
        return thought


def read_thinking(line: str) -> Report:
    """`ply score centiseconds nodes ... line`; nothing from a line that is none of thinking."""
    match = THINKING.fullmatch(line.replace("\t", " "))
    if match is None:
        return Report()
    score = int(match[2])
    mate = None
    if MATE < abs(score) < MATE + 1000:
        mate = score - MATE if score > 0 else score + MATE
    # More figures may stand between the nodes and a tab, which then comes before the line.
    words = (line.rpartition("\t")[2] if "\t" in line else match[5]).split()
    return Report(
        moves=[word for word in words if not NO_MOVE.fullmatch(word)],
        cents=score if mate is None else None,
        mate=mate,
        depth=int(match[1]),
        nodes=int(match[4]),
        seconds=int(match[3]) / 100,
    )
