"""The best individual of a run: who it is while the run goes on, and how good it is when the run has ended.

It is the individual that the game's evolution calls its champion (GameStatistics.champion). Its strength is measured next to the
run, against a reference that no run changes, so that neither the run nor its hash depends on it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from engines.evolution.population import derive_seed
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.strength import GameReference, Strength

TELLING: Final = (
    "score",
    "fitness",
    "grade",
    "performance",
    "loss",
)  # how the charts begin that are about strength
NO_CHAMPION: Final = "no champion yet"
MEASURING: Final = 0x57A7  # a stream of random numbers that no evolution uses


class BestSoFar:
    """Tells after each generation of a session who is best; of a game without statistics it tells nothing."""

    def __init__(
        self, game: GameReference | None, state: Callable[[], str], past: Iterable[StoredGeneration] = ()
    ) -> None:
        """`state` gives the population's state after the last generation; `past` are those before the session."""
        self._game = game
        self._state = state
        self._last: dict[str, tuple[int, Mapping[str, Any]]] = {}  # by key: the last generation that has it
        for generation in past:
            self.add(generation.number, generation.statistics)

    def add(self, number: int, statistics: Mapping[str, Any]) -> None:
        """Note a generation, since a champion may be named in one and stay it in those that follow."""
        for key in statistics or ("",):
            self._last[key] = number, statistics

    def id(self) -> int | None:
        """The ID of the best individual after the generations that were added; None if there is none yet."""
        if self._game is None:
            return None
        past = sorted(self._last.values(), key=lambda each: each[0])
        return self._game.champion([statistics for _, statistics in past], self._state())

    def text(self) -> str:
        """Return the ID in words, with the newest generation's first measure of strength."""
        if self._game is None:
            return ""
        champion = self.id()
        if champion is None:
            return NO_CHAMPION
        newest = max(self._last.values(), key=lambda each: each[0])[1]
        measures = self._game.measures(newest).items()
        shown = (f", {name} {value:.4g}" for name, value in measures if name.startswith(TELLING))
        return f"best so far {champion}{next(shown, '')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best individual that a run has found so far, with its strength and the commands that show it."""

    id: int
    born: int  # the generation
    strength: Strength
    commands: Sequence[str]

    @classmethod
    def of(cls, game: GameReference, store: RunStore) -> Self | None:
        """Measure the champion of a run; None if it has none yet."""
        id = RunHistory(store).champion(game)
        if id is None:
            return None
        best = store.individual(id)
        return cls(
            id=id,
            born=best.generation,
            strength=game.measure(store.config, best.genome, derive_seed(store.seed, MEASURING)),
            commands=game.commands(store, id),
        )

    def data(self) -> dict[str, object]:
        """Return the individual as a JSON object."""
        return {
            "id": self.id,
            "generation": self.born,
            "strength": {
                **asdict(self.strength.estimate),
                "games": self.strength.games,
                "against": self.strength.against,
            },
            "commands": list(self.commands),
        }

    def lines(self) -> list[str]:
        """Return the individual as lines for people."""
        return [
            f"best so far: {self.id}, born in generation {self.born:,}; {self.strength}",
            *(
                f"{'see it:' if not number else '':10} {command}"
                for number, command in enumerate(self.commands)
            ),
        ]
