"""Who plays: a player of the panel, or the programs or the net of a file, with the customs that strength depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from core.acquire.players import Player
from engines.acquire.brain import Brain, loads, named_brains
from engines.acquire.conduct import DISPOSING, ENDING, PURCHASES, RANDOM_BUY, TIES, Conduct
from engines.acquire.genome import THESIS_CONDUCT
from engines.acquire.panel import member

CHAMPION: Final = "champion.lisp"  # of a run's folder
CHANCE: Final = "random"

# What can be set of a player, with the field of Conduct and the words for its values.
SETTINGS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "tie": ("tie", TIES),
    "purchases": ("purchases", PURCHASES),
    "disposing": ("disposing", DISPOSING),
    "ending": ("ending", ENDING),
    "buying": ("buying", RANDOM_BUY),
}
OF_CHANCE: Final = ("disposing", "ending", "buying")
THUMB: Final = (
    "ties of tiles random, of purchases first; disposing: trade into a dear survivor when rich, else sell all; "
    "ending when ahead"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player that any process can make."""

    name: str  # as it was asked for
    genome: Brain | None = None  # None: of the panel
    conduct: Conduct = THESIS_CONDUCT

    @classmethod
    def read(cls, description: str) -> Self:
        """`NAME[,setting=value...]`: of the panel, of the thesis or evolved, a file of programs or a net, or a run's folder.

        ValueError for what is none of them, OSError for a file that cannot be read.
        """
        who, *settings = description.split(",")
        genome = named_brains().get(who) or _from_file(who)
        if genome is None:
            member(who)
            if settings and who != CHANCE:
                raise ValueError(f"{who} has no settings; only programs, nets and {CHANCE} have")
        allowed = tuple(SETTINGS) if genome else OF_CHANCE
        conduct = THESIS_CONDUCT
        for setting in settings:
            conduct = _with(conduct, setting, allowed)
        return cls(name=description, genome=genome, conduct=conduct)

    def player(self) -> Player:
        """A new one; its games are its own."""
        if self.genome:
            return self.genome.express(self.conduct)
        if self.name.split(",")[0] == CHANCE:
            return Player(self.conduct.disposing, self.conduct.ending, self.conduct.buying)
        return member(self.name)

    def customs(self) -> str:
        """What has to be told with its strength: ties between equal options, disposal, end."""
        if self.genome:
            return str(self.conduct)
        if self.name.split(",")[0] == CHANCE:
            conduct = self.conduct
            return (
                f"purchases {RANDOM_BUY[conduct.buying]}, disposing {DISPOSING[conduct.disposing]}, "
                f"ending {ENDING[conduct.ending]}"
            )
        return (
            THUMB
            if self.name == "heuristic"
            else f"tiles by trial games, tie first; the rest as heuristic: {THUMB}"
        )


def _from_file(path: str) -> Brain | None:
    """None if there is no such file. ValueError names it."""
    file = Path(path)
    if file.is_dir():
        file /= CHAMPION
    if not file.is_file():
        return None
    try:
        return loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def _with(conduct: Conduct, setting: str, allowed: tuple[str, ...]) -> Conduct:
    key, equals, value = setting.partition("=")
    if not equals or key not in allowed:
        raise ValueError(f"{setting[:40]!r} is no setting; there are {', '.join(allowed)}")
    field, words = SETTINGS[key]
    wanted = value.replace("-", " ")
    if wanted not in words:
        choices = ", ".join(word.replace(" ", "-") for word in words)
        raise ValueError(f"{key} is one of {choices}, not {value[:40]!r}")
    return replace(conduct, **{field: words.index(wanted)})
