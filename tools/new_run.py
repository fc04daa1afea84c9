"""New runs with other values of keys, and forks of runs: for `galapagos evolve` and for the page.

Values are read by the readers of the configuration's keys, so an error names the key and says what is allowed.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from engines.config import Config, ConfigError, folded, keys_of
from engines.evolution.fork import fork
from engines.evolution.run import Evolution
from engines.evolution.run_store import RunStore
from engines.names import near
from engines.version import VERSION
from tools.games import GAMES


def create_run(
    game: str,
    evolution: Evolution,
    folder: Path,
    config: str,
    seed: int | None,
    settings: Mapping[str, str],
    *,
    main_keys_only: bool = False,
) -> RunStore:
    """Create the store of a new run, and open it for writing; `seed` is by default that of the configuration.

    With `main_keys_only`, `settings` must not name other keys, some of which are names of files. The folder is not touched before the configuration has been validated. Raises ValueError, OSError or sqlite3.Error
    if the run cannot be created.
    """
    text, own_seed = config, evolution.seed_in(config)
    if settings:
        known = config_of(game, config) if main_keys_only else None
        text = with_values(game, config, settings, known.main_keys if known else None)
        own_seed = evolution.seed_in(text)
    return RunStore.create(
        folder, game=game, config=text, seed=own_seed if seed is None else seed, version=VERSION
    )


def fork_run(
    game: str,
    evolution: Evolution,
    source: Path,
    generation: int | None,
    folder: Path,
    seed: int | None,
    settings: Mapping[str, str],
) -> None:
    """Create a run in a new folder that repeats `source` up to a generation, by default its last.

    Then it goes on with another seed, other values of keys, or both. Raises ValueError, OSError or sqlite3.Error if
    that is impossible.
    """
    with RunStore.open(source) as store:
        found, last = store.game, store.last_generation
        if generation is None:
            generation = last
        config, old_seed = store.settings_of(generation + 1)
    if found != game:
        raise ValueError(f"{source} holds a run of {found}, not of {game}")
    if last < 0:
        raise ValueError(f"{source} has no generation yet; start a new run with its configuration instead")
    if seed in (None, old_seed) and not settings:
        raise ValueError(
            "a fork needs another seed or another value of a key; otherwise it would be the same run"
        )
    if settings:
        known = config_of(game, config)
        config = with_values(game, config, settings, known.fork_keys if known else ())
        evolution.seed_in(config)
    with RunStore.open(source) as store:
        fork(store, folder, generation, config, old_seed if seed is None else seed, VERSION)


def with_values(
    game: str, config: str, settings: Mapping[str, str], allowed: Sequence[str] | None = None
) -> str:
    """Return the text of a configuration with other values of some keys, each read by its reader.

    Raises ConfigError, which names the key, for an unknown key, a wrong value, or a key that is not `allowed`.
    """
    known = config_of(game, config)
    keys = {folded(key.name): key for key in keys_of(type(known))} if known else {}
    values = {}
    for name, text in settings.items():
        key = keys.get(folded(name))
        if key is None:
            raise ConfigError(
                f"this configuration has no key {name[:60]!r}; {near(folded(name), list(keys))}",
                key=name[:60],
            )
        if allowed is not None and key.name not in allowed:
            others = f"the keys that can are {', '.join(allowed)}" if allowed else "only the seed can"
            raise ConfigError(f"{key.name} cannot be changed here; {others}", key=key.name)
        values[key.name] = key.write(key.read(text))
    changed = with_settings(config, values)
    try:
        if known:
            type(known).loads(changed)
    except ConfigError as error:
        raise ConfigError(error.reason, key=error.key) from None  # no line: nobody has seen this text
    return changed


def with_settings(config: str, settings: Mapping[str, str]) -> str:
    """Return the text of a configuration with the values of `settings`, which replace those of the same keys."""
    keys = {folded(key) for key in settings}
    kept = [line for line in config.splitlines() if folded(line.partition("=")[0]) not in keys]
    return "\n".join([*kept, *(f"{key} = {value}" for key, value in settings.items()), ""])


def config_of(game: str, text: str) -> Config | None:
    """Return the configuration of a text, or None if the game describes no configurations or the text is not valid."""
    for _, module, name in GAMES[game].references.configurations:
        kind = getattr(import_module(module), name)
        try:
            config: Config = kind.loads(text)
        except ConfigError:
            continue
        return config
    return None
