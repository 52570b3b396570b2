"""``python -m dpdesigner``: the same as the command ``dpdesigner``."""

import sys

from dpdesigner.cli import main

sys.exit(main())
