"""The story of a run of Core War, and its niches, both found by letting warriors run alone in the core.

Story: what the founders do when nobody disturbs them, the first of the leading warriors of each style, and the first
generation in which the leaders beat each warrior of the panel. A generation is led by the best warrior of the panel
if there was one, and else by the best of the tribes.

Niches: for warriors from the whole run the most processes that they had at a time, and the part of the core that
they changed. Few processes and little memory are what random code does; a stone changes much of the core with few
processes, and paper fills it with many.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final, Self

from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import WarriorGenome
from engines.corewar.style import Style, label, observe_alone
from engines.evolution.charts import Chart
from engines.evolution.run_history import CURVE_POINTS, RunHistory, spaced
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.evolution.story import Milestone, Story, make_story, victories

CHARTS: Final = (
    Chart(
        name="score against the panel",
        title="Strength against fixed opponents",
        unit="share of the points, 1 if every round is won",
        meaning="The best warriors of the tribes fight a panel of warriors that stays the same for the whole run. "
        "Rising means that they have become stronger.",
        is_yardstick=True,
    ),
    Chart(
        name="generality",
        title="Opponents that are beaten",
        unit="share of the panel",
        meaning="How many of the fixed opponents the best warriors defeat, or do not lose to. Rising means that they "
        "cope with more kinds of opponents, instead of one.",
        is_yardstick=True,
    ),
    Chart(
        name="grade of the best of a tribe",
        title="Score in the fights of the evolution",
        unit="points, 300 if every round is won",
        meaning="The score by which parents are chosen. Rising means that warriors win more of these fights. The "
        "opponents include former winners, so it can fall although the warriors get better.",
    ),
    Chart(
        name="viable newborn",
        title="Offspring that can run",
        unit="share of the offspring",
        meaning="The share of new warriors that do not stop by themselves at once. Rising means that most changes to "
        "a warrior leave it working.",
    ),
    Chart(
        name="length of a warrior",
        title="Length of the warriors",
        unit="instructions, median of a tribe",
        meaning="Neither direction is better in itself: short warriors are hard to hit, long ones can do more.",
    ),
    Chart(
        name="different warriors of a tribe",
        title="Variety within a tribe",
        unit="different warriors",
        meaning="Falling means that one family takes over the tribe. At 1 all are copies, and nothing new can arise "
        "but by mutation.",
    ),
    Chart(
        name="length",
        title="Length of the newborn",
        unit="instructions, mean",
        meaning="Neither direction is better in itself: short warriors are hard to hit, long ones can do more.",
    ),
    Chart(
        name="share of an operation",
        title="Operations of the newborn",
        unit="share of the instructions",
        meaning="A row whose colour gets stronger is an operation that spreads: MOV copies, SPL starts a further process, ADD "
        "moves an aim along, and DAT ends the process that reaches it.",
        is_map=True,
    ),
)  # fmt: skip

FOUNDERS: Final = 80  # whose behaviour is described, at most
OBSERVED: Final = 60  # leading warriors whose style is determined, at most: the first ones of the run
RESIDENTS: Final = 150  # warriors whose niche is determined, at most
MUCH: Final = 0.01  # the part of the core that a warrior changes at least, unless it does almost nothing
LOOKS: Final = 40  # at the processes and the core, in a round
STYLES: Final = {  # the sentence of the first warrior of each style
    Style.PAPER: "The first warrior that copies itself and runs the copies: it can no longer be stopped by one hit.",
    Style.IMP: "The first warrior with an instruction that copies itself and moves on through the core.",
    Style.STONE: "The first warrior that throws bombs: it writes to places far away, where an opponent may be.",
    Style.CLEAR: "The first warrior that wipes the core, cell after cell.",
    Style.SCANNER: "The first warrior that looks for its opponent before it attacks.",
    Style.VAMPIRE: "The first warrior that captures processes of its opponent by jumps.",
    Style.STREAM: "The first warrior that changes cells all over the core.",
}
WON: Final = "The best warriors win more rounds than they lose"
ALIVE: Final = "The first leading warrior that is still running at the end of a round."


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo:
    """The behaviour of a warrior that runs alone in the core."""

    instructions: int  # until its death, or the end of the round
    is_alive: bool  # at the end of the round
    processes: int  # the most at any look
    changed: float  # the part of the core whose content differs from that at the start, at the end

    @classmethod
    def of(cls, rules: Rules, warrior: Warrior) -> Self:
        """Let a warrior run alone for a round."""
        mars = Mars(rules, [warrior])
        mars.begin([0], 0)
        before = list(mars.core)
        processes = 1
        while not mars.over:
            mars.run(max(rules.cycles // LOOKS, 1))
            processes = max(processes, mars.count(0))
        changed = sum(old != new for old, new in zip(before, mars.core, strict=True))
        return cls(
            instructions=mars.executed,
            is_alive=mars.is_alive(0),
            processes=processes,
            changed=changed / rules.size,
        )


def story(store: RunStore) -> Story:
    """Return the story of a run up to now."""
    config = TribesConfig.loads(store.config)
    past = list(RunHistory(store).generations(CURVE_POINTS))
    return make_story(
        past,
        _beginning(config, store),
        victories(past, ["panel"], WON),
        _styles(config.rules, store, past),
        expected=_expected(config),
    )


def portrait(store: RunStore) -> Mapping[str, Any]:
    """Return the niches of warriors from the whole run: generation, ID, processes and part of the core changed."""
    rules = TribesConfig.loads(store.config).rules
    born = [each for each in map(store.birth, store.ids()) if each.origin not in ("opponent", "part")]
    niches = []
    for each in spaced(born, RESIDENTS):
        solo = Solo.of(rules, WarriorGenome.loads(store.individual(each.id).genome).express())
        niches.append([each.generation, each.id, solo.processes, round(solo.changed, 4)])
    return {"niches": niches, "core": rules.size, "cycles": rules.cycles} if niches else {}


def _expected(config: TribesConfig) -> str:
    if config.panel == "none":
        return "There is a champion as soon as warriors have fought, in generation 1."
    return (
        f"The first champion is named in generation {config.panel_interval}: then the best warrior of each tribe "
        "fights a panel of fixed opponents for the first time."
    )


def _beginning(config: TribesConfig, store: RunStore) -> tuple[str, int | None]:
    """Return sentences on the founders, and the ID of one that shows what most of them do."""
    births = [birth for birth in map(store.birth, store.ids()) if birth.generation == 0]
    founders = [each for each in births if each.origin in ("random", "joined", "ancestor")]
    shown = spaced(founders, FOUNDERS)
    if not shown:
        return "The founders are not on record.", None
    solos = {
        each.id: Solo.of(config.rules, WarriorGenome.loads(store.individual(each.id).genome).express())
        for each in shown
    }
    dead = {id: solo for id, solo in solos.items() if not solo.is_alive}
    alive = {id: solo for id, solo in solos.items() if solo.is_alive}
    kind = {"random": "programs of random instructions", "joined": "programs joined from known parts"}.get(
        founders[0].origin, "programs that were given to the run"
    )
    sentences = [f"Generation 0 has {len(founders):,} {kind}."]
    if dead:
        after = median(solo.instructions for solo in dead.values())
        sentences.append(
            f"Alone in an empty core, {len(dead)} of {len(shown)} stopped by themselves, half of these within "
            f"{after:,.0f} instructions: they ran into an empty cell, and an empty cell ends a program."
        )
    if alive:
        idle = sum(solo.changed < MUCH for solo in alive.values())
        but = f", but {idle} of these changed almost nothing" if idle else ""
        were = "was" if len(alive) == 1 else "were"
        sentences.append(f"{len(alive)} {were} still running at the end of the round{but}.")
    shortest = sorted(dead, key=lambda id: (dead[id].instructions, id))
    return " ".join(sentences), shortest[len(shortest) // 2] if shortest else shown[0].id


def _styles(rules: Rules, store: RunStore, past: Sequence[StoredGeneration]) -> Iterator[Milestone]:
    """Yield the first leading warrior that survives a round alone, and the first of each style."""
    missing = dict(STYLES)
    has_survived = False
    for generation, id in _leaders(past):
        if has_survived and not missing:
            return
        observed = observe_alone(rules, WarriorGenome.loads(store.individual(id).genome).express())
        if observed.survived and not has_survived:
            has_survived = True
            yield Milestone(generation=generation, text=ALIVE, individual=id)
        found = label([observed])
        for style in (found.main, *found.also):
            if style in missing:
                yield Milestone(generation=generation, text=missing.pop(style), individual=id)


def _leaders(past: Sequence[StoredGeneration]) -> list[tuple[int, int]]:
    """Return (generation, ID) of the first OBSERVED different warriors that led a generation, in order."""
    found: dict[int, int] = {}
    for each in past:
        id = champion([each.statistics], "")
        if id is not None:
            found.setdefault(id, each.number)
        if len(found) == OBSERVED:
            break
    return [(number, id) for id, number in found.items()]


def champion(record: Sequence[Mapping[str, Any]], state: str) -> int | None:
    """Return the ID of the best warrior against the last panel, or without panels that of the best last grade.

    None is returned before any warrior has fought.
    """
    for statistics in reversed(record):
        if candidates := statistics.get("champions"):
            return int(max(candidates, key=lambda candidate: candidate[1])[0])
    tribes = record[-1].get("tribes", ()) if record else ()
    fought = [tribe for tribe in tribes if "grade" in tribe or any(tribe["best_record"])]
    best = max(fought, key=lambda tribe: tribe.get("grade", 0.0), default=None)
    return int(best["best"]) if best else None
