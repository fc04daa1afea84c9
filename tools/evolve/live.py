"""What a run shows of itself on a terminal: how far it is, and the report of its last generation."""

from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from engines.run.executor import Crew
from engines.run.run import Progress
from tools.evolve.tally import Tally
from tools.evolve.views import Facts, Report, summary

FRAMES: Final = 4  # a second


class LiveView:
    """Redraws itself while it is entered; the last picture stays on the screen."""

    def __init__(self, report: Report, tally: Tally, crew: Crew, console: Console) -> None:
        self._report = report
        self._tally = tally
        self._crew = crew
        self._console = console
        self._title = ""
        self._note = ""
        self._text = ""
        self._last: Progress | None = None
        self._next = 0.0
        self._live = Live(console=console, get_renderable=self._picture, refresh_per_second=FRAMES)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._note = ""
        if self._last:
            self._text = self._report(self._last.generation)
        self._live.stop()

    def begun(self, facts: Facts) -> None:
        self._title = (
            f"{facts['game']} in {facts['run']}, seed {facts['seed']}, workers {facts['workers']}; "
            "Ctrl-C ends it after this generation"
        )

    def advanced(self, progress: Progress, tally: Tally) -> None:
        self._last = progress
        if monotonic() >= self._next:  # a generation may take a millisecond, its report as long
            self._next = monotonic() + 1 / FRAMES
            self._text = self._report(progress.generation)

    def noted(self, text: str) -> None:
        self._note = text

    def ended(self, facts: Facts, text: str) -> None:
        self._console.print(Text(f"\n{text}"))

    def _picture(self) -> RenderableType:
        done = ""
        if self._crew.wanted:
            done = f", of the next one {self._crew.done} of {self._crew.wanted} games"
        head = [Text(self._title, style="dim"), Text(summary(self._tally) + done, style="bold")]
        if self._note:
            head.append(Text(self._note, style="yellow"))
        return Group(*head, Text(), side_by_side(self._text))


def side_by_side(report: str) -> RenderableType:
    """The parts of a report, as many beside each other as the screen is wide."""
    parts = [Text(part.strip("\n"), no_wrap=True, overflow="ellipsis") for part in report.split("\n\n\n")]
    return Columns(parts, padding=(0, 4))
