"""The experiments of Acquire, which evolve programs, a league or nets: opened from a run's store; their curves."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from shlex import quote
from statistics import fmean
from typing import Any, Final, Protocol

from engines.acquire import gp_evolution, league, nes
from engines.acquire.crossplay import duel, play_duel
from engines.acquire.genome import DECISIONS, Genome
from engines.acquire.gp.primitives import CHAIN_FEATURES, PRIMITIVES
from engines.acquire.gp_config import GpConfig
from engines.acquire.gp_evolution import GpPopulation, GpState
from engines.acquire.league import IslandModel, IslandsState, League, LeagueState
from engines.acquire.league_config import LEAGUE, LeagueConfig
from engines.acquire.nes import NesPopulation, NesState
from engines.acquire.nes_config import KINDS, NET, RULES, NesConfig, WeightedGenome
from engines.acquire.net_genome import BIAS, CHAIN, SUM, TABLE, VERSION
from engines.acquire.registry import HEURISTIC, PlayerSpec, load_genome
from engines.acquire.story import CHARTS as CHARTS
from engines.acquire.story import portrait as portrait
from engines.acquire.story import story as story
from engines.config import UNKNOWN_KEY, ConfigError, evolves, folded, keys_of
from engines.evolution.generational import ExaminationReport
from engines.evolution.run import ChampionFile, Experiment, individual_loader
from engines.evolution.run_store import RunStore
from engines.evolution.state import load_state
from engines.statistics import score
from engines.strength import Strength

RUNS: Final = Path(__file__).with_name("runs")
REFERENCE_GAMES: Final = 200
CHAMPION: Final = "champion.lisp"  # in the run's folder
MEASURED: Final = {"fitness": "fitness", "sigma": "size of a step", "behaviours": "behaviours"}
INPUTS: Final = {  # of programs, by the word: the name of the trait
    name: f"inputs in use: {each.text.replace('{}', 'a chain')}"
    for name, each in PRIMITIVES.items()
    if each.text and (not each.arguments or each in CHAIN_FEATURES)
}


def seed_in(config: str) -> int:
    """Return the seed of a configuration. Raises ConfigError, with line and key, if it is not valid."""
    return configured(config).seed


def has_games(config: str) -> bool:
    """Return True: every configuration of Acquire puts the games of its generations on record."""
    return True


def open_experiment(store: RunStore) -> Experiment:
    """Return the experiment of a stored run, which continues from the last generation on record."""
    config = configured(store.config)
    population: GpPopulation | League | IslandModel | NesPopulation
    report: Callable[[Mapping[str, Any], Mapping[str, Any]], str]
    programs = individual_loader(store, Genome.loads)
    match config:
        case NesConfig():
            loads: Callable[[str], WeightedGenome] = KINDS[config.evolve].loads
            weighted = individual_loader(store, loads)
            population = NesPopulation(config, store.seed, weighted, load_state(store.state, NesState))
            report = partial(nes.report, config)
        case LeagueConfig(islands=1):
            population = League(config, store.seed, programs, load_state(store.state, LeagueState))
            report = partial(league.report, config)
        case LeagueConfig():
            population = IslandModel(config, store.seed, programs, load_state(store.state, IslandsState))
            report = partial(league.report, config)
        case GpConfig():
            population = GpPopulation(config, store.seed, programs, load_state(store.state, GpState))
            report = partial(gp_evolution.report, config)
    return Experiment(
        population=population,
        play=play,
        journal=ChampionFile(store, CHAMPION),
        report=ExaminationReport(report),
        preload=(__name__,),
        generations=config.generations,
    )


def configured(text: str) -> GpConfig | LeagueConfig | NesConfig:
    """Return the configuration of a text; its key `evolve` decides which kind it is.

    Raises ConfigError with line, key and the text that was read.
    """
    word = evolves(text)
    kinds: dict[str, type[GpConfig | LeagueConfig | NesConfig]] = {
        "place, buy or pair": GpConfig,
        LEAGUE: LeagueConfig,
        NET: NesConfig,
        RULES: NesConfig,
    }
    try:
        return kinds.get(word, GpConfig).loads(text)
    except ConfigError as error:
        key = folded(error.key or "")
        others = [
            each for each, kind in kinds.items() if key in (folded(known.name) for known in keys_of(kind))
        ]
        if not others or not error.reason.startswith(UNKNOWN_KEY):
            raise
        own = f"evolve = {word}" if word else "evolve = pair (the default)"
        fitting = " and ".join(f"evolve = {each}" for each in others)
        raise ConfigError(
            f"{key} is a key of {fitting}; this file has {own}", key=error.key, line=error.line
        ) from None


def commands(store: RunStore, id: int) -> list[str]:
    """Return the commands that show an individual of a run, and that let it play, or the run's champion if it has one."""
    variant = configured(store.config).game_rules.name
    player = f"acquire:{store.folder}" + ("" if (store.folder / CHAMPION).exists() else f" {id}")
    return [
        f"galapagos genome show {quote(str(store.folder))} {id}",
        f"galapagos match {quote(player)} acquire:{HEURISTIC} --variant {variant}",
    ]


def measure(config: str, genome: str, seed: int) -> Strength:
    """Measure the share of games that a genome wins against the heuristic, in two games with each bag."""
    loaded, player = configured(config), load_genome(genome)
    if isinstance(loaded, GpConfig) and loaded.other_decision == "same tree":
        assert isinstance(player, Genome)
        player = Genome(place=player.place or player.buy, buy=player.buy or player.place)
    champion = PlayerSpec(name="champion", genome=player, options=loaded.options)
    opponent = PlayerSpec.parse(HEURISTIC)
    score = play_duel(duel(loaded.game_rules, champion, opponent, REFERENCE_GAMES, seed))
    return Strength(
        estimate=score.win_rate,
        form=".1%",
        games=score.games,
        against=f"of the two-player games against {HEURISTIC}",
    )


class Task(Protocol):
    """A task of an evolution: a value that can be pickled."""

    def play(self) -> Any: ...


def play(task: Task) -> Any:
    """Play a task and return its outcome. A pure function, for worker processes."""
    return task.play()


# -- Curves of a run: fitness, scores against the panel, sizes and steps, and the contents of programs ------


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Return the measured values of one generation; the names are of the form `CHART: CURVE`."""
    found: dict[str, float] = {}
    for key, chart in MEASURED.items():
        facts = statistics.get(key, {})
        for name, value in (facts if isinstance(facts, Mapping) else {key: facts}).items():
            if isinstance(value, int | float):
                found[f"{chart}: {name.replace('_', ' ')}"] = value
    nodes = statistics.get("nodes")
    if nodes is not None:
        found["words of a program: mean"] = nodes["mean"] if isinstance(nodes, Mapping) else nodes
    for name, tally in statistics.get("examined", {}).get("panel", {}).items():
        found[f"score against the panel: {name}"] = score(tally).value
    return found


def champion(record: Sequence[Mapping[str, Any]], state: str) -> int | None:
    """Return the ID of the champion of the last examination.

    Before the first examination it is the ID of the best of the last generation, or None if that generation has none.
    """
    for statistics in reversed(record):
        if "examined" in statistics:
            return int(statistics["examined"]["champion"])
    best = record[-1].get("best", {}) if record else {}
    return int(best["id"]) if "id" in best else None


def traits(text: str) -> dict[str, float]:
    """Return the traits of a genome by name.

    Those of programs are their lengths in words, and for each input whether a program uses it (1 or 0); those of a net
    are the sizes of the weights of each input, as root mean squares; those of rules are their weights.
    """
    lines = [line.replace("(", " ").replace(")", " ").split() for line in text.splitlines()]
    rows = [words for line, words in zip(text.splitlines(), lines, strict=True) if line.startswith("(")]
    if rows[:1] == [["net", VERSION]]:
        weighted = [row for row in rows[1:] if row[0] in (CHAIN, TABLE) and row[1] != BIAS]
        return {f"weight of an input: {_net_input(row[0], row[1])}": _size(row[2:]) for row in weighted}
    if rows[:1] == [["rules", VERSION]]:
        return {f"weight of a rule: {name.replace('-', ' ')}": float(weight) for name, weight in rows[1:]}
    return _lengths(text) | _inputs({word for words in lines for word in words})


def _lengths(text: str) -> dict[str, float]:
    """Return the number of words of each program."""
    found: dict[str, float] = {}
    name = ""
    for line in text.splitlines():
        words = line.replace("(", " ").replace(")", " ").split()
        if line.startswith("(define "):
            head = len(line.partition(")")[0].split()) if line.startswith("(define (") else 2
            name, words = f"words of a program: {words[1]}", words[head:]
        if name:
            found[name] = found.get(name, 0.0) + len(words)
    return found


def _inputs(used: Collection[str]) -> dict[str, float]:
    """Return for each input of programs, in words, whether it is among the words used."""
    found: dict[str, float] = {}
    for name, text in INPUTS.items():
        found[text] = max(found.get(text, 0.0), float(name in used))
    return found


def _net_input(layer: str, name: str) -> str:
    """Return the name of an input of a layer of a net, in words."""
    if layer == TABLE and name in DECISIONS:
        return f"whether the decision is {name}"
    if layer == TABLE and name.startswith(SUM):
        return f"what it sums up over all chains, number {name.removeprefix(SUM)}"
    return PRIMITIVES[name].text.replace("{}", "a chain")


def _size(words: Sequence[str]) -> float:
    return sqrt(fmean(float(word) ** 2 for word in words))
