"""The progress of a long command: a bar on a terminal, otherwise occasional lines."""

import sys
from time import monotonic
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

LINE_SECONDS: Final = 10.0  # between two lines


def progress_display() -> Progress:
    """Return a progress display on standard error, to be used as a context."""
    if not sys.stderr.isatty():
        return ProgressLines()
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


class ProgressLines(Progress):
    """A progress display that prints a line every LINE_SECONDS, for logs; none for a command that ends sooner."""

    def __init__(self) -> None:
        super().__init__(disable=True)  # disables the display, not the counting
        self._due = monotonic() + LINE_SECONDS

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        super().advance(task_id, advance)
        self._tell(task_id)

    def update(self, task_id: TaskID, **fields: Any) -> None:
        super().update(task_id, **fields)
        self._tell(task_id)

    def _tell(self, task_id: TaskID) -> None:
        now = monotonic()
        if now < self._due:
            return
        self._due = now + LINE_SECONDS
        task = self._tasks[task_id]
        parts = [f"{task.completed:,.0f}"]
        if task.total:
            parts = [f"{task.completed:,.0f} of {task.total:,.0f} ({task.percentage:.0f} %)"]
        if task.description:
            parts.append(task.description)
        if task.time_remaining is not None:
            minutes, seconds = divmod(round(task.time_remaining), 60)
            parts.append(f"{minutes}:{seconds:02} left")
        print(", ".join(parts), file=sys.stderr, flush=True)
