"""The argument of a command of `galapagos genome`: a bundled genome, a file, or an individual of a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engines.config import RUN_FILE
from engines.evolution.run_store import RunStore, StoredIndividual
from tools.games import GAMES, best_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The source of a genome: a name or a path, an ID if one was given, and the open store if the path is a run.

    `game` is the game that the user has named, as in `chess:evolved`; the name is without it.
    """

    name: str
    id: int | None = None
    store: RunStore | None = None
    game: str = ""

    def individual(self, game: str) -> StoredIndividual:
        """Return the individual with the ID of the source, or the best of the run if there is no ID.

        Raises ValueError if the source is no run of `game` or the run has no such individual.
        """
        if self.store is None:
            raise ValueError(f"{self.name} is not the folder of a run, so no ID can be given")
        if self.store.game != game:
            raise ValueError(f"{self.name} is a run of {self.store.game}, not of {game}")
        id = best_id(self.store) if self.id is None else self.id
        try:
            return self.store.individual(id)
        except KeyError:
            raise ValueError(f"{self.name} has no individual with the ID {id}") from None


@contextmanager
def opened(name: str, id: int | None = None) -> Iterator[Source]:
    """Yield the source that an argument names, with its store open if it is a run.

    Raises ValueError if the store cannot be read.
    """
    game, name = without_game(name)
    if (Path(name) / RUN_FILE).is_file():
        with RunStore.open(Path(name)) as store:
            yield Source(name=name, id=id, store=store, game=game)
    else:
        yield Source(name=name, id=id, game=game)


def without_game(name: str) -> tuple[str, str]:
    """Return the game of a name such as chess:evolved, or an empty text, and the name without it."""
    game, colon, rest = name.partition(":")
    return (game, rest) if colon and rest and game in GAMES and not Path(name).exists() else ("", name)
