"""The report of an arms race in words, and its curves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engines.protection.arms_race_config import ArmsRaceConfig
from engines.protection.bouts import beaten, is_beaten, total
from engines.statistics import Estimate, score

SIDES: Final = {"defender": "string", "string": "defender"}  # each side with the other

Facts = Mapping[str, Any]  # the statistics of a generation, or of an examination


def report(config: ArmsRaceConfig, statistics: Facts, examined: Facts) -> str:
    """Return the report of a generation as text."""
    if not statistics:
        return f"{config.population} defenders and {config.population} strings\n"
    lines = [
        f"Generation {statistics['measured']}, rules {config.rules}, bouts of {config.turns} turns",
        *(
            f"Share of the value, {side}: best {facts['best']:.3f}, mean {facts['mean']:.3f}, "
            f"worst {facts['worst']:.3f}"
            for side, facts in statistics["fitness"].items()
        ),
        f"Champions in each hall of fame: {statistics['hall']}",
    ]
    if examined:
        lines += ["", f"Champions of generation {examined['generation']}, in whole games"]
        for side in SIDES:
            lines += _side_lines(side, examined)
    return "\n".join(lines) + "\n"


def _side_lines(side: str, examined: Facts) -> Iterator[str]:
    panel, met = examined["panel"][side], examined["ancestors"][side]
    id = examined["champion" if side == "defender" else "string"]
    yield (
        f"  {side.capitalize()} {id} beats {beaten(panel)} of {len(panel)} yardsticks, with "
        f"{_panel_score(examined, side):.1%} of the points (the first champion: {examined['first'][side]:.1%})"
    )
    if lost := [name for name, tally in panel.items() if not is_beaten(tally)]:
        yield f"    it does not beat {', '.join(lost)}"
    *earlier, (_, present) = met
    yield f"    against the present {SIDES[side]}: {score(present):.0%}"
    if earlier:
        won = [generation for generation, tally in earlier if is_beaten(tally)]
        lost_to = [str(generation) for generation, tally in earlier if not is_beaten(tally)]
        exception = f", not those of generations {', '.join(lost_to)}" if lost_to else ""
        yield f"    it beats {len(won)} of {len(earlier)} earlier {SIDES[side]}s{exception}"
        yield f"    {finding(examined, side)}"


def finding(examined: Facts, side: str) -> str:
    """Return in words whether a side has progressed, by an examination that met earlier champions.

    A side that beats the later half of the earlier champions, but not the earlier half, is in a cycle. Otherwise the
    interval of its score against the yardsticks decides.
    """
    tallies = [tally for _, tally in examined["ancestors"][side][:-1]]
    older, newer = tallies[: len(tallies) // 2], tallies[len(tallies) // 2 :]
    if older and is_beaten(total(newer)) and not is_beaten(total(older)):
        return "a cycle: it beats recent champions, and has forgotten how to beat older ones"
    now, first = _panel_score(examined, side), examined["first"][side]
    if now.low > first:
        return "progress: it is stronger than the first champion against opponents that never change"
    if now.high < first:
        return "decline: it is weaker than the first champion against opponents that never change"
    return "neither progress nor decline can be told from the first champion"


def _panel_score(examined: Facts, side: str) -> Estimate:
    return score(total(examined["panel"][side].values()))


# -- Curves ---------------------------------------------------------------------------------------------


def measures(statistics: Facts) -> dict[str, float]:
    """Return the numbers of one generation by name, "CHART: CURVE"."""
    found = {
        f"share of the value in bouts: {name} of the {side}": value
        for side, facts in statistics.get("fitness", {}).items()
        for name, value in facts.items()
    }
    if examined := statistics.get("examined"):
        for side, other in SIDES.items():
            panel, (*earlier, (_, present)) = examined["panel"][side], examined["ancestors"][side]
            found[f"score against the yardsticks: {side}"] = _panel_score(examined, side).value
            found[f"share of the yardsticks beaten: {side}"] = beaten(panel) / len(panel)
            found[f"score against the present champion: {side}"] = score(present).value
            if earlier:
                found[f"score against earlier champions: {side}"] = _score_of(earlier)
                found[f"score against the oldest champion: {side} against {other} 0"] = score(
                    earlier[0][1]
                ).value
    return found


def _score_of(met: Sequence[tuple[int, Sequence[int]]]) -> float:
    return score(total(tally for _, tally in met)).value
