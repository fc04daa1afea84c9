"""Players of Acquire by name: the registry behind `acquire:NAME`, `galapagos match` and the lobby.

The strength of an evolved player should be read with the opponents that it was trained on: the evolved players have
played against the heuristic.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from core.acquire.expert import Expert
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
from engines.acquire.rules_genome import HEAD as RULES_HEAD
from engines.acquire.rules_genome import RulesGenome
from engines.acquire.search import SearchOptions, TablePolicy, split_words
from engines.catalogue import PlayerInfo, measured
from engines.config import RUN_FILE, folded
from engines.evolution.run_store import RunStore
from engines.names import near
from engines.storage import read_text

AnyGenome = Genome | NetGenome | RulesGenome

FOLDER: Final = Path(__file__).parent
CHAMPION: Final = "champion.lisp"  # in a run's folder
LISTING: Final = "`galapagos players acquire`"
CHANCE: Final = "random"
HEURISTIC: Final = "heuristic"
EXPERT: Final = "expert"
EVOLVED: Final = "evolved-"  # the prefix of names, whose files are in evolved/
EVOLVED_NET: Final = "evolved-net-"

PLAYERS: Final[Mapping[str, str]] = MappingProxyType({  # a description of every listed player
    CHANCE: "chooses tiles, chains and purchases at random; trades what it can, sells the rest; ends by a coin",
    HEURISTIC: "rules of thumb: found chains, grow those it leads, merge where it pays, buy where it can lead",
    EXPERT: "plays by the advice of experienced players that is in print: a measure for others",
    "search": "compares the decisions of an evolved net with others, in 2,000 games that evolved rules play on",
    "mc-10": "tries each tile in 10 games that the heuristic plays for all seats; else as the heuristic",
    "mc-40": "tries each tile in 40 games that the heuristic plays for all seats; else as the heuristic",
    **{
        f"pair-{number}": f'winning pair {number} of "Evolving Board Evaluation Functions", section 4.3'
        for number in range(1, 5)
    },
    "best-of-run": 'the two best-of-run programs of "Evolving Board Evaluation Functions", section 4.1.3',
    "composed": "typed programs for all decisions, written by hand as a founder of evolutions",
    "evolved-three": "typed programs for all decisions, bred on three chains",
    "evolved-seven": "typed programs for all decisions, bred on seven chains",
    "evolved-four": "typed programs for all decisions, bred on seven chains with four players",
    "evolved-rules": "rules of thumb for tiles, purchases and disposals, whose weights were bred on seven chains",
    "evolved-net-three": "a net for all decisions, bred on three chains",
    "evolved-net-seven": "a net for all decisions, bred on seven chains",
    "evolved-net-four": "a net for all decisions, bred on seven chains with four players",
    "evolved-net-duel": "evolved-net-seven, bred further against itself and its ancestors; for two players",
})  # fmt: skip
THESIS_PLAYERS: Final = ("best-of-run", "pair-1", "pair-2", "pair-3", "pair-4")
MODEL: Final = "evolved-rules"  # plays the games of `search`
MONTE_CARLO: Final = re.compile(r"mc-([1-9][0-9]{0,2})")
MAX_ROLLOUTS: Final = 400  # for each tile; a decision then takes about 60 ms

# The words of each option that may follow the name of a player.
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"tie": TIES, "purchases": PURCHASES, "disposing": DISPOSING, "ending": ENDING, "buying": RANDOM_BUY}
)
CHANCE_OPTIONS: Final = ("disposing", "ending", "buying")
HEURISTIC_OPTIONS: Final = (
    "ties between tiles random, between purchases first; disposing: trade if the survivor is expensive and the seat "
    "is rich, else sell all; ending when ahead"
)


# -- Genomes ---------------------------------------------------------------------------------------


def load_genome(text: str) -> AnyGenome:
    """Read a genome: a net if the first form is `(net ...)`, rules of thumb after `(rules ...)`, else programs.

    Raises ValueError with the line and the text that was read.
    """
    if RULES_HEAD.match(text):
        return RulesGenome.loads(text)
    return NetGenome.loads(text) if HEAD.match(text) else Genome.loads(text)


def decisions(genome: AnyGenome) -> list[str]:
    """Return the decisions that a genome does not leave to chance."""
    if isinstance(genome, Genome):
        return [name for name, _ in genome.programs()]
    return list(DECISIONS) if isinstance(genome, NetGenome) else ["place", "buy", "dispose", "end"]


@cache
def bundled_genomes() -> Mapping[str, AnyGenome]:
    """Return the genomes of all players that have one, by name: of the thesis, written by hand, and evolved."""
    paths = {"composed": FOLDER / "composed.lisp"}
    paths |= {f"{EVOLVED}{path.stem}": path for path in sorted((FOLDER / "evolved").glob("*.lisp"))}
    files = {name: load_genome(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    trees = thesis_trees()
    thesis = {name: Genome(place=trees[f"{name}-place"], buy=trees[f"{name}-buy"]) for name in THESIS_PLAYERS}
    return MappingProxyType({**thesis, **files})


def thesis_trees() -> dict[str, Tree]:
    """Return the ten trees that "Evolving Board Evaluation Functions" prints, by name."""
    return loads_forms((FOLDER / "thesis_pairs.lisp").read_text(encoding="utf-8"))


def thesis_players() -> dict[str, Genome]:
    """Return the two best of a run and the four winning pairs, by name."""
    return {name: genome for name, genome in _programs().items() if name in THESIS_PLAYERS}


def typed_players() -> dict[str, Genome]:
    """Return the bundled genomes with programs for all decisions, by name: written by hand, and evolved."""
    return {name: genome for name, genome in _programs().items() if name not in THESIS_PLAYERS}


def _programs() -> dict[str, Genome]:
    return {name: genome for name, genome in bundled_genomes().items() if isinstance(genome, Genome)}


# -- Players ---------------------------------------------------------------------------------------


def create_player(name: str) -> Player:
    """Create the player of this name; mc-K exists for K from 1 to 400, and search-K for K from 1 to 50,000.

    Raises ValueError if there is no such player.
    """
    if name == CHANCE:
        return Player()
    if name == HEURISTIC:
        return Heuristic()
    if name == EXPERT:
        return Expert()
    if name in bundled_genomes():
        return bundled_genomes()[name].express()
    if search := SearchOptions.of(name):
        return search.create(_table_policy(), create_player(MODEL))
    rollouts = MONTE_CARLO.fullmatch(name)
    if rollouts and int(rollouts[1]) <= MAX_ROLLOUTS:
        return MonteCarlo(int(rollouts[1]))
    raise ValueError(f"no player is called {name[:40]!r}; {near(name, PLAYERS, LISTING)}")


def _table_policy() -> Player:
    """Return a player that is at each table the evolved net for it."""
    return TablePolicy(*(create_player(f"{EVOLVED_NET}{name}") for name in ("three", "seven", "four")))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSpec:
    """A description from which any process can create the same player."""

    name: str  # with its options, as requested
    genome: AnyGenome | None = (
        None  # None: built in; with `search` the policy, None for the net for the table
    )
    options: PlayerOptions = DEFAULT_OPTIONS
    search: SearchOptions | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `NAME[,option=value...]`; NAME is a player, a file with programs or a net, or the folder of a run.

        The folder of a run stands for its champion; with a blank and an ID, for that individual.
        Raises ValueError if NAME is none of these, and OSError if a file cannot be read.
        """
        name, *words = text.split(",")
        if search := SearchOptions.of(name):
            return cls._parse_search(text, search, split_words(words))
        genome = _find(name)
        if genome is None:
            create_player(name)
            if words and name != CHANCE:
                raise ValueError(f"{name} has no settings; only programs, nets, search and {CHANCE} have")
        allowed = tuple(OPTIONS) if genome else CHANCE_OPTIONS
        options = DEFAULT_OPTIONS
        for word in words:
            options = _with_option(options, word, allowed)
        return cls(name=text, genome=genome, options=options)

    @classmethod
    def _parse_search(cls, text: str, search: SearchOptions, settings: Mapping[str, str]) -> Self:
        if "milliseconds" in settings:
            search = search.timed(settings["milliseconds"])
        policy = None
        if "policy" in settings and (policy := _find(settings["policy"])) is None:
            raise ValueError(
                f"the policy of search must be an evolved player, a file or a run, not {settings['policy'][:40]!r}"
            )
        return cls(name=text, genome=policy, search=search)

    def create(self) -> Player:
        """Create a new player, which keeps the state of its own game."""
        if self.search:
            policy = self.genome.express() if self.genome else _table_policy()
            return self.search.create(policy, create_player(MODEL))
        if self.genome:
            return self.genome.express(self.options)
        return Player(*self.options.chance_arguments) if self._is_chance else create_player(self.name)

    def describe_options(self) -> str:
        """Return the options to print with a strength: ties between equal options, disposal, end."""
        if self.search:
            return f"{self.search}; in doubt as {'the policy' if self.genome else 'the evolved net for the table'}"
        if self.genome:
            return str(self.options)
        if self._is_chance:
            options = self.options
            return (
                f"purchases {RANDOM_BUY[options.buying]}, disposing {DISPOSING[options.disposing]}, "
                f"ending {ENDING[options.ending]}"
            )
        if self.name == HEURISTIC:
            return HEURISTIC_OPTIONS
        if self.name == EXPERT:
            return "ties between tiles random, between purchases first; ending when ahead"
        return f"tiles by trial games, ties first; else as heuristic: {HEURISTIC_OPTIONS}"

    @property
    def _is_chance(self) -> bool:
        return self.name.split(",")[0] == CHANCE


def _find(name: str) -> AnyGenome | None:
    """Return the genome of a bundled player, a file or a run; None if there is none of this name."""
    return bundled_genomes().get(name) or _read(Path(name))


def _read(path: Path) -> AnyGenome | None:
    """Read the programs or net in a file, or an individual of a run; return None if there is no such file.

    Raises ValueError with the path if the file holds no genome, or the run has no champion yet or no such individual.
    """
    folder, _, id = str(path).rpartition(" ")
    if id.isdecimal() and len(id) < 19 and (Path(folder) / RUN_FILE).exists():
        return _read_individual(Path(folder), int(id))
    if path.is_dir():
        if (path / RUN_FILE).exists() and not (path / CHAMPION).exists():
            raise ValueError(f"{path}: this run has no champion yet; {_first_examination(path)}")
        path /= CHAMPION
    if not path.is_file():
        return None
    text = read_text(path)
    try:
        return load_genome(text)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _read_individual(folder: Path, id: int) -> AnyGenome:
    with RunStore.open(folder) as store:
        try:
            return load_genome(store.individual(id).genome)
        except KeyError:
            raise ValueError(f"{folder} has no individual with the ID {id}") from None


def _first_examination(folder: Path) -> str:
    """Return when a run names its first champion, and what can play until then, as half a sentence."""
    with RunStore.open(folder) as store:
        lines = [line.partition("#")[0].partition("=") for line in store.config.splitlines()]
    values = [value.strip() for key, _, value in lines if folded(key) == "examination interval"]
    interval = values[0] if values else "10"
    return (
        f"the first is named after {interval} generations (`examination interval`). "
        f"Name an individual by its ID, as in 'acquire:{folder} 7'"
    )


def _with_option(options: PlayerOptions, word: str, allowed: tuple[str, ...]) -> PlayerOptions:
    key, equals, value = word.partition("=")
    if not equals or key not in allowed:
        raise ValueError(f"unknown setting {word[:40]!r}; {near(key, allowed)}")
    values = [each.replace(" ", "-") for each in OPTIONS[key]]
    if value.replace(" ", "-") not in values:
        raise ValueError(f"{key} cannot be {value[:40]!r}; {near(value, values)}")
    return replace(options, **{key: values.index(value.replace(" ", "-"))})


# -- Catalogue -------------------------------------------------------------------------------------

FIRST: Final = ("evolved-net-seven", "evolved-net-four", "evolved-net-three")  # the first in the catalogue


def catalogue() -> list[PlayerInfo]:
    """Return all players in the order in which visitors see them: evolved ones first, starting with FIRST.

    Evolved players have cards, in files next to their genomes.
    """
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
