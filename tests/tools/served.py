"""`galapagos serve` in a process, and what it takes of the machine."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.waiting import PATIENCE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    process: "subprocess.Popen[str]"
    port: int

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)

    def submit(self, text: bytes) -> str:
        """The answer to a text. ConnectionError if it is cut off."""
        with self.connect() as line:
            line.sendall(text)
            line.shutdown(socket.SHUT_WR)
            answer = "".join(_pieces(line))
        if not answer.endswith(".\n"):
            raise ConnectionError(f"no whole answer: {answer[-100:]!r}")
        return answer.removesuffix(".\n")

    def cpu_seconds(self) -> dict[int, float]:
        """Of the server and each of its workers, so far."""
        second = os.sysconf("SC_CLK_TCK")
        return {
            pid: (int(fields[11]) + int(fields[12])) / second  # utime, stime
            for pid, fields in _family(self.process.pid)
        }

    def most_memory(self) -> int:
        """Resident bytes of the largest of its processes, at its largest."""
        return max(_high_water(pid) for pid, _ in _family(self.process.pid))


@contextmanager
def served(*hills: Path, workers: int = 1, limits: Mapping[str, int] | None = None) -> Iterator[Served]:
    """A server on a free port; its workers end with it."""
    options = [word for hill in hills for word in ("--hill", str(hill))]
    options += [word for name, bound in (limits or {}).items() for word in ("--limit", f"{name}={bound}")]
    command = [
        sys.executable,
        "-m",
        "tools",
        "serve",
        "--port",
        "0",
        "--page",
        "0",
        "--workers",
        str(workers),
        *options,
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"listening on 127.0.0.1:(\d+)", process.stdout.readline())
            assert address
            yield Served(process=process, port=int(address[1]))
        finally:
            process.terminate()


def _pieces(line: socket.socket) -> Iterator[str]:
    while data := line.recv(65_536):
        yield data.decode("iso-8859-1")


def _family(pid: int) -> Iterator[tuple[int, list[str]]]:
    """(process, fields of its stat after the name) for a process and its descendants."""
    stats = {int(path.parent.name): _stat(path) for path in Path("/proc").glob("[0-9]*/stat")}
    family = {pid}
    for each in sorted(stats):
        if stats[each] and int(stats[each][1]) in family:
            family.add(each)
    return ((each, stats[each]) for each in sorted(family) if stats.get(each))


def _stat(path: Path) -> list[str]:
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return []


def _high_water(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return sum(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))
