"""The panel: fixed opponents whom the best of each tribe meets now and then, so that progress can be seen.

Evolving Warriors calls the lack of it one of its greatest flaws: warriors of one generation, compared
among themselves, do not tell whether all of them get better.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.fight import Outcome, Ring
from engines.corewar.tribes.genome import WarriorGenome


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelTask:
    """A warrior that meets the panel."""

    config: TribesConfig
    warrior: Warrior
    partners: Sequence[Warrior]  # of its team
    panel: Sequence[Warrior]
    seed: int

    def play(self) -> list[Outcome]:
        """What came of each fight, in the order of the panel."""
        ring = Ring.of(self.config, self.config.panel_rounds, self.partners)
        rng = Random(self.seed)
        return [ring.fight(self.warrior, opponent, rng) for opponent in self.panel]


def score(outcomes: Sequence[Outcome]) -> float:
    """The mean over the opponents: 300 for nothing but wins, 100 for nothing but ties."""
    return sum(100 * (3 * each.wins + each.ties) / each.rounds for each in outcomes) / len(outcomes)


def tallies(
    panel: Sequence[tuple[int, WarriorGenome]], met: Sequence[Sequence[Outcome]]
) -> dict[str, list[int]]:
    """Losses, ties and wins of all candidates together against each of the panel."""
    names = [genome.name for _, genome in panel]
    found = {}
    for seat, (id, genome) in enumerate(panel):
        name = genome.name if names.count(genome.name) == 1 else f"{genome.name} ({id})"
        fights = [each[seat] for each in met]
        found[name] = [
            sum(fight.losses for fight in fights),
            sum(fight.ties for fight in fights),
            sum(fight.wins for fight in fights),
        ]
    return found
