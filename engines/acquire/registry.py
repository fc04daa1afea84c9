"""Players of Acquire by name: the registry behind `acquire:NAME`, `galapagos match` and the lobby.

What an evolution has trained on is said beside what it makes of it: the evolved ones have met the heuristic.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from core.acquire.players import Heuristic, Player
from core.acquire.playout import MonteCarlo
from engines.acquire.genome import (
    DECISIONS,
    DEFAULT_OPTIONS,
    DISPOSING,
    ENDING,
    PURCHASES,
    RANDOM_BUY,
    TIES,
    Genome,
    PlayerOptions,
)
from engines.acquire.gp.sexpr import loads_forms
from engines.acquire.gp.tree import Tree
from engines.acquire.net_genome import HEAD, NetGenome
from engines.catalogue import PlayerInfo, measured
from engines.config import RUN_FILE
from engines.names import near
from engines.storage import read_text

AnyGenome = Genome | NetGenome

FOLDER: Final = Path(__file__).parent
CHAMPION: Final = "champion.lisp"  # of a run's folder
LISTING: Final = "`galapagos players acquire`"
CHANCE: Final = "random"
HEURISTIC: Final = "heuristic"
EVOLVED: Final = "evolved-"  # the prefix of names, whose files are in evolved/
EVOLVED_NET: Final = "evolved-net-"

PLAYERS: Final[Mapping[str, str]] = MappingProxyType({  # every listed player and what it is
    CHANCE: "a tile, a chain, a purchase by chance; trades what it can, sells the rest; ends by a coin",
    HEURISTIC: "rules of thumb: found, grow what it leads, merge what pays, buy where it is first or could be",
    "mc-10": "each tile tried in 10 games that the heuristic plays for all; the rest as the heuristic",
    "mc-40": "each tile tried in 40 games that the heuristic plays for all; the rest as the heuristic",
    **{
        f"pair-{number}": f'winning pair {number} of "Evolving Board Evaluation Functions", section 4.3'
        for number in range(1, 5)
    },
    "best-of-run": 'the two best-of-run programs of "Evolving Board Evaluation Functions", section 4.1.3',
    "composed": "typed programs for all decisions, written by hand to be bred from",
    "evolved-three": "typed programs for all decisions, bred on three chains",
    "evolved-seven": "typed programs for all decisions, bred on seven chains",
    "evolved-four": "typed programs for all decisions, bred on seven chains with four players",
    "evolved-net-three": "a net for all decisions, bred on three chains",
    "evolved-net-seven": "a net for all decisions, bred on seven chains",
    "evolved-net-four": "a net for all decisions, bred on seven chains with four players",
})  # fmt: skip
THESIS_PLAYERS: Final = ("best-of-run", "pair-1", "pair-2", "pair-3", "pair-4")
MONTE_CARLO: Final = re.compile(r"mc-([1-9][0-9]{0,2})")
MOST_ROLLOUTS: Final = 100  # a tile; a decision then takes some 15 ms

# The words of each option that a player can be named with.
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"tie": TIES, "purchases": PURCHASES, "disposing": DISPOSING, "ending": ENDING, "buying": RANDOM_BUY}
)
OF_CHANCE: Final = ("disposing", "ending", "buying")
OF_HEURISTIC: Final = (
    "ties of tiles random, of purchases first; disposing: trade into a dear survivor when rich, else sell all; "
    "ending when ahead"
)


# -- Genomes ---------------------------------------------------------------------------------------


def load_genome(text: str) -> AnyGenome:
    """Programs, or a net where the first form is `(net ...)`. ValueError names line and what was read."""
    return NetGenome.loads(text) if HEAD.match(text) else Genome.loads(text)


def decisions(genome: AnyGenome) -> list[str]:
    """Those that it does not leave to chance."""
    return list(DECISIONS) if isinstance(genome, NetGenome) else [name for name, _ in genome.programs()]


@cache
def bundled_genomes() -> Mapping[str, AnyGenome]:
    """The genomes of all players that have one, by name: of the thesis, written by hand, evolved."""
    paths = {"composed": FOLDER / "composed.lisp"}
    paths |= {f"{EVOLVED}{path.stem}": path for path in sorted((FOLDER / "evolved").glob("*.lisp"))}
    files = {name: load_genome(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    trees = thesis_trees()
    thesis = {name: Genome(place=trees[f"{name}-place"], buy=trees[f"{name}-buy"]) for name in THESIS_PLAYERS}
    return MappingProxyType({**thesis, **files})


def thesis_trees() -> dict[str, Tree]:
    """The ten trees that "Evolving Board Evaluation Functions" prints, by name."""
    return loads_forms((FOLDER / "thesis_pairs.lisp").read_text(encoding="utf-8"))


def thesis_players() -> dict[str, Genome]:
    """The two best of a run and the four winning pairs, by name."""
    return {name: genome for name, genome in _programs().items() if name in THESIS_PLAYERS}


def typed_players() -> dict[str, Genome]:
    """Programs for all decisions: written by hand, and evolved."""
    return {name: genome for name, genome in _programs().items() if name not in THESIS_PLAYERS}


def _programs() -> dict[str, Genome]:
    return {name: genome for name, genome in bundled_genomes().items() if isinstance(genome, Genome)}


# -- Players ---------------------------------------------------------------------------------------


def create_player(name: str) -> Player:
    """A new player of that name; mc-K is there for any K up to 100. ValueError if there is none."""
    if name == CHANCE:
        return Player()
    if name == HEURISTIC:
        return Heuristic()
    if name in bundled_genomes():
        return bundled_genomes()[name].express()
    rollouts = MONTE_CARLO.fullmatch(name)
    if rollouts and int(rollouts[1]) <= MOST_ROLLOUTS:
        return MonteCarlo(int(rollouts[1]))
    raise ValueError(f"no player is called {name[:40]!r}; {near(name, PLAYERS, LISTING)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSpec:
    """A player that any process can create."""

    name: str  # as it was asked for
    genome: AnyGenome | None = None  # None: built in
    options: PlayerOptions = DEFAULT_OPTIONS

    @classmethod
    def parse(cls, text: str) -> Self:
        """`NAME[,option=value...]`: a player by name, a file of programs or a net, or a run's folder.

        ValueError for what is none of them, OSError for a file that cannot be read.
        """
        name, *words = text.split(",")
        genome = bundled_genomes().get(name) or _read(Path(name))
        if genome is None:
            create_player(name)
            if words and name != CHANCE:
                raise ValueError(f"{name} has no settings; only programs, nets and {CHANCE} have")
        allowed = tuple(OPTIONS) if genome else OF_CHANCE
        options = DEFAULT_OPTIONS
        for word in words:
            options = _with(options, word, allowed)
        return cls(name=text, genome=genome, options=options)

    def create(self) -> Player:
        """A new one; its games are its own."""
        if self.genome:
            return self.genome.express(self.options)
        return Player(*self.options.of_chance) if self._is_chance else create_player(self.name)

    def describe_options(self) -> str:
        """What is printed beside every strength: ties between equal options, disposal, end."""
        if self.genome:
            return str(self.options)
        if self._is_chance:
            options = self.options
            return (
                f"purchases {RANDOM_BUY[options.buying]}, disposing {DISPOSING[options.disposing]}, "
                f"ending {ENDING[options.ending]}"
            )
        if self.name == HEURISTIC:
            return OF_HEURISTIC
        return f"tiles by trial games, tie first; the rest as heuristic: {OF_HEURISTIC}"

    @property
    def _is_chance(self) -> bool:
        return self.name.split(",")[0] == CHANCE


def _read(path: Path) -> AnyGenome | None:
    """The programs or net of a file or of a run's champion; None if there is no such file. ValueError names it."""
    if path.is_dir():
        if (path / RUN_FILE).exists() and not (path / CHAMPION).exists():
            raise ValueError(f"{path}: this run has no champion yet; its first examination names one")
        path /= CHAMPION
    if not path.is_file():
        return None
    text = read_text(path)
    try:
        return load_genome(text)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _with(options: PlayerOptions, word: str, allowed: tuple[str, ...]) -> PlayerOptions:
    key, equals, value = word.partition("=")
    if not equals or key not in allowed:
        raise ValueError(f"{word[:40]!r} is no setting; {near(key, allowed)}")
    values = [each.replace(" ", "-") for each in OPTIONS[key]]
    if value.replace(" ", "-") not in values:
        raise ValueError(f"{value[:40]!r} is no value of {key}; {near(value, values)}")
    return replace(options, **{key: values.index(value.replace(" ", "-"))})


# -- Catalogue -------------------------------------------------------------------------------------

FIRST: Final = ("evolved-net-seven", "evolved-net-four", "evolved-net-three")  # then come the other evolved


def catalogue() -> list[PlayerInfo]:
    """All players as visitors are shown them; evolved ones have their cards beside their genomes."""
    evolved = [name for name in PLAYERS if name.startswith(EVOLVED) and name not in FIRST]
    return [_info(name) for name in dict.fromkeys((*FIRST, *evolved[::-1], *PLAYERS))]


def _info(name: str) -> PlayerInfo:
    if not name.startswith(EVOLVED):
        return PlayerInfo(name=name, title=PLAYERS[name])
    card = FOLDER / "evolved" / f"{name.removeprefix(EVOLVED)}.md"
    if name.endswith("four"):
        column = "first places" if name.startswith(EVOLVED_NET) else "score"
        strength = f"{measured(card, HEURISTIC, column)} against three of {HEURISTIC}"
    else:
        strength = f"{measured(card, HEURISTIC, 'score')} against {HEURISTIC}"
    return PlayerInfo(name=name, title=PLAYERS[name], strength=strength, is_evolved=True, card=card)
