"""`python -m tools.mars`."""

import sys

from tools.mars.command import main

sys.exit(main())
