"""A run of warriors, put together from its record: population, fights, files, and what people read."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from engines.corewar.tribes.ancestors import read_ancestors
from engines.corewar.tribes.breeding.founders import Founders
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.member import Member
from engines.corewar.tribes.genome import WarriorGenome
from engines.corewar.tribes.opponents import Reader, read_opponents, read_parts
from engines.corewar.tribes.progress.exports import TribeFiles
from engines.corewar.tribes.progress.report import TribesReport
from engines.corewar.tribes.tribes import Task, Tribes
from engines.evolution.evolution import Generation
from engines.run.run import Experiment
from engines.run.store import Store

RUNS: Final = Path(__file__).parents[1] / "runs"


def seed_in(config: str, read: Reader) -> int:
    """The seed that a configuration names. ValueError if it cannot be used, with line and key."""
    wanted = TribesConfig.loads(config)
    for where in (wanted.opponents, wanted.panel):
        read_opponents(where, wanted, read)
    Founders.of(wanted, read_parts(wanted.parts, wanted, read))
    read_ancestors(wanted.ancestors, wanted)
    return wanted.seed


def open_experiment(store: Store, read: Reader) -> Experiment:
    """The run as the store has it, ready to go on."""
    config = TribesConfig.loads(store.config)
    past = partial(_past, store)
    if store.state:
        population = _resumed(config, store)
    else:
        population = Tribes(
            config,
            store.seed,
            past,
            read_opponents(config.opponents, config, read) if config.evaluation == "elite" else (),
            read_opponents(config.panel, config, read),
            read_parts(config.parts, config, read),
            read_ancestors(config.ancestors, config),
        )
    report = TribesReport(config.tribes * config.tribe_size)
    return Experiment(
        population=population,
        play=play,
        journal=_Journal(TribeFiles(store.folder), population, past, config.export_interval),
        report=lambda generation: report.text(dict(generation.statistics), population.champions.ranked),
        preload=(__name__,),
    )


def living(store: Store) -> list[list[Member]]:
    """The tribes as they are on record. ValueError if the run has not begun."""
    if not store.state:
        raise ValueError(f"{store.folder} has no tribes yet")
    return _resumed(TribesConfig.loads(store.config), store).tribes


def _resumed(config: TribesConfig, store: Store) -> Tribes:
    population = Tribes(config, store.seed, partial(_past, store))
    population.resume(store.state)
    return population


def _past(store: Store, id: int) -> WarriorGenome:
    return WarriorGenome.loads(store.individual(id).genome)


def play(task: Task) -> Any:
    """What came of a task: a pure function, for workers."""
    return task.play()


@dataclass(frozen=True, slots=True)
class _Journal:
    """The exports as a run's Journal. They are no part of the record, so there is nothing to cut back."""

    files: TribeFiles
    population: Tribes
    past: Callable[[int], WarriorGenome]
    interval: int

    def rewind(self, mark: str) -> None:
        """Whatever is there is replaced in time."""

    def append(self, generation: Generation[WarriorGenome]) -> str:
        if generation.number % self.interval:
            return ""
        for number, members in enumerate(self.population.tribes):
            ranked = sorted(members, key=lambda member: member.merit)
            self.files.tribe(
                number,
                ((each.id, self.population.genome(each.genes), each.record) for each in ranked),
            )
        self.files.champions(
            (each.id, self.past(each.id), f"{each.score:.2f} against the panel, {each.panels} times")
            for each in self.population.champions.ranked
        )
        return ""
