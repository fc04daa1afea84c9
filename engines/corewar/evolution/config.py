"""The instructions that a configuration calls common: `SPL MOV.I MOV.I DJN`, each drawn as often as it is there."""

from dataclasses import dataclass
from typing import Final, Literal, Self

from core.corewar.expression import Registers, evaluate
from core.corewar.instruction import LDP, MODIFIERS, OPERATIONS, STP
from core.corewar.rules import Rules
from engines.config import ConfigError, Key, check_values, loaded, number, one_of, whole, word_or_path, write

ALL: Final = "all"  # operations and modifiers, each as often as the others

Common = tuple[tuple[int, int | None], ...]  # an operation each, and its modifier unless it may have any


def instructions(text: str) -> str:
    """The words as they are kept. ValueError says what they must be."""
    words = " ".join(text.upper().split())
    if words == ALL.upper():
        return ALL
    for word in words.split():
        operation, dot, modifier = word.partition(".")
        if operation not in OPERATIONS or (dot and modifier not in MODIFIERS):
            raise ValueError(f"{ALL} or instructions such as SPL MOV.I MOV.I DJN")
    return words


def listed(words: str) -> Common:
    """What is in the list; nothing for all."""
    if words == ALL:
        return ()
    found = []
    for word in words.split():
        operation, _, modifier = word.partition(".")
        code = OPERATIONS.index("SEQ" if operation == "CMP" else operation)
        found.append((code, MODIFIERS.index(modifier) if modifier else None))
    return tuple(found)


def with_pspace(words: str) -> bool:
    """Whether one of them is about P-space."""
    return any(operation in (LDP, STP) for operation, _ in listed(words))


# The keys of a configuration of tribes: how each value is written, and the names of the weights that go together.


EVER: Final = 1_000_000_000
SWITCH: Final = ("off", "on")
Switch = Literal["off", "on"]

CROSSOVERS: Final = ("single_point", "two_point", "homologous", "join")
CHANGES: Final = (
    "flip", "redraw", "nudge", "fresh", "duplicate", "exchange", "insertion", "deletion", "aim", "phrase",
)  # fmt: skip
PARTS: Final = ("operation", "modifier", "a_mode", "b_mode", "a_value", "b_value")
WEIGHED: Final = (CROSSOVERS, CHANGES, PARTS)


def points(formula: str, survivors: int) -> int:
    """Of a round among two, for each of so many survivors. ValueError for a formula that gives none."""
    registers = Registers()
    registers["W"], registers["S"] = 2, survivors
    return int(evaluate(formula, registers, "sane")[0])


def _formula(text: str) -> str:
    try:
        given = [points(text, survivors) for survivors in (1, 2)]
    except ValueError as error:
        raise ValueError(f"a formula in W and S ({error})") from None
    if any(abs(each) > 1_000_000 for each in given):
        raise ValueError("a formula that gives a million points at most")
    return text


def _weight(name: str) -> Key:
    return Key(name=f"{name} weight".replace("_", " "), reader=number(0, EVER))


def _share(name: str) -> Key:
    return Key(name=name, reader=number(0, 1))


def _count(name: str, least: int = 1, most: int = EVER, nothing: str = "") -> Key:
    return Key(name=name, reader=whole(least, most), nothing=nothing)


KEYS: Final = (
    Key(name="seed", reader=whole(0, 2**64 - 1)),
    _count("core size", 2, 1 << 24),
    _count("cycles"),
    _count("processes"),
    _count("length", 1, 1000),
    _count("distance"),
    _count("pspace size", 0),
    Key(name="score formula", reader=_formula),
    _count("tribes", 1, 1000),
    _count("tribe size", 2, 10_000),
    _count("founders shortest", 1, 1000),
    _count("founders longest", 1, 1000),
    _count("founder tries", 1, 1_000_000),
    Key(name="instructions", reader=instructions),
    _share("near"),
    _count("reach", 0, 1 << 23),
    Key(name="pspace", reader=one_of(*SWITCH)),
    Key(name="start", reader=one_of("first", "evolved")),
    Key(name="ancestors", reader=word_or_path("none")),
    Key(name="parts", reader=word_or_path("none")),
    _share("migration"),
    _count("sweeps a generation"),
    Key(name="evaluation", reader=one_of("scrimmage", "elite", "solo")),
    _count("rounds", nothing="exact"),
    _count("team", 1, 32),
    _count("rounds alike", nothing="none"),
    _count("picked", 2, 100),
    _count("winners", 1, 100),
    Key(name="stop decided", reader=one_of(*SWITCH)),
    Key(name="opponents", reader=word_or_path("own", "none")),
    _weight("opponents"),
    _count("elites", 0, 1000),
    _weight("elites"),
    _count("elite interval"),
    Key(name="elites kept", reader=one_of("last", "spread")),
    _share("kept"),
    Key(name="early break", reader=number(0, 100), nothing="none"),
    _count("gradings", 1, 1000),
    _count("race", 1, 1000),
    Key(name="niches", reader=one_of("none", "grades", "behaviour")),
    _count("refounding", nothing="none"),
    _share("crossover"),
    *map(_weight, CROSSOVERS),
    Key(name="crossover growth", reader=number(0, 100)),
    _share("mutation"),
    _count("fewest changes", 1, 1000),
    _count("most changes", 1, 1000),
    *map(_weight, CHANGES),
    *map(_weight, PARTS),
    _share("start moves"),
    Key(name="wide values", reader=one_of(*SWITCH)),
    _count("value bits", 1, 24, nothing="fitting"),
    _share("protection"),
    Key(name="protected", reader=one_of("recurring", "parts")),
    _count("protected sequence", 1, 100),
    Key(name="twins", reader=one_of("allowed", "refused")),
    _count("viability cycles"),
    Key(name="viability", reader=one_of("turning point", "always", "never")),
    _count("turning window", 1, 100_000),
    _count("latest turning", 0),
    _count("tries", 1, 1_000_000),
    Key(name="panel", reader=word_or_path("own", "none")),
    _count("panel rounds", nothing="exact"),
    _count("panel interval"),
    _count("export interval"),
)


# The configuration of tribes: what its keys are, what they are unless said, and which go together.
#
# Reference: Evolving Warriors, sections The Genetics and The Next Generation. With no key at all it is the
# experiment of that text. A field is named as its key; weights are relative to each other.


@dataclass(frozen=True, slots=True, kw_only=True)
class TribesConfig:
    """All that a run of tribes is told, checked: loads(x.dumps()) == x for every x that there is."""

    seed: int = 1

    # The core.
    core_size: int = 8000
    cycles: int = 80_000  # of each warrior in a round
    processes: int = 8000
    length: int = 100  # instructions of a warrior, at most
    distance: int = 100
    pspace_size: int = 0  # 0: a sixteenth of the core
    score_formula: str = "(W*W-1)/S"

    # The population.
    tribes: int = 10
    tribe_size: int = 50
    founders_shortest: int = 1  # instructions
    founders_longest: int = 100
    founder_tries: int = 1  # of so many random warriors the one that lives in most of the core
    instructions: str = ALL  # that random ones are drawn from
    near: float = 0.0  # chance that a random value is at most `reach`
    reach: int = 10  # cells
    pspace: Switch = "off"  # whether LDP and STP exist
    start: Literal["first", "evolved"] = "first"  # the instruction at which a warrior begins
    ancestors: str = "none"  # the folder of an earlier run whose warriors found this one's tribes
    parts: str = "none"  # of founders, behind random instructions: none, or files, or names of our own
    migration: float = 0.01  # of a tribe after a sweep
    sweeps_a_generation: int = 25  # at most: a migration ends a generation of the record, too

    # Who breeds and who dies.
    evaluation: Literal["scrimmage", "elite", "solo"] = "scrimmage"
    rounds: int | None = 10  # of a pair; None: every place and starter once
    team: int = 1  # members of a side, of as many tribes; they share a P-space
    rounds_alike: int | None = None  # a fight that begins with so many is taken to go on so
    picked: int = 4  # for a scrimmage
    winners: int = 2  # of these
    stop_decided: Switch = "off"  # end a scrimmage when it is certain who breeds
    opponents: str = "own"  # fixed ones that everybody meets: own, none, or a folder or file
    opponents_weight: float = 1.0
    elites: int = 0  # winners of earlier generations that everybody meets
    elites_weight: float = 1.0
    elite_interval: int = 4  # generations between two elections, each in the next tribe
    elites_kept: Literal["last", "spread"] = "last"
    kept: float = 0.5  # of a tribe; they breed, the others die
    early_break: float | None = None  # standard errors below those who are kept; None: all fights are fought
    gradings: int = 1  # of those who are kept, one a sweep; their mean counts
    race: int = 1  # gradings of a newborn, until early break
    niches: Literal["none", "grades", "behaviour"] = (
        "none"  # who have the same, and are not the best, die first
    )
    refounding: int | None = None  # panels without progress, and all but the best tribe begins anew

    # Breeding.
    crossover: float = 0.1
    single_point_weight: float = 1.0
    two_point_weight: float = 0.0
    homologous_weight: float = 0.0
    join_weight: float = 0.0
    crossover_growth: float = 0.0  # for each panel without progress
    mutation: float = 0.6  # of a copy
    fewest_changes: int = 1
    most_changes: int = 8
    flip_weight: float = 1.0  # kinds of change
    redraw_weight: float = 0.0
    nudge_weight: float = 0.0
    fresh_weight: float = 0.0
    duplicate_weight: float = 0.0
    exchange_weight: float = 0.0
    insertion_weight: float = 0.0
    deletion_weight: float = 0.0
    aim_weight: float = 0.0
    phrase_weight: float = 0.0
    operation_weight: float = 8.0  # parts of an instruction
    modifier_weight: float = 10.0
    a_mode_weight: float = 12.0
    b_mode_weight: float = 12.0
    a_value_weight: float = 39.0
    b_value_weight: float = 39.0
    start_moves: float = 0.1  # chance of a mutant, where the start evolves
    wide_values: Switch = "off"  # 24 bits are inherited; a core takes them modulo its size
    value_bits: int | None = None  # that may flip; None: as many as the core size, or a wide value, needs
    protection: float = 0.0  # chance that an instruction of a protected sequence is spared
    protected: Literal["recurring", "parts"] = "recurring"  # in the tribe, or in the parts of founders
    protected_sequence: int = 3  # instructions
    twins: Literal["allowed", "refused"] = "allowed"

    # Viability.
    viability_cycles: int = 4096
    viability: Literal["turning point", "always", "never"] = "turning point"
    turning_window: int = 500  # offspring; more than half of them viable is the turning point
    latest_turning: int = 15_000  # offspring
    tries: int = 1000  # for one offspring, at most

    # What people see.
    panel: str = "own"  # fixed opponents of the best, for progress only
    panel_rounds: int | None = 50
    panel_interval: int = 25  # generations
    export_interval: int = 25

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        check_values(self, KEYS)
        self._check_together()

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        return loaded(cls, text, KEYS)

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return write(self, KEYS)

    @property
    def rules(self) -> Rules:
        return Rules(
            size=self.core_size,
            cycles=self.cycles,
            processes=self.processes,
            length=self.length,
            distance=self.distance,
            pspace=self.pspace_size,
        )

    @property
    def births(self) -> int:
        """Offspring of a tribe in a sweep."""
        if self.evaluation == "scrimmage":
            return self.picked - self.winners
        return self.tribe_size - max(round(self.kept * self.tribe_size), 1)

    def points(self) -> tuple[int, int]:
        """Of a round among two: for the only survivor, and for each of two."""
        return points(self.score_formula, 1), points(self.score_formula, 2)

    def _check_together(self) -> None:
        if self.distance < self.length:
            raise ConfigError(
                f"distance must be at least the length, {self.length}, not {self.distance}", key="distance"
            )
        if 2 * self.distance > self.core_size:
            raise ConfigError(
                f"two warriors {self.distance} apart need a core of {2 * self.distance}", key="core size"
            )
        if self.team > 1:
            self._check_team()
        if self.pspace_size > self.core_size:
            raise ConfigError("pspace size must not be above the core size", key="pspace size")
        if not self.founders_shortest <= self.founders_longest <= self.length:
            raise ConfigError(
                "founders shortest, founders longest and length must be in this order, not "
                f"{self.founders_shortest}, {self.founders_longest}, {self.length}",
                key="founders longest",
            )
        if not self.winners < self.picked <= self.tribe_size:
            raise ConfigError(
                f"winners must be fewer than picked, and these at most the tribe size, {self.tribe_size}",
                key="winners",
            )
        if not self.births:
            raise ConfigError("kept must leave somebody to be replaced", key="kept")
        if self.evaluation == "elite" and self.opponents == "none" and not self.elites:
            raise ConfigError("evaluation = elite needs opponents or elites", key="evaluation")
        if self.pspace == "off" and (self.parts != "none" or self.phrase_weight):
            raise ConfigError("parts, and a phrase weight above 0, need pspace = on", key="pspace")
        if self.pspace == "off" and with_pspace(self.instructions):
            raise ConfigError("LDP and STP among the instructions need pspace = on", key="instructions")
        if self.near and 2 * self.reach >= self.core_size:
            raise ConfigError(f"reach must be less than half the core size, {self.core_size}", key="reach")
        if self.protected == "parts" and self.parts == "none":
            raise ConfigError("protected = parts needs parts", key="protected")
        if self.join_weight and self.start == "evolved":
            raise ConfigError("join weight needs start = first: parents are entered there", key="join weight")
        if self.fewest_changes > self.most_changes:
            raise ConfigError("fewest changes must not be above most changes", key="fewest changes")
        for names in WEIGHED:
            if not any(getattr(self, f"{name}_weight") for name in names):
                keys = ", ".join(f"{name} weight".replace("_", " ") for name in names)
                raise ConfigError(
                    f"one of {keys} must be above 0", key=f"{names[0]} weight".replace("_", " ")
                )

    def _check_team(self) -> None:
        warriors, room = 2 * self.team, 2 * self.team * self.distance
        if room > self.core_size:
            raise ConfigError(f"{warriors} warriors {self.distance} apart need a core of {room}", key="team")
        if self.team > self.tribes:
            raise ConfigError(f"a team of {self.team} needs as many tribes", key="team")
        if self.evaluation != "elite" or self.elites:
            raise ConfigError("teams need evaluation = elite, and no elites", key="team")
        if self.rounds is None or self.panel_rounds is None or self.rounds_alike is not None:
            raise ConfigError("teams fight neither exact rounds nor rounds alike", key="team")
