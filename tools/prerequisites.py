"""A script that checks the prerequisites of the set-up. It names missing parts with their packages, and exits with 1.

Any Python 3 runs the script, so that it can report a Python that is too old.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

PACKAGES = """On Debian or Ubuntu: sudo apt-get install python3-dev python3-venv gcc make
On Fedora: sudo dnf install python3-devel gcc make
On macOS: brew install python@3.13 and xcode-select --install"""
OLDEST = (3, 11)


def compiler() -> list[str]:
    """Return the command of the C compiler: the variable CC, or else the compiler that Python was built with."""
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()


def is_clang(command: list[str]) -> bool:
    """Return whether a compiler calls itself clang, as Apple's cc does too."""
    return b"clang" in subprocess.run([*command, "--version"], capture_output=True).stdout


def missing() -> Iterator[str]:
    """Yield the missing parts, in words."""
    if sys.version_info < OLDEST:
        yield f"Python 3.11 or later (this is {sys.version.split()[0]}; make PYTHON=... takes another)"
    program = compiler()[0]
    if not shutil.which(program):
        yield f"a C compiler ({program})"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        yield "the headers of Python (Python.h)"
    if not (find_spec("venv") and find_spec("ensurepip")):
        yield "Python's venv"


if __name__ == "__main__":
    if lacking := list(missing()):
        sys.exit(f"Galapagos needs {' and '.join(lacking)}.\n{PACKAGES}")
