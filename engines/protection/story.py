"""The story of a run of Advanced Protection, and the descriptions of its charts.

Story: what random strings do to the units that they are tried against, the first string that costs the user money,
and the first victories of both sides of an arms race over fixed opponents.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from engines.config import evolves
from engines.evolution.charts import Chart
from engines.evolution.run_history import CURVE_POINTS, RunHistory
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.evolution.story import Milestone, Story, firsts, make_story, victories
from engines.protection.arms_race_config import ARMS_RACE
from engines.protection.arms_race_report import SIDES

CHARTS: Final = (
    Chart(
        name="performance of the champion in fresh tests",
        title="Damage of the champion in fresh tests",
        unit="change of the user's wealth in dollars",
        meaning="The champion is tried anew against the same units, with new dice. Falling means that it gets "
        "stronger: below 0 the user loses money.",
        is_yardstick=True,
    ),
    Chart(
        name="score against the yardsticks",
        title="Strength against fixed opponents",
        unit="share of the points",
        meaning="The champions of both sides play whole games against opponents that stay the same for the whole run. "
        "Rising means that a side has become stronger.",
        is_yardstick=True,
    ),
    Chart(
        name="share of the yardsticks beaten",
        title="Opponents that are beaten",
        unit="share of the fixed opponents",
        meaning="Rising means that a side copes with more kinds of opponents, instead of one.",
        is_yardstick=True,
    ),
    Chart(
        name="performance in the population",
        title="Damage in the trials",
        unit="change of the user's wealth in dollars",
        meaning="The result of each string's own trial against the same units. Falling means that the strings get "
        "stronger: below 0 the user loses money. The best also had luck with the dice.",
        is_yardstick=True,
    ),
    Chart(
        name="preferences of the best",
        title="Units that the best strings buy",
        unit="preference, 0 to 15",
        meaning="A line that rises is a kind of minion that the best strings buy more often than the others.",
    ),
    Chart(
        name="bits on which the population agrees",
        title="Agreement of the strings",
        unit="bits of 1,056",
        meaning="Rising means that the strings become alike; when all agree, only mutation brings anything new.",
    ),
    Chart(
        name="share of the value in bouts",
        title="Fitness within the run",
        unit="share of the value",
        meaning="The value by which parents are chosen on each side. It need not rise, because the other side gets "
        "better as well.",
    ),
    Chart(
        name="score against the present champion",
        title="Against the present champion of the other side",
        unit="share of the points",
        meaning="Above a half a side is ahead at the moment. It need not rise, because the other side gets better as "
        "well.",
    ),
    Chart(
        name="score against earlier champions",
        title="Against earlier champions of the other side",
        unit="share of the points",
        meaning="Rising means progress. A side that beats the latest champions only, and not the older ones, has "
        "forgotten something.",
    ),
    Chart(
        name="score against the oldest champion",
        title="Against the first champion of the other side",
        unit="share of the points",
        meaning="Rising means progress: the first champion does not change.",
        is_yardstick=True,
    ),
    Chart(
        name="preference",
        title="What new strings buy",
        unit="preference, 0 to 15",
        meaning="A row whose colour gets stronger is a kind of minion that newly recorded strings buy more often.",
        is_map=True,
    ),
    Chart(
        name="want of a defender",
        title="What new defenders build",
        unit="want",
        meaning="A row whose colour gets stronger is a kind of unit that new defenders want more of.",
        is_map=True,
    ),
)  # fmt: skip

LEVELS: Final = (0, -1000, -2000, -5000, -10_000)  # dollars


def story(store: RunStore) -> Story:
    """Return the story of a run up to now."""
    is_race = evolves(store.config) == ARMS_RACE
    expected = (
        "The first champion of each side is named by the first examination."
        if is_race
        else "The first champion is the best string of the first trials; an examination with fresh dice confirms it."
    )
    past = list(RunHistory(store).generations(CURVE_POINTS))
    return make_story(
        past,
        (_race(store) if is_race else _strings(past), next(iter(store.ids()), None)),
        _levels(past),
        firsts(past, _reached),
        *(
            victories(past, ["examined", "panel", side], f"The {side} wins more games than it loses")
            for side in SIDES
        ),
        expected=expected,
    )


def portrait(store: RunStore) -> Mapping[str, Any]:
    """Return nothing: the curves show what the strings prefer."""
    return {}


def _race(store: RunStore) -> str:
    founders = sum(each.generation == 0 for each in map(store.birth, store.ids()))
    return (
        f"Generation 0 has {founders:,} individuals on both sides: defenders that build at random, and strings of "
        "Chaos that move at random. Neither knows that the other exists."
    )


def _strings(past: Iterable[StoredGeneration]) -> str:
    first = next((each.statistics for each in past if "trials" in each.statistics), None)
    if first is None:
        return "Generation 0 has random strings, which have not been tried yet."
    gain = f"On average the user's wealth changes by {_dollars(first['mean'])}, at best by {_dollars(first['best'])}"
    moral = (
        "most strings do no damage, because minions that turn at random do not find the way to the units, or die at "
        "the first fence."
        if first["mean"] > 0
        else "even strings that move at random do some damage to these units."
    )
    return f"Generation 0 has {first['tried']:,} random strings, which steer minions blindly. {gain}: {moral}"


def _levels(past: Iterable[StoredGeneration]) -> Iterator[Milestone]:
    """Yield the first generation in which the best string of the trials does more damage than each of LEVELS.

    Of several levels that are passed in the same generation only the last is a milestone.
    """
    passed = 0
    for generation in past:
        now = sum(generation.statistics.get("best", 0) < level for level in LEVELS)
        if now > passed:
            passed = now
            level = LEVELS[now - 1]
            more = f"more than {_dollars(-level)}" if level else "money"
            text = f"The first string that costs the user {more} in its trial."
            yield Milestone(generation=generation.number, text=text)


def _reached(statistics: Mapping[str, Any]) -> Iterator[str]:
    if statistics.get("examined", {}).get("mean", 0) < 0:
        yield "The first champion that costs the user money in fresh tests: not by luck, but on average."


def _dollars(amount: float) -> str:
    return f"{'−' if amount < 0 else ''}${abs(amount):,.0f}"  # noqa: RUF001
