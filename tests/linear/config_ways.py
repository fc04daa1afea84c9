"""The ways of configurations and states of evolutions."""

from engines.acquire.experiment import configured
from engines.acquire.gp_evolution import GpState
from engines.chess.config import PoolConfig
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.population import TribesState
from engines.evolution.state import load_state
from engines.protection.experiment import configured as protection_configured
from engines.protection.ga_config import GaConfig
from engines.statistics import Sprt
from tests.linear.way import Way

WAYS = (
    Way(
        name="the state of a run",
        read=lambda text: (load_state(text, TribesState), load_state(text, GpState)),
        covers=("engines/evolution/state.py:load_state",),
        starts=("", '{"living": [', '{"generation": 1, "tribes": [['),
        units=("1,", "[1],", '"a",'),
    ),
    *(
        Way(
            name=f"a configuration of {game}",
            read=read,
            covers=covers,
            starts=("", *starts),
            units=("seed = 1\n", "a = 1\n", "seed = ", "=", "evolve", "evolve =\n", "\n\n\nevolve"),
        )
        for game, read, starts, covers in (
            (
                "Acquire",
                configured,
                (
                    "seed = ",
                    "evolve = net\nopponent = ",
                    "evolve = all decisions\nfounders = ",
                ),
                (
                    "engines/acquire/experiment.py:configured",
                    "engines/acquire/league_config.py:Opponents.loads",
                    "engines/acquire/league_config.py:founder_list",
                ),
            ),
            (
                "chess",
                PoolConfig.loads,
                ("seed = ", "game time = ", "start = "),
                ("engines/chess/config.py:PoolConfig.loads_new", "engines/chess/config.py:start"),
            ),
            (
                "Core War",
                TribesConfig.loads,
                ("seed = ", "score formula = ", "instructions = ", "near = ", "ancestors = "),
                (
                    "engines/corewar/evolution/config.py:instructions",
                    "engines/corewar/evolution/config.py:common_instructions",
                ),
            ),
            (
                "Advanced Protection",
                GaConfig.loads,
                ("seed = ", "arrangement = ", "founders = "),
                (
                    "engines/config.py:Key.read",
                    "engines/config.py:read",
                    "engines/config.py:Config.loads",
                    "engines/config.py:plain_name",
                    "engines/config.py:folded",
                ),
            ),
        )
    ),
    Way(
        name="a configuration: Advanced Protection, of either kind",
        read=protection_configured,
        starts=("evolve = arms race\nseed = ", "evolve = ", "seed = "),
        covers=("engines/protection/experiment.py:configured", "engines/config.py:evolves"),
    ),
    Way(
        name="a test of strength",
        read=Sprt.parse,
        covers=("engines/statistics.py:Sprt.parse",),
        units=("1,",),
    ),
)
