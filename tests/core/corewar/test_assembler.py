"""The assembler's customs that the reference tables do not show."""

from time import process_time

import pytest

from core.corewar.assembler import Assembly, assemble, assemble_line
from core.corewar.diagnostics import Problem, Severity
from core.corewar.dialect import Dialect, Evaluator, Limits
from core.corewar.expression import Registers
from core.corewar.instruction import EMPTY, a_of, b_of
from core.corewar.preprocessor import predefined
from core.corewar.rules import Rules
from core.random import Random
from protocols.redcode.listing import instruction_text, messages_text

RULES = Rules()
IMP = "MOV.I  $     0, $     1"


def assembled(*lines: str, dialect: Dialect | None = None) -> Assembly:
    return assemble("\n".join((";redcode", ";assert 1", *lines, "")), RULES, dialect)


def instructions(assembly: Assembly) -> list[str]:
    return [" ".join(instruction_text(cell, RULES.size).split()) for cell in assembly.cells]


def test_an_imp_is_assembled_with_its_name_and_author() -> None:
    assembly = assemble(
        ";redcode-94nop verbose\n;name Imp\n;author A. K. Dewdney\n;assert 1\nMOV 0, 1\n", RULES
    )
    assert assembly.ok
    assert not assembly.messages
    assert assembly.tag == "-94nop verbose"
    warrior = assembly.warrior
    assert warrior
    assert (warrior.name, warrior.author, warrior.start, warrior.pin) == ("Imp", "A. K. Dewdney", 0, None)
    assert instructions(assembly) == ["MOV.I $ 0, $ 1"]


def test_metadata_comments_and_the_pin_are_read() -> None:
    assembly = assembled(
        ";version 1.1", ";date today", ";strategy bomb", ";strategy and run", "; kill Old", "pin -7", "dat 0"
    )
    assert (assembly.version, assembly.date) == ("1.1", "today")
    assert (assembly.strategy, assembly.kill) == (("bomb", "and run"), ("Old",))
    assert assembly.pin == -7


def test_messages_report_line_column_and_problem() -> None:
    (missing, incomplete) = assembled("", "  mov 0, lost ; where").messages
    assert missing.problem is Problem.UNDEFINED
    assert missing.severity is Severity.ERROR
    assert (missing.line, missing.column, missing.source) == (4, 10, "  mov 0, lost ")
    assert missing.text == "Undefined label or symbol: 'lost'"
    assert incomplete.column == 3


def test_empty_source_gives_neither_an_error_nor_a_warrior() -> None:
    assembly = assemble("", RULES)
    assert assembly.ok
    assert assembly.warrior is None


def test_no_break_spaces_are_accepted_only_in_the_friendly_dialect() -> None:
    line = "mov\xa00,\xa01"
    assert not assembled(line).ok
    assert instructions(assembled(line, dialect=Dialect(friendly=True))) == ["MOV.I $ 0, $ 1"]


def test_an_operation_touching_its_operand_reads_the_old_buffer() -> None:
    """pMARS reads the end of an older word behind an operation that touches its operand."""
    assembly = assembled("verylonglabelname mov 1, 2", " jmp@1")
    assert messages_text(assembly.messages) == (
        "Error in line 4: ' jmp@1'\n"
        "        Undefined label or symbol: 'ONGLABELNAME'\n"
        "Number of errors: 1\n\n"
    )
    assert instructions(assembled("verylonglabelname mov 1, 2", " jmp@1 ")) == [
        "MOV.I $ 1, $ 2",
        "JMP.B @ 1, $ 0",
    ]
    assert assembled("verylonglabelname mov 1, 2", " jmp@1 ; a comment helps too").ok


def test_predefined_names_are_refused_as_labels() -> None:
    """pMARS stops with an internal error; here the line is named."""
    assembly = assembled("VERSION dat 0")
    assert messages_text(assembly.messages).startswith(
        "Error in line 3: 'VERSION dat 0'\n        Unrecognized or improper placement of token: '92'\n"
    )


def test_predefined_names_and_registers_have_their_values() -> None:
    registers = Registers()
    registers["s"] = 4
    text = ";assert WARRIORS==4 && ROUNDS==20\ndat CORESIZE+1, MAXLENGTH\ndat PSPACESIZE, s\n"
    assembly = assemble(text, RULES, warriors=4, rounds=20, registers=registers)
    assert [(a_of(cell), b_of(cell)) for cell in assembly.cells] == [(1, 100), (500, 4)]
    assert registers["s"] == 0


def test_several_warriors_in_a_stream_are_assembled_one_by_one() -> None:
    first = assemble(";redcode\n;name one\ndat 1\n;redcode\n;name two\ndat oops\n", RULES)
    assert first.name == "one"
    assert first.rest == ";name two\ndat oops\n"
    second = assemble(first.rest, RULES, begun=True)
    assert second.name == "two"
    assert second.rest == ""
    assert second.messages[-1].line == 2
    assert assemble("\\\n;redcode\n;name one\n;redcode\nx", RULES).rest == "x"


def test_long_lines_are_split_and_backslashes_join_lines() -> None:
    assert instructions(assembled("mov \\", "1, \\", "2")) == ["MOV.I $ 1, $ 2"]
    assembly = assembled("dat 0, 1" + " " * 250 + "dat 2")
    assert instructions(assembly) == ["DAT.F $ 0, $ 1", "DAT.F # 0, $ 2"]
    assert assemble("mov 0, 1\\", RULES).ok  # pMARS waits for ever
    assert instructions(assembled("mov 0, 1\0 rubbish")) == ["MOV.I $ 0, $ 1"]


def test_from_version_94_on_a_backslash_is_part_of_a_comment() -> None:
    text = ";name x\\\nmov 0, 1\n"
    assert assemble(text, RULES).name == "xmov 0, 1"
    later = assemble(text, RULES, Dialect(version=94))
    assert (later.name, instructions(later)) == ("x\\", ["MOV.I $ 0, $ 1"])


def test_adjacent_numbers_join_unless_the_first_comes_from_an_equ() -> None:
    assert instructions(assembled("dat 1 2")) == ["DAT.F # 0, $ 12"]
    assert not assembled("x equ 1", "dat x 2").ok


def test_an_end_is_ignored_after_an_org() -> None:
    assembly = assembled("org 1", "dat 0", "dat 0", "dat 0", "end 2")
    assert (assembly.start, assembly.messages[0].problem) == (1, Problem.END_IGNORED)


def test_the_sane_evaluator_differs_from_pmars_after_products() -> None:
    assert instructions(assembled("dat #0, #8-2*3-1")) == ["DAT.F # 0, # 3"]
    assert instructions(assembled("dat #0, #8-2*3-1", dialect=Dialect(evaluator="sane"))) == [
        "DAT.F # 0, # 1"
    ]


def test_the_largest_64_bit_values_are_taken_modulo_the_core() -> None:
    assembly = assembled("dat 9223372036854775807, -9223372036854775807-1")
    assert [(a_of(cell), b_of(cell)) for cell in assembly.cells] == [(2**63 % 8000 - 1, -(2**63) % 8000)]


@pytest.mark.parametrize(
    ("lines", "traced", "enter", "moveable"),
    [
        ((";break", "dat 0", "dat 1"), (0,), False, True),
        ((";trace", "dat 0", "dat 1", ";trace off", "dat 2"), (0, 1), False, True),
        ((";trace", "dat 0", ";break", "dat 1", "dat 2"), (0, 1), False, True),
        ((";debug", "dat 0"), (), True, True),
        ((";debug static", "dat 0"), (), True, False),
        ((";debug off", ";break", "dat 0"), (), False, True),
        ((";break", "org 1", "a", "dat 0", "dat 1"), (0,), False, True),
    ],
)
def test_debugger_comments_mark_traced_instructions(
    lines: tuple[str, ...], traced: tuple[int, ...], enter: bool, moveable: bool
) -> None:
    assembly = assembled(*lines, dialect=Dialect(debugger=True))
    assert assembly.ok
    assert assembly.traced == traced
    assert (assembly.marks.enter, assembly.marks.moveable) == (enter, moveable)
    without = assembled(*lines)
    assert without.cells == assembly.cells
    assert not without.traced


def test_extra_words_in_a_debugger_comment_cause_a_warning() -> None:
    assembly = assembled(";break here", "dat 0", dialect=Dialect(debugger=True))
    assert assembly.ok
    assert [message.text for message in assembly.messages] == ["Ignored, extra tokens in line ';break here'"]


def test_single_lines_are_assembled_for_the_debugger() -> None:
    symbols, registers = predefined(RULES, 2, 1, 92), Registers()

    def line(text: str, address: int) -> list[str]:
        cells, messages = assemble_line(
            text, RULES, Dialect(), address=address, symbols=symbols, registers=registers
        )
        return [instruction_text(cell, RULES.size) for cell in cells] or [
            message.text for message in messages
        ]

    assert line("mov 0, 1 ; an imp", 17) == [IMP]
    assert line("here jmp here", 17) == ["JMP.B  $     0, $     0"]
    assert line("jmp here, q=3", 20) == ["JMP.B  $    -3, $     3"]
    assert line("dat #q", 20) == ["DAT.F  #     0, #     3"]
    assert line("mov lost, 0", 20)[0] == "Undefined label or symbol: 'lost'"


def test_an_operation_within_an_operand_adds_an_unset_cell() -> None:
    assembly = assembled("x equ 1", " equ jmp -1", "mov x, 3")
    assert len(assembly.cells) == 2
    assert assembly.cells[1] != EMPTY


# Hostile texts: each is answered at once, mostly with an error that says what was too much.

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
    "EQU doubling, later": ("dat a29\n" + doubling(30, "{0}+{0}"), "Refused: too much to repeat"),
    "EQU tripling nothing": (
        doubling(30, "{0} {0} {0}").replace("1", "", 1) + "dat a29",
        "Refused: too much to repeat",
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


@pytest.mark.parametrize("evaluator", ["0.9.2", "0.9.4", "sane"])
@pytest.mark.parametrize("name", REFUSED)
def test_hostile_texts_are_refused_quickly(name: str, evaluator: Evaluator) -> None:
    text, reason = REFUSED[name]
    start = process_time()
    assembly = assemble(text, RULES, Dialect(evaluator=evaluator))
    assert process_time() - start < SECONDS
    assert not assembly.ok
    assert assembly.warrior is None
    assert reason in messages_text(assembly.messages)


@pytest.mark.parametrize("name", LOADED)
def test_unusual_valid_texts_are_assembled_quickly(name: str) -> None:
    start = process_time()
    assert assemble(LOADED[name], RULES).ok
    assert process_time() - start < SECONDS


@pytest.mark.parametrize("seed", range(12))
def test_random_characters_are_processed_quickly(seed: int) -> None:
    random = Random(seed)
    count, least = (256, 0) if seed % 2 else (96, 32)
    text = "".join(chr(least + random.below(count)) if random.below(20) else "\n" for _ in range(30_000))
    start = process_time()
    assemble(text, RULES)
    assert process_time() - start < SECONDS


def test_every_limit_can_be_configured() -> None:
    text = ";assert 1\nlonger equ (((1)))\ni for 1\ndat longer, i\nrof\n"
    assert assemble(text, RULES, Dialect(limits=Limits(expression_depth=3))).ok
    for limits in (
        Limits(expression_depth=2),
        Limits(characters=20),
        Limits(equ_depth=0),
        Limits(nesting=0),
        Limits(labels=9, labels_of_instruction=0),
        Limits(steps=4, steps_of_instruction=0),
    ):
        assert not assemble(text, RULES, Dialect(limits=limits)).ok


# -- Limits that no honest warrior meets ---------------------------------------------------------------

HONEST = {
    "an EQU of 51 tokens three times in 99 lines": (
        "e equ 1" + "+1" * 25 + "\nfor 99\nmov e-e, e\nrof\n",
        200,
    ),
    "EQUs that fill each line of a long warrior": (
        "e equ 1" + "+1" * 59 + "\nfor 1000\nmov e, e\nrof\n",
        1000,
    ),
    "EQUs that are known later": ("for 300\nmov e, e\nrof\ne equ 1" + "+1" * 59 + "\n", 300),
    "a chain of 100 EQUs": (
        "a0 equ 1\n" + "".join(f"a{n} equ -a{n - 1}\n" for n in range(1, 101)) + "dat a100\n",
        100,
    ),
    "7 labels for each of 1,000 instructions": (
        "i for 1000\n" + "".join(f"l{n}&i\n" for n in range(7)) + "dat l0&i\nrof\n",
        1000,
    ),
    "conditions in a loop": ("i for 100\n" + "for i==5\ndat 0\nrof\n" * 100 + "rof\n", 100),
}


@pytest.mark.parametrize("name", HONEST)
def test_limits_grow_with_the_allowed_length(name: str) -> None:
    text, length = HONEST[name]
    assembly = assemble(text, Rules(length=length, distance=length))
    assert assembly.ok and assembly.warrior, messages_text(assembly.messages)


@pytest.mark.parametrize(
    "text",
    [
        "x equ\n" + "equ\n" * 9_000 + "x\n" * 9_000,
        "i for 60000\nx&i equ 1\n" + "equ 2\n" * 2_000 + "rof\n",
        "dat a0\n" + "".join(f"a{n} equ a{n + 1} a{n + 1}\n" for n in range(40)) + "a40 equ\n",
    ],
    ids=["EQUs of empty lines", "EQUs of many lines in a FOR", "EQUs of nothing that are known later"],
)
def test_each_line_and_token_counts_as_work(text: str) -> None:
    """None of these writes anything, so that only their steps can end them."""
    messages = messages_text(assemble(text, RULES).messages)
    assert "Refused: too much to repeat" in messages or "Refused: too many labels" in messages
