"""A session without streams or engine: what it says to each line, and thoughts given to it by hand.

play() runs a transcript: `>` a line from the GUI, `<` one from us, `*` a thought of the engine, `=` its
last one (without moves: what it thought before); `thinks` and `rests` say what must be the case.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from core.chess.position import Position
from engines.engine import Info, Limit, Option
from protocols.engine_session import (
    AbortSearch,
    Configure,
    Event,
    NewGame,
    ProtocolError,
    Quit,
    Send,
    Session,
    StartSearch,
    StopSearch,
)

OPTIONS = (
    Option(name="Hash", kind="spin", default="16", minimum=1, maximum=64),
    Option(name="Genome", kind="combo", default="handset", choices=("handset", "random")),
    Option(name="GenomeFile", kind="file"),
    Option(name="Own Book", kind="check", default="true"),
    Option(name="Clear", kind="button"),
)


class Conversation:
    """`thinking` is what the session wants thought about now; `best` answers when it must move."""

    def __init__(self, kind: type[Session], options: tuple[Option, ...] = OPTIONS) -> None:
        self.session = kind("Galapagos", "the developers", options)
        self.thinking: StartSearch | None = None
        self.best: Info | None = None
        self.has_quit = False

    def tell(self, *lines: str) -> list[str]:
        """Everything said in answer to these lines; events that say nothing stand in brackets."""
        said: list[str] = []
        for line in lines:
            try:
                for event in self.session.receive(line):
                    said += self._do(event)
            except ProtocolError as error:
                said.append(str(error))
        return said

    def think(self, *moves: str, **known: object) -> list[str]:
        """The engine has a thought: expected play, and what else a Info holds."""
        assert self.thinking is not None, "nothing is being thought about"
        self.best = thought(self.thinking.state, moves, **known)
        return list(self.session.report(self.best))

    def finish(self, *moves: str, **known: object) -> list[str]:
        """The engine has thought enough: of this, or of its last thought."""
        assert self.thinking is not None, "nothing is being thought about"
        said = self.think(*moves, **known) if moves else []
        if self.best is None:
            self.best = Info(action=actions(self.thinking)[0])
        self.thinking = None
        for event in self.session.answer(self.best):
            assert isinstance(event, Send | StartSearch), f"an answer cannot hold {event}"
            said += self._do(event)
        return said

    @property
    def limit(self) -> Limit:
        assert self.thinking is not None, "nothing is being thought about"
        return self.thinking.limit

    def _do(self, event: Event) -> Iterable[str]:
        match event:
            case Send(text):
                assert "\n" not in text and "\r" not in text
                return [text]
            case StartSearch():
                assert self.thinking is None, "two thoughts at a time"
                assert actions(event), "a position to think about has moves"
                self.thinking, self.best = event, None
                return []
            case StopSearch():
                assert self.thinking is not None, "nothing to move with"
                return self.finish()
            case AbortSearch():
                self.thinking = None
                return []
            case Configure(name, value):
                return [f"[{name}={value}]"]
            case NewGame():
                return ["[new game]"]
            case Quit():
                self.has_quit = True
                return ["[quit]"]


def transcripts(name: str) -> dict[str, str]:
    """The transcripts of a file beside this one, each below its [name]."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    parts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def play(kind: type[Session], transcript: str, conversation: Conversation | None = None) -> Conversation:
    """Hold the conversation of a transcript; AssertionError where it goes another way."""
    conversation = conversation or Conversation(kind)
    said: list[str] = []
    for line in filter(None, map(str.strip, transcript.splitlines())):
        mark, _, text = line.partition(" ")
        if mark == "<":
            assert said, f"nothing said where {text!r} was expected"
            answer = said.pop(0).rstrip()
            assert answer == text, f"{answer!r} where {text!r} was expected"
            continue
        assert not said, f"unexpected before {line!r}: {said}"
        match mark:
            case ">":
                said = conversation.tell(text)
            case "*":
                said = conversation.think(*_moves(text), **_known(text))
            case "=":
                said = conversation.finish(*_moves(text), **_known(text))
            case "thinks":
                assert conversation.thinking is not None, "the session does not think"
            case "rests":
                assert conversation.thinking is None, "the session still thinks"
            case _:
                raise ValueError(f"no transcript line: {line!r}")
    assert not said, f"unexpected at the end: {said}"
    return conversation


def _moves(text: str) -> list[str]:
    return [word for word in text.split() if "=" not in word]


def _known(text: str) -> dict[str, object]:
    """What `depth=3 seconds=0.5 resign=True` says of a thought."""
    pairs = (word.split("=") for word in text.split() if "=" in word)
    return {
        name: value == "True" if value.isalpha() else float(value) if "." in value else int(value)
        for name, value in pairs
    }


def actions(think: StartSearch) -> tuple[int, ...]:
    return think.limit.actions or tuple(think.state.legal_actions())


def thought(state: object, moves: Iterable[str], **known: object) -> Info:
    """A thought whose line is these moves from `state`."""
    assert isinstance(state, Position)
    position = state.clone()
    line = []
    for text in moves:
        line.append(position.parse_uci(text))
        position.make(line[-1])
    return Info(action=line[0], line=tuple(line), **known)  # type: ignore[arg-type]
