"""The version, for engines to introduce themselves with; pyproject.toml reads it from here."""

from typing import Final

VERSION: Final = "0.1.0"
