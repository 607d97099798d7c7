"""The makers of histories in bench/, which tests use too.

The folder is on the path for their import alone: a module of it would hide a folder of tests of the same name.
"""

from __future__ import annotations

import sys
from pathlib import Path

_FOLDER = str(Path(__file__).parents[2] / "bench")

sys.path.insert(0, _FOLDER)
try:
    import histories
    import learning
finally:
    sys.path.remove(_FOLDER)

__all__ = ["histories", "learning"]
