"""The experiment of Core War: a run's population, exports, report and curves, and the catalogue of evolved players.

Reference: Evolving Warriors.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final

from core.corewar.instruction import OPERATIONS, operation_of
from engines.catalogue import PlayerInfo, measured
from engines.corewar import ranking
from engines.corewar.battles import Sampling, fight_pairs, pair_tasks
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.evaluation import Member
from engines.corewar.evolution.genome import WarriorGenome, read_ancestors, read_opponents, read_parts
from engines.corewar.evolution.population import Champion, Tribes, TribesState
from engines.corewar.evolution.story import CHARTS as CHARTS
from engines.corewar.evolution.story import champion as champion
from engines.corewar.evolution.story import portrait as portrait
from engines.corewar.evolution.story import story as story
from engines.corewar.evolution.tribe import play
from engines.corewar.evolution.variation import Founders
from engines.corewar.ranking import Generality
from engines.evolution.population import Generation
from engines.evolution.run import Experiment, RunExporter
from engines.evolution.run_store import RunStore
from engines.evolution.state import load_state
from engines.statistics import score
from engines.storage import write_atomically
from engines.strength import Strength

COREWAR_FOLDER: Final = Path(__file__).parents[1]
RUNS: Final = COREWAR_FOLDER / "runs"

# (title, row, column) of each evolved player: the cell of its card with the score against warriors that it had never
# met.
EVOLVED: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType({
    "general": ("7 instructions for the core of 8,000", "70 warriors", "score"),
    "wilkies": ("10 instructions for the core of 8,000", "142 warriors", "score"),
    "large": ("67 instructions for the core of 8,000", "101 warriors", "score"),
    "three": ("plays a paper, a stone or a scanner, by what P-space remembers", "131 warriors", "three"),
    "switcher": ("chooses between two warriors by what P-space remembers", "131 others", "switcher"),
    "tiny": ("20 instructions for the tiny core of 800", "the other 66", "score"),
    "nano": ("5 instructions for the nano core of 80", "55 nano warriors", "score"),
})  # fmt: skip
REFERENCE_ROUNDS: Final = 20  # against each opponent
STRATEGY: Final = ";strategy "

CURVES: Final = {
    "length": "length of a warrior: median of a tribe",
    "genotypes": "different warriors of a tribe: as they are",
    "codes": "different warriors of a tribe: without their values",
}
HEAD: Final = (
    f"{'Tribe':>5}{'Genotypes':>11}{'Codes':>7}{'Length':>8}{'Age':>9}{'Oldest':>9}{'Best':>10}{'Score':>8}"
)


def seed_in(config: str) -> int:
    """Return the seed of a configuration.

    Raises ValueError, with line and key, if the configuration is not valid, and ValueError or OSError if the warriors
    that it names cannot be used.
    """
    loaded = TribesConfig.loads(config)
    for where in (loaded.opponents, loaded.panel):
        read_opponents(where, loaded)
    Founders.of(loaded, read_parts(loaded.parts, loaded))
    read_ancestors(loaded.ancestors, loaded)
    return loaded.seed


def commands(store: RunStore, id: int) -> list[str]:
    """Return the command that explains a warrior of a run."""
    return [f"galapagos genome explain {quote(str(store.folder))} {id}"]


def measure(config: str, genome: str, seed: int) -> Strength:
    """Return the mean score of a warrior against the bundled ones that fit the rules: 300 for winning every round."""
    loaded = TribesConfig.loads(config)
    opponents = read_opponents("own", loaded)
    warrior = WarriorGenome.loads(genome).express()
    pairs = [(warrior, opponent.express()) for opponent in opponents]
    sampling = Sampling(rounds=REFERENCE_ROUNDS, seed=seed)
    tallies = [tally for task in pair_tasks(loaded.rules, sampling, pairs) for tally in fight_pairs(task)]
    return Strength(
        estimate=ranking.score(tallies),
        form=".1f",
        games=REFERENCE_ROUNDS * len(pairs),
        unit="rounds",
        against=f"of 300 points against the {len(pairs)} bundled warriors",
    )


def has_games(config: str) -> bool:
    """Return whether a run has games on record: scrimmages are recorded, fights against opponents are not."""
    return TribesConfig.loads(config).evaluation == "scrimmage"


def open_experiment(store: RunStore) -> Experiment:
    """Return the experiment of a run, new or resumed from its store."""
    config = TribesConfig.loads(store.config)
    past = partial(_genome_by_id, store)
    if store.state:
        population = _resumed(config, store)
    else:
        population = Tribes(
            config,
            store.seed,
            past,
            read_opponents(config.opponents, config) if config.evaluation == "elite" else (),
            read_opponents(config.panel, config),
            read_parts(config.parts, config),
            read_ancestors(config.ancestors, config),
        )
    report = TribesReport(config.tribes * config.tribe_size)
    return Experiment(
        population=population,
        play=play,
        journal=_Exporter(TribeFiles(store.folder), population, past, config.export_interval),
        report=lambda generation: report.text(dict(generation.statistics), population.champions.ranked),
        preload=(__name__,),
    )


def living(store: RunStore) -> list[list[Member]]:
    """Return the tribes at the end of the record. Raises ValueError if the run has not started."""
    if not store.state:
        raise ValueError(f"{store.folder} has no tribes yet")
    return _resumed(TribesConfig.loads(store.config), store).tribes


def _resumed(config: TribesConfig, store: RunStore) -> Tribes:
    return Tribes(
        config, store.seed, partial(_genome_by_id, store), state=load_state(store.state, TribesState)
    )


def _genome_by_id(store: RunStore, id: int) -> WarriorGenome:
    return WarriorGenome.loads(store.individual(id).genome)


# -- Exports: readable files -----------------------------------------------------------------------------


class TribeFiles:
    """The readable files in the folder of a run: Redcode, one file for each tribe and one for the champions.

    The store is the record; these files are for people and for other programs, and are replaced as wholes (section
    Implementation).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tribe(self, number: int, warriors: Iterable[tuple[int, WarriorGenome, str]]) -> None:
        """Replace the file of a tribe atomically; each warrior is (ID, genome, remark)."""
        self._write(f"tribe_{number}.red", f"Tribe {number}", warriors)

    def champions(self, warriors: Iterable[tuple[int, WarriorGenome, str]]) -> None:
        self._write("champions.red", "Champion", warriors)

    def _write(self, file: str, title: str, warriors: Iterable[tuple[int, WarriorGenome, str]]) -> None:
        text = "\n".join(
            replace(genome, name=f"{title}, {id}").dumps().replace("\nORG", f"\n;strategy {remark}\nORG", 1)
            for id, genome, remark in warriors
        )
        write_atomically(self._folder / file, text)


@dataclass(frozen=True, slots=True)
class _Exporter(RunExporter):
    """The exports of a run, after each `interval` generations."""

    files: TribeFiles
    population: Tribes
    past: Callable[[int], WarriorGenome]
    interval: int

    def append(self, generation: Generation[WarriorGenome]) -> str:
        if generation.number % self.interval:
            return ""
        for number, members in enumerate(self.population.tribes):
            ranked = sorted(members, key=lambda member: member.merit)
            self.files.tribe(
                number,
                ((member.id, self.population.genome(member.genes), member.record) for member in ranked),
            )
        self.files.champions(
            (
                champion.id,
                self.past(champion.id),
                f"{champion.score:.2f} against the panel, {champion.panels} times",
            )
            for champion in self.population.champions.ranked
        )
        return ""


# -- Report: the text that is shown after a generation ---------------------------------------------------


class TribesReport:
    """The text of a generation's statistics and the champions; the last panel is shown until the next one."""

    def __init__(self, population: int) -> None:
        self._population = population  # the number of living warriors
        self._panel: dict[str, Sequence[int]] = {}

    def text(self, statistics: dict[str, Any], champions: Sequence[Champion]) -> str:
        self._panel = statistics.get("panel", self._panel)
        parts = [self._totals(statistics), "\n".join(_tribes(statistics["tribes"]))]
        if self._panel:
            parts.append("\n".join(_panel(self._panel)))
            parts.append(_generality(self._panel))
        if champions:
            parts.append("\n".join(_champions(champions)))
        return "\n\n".join(parts) + "\n"

    def _totals(self, facts: dict[str, Any]) -> str:
        viable = f"{facts['viable'] / facts['tries']:.0%}" if facts["tries"] else "unknown"
        turning = "not yet" if facts["turning_point"] is None else f"{facts['turning_point']:,} offspring"
        return (
            f"Offspring: {facts['offspring']:,}  Generations of {self._population}: "
            f"{facts['offspring'] / self._population:,.1f}  Sweeps: {facts['sweep']:,}\n"
            f"Viable at birth: {viable}  Turning point: {turning}  Crossover: {facts['crossover']:.0%}"
        )


def _tribes(tribes: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield HEAD
    for number, facts in enumerate(tribes):
        losses, ties, wins = facts["best_record"]
        rounds = losses + ties + wins
        score = facts.get("grade", 100 * (3 * wins + ties) / rounds if rounds else 0.0)
        yield (
            f"{number:5}{facts['genotypes']:11}{facts['codes']:7}{facts['length']:8g}{facts['age']:9,.0f}"
            f"{facts['oldest']:9,}{facts['best']:10}{score:8.1f}"
        )


def _panel(panel: dict[str, Sequence[int]]) -> Iterator[str]:
    """Yield the lines of the panel, laid out like the table in section Results and Discussion."""
    yield f"{'The best of the tribes against':32}{'Won':>7}{'Tied':>7}{'Lost':>7}  Points"
    for name, (losses, ties, wins) in panel.items():
        ours, theirs = 3 * wins + ties, 3 * losses + ties
        yield (
            f"{name[:31]:32}{wins:7}{ties:7}{losses:7}  {ours} - {theirs} ({ours / max(ours + theirs, 1):.0%})"
        )


def _generality(panel: Mapping[str, Sequence[int]]) -> str:
    generality = Generality.of(panel.values())
    return (
        f"Panel: {generality.defeated} defeated, {generality.tied} tied, {generality.lost} not defeated; "
        f"generality {generality.share:.0%}"
    )


def _champions(champions: Sequence[Champion]) -> Iterator[str]:
    yield "Champions: " + ", ".join(
        f"{champion.id} ({champion.score:.1f} in {champion.panels})" for champion in champions[:5]
    )


# -- Curves of a run: grades, the panel, the diversity of tribes, and the instructions of warriors --------


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Return the values of a generation by name, "CHART: CURVE"."""
    tribes = statistics.get("tribes", ())
    values: dict[str, float] = {}
    grades = [tribe["grade"] for tribe in tribes if "grade" in tribe]
    if grades:
        values["grade of the best of a tribe: best"] = max(grades)
        values["grade of the best of a tribe: mean"] = fmean(grades)
    if panel := [score(tally).value for tally in statistics.get("panel", {}).values()]:
        values["score against the panel: best"] = max(panel)
        values["score against the panel: mean"] = fmean(panel)
        values["score against the panel: worst"] = min(panel)
        generality = Generality.of(statistics["panel"].values())
        values["generality: defeated or tied"] = generality.share
        values["generality: defeated"] = generality.defeated / len(panel)
    for key, name in CURVES.items():
        if tribes:
            values[name] = fmean(tribe[key] for tribe in tribes)
    if statistics.get("tries"):
        values["viable newborn: share"] = statistics["viable"] / statistics["tries"]
    return values


def traits(text: str) -> dict[str, float]:
    """Return the length of a genome, and the share of each operation among its instructions."""
    cells = WarriorGenome.loads(text).cells
    counts = Counter(OPERATIONS[operation_of(cell)] for cell in cells)
    shares = {f"share of an operation: {name}": counts[name] / max(len(cells), 1) for name in OPERATIONS}
    return {"length: instructions": float(len(cells))} | shares


# -- Catalogue -------------------------------------------------------------------------------------------


def catalogue() -> list[PlayerInfo]:
    """Return the evolved warriors with their cards, then those that were written by hand."""
    written = sorted((COREWAR_FOLDER / "warriors").glob("*.red"))
    return [*map(_evolved, EVOLVED), *map(_written, written)]


def _evolved(name: str) -> PlayerInfo:
    title, row, column = EVOLVED[name]
    card = COREWAR_FOLDER / "evolved" / name / "README.md"
    score = measured(card, row, column).partition(" (")[0]
    strength = f"{score} points against warriors that it was not bred against"
    return PlayerInfo(name=name, title=title, strength=strength, is_evolved=True, card=card)


def _written(path: Path) -> PlayerInfo:
    lines = path.read_text(encoding="utf-8").splitlines()
    strategy = [line.removeprefix(STRATEGY) for line in lines if line.startswith(STRATEGY)]
    return PlayerInfo(name=path.stem, title=" ".join(strategy), card=path)
