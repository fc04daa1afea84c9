"""Words that a genome defines itself: functions, each of a fixed signature, and what their programs are given.

Reference: J. Koza, "Genetic Programming II" (1994), whose automatically defined functions they are, here with types;
"Evolving Board Evaluation Functions", section 5.3.2.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.trees.words.primitive import IT_NAME, TWO, Primitive, Scope, Type

EACH: Final = 3  # of every signature
NO_CODE: Final = -1  # the machine has no calls: it refuses programs that are not expanded
KINDS: Final = (
    ("rate", (Type.CHAIN,), Type.NUMBER),
    ("test", (Type.CHAIN,), Type.TRUTH),
    ("mix", TWO, Type.NUMBER),
)
CALLS: Final = tuple(
    Primitive(name=f"{name}-{number}", code=(NO_CODE,), arguments=arguments, result=result)
    for number in range(1, EACH + 1)
    for name, arguments, result in KINDS
)
FUNCTIONS: Final = tuple(each.name for each in CALLS)  # in an order: each may call those before it
PARAMETERS: Final[Mapping[Scope, tuple[str, ...]]] = MappingProxyType(
    {Scope.NOTHING: (), Scope.CHAIN: (IT_NAME,), Scope.NUMBERS: ("a", "b")}
)
GIVEN: Final[Mapping[str, Scope]] = MappingProxyType(  # words that mean something only where they are given
    {name: scope for scope, names in PARAMETERS.items() for name in names}
)
NUMBERS_GIVEN: Final = tuple(Primitive(name=name, code=(NO_CODE,)) for name in PARAMETERS[Scope.NUMBERS])


def callable_in(program: str) -> tuple[str, ...]:
    """The functions that a program of this name may call, if they are there: no function itself or a later one."""
    return FUNCTIONS[: FUNCTIONS.index(program)] if program in FUNCTIONS else FUNCTIONS


def scope_of(program: str) -> Scope:
    """What a program of this name is given."""
    if program not in FUNCTIONS:
        return Scope.NOTHING
    (call,) = (each for each in CALLS if each.name == program)
    return Scope.NUMBERS if call.arguments == TWO else Scope.CHAIN


def parameters(program: str) -> tuple[str, ...]:
    """Of a function, the names of its arguments."""
    return PARAMETERS[scope_of(program)]
