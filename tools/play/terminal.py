"""The dialogue of a game at a terminal: the board, the prompt, the commands and their answers.

The module is the same for all games; a View draws the states of a game, and reads and writes its moves.
"""

import asyncio
import textwrap
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Final, Protocol

from core.game import State
from engines.engine import Engine, EngineError, Info, Limit
from engines.match.referee import Ending, Result, Turn
from engines.time_control import TimeControl
from tools.play.casual_game import CasualGame, Lost, last_thought

HINT: Final = Limit(seconds=1.0)
COMMANDS: Final = {
    "moves": "list the legal moves",
    "board": "draw the board again",
    "flip": "turn the board around",
    "hint": "ask an engine for a move",
    "undo": "take back your last move, and the reply",
    "save FILE": "append the game so far to this file",
    "resign": "give up the game",
    "quit": "leave the game unfinished, as Ctrl-D and Ctrl-C do",
}
LOSSES: Final = {
    Ending.RESIGNATION: "{} resigns",
    Ending.TIME: "{} has run out of time",
    Ending.ILLEGAL_ACTION: "{} has chosen an illegal move",
    Ending.CRASH: "{}'s engine has failed",
}


class View(Protocol):
    """The text form of one game for people. Seats are numbered like the players of the game."""

    seats: tuple[str, ...]  # the names of the seats, such as White and Black
    notation: str  # the command that prints describe()
    advice: str  # how moves are written

    def draw(self, state: State, seat: int) -> str:
        """Return the board as the player of `seat` sees it."""
        ...

    def describe(self, state: State) -> str:
        """Return the state as a text that Game.state_from() reads."""
        ...

    def read(self, state: State, text: str) -> int:
        """Return the legal action that `text` means. Raises ValueError, with the reason, if there is none."""
        ...

    def write(self, state: State, action: int) -> str:
        """Return a legal action as people write it."""
        ...

    def verdict(self, state: State) -> str:
        """Return the reason why the game has ended by its rules."""
        ...

    def record(self, state: State, result: Result | None, names: Sequence[str], control: TimeControl) -> str:
        """Return the record of the game that led to `state`, for files; without a result the game is unfinished."""
        ...


class TextView(View):
    """The default view: positions and moves are the game's own texts."""

    notation = "position"
    advice = "a move as `moves` lists them"

    def __init__(self, players: int) -> None:
        self.seats = tuple(f"Player {number}" for number in range(1, players + 1))

    def draw(self, state: State, seat: int) -> str:
        return state.observation(seat).text()

    def describe(self, state: State) -> str:
        return state.observation(state.player()).text()

    def read(self, state: State, text: str) -> int:
        return state.action_from(text)

    def write(self, state: State, action: int) -> str:
        return state.action_text(action)

    def verdict(self, state: State) -> str:
        return "The game has ended"

    def record(self, state: State, result: Result | None, names: Sequence[str], control: TimeControl) -> str:
        """Return the players, the returns and the last position; games have no common format for records."""
        ending = "unfinished" if result is None else " ".join(f"{points:g}" for points in result.returns)
        return f"{', '.join(names)}: {ending}\n{state.text()}\n\n"


class Lines(Protocol):
    """A source of the lines that people type."""

    async def readline(self) -> bytes:
        """Return the next line; empty at the end of input."""
        ...


class Terminal:
    """The dialogue on standard output. `helper` opens the engine for hints; `echo` prints input that is not typed."""

    def __init__(
        self,
        game: CasualGame,
        view: View,
        lines: Lines,
        helper: Callable[[], Awaitable[Engine]],
        *,
        echo: bool = False,
    ) -> None:
        self._game = game
        self._view = view
        self._lines = lines
        self._helper = helper
        self._echo = echo
        people = [seat for seat, player in enumerate(game.players) if player is None]
        self._nobody_plays = not people
        self._seat = people[0] if people else 0  # the board is drawn from this seat

    async def play(self) -> Result | None:
        """Play to the end and return the result, or None if a person leaves the game."""
        game = self._game
        seats = zip(self._view.seats, self._names(), strict=True)
        print(", ".join(f"{seat}: {name}" for seat, name in seats))
        try:
            while not game.state.is_terminal():
                player = game.players[game.state.player()]
                if player is None or self._nobody_plays:
                    self._show()
                if player is None:
                    await self._ask()
                else:
                    await self._tell(player)
            result = game.result()
        except _Quit:
            print("The game is left unfinished.")
            return None
        except Lost as lost:
            result = game.result(lost)
        self._show()
        print(self._outcome(result))
        return result

    def record(self, result: Result | None) -> str:
        """Return the record of the game, for files."""
        return self._view.record(self._game.state, result, self._names(), self._game.control)

    # -- Turns -------------------------------------------------------------------------------------

    async def _tell(self, engine: Engine) -> None:
        """Let the engine move, and print its move with its thoughts."""
        turn = await self._game.think(engine)
        before = self._game.state.clone()
        self._game.play(turn)
        print(f"{self._view.seats[turn.player]} plays {self._written(before, turn.info, turn.seconds)}")

    async def _ask(self) -> None:
        """Obey the commands of the person to move until a move is made or taken back."""
        started = monotonic()
        while True:
            text = await self._line(monotonic() - started)
            word, _, rest = text.partition(" ")
            match word.lower():
                case "quit":
                    raise _Quit
                case "resign":
                    raise Lost(Ending.RESIGNATION)
                case "undo":
                    if self._game.take_back():
                        return
                    print("you have no move to take back")
                case "":
                    continue
                case command if await self._run_command(command, rest):
                    continue
                case _ if self._make_move(text, monotonic() - started):
                    return

    def _make_move(self, text: str, seconds: float) -> bool:
        """Make the move that the text means; return False if there is none."""
        state = self._game.state
        try:
            action = self._view.read(state, text)
        except ValueError as error:
            print(f"{error} (`help` for help)")
            return False
        self._game.play(Turn(player=state.player(), info=Info(action=action), seconds=seconds))
        return True

    async def _line(self, used_seconds: float) -> str:
        """Return the next line. Raises Lost if the clock runs out first, and _Quit at the end of input."""
        left = self._game.left_seconds()
        remaining = None if left is None else max(left - used_seconds, 0.0)
        clock = "" if remaining is None else f" [{remaining:.0f} s]"
        print(f"{self._view.seats[self._game.state.player()]}{clock}> ", end="", flush=True)
        try:
            async with asyncio.timeout(remaining):
                line = await self._lines.readline()
        except TimeoutError:
            print()
            raise Lost(Ending.TIME) from None
        text = " ".join(line.decode("utf-8", "replace").split())
        if self._echo or not line:
            print(text)
        if not line:
            raise _Quit
        return text

    # -- Commands ----------------------------------------------------------------------------------

    async def _run_command(self, command: str, rest: str) -> bool:
        """Obey a command that does not change the game; return False for any other text."""
        state = self._game.state
        match command:
            case "help" | "?":
                rows = COMMANDS | {self._view.notation: "print the position as text"}
                print(f"Type {self._view.advice}, or")
                print("\n".join(f"  {name:10} {meaning}" for name, meaning in rows.items()))
            case "moves":
                moves = sorted(self._view.write(state, action) for action in state.legal_actions())
                print(textwrap.fill(" ".join(moves), 80))
            case "board":
                self._show()
            case "flip":
                self._seat = (self._seat + 1) % len(self._game.players)
                self._show()
            case "hint":
                await self._hint()
            case "save":
                self._save(rest)
            case self._view.notation:
                print(self._view.describe(state))
            case _:
                return False
        return True

    async def _hint(self) -> None:
        try:
            thought = await last_thought(await self._helper(), self._game.state, HINT, None)
        except (EngineError, OSError) as error:
            print(f"there is no hint: {error}")
            return
        if thought is not None:
            print(f"Hint: {self._written(self._game.state, thought, thought.seconds)}")

    def _save(self, name: str) -> None:
        if not name:
            print("save needs the name of a file, such as: save game.pgn")
            return
        try:
            with Path(name).expanduser().open("a", encoding="utf-8") as file:
                file.write(self.record(None))
        except OSError as error:
            print(f"cannot write {name}: {error.strerror}")
            return
        print(f"saved to {name}")

    # -- Words -------------------------------------------------------------------------------------

    def _names(self) -> tuple[str, ...]:
        return tuple("Human" if player is None else player.name for player in self._game.players)

    def _show(self) -> None:
        print(f"\n{self._view.draw(self._game.state, self._seat)}\n")

    def _written(self, state: State, thought: Info, seconds: float) -> str:
        """Return the move with its engine's thoughts, such as e5 (+0.25 for Black, depth 12, 2.9 s: e5 Nf3)."""
        remarks = []
        if thought.mate is not None:
            remarks.append(f"{'mates' if thought.mate > 0 else 'is mated'} in {abs(thought.mate)}")
        elif thought.cents is not None:
            remarks.append(f"{thought.cents / 100:+.2f} for {self._view.seats[state.player()]}")
        if thought.depth and thought.mate is None:  # a mate may have been found far below the depth
            remarks.append(f"depth {thought.depth}")
        remarks.append(f"{seconds:.1f} s")
        line = self._line_written(state, thought.line)
        return f"{self._view.write(state, thought.action)} ({', '.join(remarks)}{line and ': ' + line})"

    def _line_written(self, state: State, line: tuple[int, ...]) -> str:
        expected = state.clone()
        moves = []
        try:
            for action in line:
                moves.append(self._view.write(expected, action))
                expected.apply(action)
        except ValueError:
            pass  # the rest of an external engine's line may be illegal
        return " ".join(moves)

    def _outcome(self, result: Result) -> str:
        """Return the reason for the end and the winner, in words."""
        if result.culprit is None:
            why = self._view.verdict(self._game.state)
        else:
            why = LOSSES[result.ending].format(self._view.seats[result.culprit])
        if result.reason:
            why += f" ({result.reason})"
        best = max(result.returns)
        winners = [seat for seat, won in zip(self._view.seats, result.returns, strict=True) if won == best]
        return f"{why}: {'a draw' if len(winners) > 1 else f'{winners[0]} wins'}."


class _Quit(Exception):
    """The person at the keyboard leaves the game."""
