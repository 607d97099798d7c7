"""The key that CI attests with: an SSH private key out of CI's secret store, on the disk only while it signs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from passdown.errors import PassdownError
from passdown.ledger import sshsig
from passdown.ledger.ci_variable import CI_KEY
from passdown.ledger.person import PersonKey, Signer


@contextmanager
def ci_signer(path: Path | None, environ: Mapping[str, str]) -> Iterator[Signer]:
    """A signer with the key in ``path``, else in ``PASSDOWN_CI_KEY``; PassdownError where there is none to use."""
    text = _text(path, environ)
    with tempfile.TemporaryDirectory(prefix="passdown-") as folder:
        file = Path(folder) / "key"
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
        ran = sshsig.run("ssh-keygen", "-y", "-P", "", "-f", str(file))
        line = ran.out.decode("utf-8", "replace").strip()
        fingerprint = None if ran.problem else sshsig.fingerprint(line)
        if fingerprint is None:
            raise PassdownError("the CI key is no private SSH key without a passphrase", _HOW)
        yield Signer(PersonKey(" ".join(line.split()[:2]), fingerprint, "the CI key", file), "the CI key")


_HOW = "make one: ssh-keygen -t ed25519 -N '' -f ci_key; ci_key goes into CI's secrets, ci_key.pub into [trust] ci"


def _text(path: Path | None, environ: Mapping[str, str]) -> str:
    """The key with the line ends that ssh-keygen wants: secret stores strip and change them."""
    if path is None and not environ.get(CI_KEY, "").strip():
        raise PassdownError(f"no CI key: {CI_KEY} is not set and --key names none", _HOW)
    try:
        text = path.read_text("ascii") if path is not None else environ[CI_KEY]
    except (OSError, UnicodeDecodeError) as error:
        raise PassdownError(f"the CI key cannot be read: {path}", _HOW) from error
    return text.replace("\r\n", "\n").strip() + "\n"
