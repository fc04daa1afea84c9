"""How far a long command is, in a pipe."""

import pytest

from tools import progress


def test_progress_is_printed_in_lines_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(progress, "monotonic", lambda: now)
    with progress.progress_display() as bar:
        task = bar.add_task("warriors", total=3840)
        for _ in range(3840):
            now += 1 / 128
            bar.advance(task)
        bar.update(task, completed=3840)
    lines = capsys.readouterr().err.splitlines()
    assert all(line.endswith(" left") for line in lines)
    assert [line.rpartition(", ")[0] for line in lines] == [
        "1,280 of 3,840 (33 %), warriors",
        "2,560 of 3,840 (67 %), warriors",
        "3,840 of 3,840 (100 %), warriors",
    ]


def test_short_commands_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_display() as bar:
        bar.advance(bar.add_task("", total=1))
    assert capsys.readouterr() == ("", "")
