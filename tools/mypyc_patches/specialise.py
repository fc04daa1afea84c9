"""A step of the build: a copy of the MARS for two warriors in which the commonest instructions have their own bodies.

Mars._run executes any instruction for any number of warriors. This module copies it by partial evaluation:
expressions of known values are computed, and statements that are not needed any more are removed. The copy replaces
the body of Mars._run_two before mypyc compiles the module, so the rules are written once, in core/corewar/mars.py. A
second copy, in Mars._run_two_later, follows the rules of pMARS 0.9.4.

An instruction that is not common is executed in two steps: its operands by their modes, then its operation. The build
makes one jump of the two choices, of a common instruction and of the modes of another (jumps.py).

In the copy each pass of the loop has a turn of both warriors, so that the ends of their queues need not change places
and the tick advances once. The copy stops before an odd turn, which Mars.run leaves to the loop for any number of
warriors. It looks up the next address before it executes an instruction, since with two warriors the next process is
known by then, and reads the cell there afterwards. To read it before, and again if the instruction has changed it,
takes more registers: papers were 0.92 times as fast. To look up the address afterwards too makes every mispredicted
jump longer: 0.91 times.
"""

import ast
import pickle
import runpy
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

MARS: Final = Path("core/corewar/mars.py")
# The commonest instructions in battles of human warriors and of this project's, and those that evolved warriors
# repeat for ever (A mode #): the operation, with its modifier where that matters, and the modes of A and B. The C
# compiler takes one second for some fifteen instructions.
COMMON: Final = {
    "MOV.I": "$$ #$ $< $> #* #} #> #< $@ $} @> }> << @< >} #{ {} >{ {< $* >$ <{",
    "SPL": "$$ #$ $< #> #{ #< ## #} #@ #* @$ @< @} $#",
    "DAT": "$$ << ## <$ <# >>",
    "JMP": "$< <{ $$ @$ #< #> #{ #} ## #$ #@ @>",
    "DJN.F": "$> $< #<",
    "DJN.B": "$$ $< $#",
    "ADD.A": "#$",
    "ADD.AB": "#$",
    "ADD.F": "$$ #$",
    "SUB.F": "$$",
    "CMP.I": "$$",
    "SEQ.I": "$$",
    "MOV.AB": "#$",
    "JMZ.A": "<<",
    "JMZ.B": "$$",
    "JMN.B": "$#",
    "NOP": "$$",
}
FIELDS: Final = {"mode", "operation", "modifier"}  # variables that hold parts of the code of an instruction
# Variables that nothing reads after the body of an instruction.
VALUES: Final = {"source", "target", "pointer", "value", "x", "y", "at", "near", "far"}

# A pass has two turns, so there must be two ticks left.
FIRST: Final = """
stop -= 1
coming = i64(schedule[tick & (i64(len(schedule)) - 1)])
coming_cell = core[coming]
"""
# `forks`: an SPL leads to x.
FETCH: Final = """
pc = coming
cell = coming_cell
coming = i64(schedule[(tick + 1) & (i64(len(schedule)) - 1)])
forks = False
"""
# The bodies are functions, which the build inlines where they are called. With hundreds of bodies in one function
# mypyc would take gigabytes, since its time and memory grow with the square of a function's length. Each returns True
# first: mypyc marks an error in the first value, and the compiler sees that True is none. It would have to compare an
# address with the mark each time.
COMMON_CALL: Final = "done, next_address, x = {}(core, reach, pc, cell)"
COMMON_BODY: Final = """
def {}(core: vec[i64], reach: vec[i64], pc: i64, cell: i64) -> tuple[bool, i64, i64]:
    size = i64(len(core))
    return True, next_address, {}
"""
RARE: Final = "done, x, source, y, target = {}(core, reach, pc, cell)"
OPERANDS: Final = """
def {}(
    core: vec[i64], reach: vec[i64], pc: i64, cell: i64
) -> tuple[bool, i64, i64, i64, i64]:
    size = i64(len(core))
    return True, x, source, y, target
"""
FETCH_CELL: Final = "coming_cell = core[coming]"


def specialised(source: str) -> str:
    """Return the text of core/corewar/mars.py with specialised bodies of the functions for two warriors."""
    module = ast.parse(source)
    functions = {
        function.name: function for function in ast.walk(module) if isinstance(function, ast.FunctionDef)
    }
    ins = SimpleNamespace(**runpy.run_path(str(MARS.with_name("instruction.py"))))
    names: dict[str, Any] = {"ins": ins, "living": 2, "notes": False}
    exec(compile(ast.Module([functions["_halves"]], []), str(MARS), "exec"), {"ins": ins, "i64": int}, names)
    whole = functions["_run"].body
    for name, later in (("_run_two", False), ("_run_two_later", True)):
        body = _folded(whole, names | {"later": later})
        loop = next(statement for statement in body if isinstance(statement, ast.While))
        first, second, third, last = _parts(loop.body)
        parts = loop.body[first:second], loop.body[second:third], loop.body[third:last]
        execution = _Execution(*parts, names | {"later": later})
        loop.body[first:last] = execution.statements()
        loop.body[:2] = ast.parse(FETCH).body  # in place of pc and cell
        turn = loop.body[:-2]  # all but the next tick and the exchange of the ends
        loop.body = [*turn, *_of_the_other(turn), *ast.parse("tick += 2").body]
        body[body.index(loop) : body.index(loop)] = ast.parse(FIRST).body
        functions[name].body = body
        module.body += execution.functions
    module.body += ast.parse("from librt.vecs import vec").body
    return ast.unparse(ast.fix_missing_locations(module))


def _parts(statements: Sequence[ast.stmt]) -> tuple[int, int, int, int]:
    """Return the indices at which these parts of a turn start: next address, operands, operation, and queue."""
    texts = [ast.unparse(statement) for statement in statements]
    begins = [
        next(index for index, text in enumerate(texts) if text.startswith(beginning))
        for beginning in ("next_address =", "mode =", "operation =", "if next_address >= 0")
    ]
    return begins[0], begins[1], begins[2], begins[3]


def _of_the_other(turn: list[ast.stmt]) -> list[ast.stmt]:
    """Return a copy of the statements of a turn, for the next tick, with the ends of the two queues exchanged."""
    copied = ast.Module(pickle.loads(pickle.dumps(turn)), [])
    return _Other().visit(copied).body  # type: ignore[no-any-return]


class _Other(ast.NodeTransformer):
    """A transformer that makes statements of one warrior's turn those of the other's, a tick later."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == "tick":
            return ast.parse("tick + 1", mode="eval").body
        node.id = {"end": "other_end", "other_end": "end"}.get(node.id, node.id)
        return node


class _Execution:
    """The execution of an instruction, cut into bodies."""

    def __init__(
        self,
        following: list[ast.stmt],
        operands: list[ast.stmt],
        operation: list[ast.stmt],
        names: dict[str, Any],
    ) -> None:
        self.following = following  # the address after the instruction
        self.operands = operands
        self.operation = operation
        self.names = names
        self.suffix = "_later" if names["later"] else ""
        self.ins = names["ins"]
        self.functions: list[ast.stmt] = []  # the functions that the statements call

    def statements(self) -> list[ast.stmt]:
        """Return the statements that execute the instruction in `code`.

        The operation of all SPL is one statement after the bodies.
        """
        rare = _match(f"code >> {self.ins.MODIFIER_SHIFT}", self._operation_bodies())
        code = self.ins.SPL << self.ins.OPERATION_SHIFT
        fork = ast.If(ast.Name("forks", ast.Load()), _folded(self.operation, self.names | {"code": code}), [])
        any_instruction = [*self._any_operands(), *self.following, rare]
        execution = _match("code", self._common_instructions(), any_instruction)
        return [execution, fork, *ast.parse(FETCH_CELL).body]

    def _common_instructions(self) -> Iterator[tuple[list[int], list[ast.stmt]]]:
        """Yield the codes of each common instruction, with its body."""
        ins = self.ins
        for name, pairs in COMMON.items():
            operation, _, modifier = name.partition(".")
            instructions = [
                ins.OPERATIONS.index(operation) << ins.OPERATION_SHIFT
                | ins.MODIFIERS.index(each) << ins.MODIFIER_SHIFT
                for each in ([modifier] if modifier else ins.MODIFIERS)
            ]
            for pair in pairs.split():
                modes = ins.MODES.index(pair[0]) << ins.A_MODE_SHIFT | ins.MODES.index(pair[1])
                codes = [code | modes for code in instructions]
                yield codes, self._call(codes[0], forks=operation == "SPL")

    def _call(self, code: int, forks: bool) -> list[ast.stmt]:
        """Return a call of a new function that executes the instruction with this code."""
        name = f"_execute{self.suffix}_{code}"
        (function,) = ast.parse(COMMON_BODY.format(name, "x" if forks else "0")).body
        assert isinstance(function, ast.FunctionDef)
        operands = _folded(self.operands, self.names | {"code": code})
        operation = [] if forks else self._operation({"code": code})
        function.body[-1:] = _needed([*self.following, *operands, *operation, function.body[-1]])
        self.functions.append(function)
        return ast.parse(COMMON_CALL.format(name) + "\nforks = True" * forks).body

    def _any_operands(self) -> list[ast.stmt]:
        """Return calls of new functions, one for each pair of modes, that evaluate the operands of any instruction."""
        modes = self.ins.A_MODE | self.ins.B_MODE
        bodies = []
        for code in range(modes + 1):
            name = f"_operands{self.suffix}_{code}"
            (function,) = ast.parse(OPERANDS.format(name)).body
            assert isinstance(function, ast.FunctionDef)
            function.body[-1:-1] = _folded(self.operands, self.names | {"code": code})
            self.functions.append(function)
            bodies.append(([code], ast.parse(RARE.format(name)).body))
        return [_match(f"code & {modes}", bodies)]

    def _operation_bodies(self) -> list[tuple[list[int], list[ast.stmt]]]:
        """Return the numbers of operations with modifiers, as they are in a code, with their bodies."""
        ins = self.ins
        bodies = []
        for operation in range(len(ins.OPERATIONS)):
            codes = [8 * operation + modifier for modifier in range(len(ins.MODIFIERS))]
            # The bodies of these operations are long and nearly the same for all modifiers.
            if ins.ADD <= operation <= ins.MOD or operation >= ins.LDP:
                bodies.append((codes, _needed(self._operation({"operation": operation}))))
            else:
                bodies += [
                    ([code], _needed(self._operation({"code": code << ins.MODIFIER_SHIFT}))) for code in codes
                ]
        return bodies

    def _operation(self, known: dict[str, int]) -> list[ast.stmt]:
        if known.get("code", 0) >> self.ins.OPERATION_SHIFT == self.ins.SPL:
            return ast.parse("forks = True").body
        return _folded(self.operation, self.names | known)


def _match(
    subject: str, bodies: Iterable[tuple[list[int], list[ast.stmt]]], otherwise: list[ast.stmt] | None = None
) -> ast.stmt:
    """Return a `match` statement that executes the body of the subject's number.

    For any other number it executes `otherwise`, or the last body if `otherwise` is None. Numbers with the same body
    share a case. The build turns the statement into a jump: see tools/mypyc_patches/jumps.py.
    """
    alike: dict[str, tuple[list[int], list[ast.stmt]]] = {}
    for numbers, body in bodies:
        text = ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
        alike.setdefault(text, ([], body))[0].extend(numbers)
    groups = [*alike.values()]
    if otherwise is None:
        _, otherwise = groups.pop()
    cases = [
        ast.match_case(ast.MatchOr([ast.MatchValue(ast.Constant(number)) for number in numbers]), None, body)
        for numbers, body in groups
    ]
    cases.append(ast.match_case(ast.MatchAs(), None, otherwise))
    return ast.Match(ast.parse(subject, mode="eval").body, cases)


# -- Partial evaluation ------------------------------------------------------------------------------


def _folded(statements: Iterable[ast.stmt], names: dict[str, Any]) -> list[ast.stmt]:
    """Return the statements with these names replaced by their values, and without branches that they rule out."""
    copied = pickle.loads(pickle.dumps(list(statements)))  # several times faster than copy.deepcopy
    return _Fold(dict(names)).all(copied)


class _Fold(ast.NodeTransformer):
    """A transformer that evaluates what follows from known values of names.

    A name in FIELDS that is assigned a known value has this value from then on.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def all(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        folded: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            folded += result if isinstance(result, list) else [] if result is None else [result]
        return folded

    def value(self, expression: ast.expr) -> Any:
        """Return the value of an expression, or None if the value is not known."""
        if isinstance(expression, ast.BoolOp):
            values = [self.value(part) for part in expression.values]
            decisive = isinstance(expression.op, ast.Or)  # one operand with this value decides the result
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
    """Return the statements without assignments to VALUES that nothing reads, or `pass` if no statement is left."""
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
    """A transformer that removes assignments to some names, and branches that become empty."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.found = False

    def all(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        visited = [self.visit(statement) for statement in statements]
        return [statement for statement in visited if statement is not None]

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        return self._drop_assignment(node, node.targets[0])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | None:
        return self._drop_assignment(node, node.target)

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        node.body = self.all(node.body) or [ast.Pass()]
        node.orelse = self.all(node.orelse)
        empty = isinstance(node.body[0], ast.Pass) and not node.orelse
        self.found |= empty
        return None if empty else node

    def _drop_assignment(self, node: ast.stmt, target: ast.expr) -> ast.stmt | None:
        found = isinstance(target, ast.Name) and target.id in self.names
        self.found |= found
        return None if found else node
