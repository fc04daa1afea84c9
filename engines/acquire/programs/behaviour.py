"""The behaviour of programs as a digest: those who choose alike in the same fixed states behave alike."""

from dataclasses import dataclass
from hashlib import blake2b

from core.acquire.players.player import Player
from engines.acquire.behaviour import choices
from engines.acquire.genome import Genome
from engines.acquire.programs.evaluation.games import Arena


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Some players to be watched, as a task."""

    arena: Arena
    genomes: tuple[Genome, ...]
    decisions: tuple[str, ...]
    states: int  # of each decision

    def play(self) -> list[bytes]:
        """A digest of each."""
        return [self._digest(self.arena.express(genome)) for genome in self.genomes]

    def _digest(self, player: Player) -> bytes:
        chosen = choices(player, self.arena.rules, self.decisions, self.states)
        return blake2b(repr(chosen).encode(), digest_size=8).digest()
