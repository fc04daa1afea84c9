"""What ;debug, ;trace and ;break say to the debugger."""

from dataclasses import dataclass

from protocols.redcode.text.tokens import Token


@dataclass(slots=True)
class Marks:
    """The state after the comments so far."""

    heeded: bool = True
    enter: bool = False  # the debugger comes up before the first instruction
    moveable: bool = True  # MOV copies a mark with its cell
    tracing: bool = False  # instructions are marked
    once: bool = False  # only the next one
    spent: bool = False

    def heed(self, tokens: list[Token]) -> bool:
        """Take in a comment; False when it has a word too many."""
        word = tokens[1][0].upper()
        option = tokens[2][0].upper() if len(tokens) > 2 else ""
        if word == "DEBUG":
            self.heeded = option != "OFF"
            if self.heeded:
                self.enter = True
                self.moveable = option != "STATIC"
            return option in ("", "OFF", "STATIC")
        if word == "TRACE" and self.heeded:
            self.tracing = option != "OFF"
            self.once = False
            return option in ("", "OFF")
        if word == "BREAK" and self.heeded:
            self.tracing = self.once = True
            return not option
        return True

    def pass_instruction(self) -> None:
        self.spent = self.once

    def pass_line(self) -> None:
        if self.spent:
            self.tracing = self.once = self.spent = False
