"""A session without streams or engine: what it answers to each line, and infos given to it by hand.

play() runs a transcript: `>` a line from the GUI, `<` one from us, `*` an info of the engine, `=` its
last one (without moves: the one before); `thinks` and `rests` say what must be the case.
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
    Explain,
    NewGame,
    Pause,
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
    """`search` is what the session wants searched now; `best` answers when it must move."""

    def __init__(self, kind: type[Session], options: tuple[Option, ...] = OPTIONS) -> None:
        self.session = kind("Galapagos", "the developers", options)
        self.search: StartSearch | None = None
        self.best: Info | None = None
        self.has_quit = False

    def send(self, *lines: str) -> list[str]:
        """Everything said in answer to these lines; events that say nothing are in brackets."""
        said: list[str] = []
        for line in lines:
            try:
                for event in self.session.receive(line):
                    said += self._do(event)
            except ProtocolError as error:
                said.append(str(error))
        return said

    def report(self, *moves: str, **known: object) -> list[str]:
        """The engine has an info: expected play, and what else an Info holds."""
        assert self.search is not None, "nothing is being searched"
        self.best = info(self.search.state, moves, **known)
        return list(self.session.report(self.best))

    def finish(self, *moves: str, **known: object) -> list[str]:
        """The search ends: with this info, or with its last one."""
        assert self.search is not None, "nothing is being searched"
        said = self.report(*moves, **known) if moves else []
        if self.best is None:
            self.best = Info(action=actions(self.search)[0])
        self.search = None
        for event in self.session.answer(self.best):
            said += self._do(event)
        return said

    @property
    def limit(self) -> Limit:
        assert self.search is not None, "nothing is being searched"
        return self.search.limit

    def _do(self, event: Event) -> Iterable[str]:
        match event:
            case Send(text):
                assert "\n" not in text and "\r" not in text
                return [text]
            case StartSearch():
                assert self.search is None, "two searches at a time"
                assert actions(event), "a position to search has moves"
                self.search, self.best = event, None
                return []
            case StopSearch():
                assert self.search is not None, "nothing to move with"
                return self.finish()
            case AbortSearch():
                self.search = None
                return []
            case Configure(name, value):
                return [f"[{name}={value}]"]
            case Explain():
                return ["[eval]"]
            case NewGame():
                return ["[new game]"]
            case Pause():
                return []
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
                said = conversation.send(text)
            case "*":
                said = conversation.report(*_moves(text), **_info_fields(text))
            case "=":
                said = conversation.finish(*_moves(text), **_info_fields(text))
            case "thinks":
                assert conversation.search is not None, "the session does not search"
            case "rests":
                assert conversation.search is None, "the session still searches"
            case _:
                raise ValueError(f"no transcript line: {line!r}")
    assert not said, f"unexpected at the end: {said}"
    return conversation


def _moves(text: str) -> list[str]:
    return [word for word in text.split() if "=" not in word]


def _info_fields(text: str) -> dict[str, object]:
    """What `depth=3 seconds=0.5 chances=1,2,3 resign=True` says of an info."""
    pairs = (word.split("=") for word in text.split() if "=" in word)
    return {name: _value(value) for name, value in pairs}


def _value(text: str) -> object:
    if "," in text:
        return tuple(map(int, text.split(",")))
    if text.isalpha():
        return text == "True"
    return float(text) if "." in text else int(text)


def actions(search: StartSearch) -> tuple[int, ...]:
    return search.limit.actions or tuple(search.state.legal_actions())


def info(state: object, moves: Iterable[str], **known: object) -> Info:
    """An info whose line is these moves from `state`."""
    assert isinstance(state, Position)
    position = state.clone()
    line = []
    for text in moves:
        line.append(position.parse_uci(text))
        position.make(line[-1])
    return Info(action=line[0], line=tuple(line), **known)  # type: ignore[arg-type]
