"""A study: what the runs of one configuration say to every claim of every finding."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from tools.study.findings import FINDINGS, Claim, Finding
from tools.study.history import Run
from tools.study.measures import Unobservable
from tools.study.verdict import Judgement, Verdict, together


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A claim, its number in each run, or the reason why there is none, and what follows."""

    claim: Claim
    numbers: tuple[float | str, ...]
    judgement: Judgement

    @classmethod
    def of(cls, claim: Claim, runs: Sequence[Run]) -> Self:
        numbers = tuple(_measured(claim.measure, run) for run in runs)
        values = [number for number in numbers if isinstance(number, float)]
        return cls(claim=claim, numbers=numbers, judgement=claim.rule(values))

    @property
    def values(self) -> list[float]:
        return [number for number in self.numbers if isinstance(number, float)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """All of it: results by finding, in the order of the manual."""

    runs: tuple[Run, ...]
    results: tuple[tuple[Finding, tuple[Result, ...]], ...]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Self:
        """ValueError unless the runs differ in nothing but the seed."""
        _check_comparable(runs)
        return cls(
            runs=tuple(runs),
            results=tuple(
                (finding, tuple(Result.of(claim, runs) for claim in finding.claims)) for finding in FINDINGS
            ),
        )

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Of each finding, by its section."""
        return {
            finding.section: together([result.judgement.verdict for result in results])
            for finding, results in self.results
        }


def _measured(measure: Callable[[Run], float], run: Run) -> float | str:
    try:
        return float(measure(run))
    except Unobservable as reason:
        return str(reason)


def _check_comparable(runs: Sequence[Run]) -> None:
    first = runs[0]
    for run in runs[1:]:
        if run.configuration != first.configuration:
            lines = zip(run.configuration.splitlines(), first.configuration.splitlines(), strict=True)
            other = ", ".join(f"{here} (there {there})" for here, there in lines if here != there)
            raise ValueError(f"{run.folder} has another configuration than {first.folder}: {other}")
    folders: dict[int, str] = {}
    for run in runs:
        if run.seed in folders:
            raise ValueError(
                f"{run.folder} and {folders[run.seed]} both have seed {run.seed}: they are one run"
            )
        folders[run.seed] = run.folder
