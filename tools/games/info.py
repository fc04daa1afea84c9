"""The description of a game that a package provides: one GameInfo, whose functions import modules only when called.

A further game is a separate package. An entry point names its `GAME = GameInfo(...)`:

    [project.entry-points."galapagos.games"]
    tic-tac-toe = "tictactoe.game:GAME"

With only `rules` and `players` a game can be played at the terminal (`galapagos play`), in matches
(`galapagos match`) and over the JSON lines; with `evolution` its players can evolve. A part that is None is missing
or has a general form.
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
    from protocols.web.run_contest import RunContest


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """The page of a game.

    Its script and style are protocols/web/static/NAME.js and .css, with NAME_card.js for the lobby.
    """

    styles: Sequence[str] = ()  # further styles that the page needs
    follows: bool = True  # whether the page shows games of the JSON lines, to join or to watch


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """The parts of the generated reference (`galapagos reference`) that belong to a game, with modules by name."""

    messages: Sequence[str] = ()  # modules with the types of the game's JSON lines
    configurations: Sequence[tuple[str, str, str]] = ()  # heading, module, class
    python: Sequence[tuple[str, str, Sequence[str]]] = ()  # heading, module, names


class RecordDiffers(Exception):
    """A record of a game disagrees with the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game and its parts."""

    name: str  # on the command line and in protocols
    about: str  # a line of description
    title: str = ""  # the name for display, if it differs

    # Play.
    rules: Callable[[], Game] | None = None  # None: not played move by move
    instead: str = ""  # without rules: the alternative to play move by move, for error messages
    players: Mapping[str, Callable[[], Player]] = field(default_factory=lambda: {"random": RandomPlayer})
    engine: "Callable[..., Engine] | None" = None  # makes one in a worker process; None: from each player
    catalogue: "Callable[[], list[PlayerInfo]] | None" = None  # the players, as shown to visitors of the page

    # On a server.
    # The adapter to the JSON lines takes the folder for profiles of people; None: a game that has rules is sent as
    # texts.
    adapter: "Callable[[Path | None], GameAdapter] | None" = None
    # Matches on a server, for a game that has no other form there.
    contests: "Callable[[], MatchSource] | None" = None
    preload: Sequence[str] = ()  # modules that worker processes import when they start
    page: WebPage | None = None  # None: the plain page

    # At the terminal.
    opponent: str = "random"  # the default opponent of people
    play: str = ""  # a module with run(); empty: the module that plays any game move by move
    play_arguments: "Callable[[ArgumentParser], None] | None" = None  # adds arguments to `galapagos play`
    # The tools.play.terminal.View of a game that is played move by move, as "module:class"; the class takes whether
    # to draw figures.
    view: str = ""
    notes: "Callable[[State], Sequence[str]] | None" = (
        None  # remarks on what was left out or changed in a position's text
    )

    # In matches.
    match: str = ""  # a module with the game's own kind of matches (tools.match.command.MatchKind)
    # Returns the name of an agent for a player that the command line names by a file, other names unchanged. Raises
    # ValueError or OSError if the file cannot be used.
    agent_from: "Callable[[str], str] | None" = None
    named: str = ""  # the form of players' names, for help; by default game:NAME
    openings: "Callable[[str | None], Sequence[State]] | None" = None  # from a file, or the default ones
    match_record: "Callable[..., str] | None" = (
        None  # the text of a game: result, start, names, time control, tags
    )

    # Records in the game's own format, in addition to those of the JSON lines.
    # The function takes the name and the content of a file, and returns a line on how the record agrees with the
    # rules, or None for another format; it raises RecordDiffers, or ValueError for a malformed record.
    check_record: "Callable[[str, bytes], str | None] | None" = None
    # The function returns the record as lines of a record of the JSON lines, or None for another format.
    convert_record: "Callable[[bytes], Sequence[bytes] | None] | None" = None

    # Evolution of players.
    evolution: "Callable[[], Evolution] | None" = None
    # Returns a player from the text of a genome, so that GAME:FILE and GAME:RUN name players for matches and the
    # terminal. Raises ValueError if the text is no genome.
    player_from: "Callable[[str], Player] | None" = None
    first_run: str = ""  # a configuration whose runs soon show results
    first_run_about: str = ""  # the results of such a run, a line of description
    statistics: "Callable[[], GameReference] | None" = None  # of its runs
    # Plays individuals of a run against each other for the page, which shows them by static/NAME_contest.js if the game
    # has a page.
    contest: "Callable[[], RunContest] | None" = None

    # Modules for commands. They are named, not imported, because they import the commands.
    genomes: str = ""  # with is_meant() and some verbs (tools.genome.command)
    study: str = ""  # with study() (tools.study.command)
    figures: str = ""  # with figures(), for figures of this game only (tools.plot.command)
    # Further commands: by name a module with add_arguments() and run(), and a line of description.
    commands: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    references: References = References()

    @property
    def engine_path(self) -> str:
        """The path by which a worker process finds `engine`: "module:function"."""
        made: Any = self.engine
        return f"{made.__module__}:{made.__qualname__}"
