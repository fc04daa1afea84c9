"""Write the golden files anew: `python -m tests.golden.write [NAME ...]`, a NAME is a case or the beginning of its name.

`--disk` writes the fixtures of tests/golden/disk too: runs, hills and homes as this very commit leaves them on the
disk. They were made by commit 530be50 and are not to be written again by a later one, or they prove nothing.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from traceback import format_exc

from tests.golden.cases import CASES, Skipped
from tests.golden.disk import write_fixtures


def main(words: Sequence[str]) -> int:
    names = [word for word in words if not word.startswith("-")]
    if "--disk" in words:
        write_fixtures()
    failures = 0
    for case in CASES:
        if names and not any(case.name.startswith(name) for name in names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                text = case.text(Path(folder))
            except Skipped as reason:
                print(f"{case.name}: left as it is, {reason}")
                continue
            except Exception:
                print(f"{case.name}: FAILED\n{format_exc()}")
                failures += 1
                continue
        before = case.path.read_text(encoding="utf-8") if case.path.exists() else None
        case.path.parent.mkdir(parents=True, exist_ok=True)
        case.path.write_text(text, encoding="utf-8", newline="")
        print(
            f"{case.name}: {'new' if before is None else 'as before' if before == text else 'CHANGED'}",
            flush=True,
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
