"""The script of `make checked`: builds the core without patches but with sanitizers, and tests this build.

The tree is copied to build/checked, so that the fast build stays unchanged. The copy of the core is compiled without
tools/mypyc_patches, and with AddressSanitizer and UndefinedBehaviorSanitizer if the compiler has them. Then the tests
of the core run, and the tests that compare the signatures of the benchmarks (tests/golden) with those of the fast
build.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent.parent))
from tools.prerequisites import compiler, is_clang

ROOT: Final = Path(__file__).parent.parent
COPY: Final = ROOT / "build" / "checked"
PARTS: Final = ("core", "engines", "protocols", "tools", "tests", "pyproject.toml", "README.md")
# The code requires that overflow wraps (-fwrapv); with this flag UndefinedBehaviorSanitizer does not report overflow.
SANITIZERS: Final = ("address", "undefined")
PYTEST: Final = "-m pytest -p no:cacheprovider --timeout=3600"
# The default tests of the core, because those marked slow would take hours, and the signatures of all benchmarks.
TESTS: Final = (["tests/core"], ["tests/golden/test_golden.py", "-k", "bench/", "-m", "not soak"])
# An error that a sanitizer finds ends the program. Leaks are not reported, because mypyc and Python keep memory until
# the end. Python's own allocator would hide accesses beyond an object.
ENVIRONMENT: Final = {
    "ASAN_OPTIONS": "detect_leaks=0",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "PYTHONMALLOC": "malloc",
}


def main(arguments: list[str]) -> int:
    """Build and test the copy, and return the exit status of pytest; `arguments` of pytest replace TESTS."""
    flags, libraries = sanitizers(compiler())
    print(
        f"Checked build in {COPY.relative_to(ROOT)}: {' '.join(flags) or 'without sanitizers, which this compiler lacks'}",
        flush=True,
    )
    for part in PARTS:
        source, target = ROOT / part, COPY / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("*.so", "__pycache__")
            shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
            for copied in target.rglob("*.py"):
                if not (source / copied.relative_to(target)).exists():
                    copied.unlink()  # it was deleted or renamed since the last copy
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    environment = os.environ | {"GALAPAGOS_CHECKED": "1", "GALAPAGOS_SANITIZERS": " ".join(flags)}
    subprocess.run([sys.executable, "tools/build.py"], cwd=COPY, env=environment, check=True)
    preload = {"LD_PRELOAD": ":".join(libraries)} if libraries else {}
    command = [sys.executable, *PYTEST.split(), f"--numprocesses={os.cpu_count()}"]
    for tests in [arguments] if arguments else TESTS:
        finished = subprocess.run([*command, *tests], cwd=COPY, env=environment | ENVIRONMENT | preload)
        if finished.returncode:
            return finished.returncode
    return 0


def sanitizers(command: list[str]) -> tuple[list[str], list[str]]:
    """Return the flags for the sanitizers that a compiler can link, and the libraries to load before Python."""
    flags: list[str] = []
    libraries: list[str] = []
    shared = ["-shared-libsan"] if is_clang(command) else []
    if library := _address_library(command):
        flags += ["-fsanitize=address", *shared]
        libraries.append(library)
    added = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined", *shared]
    if _links(command, added):
        flags += [flag for flag in added if flag not in flags]
    return flags, libraries


def _address_library(command: list[str]) -> str | None:
    """Return the path of AddressSanitizer's shared library, or None if the compiler has none that links.

    Python is built without AddressSanitizer, so it must load this library before all others.
    """
    name = f"libclang_rt.asan-{os.uname().machine}.so" if is_clang(command) else "libasan.so"
    found = subprocess.run(
        [*command, f"-print-file-name={name}"], capture_output=True, text=True
    ).stdout.strip()
    is_usable = Path(found).is_absolute() and _links(command, ["-fsanitize=address"])
    return str(Path(found).resolve()) if is_usable else None


def _links(command: list[str], flags: list[str]) -> bool:
    """Return whether the compiler can build a program with these flags."""
    program = b"int main(void) { return 0; }"
    linker = [*command, *flags, "-x", "c", "-", "-o", os.devnull]
    return subprocess.run(linker, input=program, capture_output=True).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
