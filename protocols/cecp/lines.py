"""What a CECP engine says, line by line: features, thinking, results; and how it reads its options."""

from typing import Final

from core.chess.position import Position, move_text
from engines.engine import Info, Option
from protocols.session import Configure, ProtocolError

FEATURES: Final = (
    "ping=1 setboard=1 usermove=1 san=0 playother=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 "
    'colors=0 variants="normal" name=1 nps=1 memory=1 smp=0 exclude=1 debug=1'
)
MATE: Final = 100_000


def features(name: str, options: tuple[Option, ...]) -> list[str]:
    """The answer to protover. done=0 comes first: it gives us an hour instead of two seconds."""
    lines = ["done=0", FEATURES, f'myname="{name}"']
    for option in options:
        if option.name != "Hash":  # the command `memory` sets it
            lines.append(f'option="{_announcement(option)}"')
    return [f"feature {line}" for line in (*lines, "done=1")]


def thinking(thought: Info) -> str:
    """Depth, cents, centiseconds, nodes, a tab and the line. A mate in N moves is 100000 + N."""
    score = thought.cents or 0
    if thought.mate is not None:
        score = thought.mate + (MATE if thought.mate > 0 else -MATE)
    line = " ".join(move_text(move) for move in thought.line)
    return f"{thought.depth} {score} {int(thought.seconds * 100)} {thought.nodes}\t{line}"


def status(thought: Info, position: Position) -> str:
    """The answer to `.`: time, nodes, depth, moves left, moves in all, the move being looked at."""
    seconds, moves = thought.seconds, len(position.legal_moves())
    return (
        f"stat01: {int(seconds * 100)} {thought.nodes} {thought.depth} 0 {moves} {move_text(thought.action)}"
    )


def result(position: Position) -> str:
    """The result of a game that is over on the board."""
    white, _ = position.returns()
    if white > 0:
        return "1-0 {White mates}"
    if white < 0:
        return "0-1 {Black mates}"
    if position.is_insufficient_material():
        return "1/2-1/2 {Insufficient material}"
    if position.is_stalemate():
        return "1/2-1/2 {Stalemate}"
    if position.repetitions(2) >= 2:
        return "1/2-1/2 {Draw by repetition}"
    return "1/2-1/2 {Draw by fifty-move rule}"


def setting(options: tuple[Option, ...], name: str, value: str, line: str) -> Configure:
    """What `line` asks of the engine. ProtocolError if it has no such option, or not this value."""
    for option in options:
        if option.name.lower() == name.lower():
            try:
                return Configure(option.name, option.checked(value))
            except ValueError as error:
                raise ProtocolError(f"Error ({error}): {line[:80]}") from error
    raise ProtocolError(f"Error (unknown option): {line[:80]}")


def memory(options: tuple[Option, ...], megabytes: str) -> Configure:
    """`memory N` as our Hash, cut to what it can be: GUIs send what the user allows all engines."""
    for option in options:
        if option.name == "Hash" and megabytes.isascii() and megabytes.isdigit():
            number = int(megabytes[:9])
            return Configure("Hash", str(min(max(number, option.minimum), option.maximum)))
    raise ProtocolError(f"Error (memory needs a number of megabytes): memory {megabytes[:20]}")


def _announcement(option: Option) -> str:
    if option.kind == "spin":
        return f"{option.name} -spin {option.default} {option.minimum} {option.maximum}"
    if option.kind == "check":
        return f"{option.name} -check {1 if option.default == 'true' else 0}"
    if option.kind == "combo":
        choices = [f"*{choice}" if choice == option.default else choice for choice in option.choices]
        return f"{option.name} -combo {' /// '.join(choices)}"
    if option.kind == "button":
        return f"{option.name} -button"
    return f"{option.name} -{option.kind} {option.default}"
