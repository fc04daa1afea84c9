"""What `galapagos study protection` may be told; it imports no game, as every study reads it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from engines.protection import FIXED, MODES

NAME: Final = "protection"
STARTER: Final = "starter"  # always the starter string
CONTROLS: Final = (STARTER, "random")  # nothing is adapted
ADAPTING: Final = tuple(name for name in MODES if name not in CONTROLS)
COMPARED: Final = ("pilot", "calibrated", "seed")  # unless others are named
SEEDS: Final = 5
USERS: Final = (
    "novice",
    "random",
    "drones",
    "farmers",
    "settlers",
    "turtle",
    "artillery",
    "mines",
    "mixed",
    "jammers",
    "fortress",
    "reactive",
)


def add_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("for `galapagos study protection`: how Chaos adapts to scripted users")
    add = group.add_argument
    add("--users", metavar="NAME,...", help=f"mines:0.4 follows the plan 4 times in 10 ({','.join(USERS)})")
    add(
        "--population",
        type=int,
        metavar="N",
        help="instead of users: N with plans and skills drawn at random",
    )
    add(
        "--mode",
        metavar="MODE,...",
        default=",".join(COMPARED),
        help=f"beside the controls {', '.join(CONTROLS)}: {', '.join(ADAPTING)}, {FIXED}0 to {FIXED}249 "
        f"({','.join(COMPARED)})",
    )
    add("--seeds", type=int, metavar="N", help=f"series of each user ({SEEDS}; 1 of each in a population)")
    add("--rules", default="improved", metavar="NAME", help="improved or seed (improved)")
    add("--pool", type=Path, metavar="FILE", help="the 250 strings (those that come with the program)")
    add("--aim", type=float, default=0.5, metavar="P", help="share of games for the user to win (0.5)")
    add("--mercy", type=float, default=0.5, metavar="M", help="of the calibrated mode, 0 to 1 (0.5)")
    add("--replicates", type=int, default=4, metavar="N", help="tests of a string, a turn (4)")
    add("--skill", type=float, default=1.0, metavar="Q", help="how often users follow their plan (1)")
    add("--save", type=Path, metavar="FILE", help="keep finished series there, and go on with it")
