"""The version of the program, which engines report; pyproject.toml reads it from here."""

from typing import Final

VERSION: Final = "0.1.0"
