"""The client of the README: short, and it plays a game against a served process, as it is printed there."""

import re
import subprocess
import sys

from tests.conftest import ROOT
from tests.tools.served import served

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_the_scripted_client() -> None:
    (client,) = [
        code for code in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")) if "socket" in code
    ]
    assert client.count("\n") <= 30 and client.count("1835") == 1
    with served() as server:
        done = subprocess.run(
            [sys.executable, "-c", client.replace("1835", str(server.port))],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\{'worth': \[\d+, \d+\], 'rank': \[[12], [12]\], 'reason': '\w+'\}\n", done.stdout)
