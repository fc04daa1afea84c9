"""The keys of a configuration of tribes: how each value is written, and the names of the weights that go together."""

from typing import Final, Literal

from core.corewar.redcode.expression import Registers, evaluate
from engines.config import Key, number, one_of, whole, word_or_path
from engines.corewar.tribes.instructions import instructions

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
