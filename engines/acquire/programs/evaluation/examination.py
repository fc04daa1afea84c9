"""An examination: the seemingly best are tested anew, and the best of them meets a fixed panel.

The best of a thousand by ten games each is mostly lucky; it is named the champion only after games that played
no part in choosing it.
"""

from dataclasses import dataclass
from functools import cache

from core.acquire.players import Heuristic, Player
from core.random import Random
from engines.acquire.genome import Genome, thesis_players
from engines.acquire.programs.config import ProgramsConfig
from engines.acquire.programs.evaluation.fitness import points
from engines.acquire.programs.evaluation.games import Arena, Worths
from engines.evolution.population import derive_seed
from engines.evolution.selection import choice

Tally = tuple[int, int, int]  # losses, ties, wins


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What came of it. `champion` is a place among the candidates, `retest` the means of all of them."""

    champion: int
    retest: tuple[float, ...]
    panel: dict[str, Tally]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """Some candidates and the field of all who live with them, as a task."""

    config: ProgramsConfig
    candidates: tuple[Genome, ...]
    field: tuple[Genome, ...]
    seed: int

    def play(self) -> Examined:
        arena = Arena.of(self.config)
        retest = tuple(self._retested(arena, place) for place in range(len(self.candidates)))
        champion = max(range(len(retest)), key=retest.__getitem__)
        panel = {
            name: self._tally(arena, champion, member, index) for index, (name, member) in enumerate(_panel())
        }
        return Examined(champion=champion, retest=retest, panel=panel if self.config.panel_games else {})

    def _retested(self, arena: Arena, place: int) -> float:
        """The candidate's fitness in fresh games against the field."""
        rng = Random(derive_seed(self.seed, 0, place))
        player = arena.express(self.candidates[place])
        cash = arena.rules.cash
        total = 0.0
        for game in range(self.config.retest_games):
            other = arena.express(choice(self.field, rng))
            ended = _as_one(arena, player, other, game % 2 == 0, int(rng.below(2**61)))
            total += points(self.config, ended, cash)[0]
        return total / self.config.retest_games

    def _tally(self, arena: Arena, champion: int, member: Player, index: int) -> Tally:
        """Two games with each bag, each of the two joining first once."""
        player = arena.express(self.candidates[champion])
        tally = [0, 0, 0]
        for game in range(self.config.panel_games):
            seed = derive_seed(self.seed, 1, index, game // 2)
            own, others = _as_one(arena, player, member, game % 2 == 0, seed)
            tally[1 + (own > others) - (own < others)] += 1
        return tally[0], tally[1], tally[2]


def _as_one(arena: Arena, one: Player, other: Player, is_first: bool, seed: int) -> Worths:
    """The worths of the one and the other, whoever joins first."""
    if is_first:
        return arena.meet(one, other, seed)
    others, own = arena.meet(other, one, seed)
    return own, others


@cache
def _panel() -> tuple[tuple[str, Player], ...]:
    """Never trained on."""
    printed = ((name, genome.express()) for name, genome in thesis_players().items())
    return ("random", Player()), ("heuristic", Heuristic()), *printed
