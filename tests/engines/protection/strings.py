"""Strings for tests: the golden ones of the text forms, and any whatever."""

from typing import Final

from hypothesis import strategies as st

from engines.protection.genome import BYTES, Genome

COUNTING: Final = "0123456789abcdef" * 16 + "01234567"
COMMONS: Final = "4110333385547777c998bbbb0ddcffff" * 8 + "00f00000"
GENOMES: Final = st.binary(min_size=BYTES, max_size=BYTES).map(lambda code: Genome(code=code))
