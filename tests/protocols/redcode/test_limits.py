"""Hostile texts: each is answered at once, mostly with an error that says what was too much."""

from time import process_time

import pytest

from core.corewar.expression import Evaluator, ExpressionError, Registers, evaluate
from core.corewar.rules import Rules
from core.random import Random
from protocols.redcode.assemble import assemble
from protocols.redcode.dialect import Dialect, Limits
from protocols.redcode.messages import messages_text

RULES = Rules()
SECONDS = 1.0


def doubling(names: int, factor: str) -> str:
    return "a0 equ 1\n" + "".join(f"a{n} equ {factor.format(f'a{n - 1}')}\n" for n in range(1, names))


REFUSED = {
    "FOR bomb": (";assert 1\n" + "for 60000\n" * 9 + "dat 0\n" + "rof\n" * 9, "exceed the limit 1000"),
    "FOR over nothing": ("for 60000\n" * 20 + "rof\n" * 20, "Refused: too much to repeat"),
    "deep FOR": ("for 2\n" * 5000 + "dat 0\n" + "rof\n" * 5000, "Refused: too many blocks"),
    "EQU cycle": ("a equ b\nb equ a\ndat a\n", "Recursive reference of label"),
    "EQU cycle, later": ("dat a\na equ b+b\nb equ a+a\n", "Recursive reference of label"),
    "EQU chain": (doubling(900, "{}") + "dat a899\n", "Refused: too many EQUs within one another"),
    "EQU chain, later": ("dat a899\n" + doubling(900, "{}"), "Refused: too many EQUs within one another"),
    "EQU doubling": (doubling(30, "{0}+{0}") + "dat a29\n", "Buffer overflow. Substitution is too complex"),
    "EQU doubling, later": ("dat a29\n" + doubling(30, "{0}+{0}"), "Refused: too much text from EQUs"),
    "EQU tripling nothing": (
        doubling(30, "{0} {0} {0}").replace("1", "", 1) + "dat a29",
        "Refused: too much text from EQUs",
    ),
    "parentheses": ("dat " + "(" * 120 + "1" + ")" * 120, "Refused: too many parentheses"),
    "20 digits": ("dat 12345678901234567890, 1\n", "Refused: a number of more than 19 digits"),
    "labels": ("".join(f"l{n} dat\n" for n in range(3000)), ""),
    "EQU labels": ("".join(f"l{n} equ 1\n" for n in range(3000)), "Refused: too many labels"),
    "a large file": ("dat 0\n" * 20_000, "Refused: more than 65536 characters"),
    "terms": ("dat 0" + "+1" * 30_000, "Too many errors or warnings."),
    "the same error": ("x@1\nmov#1,2\n" * 4000, "Too many errors or warnings."),
    "an operation in an operation": (
        "x equ mov y\ny equ mov z\nz equ mov x\n" + "x x x\n" * 1000,
        "Improper placement",
    ),
}

LOADED = {
    "unary minus": "dat " + "-" * 240 + "1\n",
    "FOR 0": "for 0\n" * 8000,
    "parentheses in FOR in FOR": f"for {'(' * 60}1{')' * 60}\n" * 49 + "dat 0\n" + "rof\n" * 49,
    "backslashes": "\\\n" * 30_000,
    "a last backslash": "mov 0, 1\\",
    "2**63": "dat 9223372036854775807*9223372036854775807, (0-9223372036854775807-1)/(0-1)\n",
    "NUL": "\0" * 60_000,
    "semicolons": ";" * 60_000,
    ";redcode": ";redcode\n" * 7000,
    "blanks": "x" + " " * 60_000 + "dat 0\n",
    "assertions": ";assert " + "1||2*3&&" * 28 + "1\n",
}


@pytest.mark.parametrize("evaluator", ["0.9.2", "sane"])
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, evaluator: Evaluator) -> None:
    text, reason = REFUSED[name]
    start = process_time()
    assembly = assemble(text, RULES, Dialect(evaluator=evaluator))
    assert process_time() - start < SECONDS
    assert not assembly.ok
    assert assembly.warrior is None
    assert reason in messages_text(assembly.messages)


@pytest.mark.parametrize("name", LOADED)
def test_loaded(name: str) -> None:
    start = process_time()
    assert assemble(LOADED[name], RULES).ok
    assert process_time() - start < SECONDS


@pytest.mark.parametrize("seed", range(12))
def test_random_bytes(seed: int) -> None:
    random = Random(seed)
    count, least = (256, 0) if seed % 2 else (96, 32)
    text = "".join(chr(least + random.below(count)) if random.below(20) else "\n" for _ in range(30_000))
    start = process_time()
    assemble(text, RULES)
    assert process_time() - start < SECONDS


@pytest.mark.parametrize("evaluator", ["0.9.2", "sane"])
@pytest.mark.parametrize(
    "text",
    [
        "1" + "+1" * 100_000,
        "(" * 100_000,
        "-" * 100_000 + "1",
        "1/0+" * 50_000 + "1",
        "9" * 100_000,
        "a=" * 50_000,
        "1||2*3&&" * 20_000 + "1",
        "1 " * 50_000,
        "!" * 100_000,
    ],
    ids=lambda text: text[:9],
)
def test_long_expressions(text: str, evaluator: Evaluator) -> None:
    start = process_time()
    try:
        evaluate(text, Registers(), evaluator)
    except ExpressionError as error:
        assert len(str(error)) < 200
    assert process_time() - start < SECONDS


def test_limits_are_values() -> None:
    text = ";assert 1\nlonger equ (((1)))\ni for 1\ndat longer, i\nrof\n"
    assert assemble(text, RULES, Dialect(limits=Limits(expression_depth=3))).ok
    for limits in (
        Limits(expression_depth=2),
        Limits(characters=20),
        Limits(equ_depth=0),
        Limits(nesting=0),
        Limits(labels=9),
        Limits(steps=4),
    ):
        assert not assemble(text, RULES, Dialect(limits=limits)).ok
