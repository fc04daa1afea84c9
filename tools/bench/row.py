"""One line of the benchmark."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured figure. `ratio` is to `peer`, measured in the same run."""

    name: str
    figure: float
    unit: str
    signature: str = ""
    peer: str = ""
    ratio: float | None = None
    note: str = ""
