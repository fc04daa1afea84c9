"""The configuration of an evolution of warriors: its keys, what they are unless said, and which go together.

Reference: Evolving Warriors, sections The Genetics and The Next Generation. With no key at all it is the
experiment of that text. Weights are relative to each other.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from core.corewar.expression import Registers, evaluate
from core.corewar.instruction import LDP, MODIFIERS, OPERATIONS, STP
from core.corewar.rules import Rules
from engines.config import (
    EVER,
    Config,
    ConfigError,
    count,
    number,
    setting,
    share,
    whole,
    word,
    word_or_path,
)

ALL: Final = "all"  # operations and modifiers, each as often as the others

# The weights that go together; each is the field of this name with _weight behind it.
CROSSOVERS: Final = ("single_point", "two_point", "homologous", "join")
CHANGES: Final = (
    "flip", "redraw", "nudge", "fresh", "duplicate", "exchange", "insertion", "deletion", "aim", "phrase",
)  # fmt: skip
PARTS: Final = ("operation", "modifier", "a_mode", "b_mode", "a_value", "b_value")

Common = tuple[tuple[int, int | None], ...]  # an operation each, and its modifier unless it may have any


# -- How the values of keys are read -----------------------------------------------------------------


def weight(default: float) -> Any:
    return setting(default, number(0, EVER))


def instructions(text: str) -> str:
    """Words such as `SPL MOV.I MOV.I DJN`, each drawn as often as it is there. ValueError says what they must be."""
    words = " ".join(text.upper().split())
    if words == ALL.upper():
        return ALL
    for name in words.split():
        operation, dot, modifier = name.partition(".")
        if operation not in OPERATIONS or (dot and modifier not in MODIFIERS):
            raise ValueError(f"{ALL} or instructions such as SPL MOV.I MOV.I DJN")
    return words


def common_instructions(words: str) -> Common:
    """What `instructions` names; nothing for all."""
    if words == ALL:
        return ()
    common = []
    for name in words.split():
        operation, _, modifier = name.partition(".")
        code = OPERATIONS.index("SEQ" if operation == "CMP" else operation)
        common.append((code, MODIFIERS.index(modifier) if modifier else None))
    return tuple(common)


def points(formula: str, survivors: int) -> int:
    """Of a round among two, for each of so many survivors. ValueError for a formula that gives none."""
    registers = Registers()
    registers["W"], registers["S"] = 2, survivors
    return int(evaluate(formula, registers, "sane")[0])


def score_formula(text: str) -> str:
    try:
        values = [points(text, survivors) for survivors in (1, 2)]
    except ValueError as error:
        raise ValueError(f"a formula in W and S ({error})") from None
    if any(abs(value) > 1_000_000 for value in values):
        raise ValueError("a formula that gives a million points at most")
    return text


# -- The keys ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TribesConfig(Config):
    """A run of tribes."""

    seed: int = setting(1, whole(0, 2**64 - 1))

    # The core.
    core_size: int = count(8000, 2, 1 << 24)
    cycles: int = count(80_000)  # of each warrior in a round
    processes: int = count(8000)
    length: int = count(100, 1, 1000)  # instructions of a warrior, at most
    distance: int = count(100)
    pspace_size: int = count(0, 0)  # 0: a sixteenth of the core
    score_formula: str = setting("(W*W-1)/S", score_formula)

    # The population.
    tribes: int = count(10, 1, 1000)
    tribe_size: int = count(50, 2, 10_000)
    # Instructions of a warrior that is born here, at most; opponents have their length.
    longest: int | None = count(None, 1, 1000, none="length")
    founders_shortest: int = count(1, 1, 1000)  # instructions
    founders_longest: int = count(100, 1, 1000)
    founder_tries: int = count(
        1, 1, 1_000_000
    )  # of so many random warriors the one that lives in most of the core
    instructions: str = setting(ALL, instructions)  # that random ones are drawn from
    near: float = share(0.0)  # chance that a random value is at most `reach`
    reach: int = count(10, 0, 1 << 23)  # cells
    pspace: Literal["off", "on"] = word("off", "on")  # whether LDP and STP exist
    start: Literal["first", "evolved"] = word("first", "evolved")  # the instruction at which a warrior begins
    # The folder of an earlier run whose warriors found this one's tribes.
    ancestors: str = setting("none", word_or_path("none"))
    # Of founders, behind random instructions: none, or files, or names of our own.
    parts: str = setting("none", word_or_path("none"))
    migration: float = share(0.01)  # of a tribe after a sweep
    sweeps_a_generation: int = count(25)  # at most: a migration ends a generation of the record, too

    # Who breeds and who dies.
    evaluation: Literal["scrimmage", "elite", "solo"] = word("scrimmage", "elite", "solo")
    rounds: int | None = count(10, none="exact")  # of a pair; None: every place and starter once
    team: int = count(1, 1, 32)  # members of a side, of as many tribes; they share a P-space
    rounds_alike: int | None = count(
        None, none="none"
    )  # a fight that begins with so many is taken to go on so
    picked: int = count(4, 2, 100)  # for a scrimmage
    winners: int = count(2, 1, 100)  # of these
    stop_decided: Literal["off", "on"] = word("off", "on")  # end a scrimmage when it is certain who breeds
    # Fixed ones whom everybody meets: own, none, or a folder or file.
    opponents: str = setting("own", word_or_path("own", "none"))
    opponents_weight: float = weight(1.0)
    elites: int = count(0, 0, 1000)  # winners of earlier generations whom everybody meets
    elites_weight: float = weight(1.0)
    elite_interval: int = count(4)  # generations between two elections
    first_election: int = count(0, 0)  # not before this generation
    elites_kept: Literal["last", "spread"] = word("last", "spread")
    # Whose best it is: of the tribes in turn; or of all, or of each, which begins a new round of the Red Queen.
    elected: Literal["in turn", "of all", "of each"] = word("in turn", "of all", "of each")
    kept: float = share(0.5)  # of a tribe; they breed, the others die
    # Standard errors below those who are kept; None: all fights are fought.
    early_break: float | None = setting(None, number(0, 100), none="none")
    # What early break looks at: a newborn's score alone, or how far it is from those who are kept, opponent by opponent.
    compared: Literal["alone", "paired"] = word("alone", "paired")
    gradings: int = count(1, 1, 1000)  # of those who are kept, one a sweep; their mean counts
    race: int = count(1, 1, 1000)  # gradings of a newborn, until early break
    # Who have the same, and are not the best, die first.
    niches: Literal["none", "grades", "behaviour"] = word("none", "grades", "behaviour")
    # Of those who are kept: all breed, or only the best of each niche, as in MAP-Elites.
    parents: Literal["all", "niches"] = word("all", "niches")
    # Panels without progress, and all but the best tribe begins anew.
    refounding: int | None = count(None, none="none")

    # Breeding.
    crossover: float = share(0.1)
    single_point_weight: float = weight(1.0)
    two_point_weight: float = weight(0.0)
    homologous_weight: float = weight(0.0)
    join_weight: float = weight(0.0)
    crossover_growth: float = setting(0.0, number(0, 100))  # for each panel without progress
    mutation: float = share(0.6)  # of a copy
    fewest_changes: int = count(1, 1, 1000)
    most_changes: int = count(8, 1, 1000)
    flip_weight: float = weight(1.0)  # kinds of change
    redraw_weight: float = weight(0.0)
    nudge_weight: float = weight(0.0)
    fresh_weight: float = weight(0.0)
    duplicate_weight: float = weight(0.0)
    exchange_weight: float = weight(0.0)
    insertion_weight: float = weight(0.0)
    deletion_weight: float = weight(0.0)
    aim_weight: float = weight(0.0)
    phrase_weight: float = weight(0.0)
    operation_weight: float = weight(8.0)  # parts of an instruction
    modifier_weight: float = weight(10.0)
    a_mode_weight: float = weight(12.0)
    b_mode_weight: float = weight(12.0)
    a_value_weight: float = weight(39.0)
    b_value_weight: float = weight(39.0)
    start_moves: float = share(0.1)  # chance of a mutant, where the start evolves
    wide_values: Literal["off", "on"] = word(
        "off", "on"
    )  # 24 bits are inherited; a core takes them modulo its size
    protection: float = share(0.0)  # chance that an instruction of a protected sequence is spared
    # In the tribe, or in the parts of founders.
    protected: Literal["recurring", "parts"] = word("recurring", "parts")
    protected_sequence: int = count(3, 1, 100)  # instructions
    twins: Literal["allowed", "refused"] = word("allowed", "refused")

    # Viability.
    viability_cycles: int = count(4096)
    viability: Literal["turning point", "always", "never"] = word("turning point", "always", "never")
    turning_window: int = count(
        500, 1, 100_000
    )  # offspring; more than half of them viable is the turning point
    latest_turning: int = count(15_000, 0)  # offspring

    # What people see.
    # Fixed opponents of the best, for progress only.
    panel: str = setting("own", word_or_path("own", "none"))
    panel_rounds: int | None = count(50, none="exact")  # of each pair
    panel_interval: int = count(25)  # generations
    export_interval: int = count(25)

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
    def most_instructions(self) -> int:
        """Of a warrior that is born here."""
        return self.length if self.longest is None else self.longest

    @property
    def births(self) -> int:
        """Offspring of a tribe in a sweep."""
        if self.evaluation == "scrimmage":
            return self.picked - self.winners
        return self.tribe_size - max(round(self.kept * self.tribe_size), 1)

    def points(self) -> tuple[int, int]:
        """Of a round among two: for the only survivor, and for each of two."""
        return points(self.score_formula, 1), points(self.score_formula, 2)

    def weights(self, names: tuple[str, ...]) -> tuple[float, ...]:
        """Of CROSSOVERS, CHANGES or PARTS, in their order."""
        return tuple(getattr(self, f"{name}_weight") for name in names)

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
        if self.most_instructions > self.length:
            raise ConfigError(f"longest must not be above the length, {self.length}", key="longest")
        if not self.founders_shortest <= self.founders_longest <= self.most_instructions:
            raise ConfigError(
                "founders shortest, founders longest and length (or longest) must be in this order, not "
                f"{self.founders_shortest}, {self.founders_longest}, {self.most_instructions}",
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
        if self.elected != "in turn" and not (self.evaluation == "elite" and self.elites):
            raise ConfigError(f"elected = {self.elected} needs evaluation = elite, and elites", key="elected")
        if self.parents == "niches" and self.niches == "none":
            raise ConfigError("parents = niches needs niches", key="parents")
        if self.pspace == "off" and (self.parts != "none" or self.phrase_weight):
            raise ConfigError("parts, and a phrase weight above 0, need pspace = on", key="pspace")
        if self.pspace == "off" and any(
            operation in (LDP, STP) for operation, _ in common_instructions(self.instructions)
        ):
            raise ConfigError("LDP and STP among the instructions need pspace = on", key="instructions")
        if self.near and 2 * self.reach >= self.core_size:
            raise ConfigError(f"reach must be less than half the core size, {self.core_size}", key="reach")
        if self.protected == "parts" and self.parts == "none":
            raise ConfigError("protected = parts needs parts", key="protected")
        if self.join_weight and self.start == "evolved":
            raise ConfigError("join weight needs start = first: parents are entered there", key="join weight")
        if self.fewest_changes > self.most_changes:
            raise ConfigError("fewest changes must not be above most changes", key="fewest changes")
        for names in (CROSSOVERS, CHANGES, PARTS):
            if not any(self.weights(names)):
                keys = [f"{name} weight".replace("_", " ") for name in names]
                raise ConfigError(f"one of {', '.join(keys)} must be above 0", key=keys[0])

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
