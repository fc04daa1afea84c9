"""Claims about runs of gene pools, their findings, and the study that judges all of them (tools/study/verdicts.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from tools.study.chess_runs import Run
from tools.study.verdicts import Judgement, Rule, Verdict, together

MIN_GAMES: Final = 50  # games, or promotions, that a ratio of a run needs


class Unobservable(Exception):
    """A run does not show the quantity of a claim; the message has the reason, such as too few games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim: a number that is measured in each run, called `quantity`, and the rule that judges these numbers.

    `form` formats the number. `references` are the manual's own numbers, which are reported as inside or outside of
    the interval but do not count for the verdict.
    """

    name: str
    quantity: str
    criterion: str
    measure: Callable[[Run], float]  # raises Unobservable if the run does not show the number
    rule: Rule
    form: str = ".2f"
    references: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A section of the manual and its claims."""

    section: str
    title: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A claim, its number in each run (or the reason why the run has none), and the judgement."""

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
    """The results of all findings in runs that differ only by the seed."""

    runs: tuple[Run, ...]
    results: tuple[tuple[Finding, tuple[Result, ...]], ...]

    @classmethod
    def of(cls, runs: Sequence[Run], findings: Sequence[Finding]) -> Self:
        """Judge all findings. Raises ValueError unless the runs have one configuration and different seeds."""
        _check_comparable(runs)
        return cls(
            runs=tuple(runs),
            results=tuple(
                (finding, tuple(Result.of(claim, runs) for claim in finding.claims)) for finding in findings
            ),
        )

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdict of each finding, by its section."""
        return {
            finding.section: together([result.judgement.verdict for result in results])
            for finding, results in self.results
        }


# -- Helpers ---------------------------------------------------------------------------------------


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
                f"{run.folder} and {folders[run.seed]} both have seed {run.seed}, so they are the same run"
            )
        folders[run.seed] = run.folder
