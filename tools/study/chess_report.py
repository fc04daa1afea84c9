"""The report of a study of chess as text, as Markdown and as data for JSON; and the criteria, which need no study."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from statistics import median
from textwrap import fill
from typing import Final

from tools.study.chess_findings import DRAWS, FINDINGS, PREAMBLE
from tools.study.chess_runs import Run, digest
from tools.study.chess_verdicts import Result, Study

WIDTH: Final = 110
UNEQUAL: Final = 0.9  # the report remarks on a run with less than this part of another run's games


def criteria() -> str:
    """Return the criteria of all findings."""
    lines = [PREAMBLE]
    for finding in FINDINGS:
        lines += ["", f"{finding.section:7}{finding.title}"]
        lines += [_indented(f"{claim.name}: {claim.criterion}.") for claim in finding.claims]
    return "\n".join(lines)


def text(study: Study) -> str:
    """Return the report for the terminal."""
    lines = [_title(study), "", f"{'seed':>20}{'generations':>13}{'games':>10}{'IDs':>10}  hash          run"]
    for run in study.runs:
        counts = f"{run.generations:>13,}{run.games:>10,}{run.ids:>10,}"
        lines.append(f"{run.seed:>20}{counts}  {run.hash[:12]}  {run.folder}")
    for finding, results in study.results:
        lines += ["", f"{finding.section:7}{finding.title}: {study.verdicts[finding.section].value.upper()}"]
        for result in results:
            lines.append(_indented(f"{result.claim.name}: {result.judgement.verdict.value}"))
            lines += [_indented(line, 11) for line in (*_summary(result), *_by_run(result, study.runs))]
    return "\n".join([*lines, "", *_notes(study)])


def markdown(study: Study) -> str:
    """Return the report as Markdown, for a README."""
    lines = [
        f"{_title(study)}.",
        "",
        "| seed | generations | games | IDs | hash |",
        "|---:|---:|---:|---:|---|",
        *(
            f"| {run.seed} | {run.generations:,} | {run.games:,} | {run.ids:,} | `{run.hash[:12]}` |"
            for run in study.runs
        ),
        "",
        "| § | finding | measured | verdict |",
        "|---|---|---|---|",
    ]
    for finding, results in study.results:
        lines.append(
            f"| {finding.section} | **{finding.title}** | | **{study.verdicts[finding.section].value}** |"
        )
        lines += [
            f"| | {result.claim.name} | {'; '.join(_summary(result))} | {result.judgement.verdict.value} |"
            for result in results
        ]
    return "\n".join([*lines, "", *_notes(study)])


def data(study: Study) -> dict[str, object]:
    """Return the report as an object for JSON; infinite `numbers` are the texts "inf" and "-inf"."""
    return {
        "configuration": digest(study.runs[0].configuration),
        "config": study.runs[0].configuration,
        "runs": [
            {
                "folder": run.folder,
                "seed": run.seed,
                "generations": run.generations,
                "games": run.games,
                "ids": run.ids,
                "hash": run.hash,
                "endings": dict(_endings([run])),
                "promotions": dict(run.promotions),
                "promotions_from_games": run.unpacked,
            }
            for run in study.runs
        ],
        "findings": [
            {
                "section": finding.section,
                "title": finding.title,
                "verdict": study.verdicts[finding.section].value,
                "claims": [_claim_data(result) for result in results],
            }
            for finding, results in study.results
        ],
    }


# -- A result --------------------------------------------------------------------------------------


def _summary(result: Result) -> Iterator[str]:
    """Yield lines with the estimate over runs, and the reason for an undecided verdict."""
    claim, judgement, values = result.claim, result.judgement, result.values
    if judgement.showing is not None and judgement.estimate:
        estimate = judgement.estimate
        middle = f"{median(values):{claim.form}}"
        yield (
            f"{judgement.showing} of {len(values)} runs, {estimate:.2f}; {claim.quantity}: median {middle}"
        )
    elif judgement.estimate:
        low, high = (f"{bound:{claim.form}}" for bound in (judgement.estimate.low, judgement.estimate.high))
        manual = "".join(
            f"; the manual's {reference:{claim.form}} is {'inside' if inside else 'outside'}"
            for reference, inside in _references(result)
        )
        yield f"{claim.quantity}: {judgement.estimate.value:{claim.form}} [{low}, {high}]{manual}"
    if judgement.reason:
        yield judgement.reason


def _by_run(result: Result, runs: Sequence[Run]) -> Iterator[str]:
    """Yield lines with the numbers in the order of the runs, and the reasons for missing ones."""
    if result.values:
        numbers = (
            f"{number:{result.claim.form}}" if isinstance(number, float) else "-" for number in result.numbers
        )
        yield f"by run: {'  '.join(numbers)}"
    seeds: dict[str, list[str]] = {}  # by the reason
    for run, number in zip(runs, result.numbers, strict=True):
        if isinstance(number, str):
            seeds.setdefault(number, []).append(str(run.seed))
    for reason, without in seeds.items():
        yield f"seed {', '.join(without)}: {reason}"


def _references(result: Result) -> list[tuple[float, bool]]:
    """Return the numbers of the manual, each with whether the interval contains it."""
    estimate = result.judgement.estimate
    if not estimate:
        return []
    return [(value, estimate.low <= value <= estimate.high) for value in result.claim.references]


def _claim_data(result: Result) -> dict[str, object]:
    judgement = result.judgement
    return {
        "name": result.claim.name,
        "criterion": result.claim.criterion,
        "quantity": result.claim.quantity,
        "verdict": judgement.verdict.value,
        "reason": judgement.reason,
        "runs_showing": judgement.showing,
        "runs_measured": len(result.values),
        "estimate": asdict(judgement.estimate) if judgement.estimate else None,
        "numbers": [
            number if isinstance(number, str) or math.isfinite(number) else str(number)
            for number in result.numbers
        ],
        "references": [{"value": value, "inside": inside} for value, inside in _references(result)],
    }


# -- All runs --------------------------------------------------------------------------------------


def _title(study: Study) -> str:
    games = sum(run.games for run in study.runs)
    runs = f"{len(study.runs)} runs" if len(study.runs) > 1 else "1 run"
    configuration = digest(study.runs[0].configuration)
    return f"Genetic Chess, section 6, in {runs} ({games:,} games) of configuration {configuration}"


def _notes(study: Study) -> Iterator[str]:
    """Yield the sums over all runs, and a remark if the runs are of different length."""
    runs = study.runs
    endings = _endings(runs)
    mates = [sum(run.endings.get(("checkmate", white), 0) for run in runs) for white in (1.0, -1.0)]
    times = [sum(run.endings.get(("time", white), 0) for run in runs) for white in (1.0, -1.0)]
    draws = Counter({ending: endings[ending] for ending in DRAWS if endings[ending]}).most_common()
    promotions = {piece: sum(run.promotions.get(piece, 0) for run in runs) for piece in "QRBN"}
    pooled = (
        "All runs together, without intervals, because the games of a run are played by relatives: "
        f"mates {mates[0]:,} by White, {mates[1]:,} by Black; wins by time {times[0]:,} and {times[1]:,}; "
        f"draws: {', '.join(f'{ending} {number:,}' for ending, number in draws) or 'none'}; promotions in "
        f"{sum(run.unpacked for run in runs):,} games: {', '.join(f'{piece} {number:,}' for piece, number in promotions.items())}."
    )
    yield fill(pooled, WIDTH)
    lengths = [run.games for run in runs]
    if min(lengths) < UNEQUAL * max(lengths):
        yield f"The runs differ in length: from {min(lengths):,} to {max(lengths):,} games."


def _endings(runs: Sequence[Run]) -> Counter[str]:
    """Return the number of games for each ending, in alphabetical order."""
    names = sorted({name for run in runs for name, _ in run.endings})
    return Counter({name: sum(run.ended(name) for run in runs) for name in names})


def _indented(line: str, columns: int = 7) -> str:
    return fill(
        line,
        WIDTH,
        initial_indent=" " * columns,
        subsequent_indent=" " * (columns + 2),
        break_on_hyphens=False,  # -inf
    )
