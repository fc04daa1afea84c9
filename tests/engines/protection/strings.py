"""Strings for tests: the golden ones of the text forms, and any whatever."""

from typing import Final

from hypothesis import strategies as st

from core.protection.policy import STRING_BYTES
from engines.protection.genome import Genome

COUNTING: Final = "0123456789abcdef" * 16 + "01234567"
COMMONS: Final = "4110333385547777c998bbbb0ddcffff" * 8 + "00f00000"
GENOMES: Final = st.binary(min_size=STRING_BYTES, max_size=STRING_BYTES).map(lambda code: Genome(code=code))
