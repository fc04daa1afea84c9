"""The limits for strangers, as the command line changes and shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Final, TypeVar

from protocols.jsonl.limits import JsonlLimits
from protocols.limits import Limits

OF_TABLES: Final = "tables_"

Bounds = TypeVar("Bounds", Limits, JsonlLimits)


def changed_bounds(settings: Sequence[str]) -> tuple[Limits, JsonlLimits]:
    """Those of the ports, and those of the tables, whose names begin so; NAME=VALUE each. ValueError."""
    limits, bounds = Limits(), JsonlLimits()
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.startswith(OF_TABLES):
            bounds = _changed(bounds, name.removeprefix(OF_TABLES), value)
        else:
            limits = _changed(limits, name, value)
    return limits, bounds


def shown_bounds(limits: Limits, bounds: JsonlLimits) -> Iterator[str]:
    """A line each."""
    for field in fields(limits):
        yield f"{field.name:32} {getattr(limits, field.name):g}"
    for field in fields(bounds):
        yield f"{OF_TABLES + field.name:32} {getattr(bounds, field.name):g}"


def _changed(limits: Bounds, name: str, value: str) -> Bounds:
    kinds = {field.name: type(getattr(limits, field.name)) for field in fields(limits)}
    if name not in kinds:
        raise ValueError(f"no limit is called {name!r}; see galapagos serve --limits")
    try:
        number = kinds[name](value)
    except ValueError:
        raise ValueError(f"{name} needs a number, not {value!r}") from None
    if number <= 0:
        raise ValueError(f"{name} must be above zero")
    return replace(limits, **{name: number})
