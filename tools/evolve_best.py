"""The best individual of a run: its ID during the run, and its strength after the run.

The best individual is the one that the game's evolution calls its champion (GameStatistics.champion). Its strength is
measured outside the run, against a reference that no run changes, so that neither the run nor its hash depends on it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from engines.evolution.population import derive_seed
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.strength import MEASURING, GameReference, Strength

TELLING: Final = (
    "score",
    "fitness",
    "grade",
    "performance",
    "loss",
)  # prefixes of the names of measures of strength
NO_CHAMPION: Final = "no champion yet"


class BestSoFar:
    """The best individual after each generation of a session; unknown for a game without statistics."""

    def __init__(
        self, game: GameReference | None, state: Callable[[], str], past: Iterable[StoredGeneration] = ()
    ) -> None:
        """Start with the generations before the session; `state` returns the population's present state."""
        self._game = game
        self._state = state
        self._last: dict[str, tuple[int, Mapping[str, Any]]] = {}  # by key: the last generation that has it
        for generation in past:
            self.add(generation.number, generation.statistics)

    def add(self, number: int, statistics: Mapping[str, Any]) -> None:
        """Add a generation; a champion may be named in one generation and remain champion in later ones."""
        for key in statistics or ("",):
            self._last[key] = number, statistics

    def id(self) -> int | None:
        """Return the ID of the best individual after the generations so far, or None."""
        if self._game is None:
            return None
        past = sorted(self._last.values(), key=lambda each: each[0])
        return self._game.champion([statistics for _, statistics in past], self._state())

    def text(self) -> str:
        """Return the ID in words, with the newest generation's best, or else first, measure of strength."""
        if self._game is None:
            return ""
        champion = self.id()
        if champion is None:
            return NO_CHAMPION
        newest = max(self._last.values(), key=lambda each: each[0])[1]
        measures = self._game.measures(newest).items()
        shown = {
            name: f", {_short(name)} {value:.4g}" for name, value in measures if name.startswith(TELLING)
        }
        first = next((name for name in shown if name.endswith(": best")), next(iter(shown), ""))
        return f"best so far: genome {champion}{shown.get(first, '')}"


def _short(name: str) -> str:
    """Return the name of a measure, "CHART: CURVE", without a curve that the chart's name contains."""
    chart, _, curve = name.partition(": ")
    return chart if curve in chart.split() else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best individual that a run has found so far, with its strength and the commands that show it."""

    id: int
    born: int  # the generation
    strength: Strength
    commands: Sequence[str]

    @classmethod
    def of(cls, game: GameReference, store: RunStore) -> Self | None:
        """Measure the champion of a run; return None if the run has none yet."""
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
        """Return the individual as lines of text."""
        return [
            f"best so far: genome {self.id} of generation {self.born:,}; {self.strength}",
            *(
                f"{'show it:' if not number else '':10} {command}"
                for number, command in enumerate(self.commands)
            ),
        ]
