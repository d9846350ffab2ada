"""``python -m paper_checks``: the command line."""

import sys

from paper_checks.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
