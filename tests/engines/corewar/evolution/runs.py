"""Short runs of tribes for tests, and warriors for them."""

from pathlib import Path

from core.random import Random
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.experiment import open_experiment, seed_in
from engines.corewar.evolution.genome import WarriorGenome
from engines.corewar.evolution.variation import RandomCode
from tests.toy import Runs

CORE = """
seed = 5
core size = 80
cycles = 400
processes = 80
length = 8
distance = 8
founders longest = 8
tribes = 3
tribe size = 8
migration = 0.1
sweeps a generation = 4
rounds = 3
viability cycles = 60
turning window = 20
latest turning = 60
panel rounds = 4
panel interval = 3
export interval = 3
"""
SCRIMMAGE = CORE + "opponents = none\n"
ELITE = (
    CORE
    + """
evaluation = elite
elites = 3
elite interval = 2
elites kept = spread
kept = 0.5
early break = 1
gradings = 2
niches = behaviour
refounding = 1
pspace = on
crossover = 0.5
two point weight = 1
homologous weight = 1
crossover growth = 0.5
protection = 0.5
protected sequence = 2
redraw weight = 1
nudge weight = 1
fresh weight = 1
duplicate weight = 1
exchange weight = 1
insertion weight = 1
deletion weight = 1
twins = refused
viability = always
"""
)
RED_QUEEN = (
    CORE.replace("founders longest = 8\n", "")
    + """
opponents = none
evaluation = elite
elites = 100
elites kept = last
elected = of all
elite interval = 3
first election = 4
compared = paired
early break = 1
gradings = 2
race = 2
niches = behaviour
parents = niches
longest = 6
founders longest = 6
viability = always
redraw weight = 1
insertion weight = 1
"""
)
ELECTED = (
    ELITE
    + """
opponents = own
elected = of each
compared = paired
"""
)
EVOLVED = (
    SCRIMMAGE
    + """
start = evolved
start moves = 0.5
wide values = on
crossover = 0.5
two point weight = 1
insertion weight = 1
deletion weight = 1
"""
)
IMP = ";name Imp\nMOV.I $0, $1\n"
WAITER = ";name Waiter\nJMP.B $0, $0\n"


def random_genome(seed: int) -> WarriorGenome:
    """Of 1 to 100 random instructions for the standard core."""
    rng = Random(seed)
    return WarriorGenome(cells=RandomCode.of(TribesConfig()).cells(1 + int(rng.below(100)), rng))


def opponents(folder: Path) -> Path:
    """A folder with two warriors."""
    folder.mkdir(exist_ok=True)
    (folder / "imp.red").write_text(IMP)
    (folder / "waiter.RED").write_text(WAITER)
    (folder / "notes.txt").write_text("no warrior")
    return folder


def config_in(folder: Path, text: str) -> str:
    """With opponents that can be read."""
    where = opponents(folder / "opponents")
    return text + f"panel = {where}\n" + ("" if "\nopponents = " in text else f"opponents = {where}\n")


gone_on = Runs(
    game="corewar",
    open_experiment=open_experiment,
    seed_in=seed_in,
).gone_on
