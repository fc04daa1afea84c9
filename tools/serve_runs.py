"""The runs that a server starts for its clients: their configurations, and how runs are created, forked and resumed."""

import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from engines.catalogue import first_sentence
from engines.config import RUN_FILE, Config, keys_of
from engines.evolution.run import Evolution
from engines.evolution.run_store import RunStore
from engines.storage import read_text
from protocols.web.run_control import Configuration, ForkForm, ForkOfRun, MainKey, NewRun, RunStarter
from tools.games import GAMES
from tools.new_run import config_of, create_run, fork_run

LOW_PRIORITY: Final = ("nice", "-n", "10")  # of evolutions: games of people have priority
FIRST_HOURS: Final = (
    0.5  # after which a run started from the page is paused, unless the client names another time
)
MAX_SEED: Final = 1_000_000  # of seeds at random, which people can read and type
MAX_OFFERED: Final = 500  # generations of an excerpt that are offered for a fork


def starter(home: Path, is_allowed: Callable[[str], bool]) -> RunStarter:
    """Return the functions by which the page starts runs below the folder `home`."""
    return RunStarter(
        is_allowed=is_allowed,
        home=home,
        hours=FIRST_HOURS,
        configurations=configurations,
        create=_create,
        fork_form=_fork_form,
        fork=_fork,
        command=evolve_command,
    )


def evolve_command(folder: Path, hours: float | None = None) -> Sequence[str]:
    """Return the command that continues a run, for some hours at most. Raises ValueError if the folder holds no run."""
    with RunStore.open(folder) as store:
        game = store.game
    gently = LOW_PRIORITY if shutil.which(LOW_PRIORITY[0]) else ()
    bounds = ("--run", str(folder), *(("--hours", f"{hours:g}") if hours else ()))
    return (*gently, sys.executable, "-m", "tools", "evolve", game, *bounds, "--resume")


@cache
def configurations() -> Sequence[Configuration]:
    """Return the bundled configurations of all games; of each game those that soon show something come first."""
    found = []
    for game, info in GAMES.items():
        if info.evolution is None:
            continue
        paths = sorted(
            info.evolution().RUNS.glob("*.txt"), key=lambda path: (path.stem != info.first_run, path.stem)
        )
        for path in paths:
            text = read_text(path)
            config = config_of(game, text)
            found.append(
                Configuration(
                    config=f"{game}/{path.stem}",
                    game=game,
                    name=path.stem,
                    about=first_sentence(text),
                    shows_soon=path.stem == info.first_run,
                    keys=_described(config, config.main_keys) if config else (),
                )
            )
    return found


def _described(config: Config, names: Sequence[str]) -> Sequence[MainKey]:
    from tools.reference import described_keys

    keys = {key.name: key for key in keys_of(type(config))}
    described = {key.name: key for key in described_keys(type(config))}
    return [
        MainKey(
            name=name,
            value=keys[name].write(getattr(config, keys[name].field)),
            may_be=described[name].may_be,
            note=described[name].note,
        )
        for name in names
    ]


def _create(folder: Path, wanted: NewRun) -> None:
    game, _, name = wanted.config.partition("/")
    evolution = _evolution(game)
    text = read_text(evolution.RUNS / f"{name}.txt")
    create_run(
        game, evolution, folder, text, _seed(wanted.seed), wanted.settings, main_keys_only=True
    ).close()


def _fork_form(source: Path) -> ForkForm:
    with RunStore.open(source) as store:
        game, config, is_excerpt = store.game, store.config, not store.state
        recorded = [each.number for each in store.generations()][:MAX_OFFERED] if is_excerpt else []
        last = store.last_generation
    known = config_of(game, config) if game in GAMES else None
    return ForkForm(
        last=last,
        recorded=recorded,
        keys=_described(known, known.fork_keys) if known else (),
    )


def _fork(source: Path, folder: Path, wanted: ForkOfRun) -> None:
    with RunStore.open(source) as store:
        game = store.game
    try:
        fork_run(
            game, _evolution(game), source, wanted.generation, folder, _seed(wanted.seed), wanted.settings
        )
    except ValueError as error:
        raise ValueError(str(error).removeprefix(f"{source / RUN_FILE}: ")) from None


def _evolution(game: str) -> Evolution:
    evolution = GAMES[game].evolution if game in GAMES else None
    if evolution is None:
        raise ValueError(f"this server cannot evolve players of {game[:40]!r}")
    return evolution()


def _seed(text: str) -> int:
    """Return the seed that a client names, or one at random."""
    return int(text) if text else secrets.randbelow(MAX_SEED)
