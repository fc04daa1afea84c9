"""The log of a long-lived process: a line for each entry on standard error, as text or JSON, with a limited rate."""

import json
import logging
import sys
import time
from typing import Final, TextIO

from engines.names import escaped

MAX_PER_MINUTE: Final = 60  # entries a minute of one logger and level; the rest is counted
MINUTE: Final = 60.0  # seconds
LONGEST: Final = 500  # characters of a message
HEAD: Final = (
    80  # of these, from the start of a longer message; the rest is its end, the cause of a traceback
)
FORMATS: Final = ("text", "json")


def start_log(format: str, stream: TextIO = sys.stderr) -> None:
    """Log to `stream`: warnings and errors of all packages, and information of the program's own packages."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if format == "json" else TextLines())
    handler.addFilter(RateFilter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for ours in ("protocols", "engines", "tools"):
        logging.getLogger(ours).setLevel(logging.INFO)


class TextLines(logging.Formatter):
    """The format `LEVEL: message: cause`, with invisible characters, which may come from clients, as escapes."""

    def format(self, record: logging.LogRecord) -> str:
        text = f"{record.levelname}: {_cut(record.getMessage())}"
        if record.exc_info and record.exc_info[1]:
            text += f": {_cause(record.exc_info[1])}"
        return escaped(" | ".join(line.strip() for line in text.splitlines()))


class JsonLines(logging.Formatter):
    """The format {"time":...,"level":...,"from":...,"message":...}, with the time in seconds since 1970."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": _shown(_cut(record.getMessage())),
        }
        if record.exc_info and record.exc_info[1]:
            entry["error"] = escaped(_cause(record.exc_info[1]))
        return json.dumps(entry, ensure_ascii=False)


def _cut(text: str) -> str:
    """Return a text of at most LONGEST characters; of a longer one the middle is left out."""
    text = text.rstrip()
    return text if len(text) <= LONGEST else f"{text[:HEAD]} ... {text[HEAD + 5 - LONGEST :]}"


def _cause(error: BaseException) -> str:
    """Return an exception, with its notes: the traceback in a worker process is one."""
    return _cut("\n".join([repr(error), *getattr(error, "__notes__", ())]))


def _shown(message: str) -> str:
    """Return a message with its hidden characters as escapes, except line breaks, which JSON escapes itself."""
    return "\n".join(map(escaped, message.split("\n")))


class RateFilter(logging.Filter):
    """A filter that passes MAX_PER_MINUTE entries a minute. The first entry of the next minute counts the suppressed ones."""

    def __init__(self) -> None:
        super().__init__()
        self._minutes: dict[tuple[str, int], tuple[float, int]] = {}  # the start of the minute, entries since

    def filter(self, record: logging.LogRecord) -> bool:
        key, now = (record.name, record.levelno), time.monotonic()
        began, count = self._minutes.get(key, (now, 0))
        if now - began >= MINUTE:
            if count > MAX_PER_MINUTE:
                record.msg = f"{record.getMessage()} (after {count - MAX_PER_MINUTE} similar entries that were not logged)"
                record.args = ()
            began, count = now, 0
        self._minutes[key] = (began, count + 1)
        return count < MAX_PER_MINUTE
