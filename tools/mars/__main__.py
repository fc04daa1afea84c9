"""The entry point of `python -m tools.mars`."""

import sys

from tools.mars.cli import main

sys.exit(main())
