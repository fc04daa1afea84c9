"""The configuration of an evolution of warriors: its keys, their defaults, and the combinations that are valid.

Reference: Evolving Warriors, sections The Genetics and The Next Generation. The defaults are the experiment of that
text. Weights are relative to each other. The comments on the fields are the notes of the keys in
engines/CONFIGURATIONS.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from core.corewar.expression import Registers, evaluate
from core.corewar.instruction import LDP, MODIFIERS, OPERATIONS, STP
from core.corewar.rules import Rules
from engines.config import (
    MAX_COUNT,
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

ALL: Final = "all"  # all operations and modifiers, with equal frequency

# Groups of weights that are relative to each other; the field of each has the suffix _weight.
CROSSOVERS: Final = ("single_point", "two_point", "homologous", "join")
CHANGES: Final = (
    "flip", "redraw", "nudge", "fresh", "duplicate", "exchange", "insertion", "deletion", "aim", "phrase",
)  # fmt: skip
PARTS: Final = ("operation", "modifier", "a_mode", "b_mode", "a_value", "b_value")

Common = tuple[tuple[int, int | None], ...]  # (operation, modifier); None: any modifier


# -- How the values of keys are read -----------------------------------------------------------------


def weight(default: float) -> Any:
    return setting(default, number(0, MAX_COUNT))


def instructions(text: str) -> str:
    """Read a list of instructions such as `SPL MOV.I MOV.I DJN`. Raises ValueError for other words."""
    words = " ".join(text.upper().split())
    if words == ALL.upper():
        return ALL
    for name in words.split():
        operation, dot, modifier = name.partition(".")
        if operation not in OPERATIONS or (dot and modifier not in MODIFIERS):
            raise ValueError(f"{ALL} or instructions such as SPL MOV.I MOV.I DJN")
    return words


def common_instructions(words: str) -> Common:
    """Return the operations and modifiers that a value of the key `instructions` lists; nothing for all."""
    if words == ALL:
        return ()
    common = []
    for name in words.split():
        operation, _, modifier = name.partition(".")
        code = OPERATIONS.index("SEQ" if operation == "CMP" else operation)
        common.append((code, MODIFIERS.index(modifier) if modifier else None))
    return tuple(common)


def points(formula: str, survivors: int) -> int:
    """Return the points of each of the `survivors` of a round of two warriors.

    Raises ValueError if the formula has no value.
    """
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
    """The configuration of a run of tribes."""

    seed: int = setting(1, whole(0, 2**64 - 1))  # The seed of the run's random numbers.

    # The core.
    core_size: int = count(8000, 2, 1 << 24)  # The number of cells of the core.
    cycles: int = count(80_000)  # The number of instructions that each warrior may execute in a round.
    processes: int = count(8000)  # The maximum number of processes of a warrior.
    length: int = count(100, 1, 1000)  # The maximum number of instructions of a warrior.
    distance: int = count(100)  # The minimum distance of two start positions, in cells.
    # The number of cells of a P-space; 0: a sixteenth of the core, or the next larger part that divides it.
    pspace_size: int = count(0, 0)
    # The points of each survivor of a round, by the numbers of warriors (W = 2) and of survivors (S).
    score_formula: str = setting("(W*W-1)/S", score_formula)

    # The population.
    tribes: int = count(10, 1, 1000)  # The number of tribes.
    tribe_size: int = count(50, 2, 10_000)  # The number of members of a tribe.
    # The maximum number of instructions of a warrior that is bred here; opponents may have more, up to `length`.
    longest: int | None = count(None, 1, 1000, none="length")
    # The minimum number of random instructions of a founder.
    founders_shortest: int = count(1, 1, 1000)
    # The maximum number of random instructions of a founder.
    founders_longest: int = count(100, 1, 1000)
    # The number of random warriors for each founder, which is the one that executes in most of the core when alone.
    founder_tries: int = count(1, 1, 1_000_000)
    # The list from which random instructions are drawn, each as often as the list repeats it.
    instructions: str = setting(ALL, instructions)
    # The probability that a random value is at most `reach` away from 0, up or down; other values are uniform.
    near: float = share(0.0)
    reach: int = count(10, 0, 1 << 23)  # The largest distance of a near value, in cells.
    pspace: Literal["off", "on"] = word("off", "on")  # Whether evolution may use LDP and STP.
    # Whether a warrior starts at its first instruction, or at one that is inherited and mutates.
    start: Literal["first", "evolved"] = word("first", "evolved")
    # The folder of an earlier run, or some of its files tribe_N.red, whose warriors found the tribes of this one.
    ancestors: str = setting("none", word_or_path("none"))
    # Warriors that follow the random instructions of each founder: files or bundled warriors, with commas between.
    parts: str = setting("none", word_or_path("none"))
    # The probability that a tribe exchanges a member with another after a sweep.
    migration: float = share(0.01)
    # The maximum number of sweeps in a generation of the record, which ends earlier with a migration.
    sweeps_a_generation: int = count(25)

    # Selection.
    # What decides: fights among members (scrimmage), against opponents and elites (elite), or spreading alone (solo).
    evaluation: Literal["scrimmage", "elite", "solo"] = word("scrimmage", "elite", "solo")
    # The number of rounds of a fight; exact: each position is fought once with each starter.
    rounds: int | None = count(10, none="exact")
    # The number of members of a side, which share a P-space; each is of another tribe.
    team: int = count(1, 1, 32)
    # If this number of first rounds of a fight have the same result, the others are taken to have it too.
    rounds_alike: int | None = count(None, none="none")
    picked: int = count(4, 2, 100)  # The number of members that fight in a scrimmage.
    # The number of members of a scrimmage that breed; offspring replace the others.
    winners: int = count(2, 1, 100)
    # Whether a scrimmage ends when its winners are certain.
    stop_decided: Literal["off", "on"] = word("off", "on")
    # Fixed opponents against which all members are graded: the bundled warriors (own), none, or a file or folder.
    opponents: str = setting("own", word_or_path("own", "none"))
    opponents_weight: float = weight(1.0)  # The weight of all fixed opponents together in a grade.
    # The maximum number of elites, winners of earlier generations against which all members are graded.
    elites: int = count(0, 0, 1000)
    elites_weight: float = weight(1.0)  # The weight of all elites together in a grade.
    elite_interval: int = count(4)  # The number of generations from one election of elites to the next.
    # The generation that ends with the first election; 0: that after the first elite interval.
    first_election: int = count(0, 0)
    # Which elites stay when there are too many: the last ones, or a selection that is spread over the whole run.
    elites_kept: Literal["last", "spread"] = word("last", "spread")
    # Which members become elites: the best of a tribe, in turn; in the Red Queen, the best of all tribes or of each.
    elected: Literal["in turn", "of all", "of each"] = word("in turn", "of all", "of each")
    kept: float = share(0.5)  # The share of a tribe that is kept and breeds; offspring replace the others.
    # The number of standard errors below the worst kept member at which the fights of an offspring end.
    early_break: float | None = setting(None, number(0, 100), none="none")
    # What early break looks at: an offspring's score, or its differences from the kept members' against each
    # opponent.
    compared: Literal["alone", "paired"] = word("alone", "paired")
    # The number of gradings of a member that is kept, one a sweep; its grade is their mean.
    gradings: int = count(1, 1, 1000)
    race: int = count(1, 1, 1000)  # The number of gradings of an offspring, unless early break ends them.
    # Whether members of equal grades or like behaviour share a niche, of which all but the best die first.
    niches: Literal["none", "grades", "behaviour"] = word("none", "grades", "behaviour")
    # The kept members that breed: all of them, or only the best of each niche, as in MAP-Elites.
    parents: Literal["all", "niches"] = word("all", "niches")
    # The number of panels without progress after which a tribe is founded anew, unless it is the best.
    refounding: int | None = count(None, none="none")

    # Breeding.
    crossover: float = share(0.1)  # The probability that an offspring has two parents.
    # The weight of a crossover with one cut in each parent.
    single_point_weight: float = weight(1.0)
    # The weight of a crossover that replaces a stretch of one parent by a stretch of the other.
    two_point_weight: float = weight(0.0)
    # The weight of a crossover that cuts both parents at a place where their operations are equal.
    homologous_weight: float = weight(0.0)
    # The weight of a crossover that puts both parents whole after a SPL.
    join_weight: float = weight(0.0)
    # The share by which the probability of crossover grows with each panel without progress, up to 0.9.
    crossover_growth: float = setting(0.0, number(0, 100))
    mutation: float = share(0.6)  # The probability that an offspring of one parent is mutated.
    fewest_changes: int = count(1, 1, 1000)  # The minimum number of changes of a mutation.
    most_changes: int = count(8, 1, 1000)  # The maximum number of changes of a mutation.
    flip_weight: float = weight(1.0)  # The weight of a change that flips a bit of a part of an instruction.
    redraw_weight: float = weight(0.0)  # The weight of a change that draws a part of an instruction anew.
    nudge_weight: float = weight(0.0)  # The weight of a change that moves a value by 1 to 4, up or down.
    fresh_weight: float = weight(0.0)  # The weight of a change that replaces an instruction by a random one.
    # The weight of a change that replaces an instruction by a copy of one of the warrior's.
    duplicate_weight: float = weight(0.0)
    exchange_weight: float = weight(0.0)  # The weight of a change that exchanges two instructions.
    insertion_weight: float = weight(0.0)  # The weight of a change that inserts a random instruction.
    deletion_weight: float = weight(0.0)  # The weight of a change that deletes an instruction.
    # The weight of a change that makes a value point to one of the instructions.
    aim_weight: float = weight(0.0)
    # The weight of a change that inserts instructions about P-space before the first one.
    phrase_weight: float = weight(0.0)
    # The weight of the operation among the parts that flip and redraw change.
    operation_weight: float = weight(8.0)
    modifier_weight: float = weight(10.0)  # The weight of the modifier.
    a_mode_weight: float = weight(12.0)  # The weight of the A mode.
    b_mode_weight: float = weight(12.0)  # The weight of the B mode.
    a_value_weight: float = weight(39.0)  # The weight of the A value.
    b_value_weight: float = weight(39.0)  # The weight of the B value.
    # The probability that a mutation also draws a new start, with start = evolved.
    start_moves: float = share(0.1)
    # Whether values are inherited with 24 bits, which a core takes modulo its size.
    wide_values: Literal["off", "on"] = word("off", "on")
    # The probability that an instruction of a protected sequence is spared when it is to change.
    protection: float = share(0.0)
    # The sequences that are protected: those of more than half of the tribe, or those of the founders' parts.
    protected: Literal["recurring", "parts"] = word("recurring", "parts")
    protected_sequence: int = count(3, 1, 100)  # The number of instructions of a protected sequence.
    # Whether an offspring may have the same genes as a living member of its tribe.
    twins: Literal["allowed", "refused"] = word("allowed", "refused")

    # Viability.
    # The number of cycles that a viable warrior survives alone in the core; also of founder tries, solo and niches.
    viability_cycles: int = count(4096)
    # Whether offspring that are not viable are discarded from the turning point on, always or never.
    viability: Literal["turning point", "always", "never"] = word("turning point", "always", "never")
    # The number of latest offspring of which more than half are viable at the turning point.
    turning_window: int = count(500, 1, 100_000)
    # The number of offspring after which the turning point is reached in any case.
    latest_turning: int = count(15_000, 0)

    # Display and export.
    # Fixed opponents that measure progress and grade no member: the bundled warriors (own), none, a file or a folder.
    panel: str = setting("own", word_or_path("own", "none"))
    # The number of rounds against each opponent of the panel; exact: each position is fought once with each starter.
    panel_rounds: int | None = count(50, none="exact")
    # The number of generations from one panel to the next, with elected = in turn; otherwise each election has one.
    panel_interval: int = count(25)
    # The number of generations from one export of the files *.red to the next.
    export_interval: int = count(25)

    @property
    def main_keys(self) -> Sequence[str]:
        return ("tribes", "tribe size", "rounds", "kept", "crossover", "mutation", "most changes", "migration",)  # fmt: skip

    @property
    def fork_keys(self) -> Sequence[str]:
        return (
            "crossover",
            "mutation",
            "most changes",
            "migration",
        )

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
        """The maximum number of instructions of a warrior that is bred in the run."""
        return self.length if self.longest is None else self.longest

    @property
    def births(self) -> int:
        """The number of offspring of a tribe in a sweep."""
        if self.evaluation == "scrimmage":
            return self.picked - self.winners
        return self.tribe_size - max(round(self.kept * self.tribe_size), 1)

    def points(self) -> tuple[int, int]:
        """Return the points of a round for the only survivor, and for each of two survivors."""
        return points(self.score_formula, 1), points(self.score_formula, 2)

    def weights(self, names: tuple[str, ...]) -> tuple[float, ...]:
        """Return the weights of CROSSOVERS, CHANGES or PARTS, in the order of `names`."""
        return tuple(getattr(self, f"{name}_weight") for name in names)

    def _check_together(self) -> None:
        if self.distance < self.length:
            raise ConfigError(
                f"distance must be at least the length, {self.length}, not {self.distance}", key="distance"
            )
        if 2 * self.distance > self.core_size:
            raise ConfigError(
                f"core size must be at least {2 * self.distance}, for two warriors {self.distance} cells apart",
                key="core size",
            )
        if self.team > 1:
            self._check_team()
        if self.pspace_size > self.core_size:
            raise ConfigError("pspace size must not be above the core size", key="pspace size")
        if self.most_instructions > self.length:
            raise ConfigError(f"longest must not be above the length, {self.length}", key="longest")
        if not self.founders_shortest <= self.founders_longest <= self.most_instructions:
            raise ConfigError(
                "founders shortest, founders longest and length (or longest) must not decrease in this order, not "
                f"{self.founders_shortest}, {self.founders_longest}, {self.most_instructions}",
                key="founders longest",
            )
        if not self.winners < self.picked <= self.tribe_size:
            raise ConfigError(
                f"winners must be fewer than picked, and picked at most the tribe size, {self.tribe_size}",
                key="winners",
            )
        if not self.births:
            raise ConfigError("kept must leave at least one warrior to be replaced", key="kept")
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
            raise ConfigError(
                "join weight needs start = first, because joined parents are entered at their first instruction",
                key="join weight",
            )
        if self.fewest_changes > self.most_changes:
            raise ConfigError("fewest changes must not be above most changes", key="fewest changes")
        for names in (CROSSOVERS, CHANGES, PARTS):
            if not any(self.weights(names)):
                keys = [f"{name} weight".replace("_", " ") for name in names]
                raise ConfigError(f"one of {', '.join(keys)} must be above 0", key=keys[0])

    def _check_team(self) -> None:
        warriors, room = 2 * self.team, 2 * self.team * self.distance
        if room > self.core_size:
            raise ConfigError(
                f"{warriors} warriors {self.distance} cells apart need a core size of {room}", key="team"
            )
        if self.team > self.tribes:
            raise ConfigError(f"a team of {self.team} needs at least {self.team} tribes", key="team")
        if self.evaluation != "elite" or self.elites:
            raise ConfigError("teams need evaluation = elite, and no elites", key="team")
        if self.rounds is None or self.panel_rounds is None or self.rounds_alike is not None:
            raise ConfigError(
                "teams need a number of rounds and of panel rounds, and no rounds alike", key="team"
            )
