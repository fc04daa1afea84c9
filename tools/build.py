"""The build: mypyc compiles every module of `core` into one native library at install."""

import re
from pathlib import Path
from typing import Final

from mypyc.build import mypycify
from setuptools.command.build_ext import build_ext

# -fwrapv: hashes, magics and random numbers rely on two's complement.
# -fno-semantic-interposition: 5-15 % on code that makes many calls. -O3 is 4 % slower than -O2 in the MARS.
FLAGS: Final = ["-fwrapv", "-fno-semantic-interposition"]

# Where mypyc asks whether an index is in range; what follows if not is a second question, and an error.
IN_RANGE: Final = re.compile(r"(cpy_r_r\d+) = (\(uint64_t\)\w+ < \(uint64_t\)\w+;\n +)if \(\1\)")


class BuildCore(build_ext):
    """`build_ext` whose extensions are `core`, compiled by mypyc."""

    def finalize_options(self) -> None:
        modules = sorted(str(path) for path in Path("core").rglob("*.py") if path.stat().st_size)
        extensions = mypycify(modules, opt_level="2", group_name="galapagos_core")
        for extension in extensions:
            extension.extra_compile_args += FLAGS
            _expect_indices_in_range([Path(source) for source in extension.sources])
        self.distribution.ext_modules = list(extensions)  # type: ignore[arg-type]  # setuptools' copy of distutils'
        super().finalize_options()


def _expect_indices_in_range(sources: list[Path]) -> None:
    """Tell the C compiler that they are: it then keeps the errors out of the way, 8 % in the MARS."""
    for source in sources:
        if source.name.startswith("__native"):
            source.write_text(IN_RANGE.sub(r"\1 = \2if (likely(\1))", source.read_text()))
