"""pMARS 0.9.2's own answers to files and snippets of others, byte for byte."""

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.corewar.assembler import Assembly, assemble
from core.corewar.diagnostics import Severity
from core.corewar.dialect import Dialect
from core.corewar.expression import Registers
from core.corewar.rules import Rules
from protocols.redcode.listing import listing
from protocols.redcode.messages import messages_text

OPTIONS = {"-s": "size", "-c": "cycles", "-p": "processes", "-l": "length", "-d": "distance", "-S": "pspace"}


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Path:
    folder = shared_data / "corewar"
    if not folder.is_dir():
        pytest.skip(f"no test data in {folder}")
    return folder


def test_listings(data: Path) -> None:
    differences = []
    for row in rows(data / "expected" / "listings.jsonl"):
        assembly, rules, dialect = assembled(text_of(data / row["path"]), row["args"])
        stderr = re.sub(
            r"\nSource: filename '[^\n]*'\n", "", row["stderr"]
        )  # only variants with a display have it
        if answer(assembly, rules, dialect) != (row["rc"], row["stdout"], stderr):
            differences.append((row["path"], row["setting"]))
    assert not differences


def test_loads(data: Path) -> None:
    arguments = {
        (row["path"], row["setting"]): row["args"] for row in rows(data / "expected" / "listings.jsonl")
    }
    differences = []
    for row in table(data / "expected" / "loads.tsv"):
        content = (data / row["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest().startswith(row["sha256"]), row["path"]
        assembly, _, _ = assembled(content.decode("latin-1"), arguments[row["path"], row["setting"]])
        counts = [
            sum(message.count for message in assembly.messages if message.severity is severity)
            for severity in (Severity.WARNING, Severity.ERROR)
        ]
        found = [
            *(("0", str(len(assembly.cells)), assembly.name, assembly.author) if assembly.ok else ("3",)),
            *map(str, counts),
        ]
        columns = ("rc", "length", "name", "author") if assembly.ok else ("rc",)
        if found != [row[column] for column in (*columns, "warnings", "errors")]:
            differences.append((row["path"], found))
    assert not differences


def test_messages(data: Path) -> None:
    for row in rows(data / "expected" / "messages.jsonl"):
        assembly, rules, dialect = assembled(row["stdin"], row["args"])
        if row["rc"] is None:  # pMARS does not come back; 2**63 wraps to -2**63
            assert assembly.cells
            assert messages_text(assembly.messages).startswith("Warning in line 5:")
            continue
        found = answer(assembly, rules, dialect)
        assert found == (row["rc"], row["stdout"], row["stderr"]), row["id"]


def test_expressions(data: Path) -> None:
    for row in table(data / "expected" / "expressions.tsv"):
        expression = row["expression"]
        text = f";redcode-94\n;name t\n;assert 1\nDAT.F $({expression}), ${expression}\n"
        assembly, rules, dialect = assembled(text, ["-r", "0"])
        status, stdout, stderr = answer(assembly, rules, dialect)
        assert status == int(row["rc"]), expression
        if assembly.ok:
            values = re.findall(r"\$ *(-?\d+)", stdout)
            assert values == [row["A_value"], row["B_value_of_same_expr"]], expression
        else:
            assert " | ".join(line.strip() for line in stderr.splitlines()[:2]) == row["stderr"], expression


def assembled(text: str, arguments: list[str]) -> tuple[Assembly, Rules, Dialect]:
    """What the command line with these arguments would assemble."""
    words = dict(zip(arguments, [*arguments[1:], ""], strict=True))
    sizes = {name: int(words[option]) for option, name in OPTIONS.items() if option in words}
    sizes.setdefault("distance", sizes.get("length", 100))
    rules, dialect = Rules(**sizes), Dialect(icws88="-8" in words)
    registers = Registers()
    registers["W"] = registers["S"] = 1  # the score formula is tried first, and leaves them
    return assemble(text, rules, dialect, rounds=int(words["-r"]), registers=registers), rules, dialect


def answer(assembly: Assembly, rules: Rules, dialect: Dialect) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    stdout = listing(assembly, rules, dialect.icws88) if assembly.ok else ""
    return 0 if assembly.ok else 3, stdout, messages_text(assembly.messages)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def table(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def text_of(path: Path) -> str:
    return path.read_bytes().decode("latin-1")
