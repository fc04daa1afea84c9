"""The description of a game that a package gives to the program: one GameInfo, whose functions import modules only when called.

A game of one's own is a package of one's own. Its `GAME = GameInfo(...)` is named by an entry point:

    [project.entry-points."galapagos.games"]
    tic-tac-toe = "tictactoe:GAME"

With `rules` and `players` alone it is played at the terminal (`galapagos play`), in matches (`galapagos match`), and over
the JSON lines; with `evolution`, its players evolve. Whatever is None is not there, or has a general form.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.game import Game, State
from engines.player import Player, RandomPlayer

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from engines.catalogue import PlayerInfo
    from engines.engine import Engine
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter
    from protocols.jsonl.match_source import MatchSource


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page of a game's own, whose script and style are protocols/web/static/NAME.js and .css, with NAME_card.js for the lobby."""

    styles: Sequence[str] = ()  # that it needs besides
    follows: bool = True  # it shows games of the JSON lines, to join or to watch


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """The parts of the generated reference (`galapagos reference`) that belong to a game. Modules are given by their dotted names."""

    messages: Sequence[str] = ()  # modules with the types of its JSON lines
    configurations: Sequence[tuple[str, str, str]] = ()  # heading, module, class
    python: Sequence[tuple[str, str, Sequence[str]]] = ()  # heading, module, names


class RecordDiffers(Exception):
    """The rules of a game make something else of a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game, and its parts."""

    name: str  # on the command line and in protocols
    about: str  # a line for people
    title: str = ""  # as people write its name, if that differs

    # How it is played.
    rules: Callable[[], Game] | None = None  # None: it is not played move by move
    instead: str = ""  # what there is in place of matches, where there are no rules
    players: Mapping[str, Callable[[], Player]] = field(default_factory=lambda: {"random": RandomPlayer})
    engine: "Callable[..., Engine] | None" = None  # makes one in a worker process; None: of each player
    catalogue: "Callable[[], list[PlayerInfo]] | None" = None  # players as visitors are shown them

    # On a server. Its part in the JSON lines is given the folder for what it learns of people; None: as texts, if there are rules.
    adapter: "Callable[[Path | None], GameAdapter] | None" = None
    # Matches on a server, of a game that is played in no other way there.
    contests: "Callable[[], MatchSource] | None" = None
    preload: Sequence[str] = ()  # modules that worker processes have from the beginning
    page: WebPage | None = None  # its own; None: the plain one

    # At the terminal.
    opponent: str = "random"  # whom people meet
    play: str = ""  # a module with run(), in place of the one that plays any game move by move
    play_arguments: "Callable[[ArgumentParser], None] | None" = None  # of `galapagos play`
    view: str = ""  # of a game move by move: a tools.play.terminal.View, "module:class", made with whether to draw figures
    notes: "Callable[[State], Sequence[str]] | None" = (
        None  # what was left out or changed of a position's text
    )

    # In matches.
    match: str = ""  # a module with matches of its own kind (tools.match.command.MatchKind)
    named: str = ""  # how players are named, for help; by default game:NAME
    openings: "Callable[[str | None], Sequence[State]] | None" = None  # of a file, or the usual ones
    match_record: "Callable[..., str] | None" = (
        None  # the text of a game: result, start, names, time control, tags
    )

    # Records of games in a form of its own, beside those of the JSON lines. Given the name of a file and what it holds,
    # the first function says how the record agrees with the rules, or returns None for a file in another form. It raises
    # RecordDiffers, or ValueError for what is no record. The second returns the lines of a record of the JSON lines, or None.
    check_record: "Callable[[str, bytes], str | None] | None" = None
    convert_record: "Callable[[bytes], Sequence[bytes] | None] | None" = None

    # How its players evolve.
    evolution: "Callable[[], Evolution] | None" = None
    first_run: str = ""  # the configuration of a run that soon shows something
    first_run_about: str = ""  # what that run finds out, a line for people
    statistics: "Callable[[], GameReference] | None" = None  # of its runs

    # Modules for commands. They are named, not imported, since they use the commands.
    genomes: str = ""  # with is_meant() and some verbs (tools.genome.command)
    study: str = ""  # with study() (tools.study.command)
    figures: str = ""  # with figures() of single games (tools.plot.command)
    # Commands of its own: by name a module with add_arguments() and run(), and a line for people.
    commands: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    references: References = References()

    @property
    def engine_path(self) -> str:
        """Return where a worker process finds `engine`: "module:function"."""
        made: Any = self.engine
        return f"{made.__module__}:{made.__qualname__}"
