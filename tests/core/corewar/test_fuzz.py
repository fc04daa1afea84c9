"""The fuzzer: whatever the text, the assembler and its expressions answer, within a second.

The same grammar writes the texts of both forms: a plain random source decides in the quick one, which `make slow`
repeats over as many inputs as GALAPAGOS_FUZZ_INPUTS says; hypothesis in the other, and finds the smallest failure.
"""

import os
from dataclasses import dataclass
from time import process_time
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.corewar.assembler import assemble
from core.corewar.diagnostics import MAX_MESSAGES, Severity
from core.corewar.dialect import Dialect, Evaluator
from core.corewar.expression import ExpressionError, Registers, evaluate
from core.corewar.rules import Rules
from core.random import Random
from protocols.redcode.listing import listing, messages_text
from tests.core.corewar.grammar import Source, Writer, damaged

SIZES = (Rules(), Rules(size=800, length=20, distance=20), Rules(size=1, length=1, distance=1))
EVALUATORS: tuple[Evaluator, ...] = ("0.9.2", "sane")
SECONDS = 1.0
LARGE = (HealthCheck.large_base_example, HealthCheck.data_too_large, HealthCheck.too_slow)  # a warrior is
INPUTS = int(os.environ.get("GALAPAGOS_FUZZ_INPUTS", "200000"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Decisions that hypothesis makes, and makes smaller."""

    data: st.DataObject

    def below(self, n: int, /) -> int:
        return self.data.draw(st.integers(0, n - 1))


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=LARGE)
def test_any_text_of_the_grammar_assembles_or_reports_errors(data: st.DataObject) -> None:
    check_generated_text(Drawn(data))


@given(st.text(st.characters(max_codepoint=0x3000), max_size=300))
def test_any_characters_assemble_or_report_errors(text: str) -> None:
    check_text(text, SIZES[0], Dialect())


def test_generated_texts_assemble_or_report_errors() -> None:
    for seed in range(1000):
        check_generated_text(Random(seed))


def test_assembly_results_match_the_recorded_signature() -> None:
    """As they were when all warriors of others assembled as by pMARS: each custom decides about one of these texts."""
    signature = 0
    for seed in range(600):
        writer = Writer(Random(seed))
        text = damaged(writer.warrior(), writer) if seed % 3 else writer.warrior()
        dialect = Dialect(icws88=seed % 4 == 0, debugger=seed % 2 == 0)
        assembly = assemble(text, SIZES[seed % 2], dialect)
        answer = (assembly.name, assembly.cells, assembly.start, assembly.pin, assembly.traced)
        signature = crc32(f"{answer} {messages_text(assembly.messages)}".encode(), signature)
    assert f"{signature:08x}" == "6141bc2d"


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_very_many_generated_texts_assemble_or_report_errors() -> None:
    for seed in range(INPUTS):
        check_generated_text(Random(seed))


def check_generated_text(source: Source) -> None:
    """A text of the grammar, damaged or not, in one of the dialects; and an expression."""
    writer = Writer(source)
    text, expression = writer.warrior(), writer.expression(writer.below(5))
    if writer.chance(5):
        text, expression = damaged(text, writer), damaged(expression, writer)
    evaluator = writer.pick(EVALUATORS)
    dialect = Dialect(
        icws88=writer.chance(2), evaluator=evaluator, friendly=writer.chance(2), debugger=writer.chance(2)
    )
    check_text(text, writer.pick(SIZES), dialect)
    check_expression(expression, evaluator)


def check_text(text: str, rules: Rules, dialect: Dialect) -> None:
    started = process_time()
    assembly = assemble(text, rules, dialect)
    assert process_time() - started < SECONDS, text
    errors = [message for message in assembly.messages if message.severity is Severity.ERROR]
    located = [message for message in assembly.messages if message.line is not None]
    assert assembly.ok == (not errors and len(located) < MAX_MESSAGES), text
    assert messages_text(assembly.messages).startswith(("Error", "Warning")) or not assembly.messages, text
    assert len(assembly.cells) <= rules.length, text
    if assembly.ok:
        title = f'Program "{assembly.name}" (length {len(assembly.cells)}) by "{assembly.author}"\n'
        assert listing(assembly, rules, dialect.icws88).startswith(title), text


def check_expression(text: str, evaluator: Evaluator) -> None:
    started = process_time()
    try:
        value, _ = evaluate(text, Registers(), evaluator)
    except ExpressionError as error:
        assert 1 <= error.column <= len(text) + 1, text
    else:
        assert -(2**63) <= value < 2**63, text
    assert process_time() - started < SECONDS, text
