"""The build: mypyc compiles every module of `core` into one native library at install."""

from pathlib import Path

from mypyc.build import mypycify
from setuptools.command.build_ext import build_ext

# -fwrapv: hashes, magics and random numbers rely on two's complement.
# -fno-semantic-interposition: 5-15 % on code that makes many calls.
FLAGS = ["-fwrapv", "-fno-semantic-interposition"]


class BuildCore(build_ext):
    """`build_ext` whose extensions are `core`, compiled by mypyc."""

    def finalize_options(self) -> None:
        modules = sorted(str(path) for path in Path("core").rglob("*.py") if path.stat().st_size)
        extensions = mypycify(modules, group_name="galapagos_core")
        for extension in extensions:
            extension.extra_compile_args += FLAGS
        self.distribution.ext_modules = list(extensions)  # type: ignore[arg-type]  # setuptools' copy of distutils'
        super().finalize_options()
