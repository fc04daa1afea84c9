"""What every test run needs: a fresh compiled core, the data that is not part of the product, and a virtual clock."""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

pytest.register_assert_rewrite("tests.conformance")
# Machines are shared: an example that takes long says nothing; a test that hangs meets pytest-timeout.
# Every run draws other examples; `make slow` draws many.
settings.register_profile("galapagos", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("galapagos")

# Products of small matrices wait for each other's threads longer than they take, with other tests beside them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Some 200 tests start Python, and each would compile every module again: 60 s of the processor in all.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / "build" / "bytecode"))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse to test old machine code, or none at all: bitboards do not run interpreted."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)  # so that programs under test hear Ctrl-C
    stale = list(_stale_modules())
    if stale:
        pytest.exit(
            f"run `make install`: not compiled since the last change: {', '.join(stale)}", returncode=4
        )
    spec = find_spec("core.game")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if spec and reporter:  # not pytest_report_header, which -q silences
        reporter.write_line(f"core: compiled, {spec.origin}")


def pytest_collection_finish() -> None:
    """What is there now stays: it need not be looked at by every collection of garbage, a twentieth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of test data by others, which the repository does not hold (GALAPAGOS_DATA names it)."""
    folder = Path(os.environ.get("GALAPAGOS_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no test data in {folder}; set GALAPAGOS_DATA")
    return folder


@pytest.fixture
async def virtual_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """Return the clock of the test's loop, which from now on stands still while anything runs.

    When nothing is left to run it jumps to the next timer, so waits take no time and last exactly as long as they
    say. Only for tests without processes, threads and distant sockets, whose work would take no time on this clock.
    """
    loop: Any = asyncio.get_running_loop()
    selector = loop._selector
    select, now = selector.select, loop.time()

    def jump(timeout: float | None = None) -> object:
        nonlocal now
        if not timeout:  # callbacks are ready, or there is no timer
            return select(timeout)
        if events := select(0):
            return events
        now += timeout
        return []

    monkeypatch.setattr(loop, "time", lambda: now)
    monkeypatch.setattr(selector, "select", jump)
    return lambda: now


def _stale_modules() -> Iterator[str]:
    for source in sorted((ROOT / "core").rglob("*.py")):
        if not source.stat().st_size:  # an empty __init__.py is not compiled
            continue
        name = ".".join(source.relative_to(ROOT).with_suffix("").parts)
        spec = find_spec(name)
        origin = Path(spec.origin) if spec and spec.origin else source
        if (
            not origin.name.endswith(tuple(EXTENSION_SUFFIXES))
            or origin.stat().st_mtime < source.stat().st_mtime
        ):
            yield name
