"""The log of a long-lived process: one line an entry on standard error, as text or JSON, and never a flood."""

import json
import logging
import sys
import time
from typing import Final, TextIO

from engines.names import escaped

MOST: Final = 60  # entries a minute of one logger and level; the rest is counted
MINUTE: Final = 60.0  # seconds
LONGEST: Final = 500  # characters of what is told
FORMATS: Final = ("text", "json")


def start_log(format: str, stream: TextIO = sys.stderr) -> None:
    """Let everything from warnings on be written there, and our own information too."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if format == "json" else TextLines())
    handler.addFilter(RateFilter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for ours in ("protocols", "engines", "tools"):
        logging.getLogger(ours).setLevel(logging.INFO)


class TextLines(logging.Formatter):
    """LEVEL: message: what caused it. Invisible characters, perhaps of strangers, are shown as escapes."""

    def format(self, record: logging.LogRecord) -> str:
        text = f"{record.levelname}: {record.getMessage()[:LONGEST]}"
        if record.exc_info and record.exc_info[1]:
            text += f": {repr(record.exc_info[1])[:LONGEST]}"
        return escaped(" | ".join(line.strip() for line in text.splitlines()))


class JsonLines(logging.Formatter):
    """{"time":...,"level":...,"from":...,"message":...}; seconds since 1970."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": _shown(record.getMessage()[:LONGEST]),
        }
        if record.exc_info and record.exc_info[1]:
            entry["error"] = escaped(repr(record.exc_info[1])[:LONGEST])
        return json.dumps(entry, ensure_ascii=False)


def _shown(message: str) -> str:
    """Return a message with its hidden characters as escapes, but for its breaks, which JSON escapes itself."""
    return "\n".join(map(escaped, message.split("\n")))


class RateFilter(logging.Filter):
    """Lets so many entries a minute pass. The first of the next minute tells how many did not."""

    def __init__(self) -> None:
        super().__init__()
        self._minutes: dict[tuple[str, int], tuple[float, int]] = {}  # when it began, how many there were

    def filter(self, record: logging.LogRecord) -> bool:
        key, now = (record.name, record.levelno), time.monotonic()
        began, count = self._minutes.get(key, (now, 0))
        if now - began >= MINUTE:
            if count > MOST:
                record.msg = f"{record.getMessage()} (and {count - MOST} more like it a while ago)"
                record.args = ()
            began, count = now, 0
        self._minutes[key] = (began, count + 1)
        return count < MOST
