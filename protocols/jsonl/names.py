"""Where ids, tokens and seeds come from: the system's chance, or a test's fixed ones."""

import secrets
from collections.abc import Iterator
from itertools import count
from typing import Protocol

from engines.seeds import SeededStreams


class Names(Protocol):
    first_decide: int  # the id of a session's first decide

    def session(self) -> str: ...

    def token(self) -> str: ...

    def game(self) -> str: ...

    def match(self) -> str: ...

    def seed(self) -> SeededStreams: ...


class SecretNames(Names):
    """Games and sessions are numbered or drawn so that nobody can guess another's token or seed."""

    def __init__(self) -> None:
        self.first_decide = 1
        self._prefix = secrets.token_hex(4)  # ids of an earlier run of the server are not given again
        self._numbers: Iterator[int] = count(1)

    def session(self) -> str:
        return f"s-{secrets.token_hex(6)}"

    def token(self) -> str:
        return f"r-{secrets.token_hex(16)}"

    def game(self) -> str:
        return f"g-{self._prefix}-{next(self._numbers)}"

    def match(self) -> str:
        return f"m-{self._prefix}-{next(self._numbers)}"

    def seed(self) -> SeededStreams:
        return SeededStreams(secrets.randbits(53), secrets.token_hex(16))
