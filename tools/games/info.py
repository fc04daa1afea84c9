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

from core.game import Game
from engines.player import Player, RandomPlayer

if TYPE_CHECKING:
    from engines.catalogue import PlayerInfo
    from engines.engine import Engine
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """A game, and its parts."""

    name: str  # on the command line and in protocols
    about: str  # a line for people

    # How it is played.
    rules: Callable[[], Game] | None = None  # None: it is not played move by move
    instead: str = ""  # what there is in place of matches, where there are no rules
    players: Mapping[str, Callable[[], Player]] = field(default_factory=lambda: {"random": RandomPlayer})
    engine: "Callable[..., Engine] | None" = None  # makes one in a worker process; None: of each player
    opponent: str = "random"  # whom people meet at the terminal
    # Over the JSON lines, given the folder for what it learns of people; None: as texts, if there are rules.
    adapter: "Callable[[Path | None], GameAdapter] | None" = None
    catalogue: "Callable[[], list[PlayerInfo]] | None" = None  # players as visitors are shown them

    preload: Sequence[str] = ()  # the modules that a server's worker processes need for it

    # How its players evolve.
    evolution: "Callable[[], Evolution] | None" = None
    first_run: str = ""  # the configuration of a run that soon shows something
    statistics: "Callable[[], GameReference] | None" = None  # of its runs

    # What commands show better than in general. These are named, not imported, since their modules use the commands.
    view: str = (
        ""  # at the terminal: a tools.play.terminal.View, "module:class", made with whether to draw figures
    )
    match: str = ""  # a module with matches of its own kind (tools.match.command.MatchKind)
    genomes: str = ""  # a module with is_meant() and some verbs (tools.genome.command)
    figures: str = ""  # a module with figures() of single games (tools.plot.command)

    @property
    def engine_path(self) -> str:
        """Return where a worker process finds `engine`: "module:function"."""
        made: Any = self.engine
        return f"{made.__module__}:{made.__qualname__}"
