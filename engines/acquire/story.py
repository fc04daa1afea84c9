"""The story of a run of Acquire, and the descriptions of its charts.

Story: what the founders are, how they do against each other, and the first victories over fixed opponents.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engines.evolution.charts import Chart
from engines.evolution.run_history import CURVE_POINTS, RunHistory
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.evolution.story import Story, enumerated, make_story, victories

CHARTS: Final = (
    Chart(
        name="score against the panel",
        title="Strength against fixed opponents",
        unit="share of the games won",
        meaning="The champion plays against opponents that stay the same for the whole run. Rising means that it has "
        "become stronger.",
        is_yardstick=True,
    ),
    Chart(
        name="fitness",
        title="Fitness within the run",
        unit="share of the money or of the wins",
        meaning="The value by which parents are chosen. Rising means that the players do better against the opponents "
        "of the evolution. Where they only play each other, the mean stays the same, because all get better together.",
    ),
    Chart(
        name="behaviours",
        title="Different ways to play",
        unit="different behaviours",
        meaning="How many individuals decide differently in the same positions. Falling means that one way to play "
        "takes over.",
    ),
    Chart(
        name="size of a step",
        title="Size of the changes",
        unit="standard deviation of a weight",
        meaning="How far the tried players are from their parent. It usually falls when the search closes in on a "
        "good player.",
    ),
    Chart(
        name="words of a program",
        title="Length of the programs",
        unit="words",
        meaning="Neither direction is better in itself. Programs that grow without playing better carry parts that "
        "do nothing.",
    ),
    Chart(
        name="inputs in use",
        title="Inputs that matter",
        unit="share of the newborn that use it",
        meaning="What the programs look at when they decide. A row whose colour gets stronger is an input that has helped its "
        "bearers to win.",
        is_map=True,
    ),
    Chart(
        name="weight of an input",
        title="Inputs that matter",
        unit="size of the weights, root mean square",
        meaning="What the nets look at when they decide. The stronger the colour of a row, the more can this input change a decision.",
        is_map=True,
    ),
    Chart(
        name="weight of a rule",
        title="Rules that matter",
        unit="weight",
        meaning="How much each rule of thumb counts in a decision. The further from 0, the more it decides; below 0 "
        "it is a reason against.",
        is_map=True,
    ),
)  # fmt: skip

WON: Final = "The champion wins more games than it loses"
EXPECTED: Final = "The first champion is the best player of the first games, in generation 1; examinations choose later ones."


def story(store: RunStore) -> Story:
    """Return the story of a run up to now."""
    past = list(RunHistory(store).generations(CURVE_POINTS))
    return make_story(
        past, _beginning(store, past), victories(past, ["examined", "panel"], WON), expected=EXPECTED
    )


def portrait(store: RunStore) -> Mapping[str, Any]:
    """Return nothing: the curves of the traits show the inputs."""
    return {}


def _beginning(store: RunStore, past: Sequence[StoredGeneration]) -> tuple[str, int | None]:
    """Return sentences on the founders and their first games, and the ID of the first founder."""
    founders = [each for each in map(store.birth, store.ids()) if each.generation == 0]
    written = dict.fromkeys(each.origin for each in founders if each.origin != "random")
    drawn = sum(each.origin == "random" for each in founders)
    is_excerpt = store.champion is not None  # has only some of the founders
    number = "" if is_excerpt else f"{drawn:,} "
    kinds = [f"{number}random players"] if drawn else []
    kinds += [f"players from those called {enumerated([*written][:4])}"] if written else []
    sentences = [f"Generation 0 has {enumerated(kinds or ['no players'])}; they have not played yet."]
    facts: Mapping[str, float] = next(
        (each.statistics["fitness"] for each in past if each.statistics.get("fitness")), {}
    )
    if "mean" in facts and "best" in facts:
        sentences.append(
            f"In the first games the mean fitness is {facts['mean']:.3f}, and that of the best {facts['best']:.3f}. "
            "A random player places tiles and buys shares without a plan, so luck decides who is richest."
        )
    return " ".join(sentences), founders[0].id if founders else None
