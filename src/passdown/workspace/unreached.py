"""Why a remote could not be reached, in one line, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.git import GitError
from passdown.workspace.transport import Remote

_AGAIN = "what was recorded stays here; run it again when it can be reached"
_KINDS = (
    (
        (
            r"could not read (?:Username|Password)|Authentication failed|Permission denied|returned error: 40[13]|"
            "terminal prompts disabled|Host key verification failed|[Aa]ccess denied"
        ),
        "{name} lets nobody in with what your git has for {shown}",
        "log in as for `git fetch`: nothing is asked here",
    ),
    (
        r"does not appear to be a git repository|[Rr]epository .*not found|returned error: 404|no such (file|repo)",
        "there is no repository at {shown} ({name})",
        "look at the address: git remote -v, or the one that was named",
    ),
    (
        r"transport '?[\w+.-]+'? not allowed",
        "{shown} ({name}) is reached in a way that is not used here",
        "file, git, http, https and ssh are; another address can be named: passdown sync ADDRESS",
    ),
    (
        r"mismatched algorithms|object format|wrong hash|unexpected capabilities",
        "{name} ({shown}) names its objects by another hash than this clone",
        "",
    ),
    (r"unable to write|[Rr]ead-only file system|insufficient permission", "{name} ({shown}) cannot be written", ""),
)
_LINE = re.compile(r"^(?:fatal|error|ssh|remote|ERROR): *(.+)$", re.MULTILINE)


def unreached(remote: Remote, error: GitError, unused: Sequence[str]) -> PassdownError:
    """The error to show; ``unused``: settings of the repository that were not followed."""
    said = error.stderr.decode("utf-8", "replace")
    names = {"name": remote.name, "shown": remote.shown}
    for pattern, text, hint in _KINDS:
        if re.search(pattern, said):
            message, then = text.format(**names), hint or _AGAIN
            break
    else:
        line = _LINE.search(said)
        detail = f": {line[1].strip()[:200]}" if line else ""
        message, then = f"{remote.name} ({remote.shown}) cannot be reached{detail}", _AGAIN
    message = message.replace(f"{remote.shown} ({remote.shown})", remote.shown)  # where an address was named
    if unused:
        listed = ", ".join(unused[:3])
        then += f"; not followed, as an agent can write them: this repository's own {listed}. Put them in ~/.gitconfig"
    return PassdownError(message, then, EXIT_UNDECIDED)
