"""Battles to debug, and what a terminal shows of them."""

from collections.abc import Iterable, Iterator

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, fixed, seeded
from core.corewar.dialect import Dialect
from core.corewar.rules import Rules
from protocols.cdb.console import Display, Event, Host, Limits, Output
from protocols.cdb.debugger import Debugger, mode_of
from protocols.cdb.execution import DebugRun

WARRIORS = {
    "imp": "MOV.I $0, $1\n",
    "dwarf": "ORG 1\nDAT.F #0, #0\nADD.AB #4, $-1\nMOV.I $-2, @-2\nJMP.B $-2, $0\n",
    "paper": "SPL.B $0, $0\nSPL.B $0, $0\nMOV.I $-1, }1\nDJN.F $-1, <100\n",
    "dies": "DAT.F #0, #0\n",
    "switch": "LDP.AB #0, $2\nSTP.AB #7, #3\nJMP.B $0, $0\n",
    "traced": "NOP.F $0, $0\n;break\nMOV.I $0, $3\nJMP.B $-2, $0\n",
    "pinned": "PIN 7\nMOV.AB #1, $1\n",
}


def warrior_text(name: str) -> str:
    return f";redcode\n;name {name.capitalize()}\n;author Test\n;assert 1\n{WARRIORS[name]}"


class Picture:
    """A display that counts the instructions."""

    def __init__(self, *, is_blank: bool = False) -> None:
        self.seen = 0
        self._is_blank = is_blank

    def begin(self) -> None:
        self.seen = 0

    def look(self, word: int) -> None:
        self.seen += 1

    def lines(self) -> Iterator[str]:
        if not self._is_blank:
            yield f"{self.seen} seen"


def debugger(
    texts: Iterable[str],
    rules: Rules,
    *,
    place: int = 0,
    rounds: int = 1,
    at_once: bool = True,
    icws88: bool = False,
    host: Host | None = None,
    display: Display | None = None,
    limits: Limits | None = None,
) -> tuple[Debugger, Battle]:
    """A debugger that has not started, of warriors in fixed places if `place` is given."""
    texts = list(texts)
    dialect = Dialect(icws88=icws88, debugger=True)
    assemblies = [assemble(text, rules, dialect, warriors=len(texts), rounds=rounds) for text in texts]
    warriors = [assembly.warrior for assembly in assemblies if assembly.warrior]
    placement = fixed(rules, len(warriors), place) if place else seeded(rules, len(warriors), 0)
    battle = Battle(rules, warriors, rounds, placement)
    mode, moveable = mode_of(assemblies, at_once=at_once)
    marks = [frozenset(assembly.traced) for assembly in assemblies]
    run = DebugRun(battle, mode, marks, moveable=moveable, display=display)
    built = Debugger(run, lambda: results_text(battle), dialect=dialect, host=host, limits=limits)
    return built, battle


def printed(events: Iterable[Event]) -> str:
    """The standard output."""
    return "".join(event.text for event in events if isinstance(event, Output) and not event.is_error)


def transcript(built: Debugger, battle: Battle, lines: Iterable[str]) -> str:
    """All that pMARS prints when these are the lines of its input, results included."""
    text = printed(built.start())
    for line in lines:
        if built.finished:
            break
        text += printed(built.receive(line))
    while not built.finished:
        text += printed(built.receive(None))
    return text if built.status else text + results_text(battle)


def results_text(battle: Battle) -> str:
    """Scores by (W*W-1)/S, as pMARS prints them."""
    count = len(battle.warriors)
    text = ""
    for warrior, outcomes in zip(battle.warriors, battle.results, strict=True):
        score = sum(
            rounds * ((count * count - 1) // survivors)
            for survivors, rounds in enumerate(outcomes[:count], 1)
        )
        text += f"{warrior.name} by {warrior.author} scores {score}\n"
        if count > 2:
            text += f"  Results: {' '.join(map(str, outcomes[:count]))} {sum(outcomes[count:])}\n"
    if count == 2:
        wins, ties, losses = battle.results[0]
        text += f"Results: {wins} {losses} {ties}\n"
    return text
