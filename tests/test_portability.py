"""What Linux has and macOS lacks is asked for, not taken for granted."""

import subprocess
import sys
from pathlib import Path

from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parent.parent
# Names that CPython has on Linux only, as its documentation says.
AS_ON_MACOS = """
import os, select, signal, socket
for module, names in {
    os: "sched_getaffinity sched_setaffinity memfd_create posix_fadvise pidfd_open eventfd O_TMPFILE getrandom prctl",
    socket: "TCP_INFO TCP_USER_TIMEOUT TCP_QUICKACK TCP_DEFER_ACCEPT TCP_SYNCNT SO_PEERCRED SO_DOMAIN SO_PROTOCOL",
    signal: "SIGSTKFLT SIGPWR SIGPOLL SIGRTMIN SIGRTMAX sigtimedwait sigwaitinfo",
    select: "epoll",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
import ctypes
ctypes.CDLL.__getattr__ = lambda self, name: (_ for _ in ()).throw(AttributeError(name))  # no glibc
"""


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_MACOS + script],
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=4 * PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_is_imported_without_linux() -> None:
    optional = ("tools.build", "protocols.adapters")
    modules = sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for package in ("core", "engines", "protocols", "tools")
        for path in (ROOT / package).rglob("*.py")
    )
    wanted = [module for module in modules if not module.startswith(optional) and "__main__" not in module]
    run(f"import importlib\nfor name in {wanted!r}:\n    importlib.import_module(name)\n")


def test_peers_and_bounded_tasks_work_without_linux() -> None:
    """Where the kernel does not tell how a connection is, the end of its input does."""
    out = run(
        """
from pathlib import Path
from types import SimpleNamespace
from engines import worker_pool
from protocols.connection import is_peer_gone
worker_pool.STATUS = Path("/nothing/here")
print(worker_pool.bounded(5.0, abs, -4))
for closing in (False, True):
    print(is_peer_gone(SimpleNamespace(is_closing=lambda: closing, get_extra_info=lambda name: object())))
"""
    )
    assert out.split() == ["4", "False", "True"]
