"""Going on as the whole Passdown, in the place of the hook's own process."""

from __future__ import annotations

import os

from .scan import Json, dumps


def become(program: str, payload: Json, module: str, arguments: list[str] | None = None) -> int:
    """Run a module of the whole Passdown in this process's place, with the payload on its standard input."""
    copy = unnamed_file()
    with open(copy, "wb", closefd=False) as file:
        file.write(dumps(payload).encode())
    os.lseek(copy, 0, os.SEEK_SET)
    os.dup2(copy, 0)
    here = os.path.dirname(os.path.abspath(__file__))
    argv = [program, "-I", "-X", "utf8", "-c", WHOLE, os.path.dirname(here), os.path.basename(here), module]
    return os.execv(program, [*argv, *(arguments or [])])  # noqa: S606 -- does not come back


# Passdown may be uninstalled, or one of the packages that it needs: then nothing is read, and nobody is locked out.
WHOLE = """
import sys, importlib
folder, hook, module, *sys.argv[1:] = sys.argv[1:]
try:
    main = importlib.import_module("passdown.cli." + module).main
except ImportError:
    sys.path.insert(0, folder)
    main = lambda: importlib.import_module(hook + ".answer").unread(folder)
sys.exit(main())
"""


def unnamed_file() -> int:
    """A file that nothing names, open for reading and writing."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("payload")
    import tempfile  # where the system has no file without a name

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
