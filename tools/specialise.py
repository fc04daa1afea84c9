"""The MARS for two warriors, in which the commonest instructions have a body of their own: a part of the build.

Mars._run executes any instruction for any number of warriors. This makes a copy of it by partial evaluation: what
follows from the numbers that are known is worked out, and what is not needed then is left out. It stands in place
of the body of Mars._run_two, where mypyc finds it. Rules are written once, in core/corewar/mars.py.
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
    first, last = _execution(loop.body)
    general = loop.body[first:last]
    loop.body[first:last] = [
        *_dispatch(general, names),
        ast.If(ast.Name("rare", ast.Load()), general, []),
    ]
    functions["_run_two"].body = body
    return ast.unparse(ast.fix_missing_locations(module))


def _execution(statements: Sequence[ast.stmt]) -> tuple[int, int]:
    """The statements between fetch and queue: from the first one about a mode to the last before the queue."""
    texts = [ast.unparse(statement) for statement in statements]
    first = next(index for index, text in enumerate(texts) if text.startswith("mode ="))
    last = next(index for index, text in enumerate(texts) if text.startswith("if next_address >= 0"))
    return first, last


# -- Finding the body of an instruction --------------------------------------------------------------


def _dispatch(general: list[ast.stmt], names: dict[str, Any]) -> list[ast.stmt]:
    """Statements that execute an instruction which is common, or else set `rare`; the commonest are tried first."""
    ins = names["ins"]
    cases = []
    for name, pairs in COMMON.items():
        operation, _, modifier = name.partition(".")
        number = ins.OPERATIONS.index(operation)
        test, shift = f"operation == {number}", ins.OPERATION_SHIFT
        if modifier:
            number = number << ins.OPERATION_SHIFT - ins.MODIFIER_SHIFT | ins.MODIFIERS.index(modifier)
            test, shift = f"instruction == {number}", ins.MODIFIER_SHIFT
        bodies: dict[int, list[tuple[str, list[ast.stmt]]]] = {}
        for pair in pairs.split():
            a_mode, b_mode = ins.MODES.index(pair[0]) << ins.A_MODE_SHIFT, ins.MODES.index(pair[1])
            known = {"code": number << shift | a_mode | b_mode}
            body = _needed(_folded(general, names | known))
            bodies.setdefault(a_mode, []).append((f"b_mode == {b_mode}", body))
        of_a_modes = [(f"a_mode == {a_mode}", _first(of_b)) for a_mode, of_b in bodies.items()]
        cases.append((test, _first(of_a_modes)))
    fields = f"""
rare = False
operation = code >> {ins.OPERATION_SHIFT}
instruction = code >> {ins.MODIFIER_SHIFT}
a_mode = code & {ins.A_MODE}
b_mode = code & {ins.B_MODE}
"""
    return [*ast.parse(fields).body, *_first(cases)]


def _first(cases: Iterable[tuple[str, list[ast.stmt]]]) -> list[ast.stmt]:
    """The body of the first case whose test holds, in an `if` with `elif`s."""
    chain = ast.parse("rare = True").body
    for test, body in reversed([*cases]):
        chain = [ast.If(ast.parse(test, mode="eval").body, body, chain)]
    return chain


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
