"""The MARS for two warriors, in which the commonest instructions have a body of their own: a part of the build.

Mars._run executes any instruction for any number of warriors. This makes a copy of it by partial evaluation: what
follows from the numbers that are known is worked out, and what is not needed then is left out. It stands in place
of the body of Mars._run_two, where mypyc finds it. Rules are written once, in core/corewar/mars.py.

The copy fetches an instruction while the one before is executed: with two warriors, the next process is known by
then. Else a processor waits, before each instruction, until it knows that the one before has not changed it.
"""

import ast
import runpy
from collections.abc import Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

MARS: Final = Path("core/corewar/mars.py")
# What nearly all instructions are in battles of human warriors, and most in those of evolved nano warriors: operation,
# with its modifier where that matters; modes of A and B. The commonest come first.
COMMON: Final = {
    "MOV.I": "$$ $> #$ $} #> #{ >} $@ }> {< $< <{ >{ #} $* }{ #* >$ << #<",
    "SPL": "$$ ## #{ $# @} #> #$ #} #< $< $} ${",
    "DAT": "$$ << >> <# ##",
    "DJN.F": "$< $> #< $} ${",
    "DJN.B": "$# $$",
    "ADD.F": "#$ $$",
    "JMP": "$< $$ <{ @>",
    "CMP.I": "$$",
    "SUB.F": "$$",
    "SEQ.I": "$$",
    "SNE.I": "$$",
}
FIELDS: Final = {"mode", "operation", "modifier"}  # variables that hold parts of the code of an instruction
# And those that nothing reads after the body of an instruction.
VALUES: Final = {"source", "target", "pointer", "value", "x", "y", "at"}


# The first fetch, before the loop, and those in it.
FIRST: Final = """
coming = i64(schedule[tick & (i64(len(schedule)) - 1)])
coming_cell = core[coming]
"""
FETCH: Final = """
pc = coming
cell = coming_cell
coming = i64(schedule[(tick + 1) & (i64(len(schedule)) - 1)])
coming_cell = core[coming]
"""


def specialised(source: str) -> str:
    """The text of core/corewar/mars.py with another body of Mars._run_two."""
    module = ast.parse(source)
    functions = {
        function.name: function for function in ast.walk(module) if isinstance(function, ast.FunctionDef)
    }
    ins = SimpleNamespace(**runpy.run_path(str(MARS.with_name("instruction.py"))))
    names: dict[str, Any] = {"ins": ins, "living": 2, "notes": False}
    exec(compile(ast.Module([functions["_halves"]], []), str(MARS), "exec"), {"ins": ins, "i64": int}, names)
    body = _folded(functions["_run"].body, names)
    loop = next(statement for statement in body if isinstance(statement, ast.While))
    body[body.index(loop) : body.index(loop)] = ast.parse(FIRST).body
    first, last = _execution(loop.body)
    general = _Refetch().visit(ast.Module(loop.body[first:last], [])).body
    loop.body[first:last] = [_dispatch(general, names)]
    loop.body[:2] = ast.parse(FETCH).body  # in place of pc and cell
    functions["_run_two"].body = body
    return ast.unparse(ast.fix_missing_locations(module))


def _execution(statements: Sequence[ast.stmt]) -> tuple[int, int]:
    """The statements between fetch and queue: from the first one about a mode to the last before the queue."""
    texts = [ast.unparse(statement) for statement in statements]
    first = next(index for index, text in enumerate(texts) if text.startswith("mode ="))
    last = next(index for index, text in enumerate(texts) if text.startswith("if next_address >= 0"))
    return first, last


def _dispatch(general: list[ast.stmt], names: dict[str, Any]) -> ast.stmt:
    """Executes the instruction with this code: by a body of its own, or by two, for its operands and its operation."""
    ins = names["ins"]
    bodies = []
    for name, pairs in COMMON.items():
        operation, _, modifier = name.partition(".")
        modifiers = [modifier] if modifier else ins.MODIFIERS
        for pair in pairs.split():
            codes = [
                ins.OPERATIONS.index(operation) << ins.OPERATION_SHIFT
                | ins.MODIFIERS.index(each) << ins.MODIFIER_SHIFT
                | ins.MODES.index(pair[0]) << ins.A_MODE_SHIFT
                | ins.MODES.index(pair[1])
                for each in modifiers
            ]
            bodies.append((codes, _needed(_folded(general, names | {"code": codes[0]}))))
    first = next(index for index, statement in enumerate(general) if "operation =" in ast.unparse(statement))
    operands, operation_ = general[:first], general[first:]
    by_modes = [
        ([code], _folded(operands, names | {"code": code})) for code in range(1 << ins.MODIFIER_SHIFT)
    ]
    by_operation = _grouped(
        (number, _needed(_folded(operation_, names | {"code": number << ins.MODIFIER_SHIFT})))
        for number in range(len(ins.OPERATIONS) << ins.OPERATION_SHIFT - ins.MODIFIER_SHIFT)
        if number & 7 < len(ins.MODIFIERS)
    )
    rest = [
        _match(f"code & {ins.A_MODE | ins.B_MODE}", by_modes[:-1], by_modes[-1][1]),
        _match(f"code >> {ins.MODIFIER_SHIFT}", by_operation[:-1], by_operation[-1][1]),
    ]
    return _match("code", bodies, rest)


def _grouped(bodies: Iterable[tuple[int, list[ast.stmt]]]) -> list[tuple[list[int], list[ast.stmt]]]:
    """Numbers with the same body together."""
    groups: dict[str, tuple[list[int], list[ast.stmt]]] = {}
    for number, body in bodies:
        text = ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
        groups.setdefault(text, ([], body))[0].append(number)
    return [*groups.values()]


def _match(
    subject: str, bodies: Iterable[tuple[list[int], list[ast.stmt]]], otherwise: list[ast.stmt]
) -> ast.stmt:
    """A statement that executes the body of a number. The build makes a jump of it: see TEST in tools/build.py."""
    cases = [
        ast.match_case(ast.MatchOr([ast.MatchValue(ast.Constant(number)) for number in numbers]), None, body)
        for numbers, body in bodies
    ]
    cases.append(ast.match_case(ast.MatchAs(), None, otherwise))
    return ast.Match(ast.parse(subject, mode="eval").body, cases)


class _Refetch(ast.NodeTransformer):
    """Fetches the coming instruction again after it was written to."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if not isinstance(target, ast.Subscript) or ast.unparse(target.value) != "core":
            return node
        return [
            node,
            *ast.parse(f"if {ast.unparse(target.slice)} == coming: coming_cell = core[coming]").body,
        ]


# -- Partial evaluation ------------------------------------------------------------------------------


def _folded(statements: Iterable[ast.stmt], names: dict[str, Any]) -> list[ast.stmt]:
    """A copy of the statements in which these names have these values."""
    return _Fold(dict(names)).all(deepcopy(list(statements)))


class _Fold(ast.NodeTransformer):
    """Works out what follows from the values of names. FIELDS that are assigned a value have it from then on."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def all(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        folded: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            folded += result if isinstance(result, list) else [] if result is None else [result]
        return folded

    def value(self, expression: ast.expr) -> Any:
        """The value of an expression; None when it is not known."""
        if isinstance(expression, ast.BoolOp):
            values = [self.value(part) for part in expression.values]
            decisive = isinstance(expression.op, ast.Or)  # the value that decides it alone
            if any(value is not None and bool(value) == decisive for value in values):
                return decisive
            return None if None in values else not decisive
        loaded = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
        if not loaded <= self.names.keys() | {"i64"}:
            return None
        return eval(ast.unparse(expression), {"i64": int}, self.names)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        (target,) = node.targets
        if isinstance(target, ast.Name) and target.id in FIELDS:
            value = self.value(node.value)
            if value is not None:
                self.names[target.id] = value
                return None
        self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> Any:
        value = self.value(node.test)
        if value is not None:
            return self.all(node.body if value else node.orelse)
        node.test = self.visit(node.test)
        node.body = self.all(node.body) or [ast.Pass()]
        node.orelse = self.all(node.orelse)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        value = self.value(node.test)
        if value is not None:
            return self.visit(node.body if value else node.orelse)  # type: ignore[no-any-return]
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self._constant(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return self._constant(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._constant(node) if isinstance(node.ctx, ast.Load) and node.id != "ins" else node

    def _constant(self, node: Any) -> ast.expr:
        value = self.value(node)
        if isinstance(value, int):
            return ast.Constant(value)
        self.generic_visit(node)
        return node  # type: ignore[no-any-return]


def _needed(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements without assignments to VALUES that nothing reads; `pass` when none is left."""
    while True:
        read = {
            node.id
            for statement in statements
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        strip = _Strip(VALUES - read)
        statements = strip.all(statements)
        if not strip.found:
            return statements or [ast.Pass()]


class _Strip(ast.NodeTransformer):
    """Takes out assignments to some names, and the branches that are empty then."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.found = False

    def all(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        visited = [self.visit(statement) for statement in statements]
        return [statement for statement in visited if statement is not None]

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        return self._without(node, node.targets[0])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | None:
        return self._without(node, node.target)

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        node.body = self.all(node.body) or [ast.Pass()]
        node.orelse = self.all(node.orelse)
        empty = isinstance(node.body[0], ast.Pass) and not node.orelse
        self.found |= empty
        return None if empty else node

    def _without(self, node: ast.stmt, target: ast.expr) -> ast.stmt | None:
        found = isinstance(target, ast.Name) and target.id in self.names
        self.found |= found
        return None if found else node
