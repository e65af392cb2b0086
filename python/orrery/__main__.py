"""``python -m orrery`` is the program ``orrery``."""

import signal
import sys

from . import _core


def main() -> int:
    """Runs the program with the words of the command line, and returns its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the program as it ends any other
    return _core.run_program(["orrery", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
