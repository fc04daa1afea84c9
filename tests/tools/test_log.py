"""The log of a long-lived process."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from tools.log import LONGEST, MAX_PER_MINUTE, MINUTE, start_log


@pytest.fixture
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    before = logging.root.handlers[:], logging.root.level
    stream = io.StringIO()
    start_log(getattr(request, "param", "json"), stream)
    yield stream
    logging.root.handlers[:], logging.root.level = before


def test_a_json_entry_is_one_line(log: io.StringIO) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("protocols.web").exception("a %s\nwith a break", "fault")
    (line,) = log.getvalue().splitlines()
    entry = json.loads(line)
    assert entry["level"] == "error" and entry["from"] == "protocols.web"
    assert entry["message"] == "a fault\nwith a break" and "two" in entry["error"]


@pytest.mark.parametrize("log", ["text"], indirect=True)
def test_a_text_entry_is_a_line_with_its_cause(log: io.StringIO) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("aiohttp.server").exception("Error\n  handling")
    logging.getLogger("tools").info("our own")
    assert log.getvalue() == "ERROR: Error | handling: ValueError('two\\nlines')\nINFO: our own\n"


@pytest.mark.parametrize("log", ["json", "text"], indirect=True)
def test_a_long_traceback_keeps_its_last_frame_and_its_cause(log: io.StringIO) -> None:
    frames = "".join(f'  File "{number}.py", line {number}, in act\n    act()\n' for number in range(60))
    traceback = f"t-1: Traceback (most recent call last):\n{frames}ValueError: no idea\n"
    logging.getLogger("protocols").error(traceback)
    fault = ValueError("far away")
    fault.add_note(traceback)
    logging.getLogger("engines").error("a job", exc_info=fault)
    for line in log.getvalue().splitlines():
        assert "59.py" in line and "ValueError: no idea" in line and len(line) < LONGEST + 200
    assert "t-1: Traceback" in log.getvalue() and "ValueError('far away')" in log.getvalue()


@pytest.mark.parametrize("log", ["json", "text"], indirect=True)
def test_log_entries_above_the_limit_a_minute_are_only_counted(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("tools.log.time.monotonic", lambda: now)
    for number in range(10 * MAX_PER_MINUTE):
        logging.getLogger("protocols").error("%s", "x" * 10_000 + str(number))
    logging.getLogger("engines").error("another")
    lines = log.getvalue().splitlines()
    assert len(lines) == MAX_PER_MINUTE + 1
    assert max(map(len, lines)) < LONGEST + 200
    now += MINUTE
    logging.getLogger("protocols").error("later")
    assert f"later (after {9 * MAX_PER_MINUTE} similar entries" in log.getvalue().splitlines()[-1]


@pytest.mark.parametrize("log", ["json", "text"], indirect=True)
def test_invisible_characters_are_shown_as_escapes(log: io.StringIO) -> None:
    logging.getLogger("protocols").error("the name %s", "gnp.\u202eexe\x1b[2J\x9b")
    text = log.getvalue()
    assert not set("\u202e\x1b\x9b") & set(text)
    shown = r"the name gnp.\u202eexe\x1b[2J\x9b"
    assert shown in (json.loads(text)["message"] if text.startswith("{") else text)


def test_info_entries_of_other_libraries_are_left_out(log: io.StringIO) -> None:
    logging.getLogger("aiohttp.access").info("GET /")
    logging.getLogger("tools").info("our own")
    assert [json.loads(line)["message"] for line in log.getvalue().splitlines()] == ["our own"]
