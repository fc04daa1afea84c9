"""The report of the repeated thesis: each of its figures and claims next to new runs, and to what luck alone gives."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Final, Self

from engines.worker_pool import WorkerPool, Workers
from tools.cli import counted
from tools.plot.canvas import check
from tools.progress import progress_display
from tools.study.acquire_report import INTERVALS, WIDTH, text, write
from tools.study.acquire_runs import Group, Run, grouped
from tools.study.acquire_thesis import CLAIMS, NOT_REPEATED, Claim
from tools.study.acquire_thesis_games import Repeat
from tools.study.acquire_thesis_runs import evolve_thesis
from tools.study.verdicts import Judgement, Verdict

WORDS: Final = {
    Verdict.REPRODUCED: "holds",
    Verdict.NOT_REPRODUCED: "does not hold",
    Verdict.UNDECIDED: "cannot be told",
}
NOT_REPEATED_WORDS: Final = "not repeated"
TITLE: Final = "Evolving Board Evaluation Functions, chapters 4 and 5, repeated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A claim, the number of each run, the judgement, and the mean number that luck gives."""

    claim: Claim
    numbers: tuple[float, ...]
    judgement: Judgement
    chance: float | None

    @classmethod
    def of(cls, claim: Claim, repeat: Repeat) -> Self:
        numbers = tuple(claim.measure(repeat))
        chance = claim.chance
        if callable(chance):
            luck = chance(repeat)
            chance = fmean(luck) if luck else None
        return cls(claim=claim, numbers=numbers, judgement=claim.rule(numbers), chance=chance)

    @property
    def verdict(self) -> str:
        return WORDS[self.judgement.verdict]

    @property
    def ours(self) -> str:
        """The measured quantity in words, with its mean over all runs and the interval."""
        if not self.numbers:
            return f"{self.claim.quantity}: not measured"
        estimate, form = self.judgement.estimate, self.claim.form
        found = f"{estimate:{form}}" if estimate else f"mean {fmean(self.numbers):{form}}"
        return f"{self.claim.quantity}: {found}"

    @property
    def luck(self) -> str:
        """The number that luck alone gives, and whether the interval contains it."""
        if self.chance is None:
            return self.claim.luck
        number = f"{self.chance:{self.claim.form}}".replace("%", " %")
        estimate = self.judgement.estimate
        side = ""
        if estimate:
            side = f", {'inside' if estimate.low <= self.chance <= estimate.high else 'outside'} the interval"
        return f"{number} ({self.claim.luck}{side})"

    @property
    def reason(self) -> str:
        """The criterion, the side on which the interval lies, and a remark if there is one."""
        side = {
            Verdict.REPRODUCED: "the interval agrees",
            Verdict.NOT_REPRODUCED: "the interval contradicts it",
        }.get(self.judgement.verdict, self.judgement.reason)
        return " ".join([f"Criterion: {self.claim.criterion}; {side}.", self.claim.remark]).rstrip()


def repeat_thesis(out: Path, form: str, games: int, workers: int, *, as_markdown: bool) -> str:
    """Evolve the runs of the thesis that are not complete, study all of them, and return the report.

    The report, tables and figures are written to `out`; Markdown is the table of claims only. Raises ValueError or
    OSError if `out` holds other runs or files cannot be written, and CommandError if a run fails or a signal stops it.
    """
    check()
    place, buy = grouped([Run.read(folder) for folder in evolve_thesis(out, workers)])
    repeat = asyncio.run(_played(place, buy, games, Workers(workers)))
    results = [Result.of(claim, repeat) for claim in CLAIMS]
    studied = (repeat.place, repeat.buy)
    pairs = repeat.pairs[0].of_runs if repeat.pairs else None
    report = "\n".join([*_text(repeat, results), "", text(studied, games, pairs)])
    write(out, report, studied, pairs, form)
    return "\n".join(_markdown(repeat, results)) if as_markdown else report


def criteria() -> str:
    """Return the criteria of all claims."""
    lines = [TITLE]
    for claim in CLAIMS:
        lines += _indented(f"{claim.place}: {claim.thesis}", 2)
        lines += _indented(f"{claim.quantity}: {claim.criterion}.", 4)
    return "\n".join(lines)


async def _played(place: Group, buy: Group, games: int, pool: WorkerPool) -> Repeat:
    with progress_display() as display:
        async with pool:
            return await Repeat.played(place, buy, games, pool, display)


def _text(repeat: Repeat, results: Sequence[Result]) -> Iterator[str]:
    counts = Counter(result.verdict for result in results)
    counts[NOT_REPEATED_WORDS] = len(NOT_REPEATED)
    yield f"{TITLE}: {counted(len(repeat.place.group.runs), 'run')} of each population"
    yield "Each claim with what luck alone gives. " + INTERVALS
    yield "; ".join(f"{word}: {count}" for word, count in counts.items())
    for result in results:
        claim = result.claim
        yield ""
        yield from _indented(f"{claim.place}: {result.verdict.upper()}", 0)
        pictures = f" ({', '.join(claim.figures)})" if claim.figures else ""
        yield from _item(claim.thesis, f"{result.ours}{pictures}", result.luck, result.reason)
    for other in NOT_REPEATED:
        yield ""
        yield from _indented(f"{other.place}: {NOT_REPEATED_WORDS.upper()}", 0)
        yield from _item(other.thesis, other.ours(repeat), other.luck, f"{other.reason}.")


def _item(thesis: str, ours: str, luck: str, reason: str) -> Iterator[str]:
    """Yield the four lines of a claim."""
    for name, words in (("thesis", thesis), ("ours", ours), ("chance", luck), ("why", reason)):
        yield from _indented(f"{name:8}{words}", 2, 10)


def _markdown(repeat: Repeat, results: Sequence[Result]) -> Iterator[str]:
    yield "| § | the thesis | ours | chance | verdict |"
    yield "|---|---|---|---|---|"
    for result in results:
        claim = result.claim
        yield f"| {claim.place} | {claim.thesis} | {result.ours} | {result.luck} | {result.verdict} |"
    for other in NOT_REPEATED:
        ours = other.ours(repeat)
        yield f"| {other.place} | {other.thesis} | {ours} | {other.luck} | {NOT_REPEATED_WORDS}: {other.reason} |"


def _indented(line: str, columns: int, hanging: int | None = None) -> list[str]:
    rest = columns + 2 if hanging is None else hanging
    return fill(line, WIDTH, initial_indent=" " * columns, subsequent_indent=" " * rest).split("\n")
