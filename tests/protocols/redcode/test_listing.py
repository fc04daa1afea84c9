"""Listings and messages, as pMARS 0.9.2 prints them for warriors and snippets of others, byte for byte."""

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
from core.corewar.dialect import Dialect, Limits
from core.corewar.expression import Registers
from core.corewar.rules import Rules
from core.random import Random
from protocols.redcode.listing import NAME_CHARACTERS, display_name, listing, messages_text
from tests.core.corewar.grammar import Writer

RULES = Rules(size=800, length=60, distance=60)
OPTIONS = {"-s": "size", "-c": "cycles", "-p": "processes", "-l": "length", "-d": "distance", "-S": "pspace"}


def test_the_listing_of_an_imp_has_the_form_of_pmars() -> None:
    assembly = assemble(";name Imp\n;author A. K. Dewdney\nMOV 0, 1\n", RULES)
    warrior = assembly.warrior
    assert warrior
    assert listing(assembly, RULES) == (
        'Program "Imp" (length 1) by "A. K. Dewdney"\n\n       ORG      START\nSTART  MOV.I  $     0, $     1     \n\n'
    )
    assert listing(warrior, RULES) == listing(assembly, RULES)
    assert listing(assembly, RULES, traced=[0]) == listing(assembly, RULES).replace("1     \n", "1    T\n")


def test_the_listing_of_an_empty_warrior_has_only_a_title() -> None:
    assert listing(assemble("", RULES), RULES) == 'Program "Unknown" (length 0) by "Anonymous"\n\n\n'


def test_a_listing_is_assembled_to_the_same_warrior_with_any_line_ending() -> None:
    texts = [Writer(Random(seed)).warrior() for seed in range(600)]
    good = [(text, assembly) for text in texts if (assembly := assembled(text)).warrior]
    assert len(good) > 20
    for text, assembly in good:
        title, _, body = listing(assembly, RULES).partition("\n\n")
        assert f"(length {len(assembly.cells)})" in title
        again = assembled(body)
        assert again.cells == assembly.cells, text
        if assembly.start < len(assembly.cells):
            assert again.start == assembly.start
        if "\r" not in text:
            assert assembled(text.replace("\n", "\r\n")).cells == assembly.cells, text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Imp", "Imp"),
        (" a\t\x1b[2J\nb ", "a??[2J?b"),
        ("a  b   c", "a b c"),
        ("Größe 日本", "Gr??e ??"),
        (39 * "x" + " y", 39 * "x"),
    ],
)
def test_a_name_is_shown_as_one_short_line_of_ascii(name: str, shown: str) -> None:
    assert display_name(name) == shown and len(shown) <= NAME_CHARACTERS


def assembled(text: str) -> Assembly:
    return assemble(text, RULES, Dialect(limits=Limits(steps=5000)))


# -- The recorded answers of pMARS ------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Path:
    folder = shared_data / "corewar"
    if not folder.is_dir():
        pytest.skip(f"no test data in {folder}")
    return folder


def test_recorded_listings_of_pmars_are_reproduced(data: Path) -> None:
    differences = []
    for row in rows(data / "expected" / "listings.jsonl"):
        assembly, rules, dialect = assembled_with(text_of(data / row["path"]), row["args"])
        stderr = re.sub(
            r"\nSource: filename '[^\n]*'\n", "", row["stderr"]
        )  # only variants with a display have it
        if answer(assembly, rules, dialect) != (row["rc"], row["stdout"], stderr):
            differences.append((row["path"], row["setting"]))
    assert not differences


def test_recorded_loads_of_pmars_are_reproduced(data: Path) -> None:
    arguments = {
        (row["path"], row["setting"]): row["args"] for row in rows(data / "expected" / "listings.jsonl")
    }
    differences = []
    for row in table(data / "expected" / "loads.tsv"):
        content = (data / row["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest().startswith(row["sha256"]), row["path"]
        assembly, _, _ = assembled_with(content.decode("latin-1"), arguments[row["path"], row["setting"]])
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


def test_recorded_messages_of_pmars_are_reproduced(data: Path) -> None:
    for row in rows(data / "expected" / "messages.jsonl"):
        assembly, rules, dialect = assembled_with(row["stdin"], row["args"])
        if row["rc"] is None:  # pMARS does not come back; 2**63 wraps to -2**63
            assert assembly.cells
            assert messages_text(assembly.messages).startswith("Warning in line 5:")
            continue
        found = answer(assembly, rules, dialect)
        assert found == (row["rc"], row["stdout"], row["stderr"]), row["id"]


def test_recorded_expression_values_of_pmars_are_reproduced(data: Path) -> None:
    for row in table(data / "expected" / "expressions.tsv"):
        expression = row["expression"]
        text = f";redcode-94\n;name t\n;assert 1\nDAT.F $({expression}), ${expression}\n"
        assembly, rules, dialect = assembled_with(text, ["-r", "0"])
        status, stdout, stderr = answer(assembly, rules, dialect)
        assert status == int(row["rc"]), expression
        if assembly.ok:
            values = re.findall(r"\$ *(-?\d+)", stdout)
            assert values == [row["A_value"], row["B_value_of_same_expr"]], expression
        else:
            assert " | ".join(line.strip() for line in stderr.splitlines()[:2]) == row["stderr"], expression


def assembled_with(text: str, arguments: list[str]) -> tuple[Assembly, Rules, Dialect]:
    """What the command line with these arguments would assemble."""
    words = dict(zip(arguments, [*arguments[1:], ""], strict=True))
    sizes: dict[str, Any] = {name: int(words[option]) for option, name in OPTIONS.items() if option in words}
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
