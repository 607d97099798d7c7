"""The person's SSH key: real ssh-keygen, real agent, never a prompt."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passdown.ledger import sshsig
from passdown.ledger.person import PersonKey, find_signer, identity, presence
from passdown.workspace.place import Place, find_place
from support.ledgers import AT, note, opened
from support.process import run_at_terminal, until
from support.repo import Repo


def keygen(path: Path, kind: str = "ed25519", passphrase: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    options = ["-b", "2048"] if kind == "rsa" else []
    subprocess.run(
        ["ssh-keygen", "-q", "-t", kind, *options, "-N", passphrase, "-C", "alice", "-f", str(path)], check=True
    )
    return path


def fingerprint(path: Path) -> str:
    out = subprocess.check_output(["ssh-keygen", "-l", "-f", str(path)], text=True)
    return out.split()[1]


@pytest.fixture
def place(repo: Repo) -> Place:
    return find_place(repo.root)


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """An SSH agent of the test's own; gives a function that adds a key."""
    socket = tmp_path / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
    until(lambda: subprocess.run(["ssh-add", "-l"], capture_output=True, check=False).returncode == 1)  # it has no key
    yield lambda path: subprocess.run(["ssh-add", "-q", str(path)], check=True, stderr=subprocess.DEVNULL)
    process.terminate()
    process.wait()


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_a_key_in_the_ssh_folder_signs(place: Place, scratch_home: Path, kind: str):
    path = keygen(scratch_home / f".ssh/id_{kind}", kind)
    signer = find_signer(place)
    assert signer.because == f"~/.ssh/id_{kind}"
    made = signer.sign(b"message")
    assert made is not None
    assert made.fingerprint == fingerprint(path)
    assert sshsig.verify(made.armoured, b"message") == made.fingerprint
    assert sshsig.verify(made.armoured, b"another") is None


def test_the_key_that_git_signs_with_comes_first(repo: Repo, place: Place, scratch_home: Path, tmp_path: Path):
    keygen(scratch_home / ".ssh/id_ed25519")
    chosen = keygen(tmp_path / "keys/work key")
    repo.git("config", "--global", "gpg.format", "ssh")
    repo.git("config", "--global", "user.signingkey", str(chosen))
    signer = find_signer(place)
    assert (signer.because, signer.key and signer.key.fingerprint) == ("user.signingkey", fingerprint(chosen))
    assert signer.sign(b"m") is not None
    repo.git("config", "--global", "user.signingkey", f"{chosen}.pub")
    assert find_signer(place).sign(b"m") is not None


def test_a_literal_key_is_signed_with_by_the_agent(repo: Repo, place: Place, tmp_path: Path, agent):
    key = keygen(tmp_path / "k")
    agent(key)
    repo.git("config", "gpg.format", "ssh")
    for literal in (public := Path(f"{key}.pub").read_text().strip(), f"key::{public}"):
        repo.git("config", "user.signingkey", literal)
        key.unlink(missing_ok=True)
        made = find_signer(place).sign(b"m")
        assert made is not None
        assert made.fingerprint == fingerprint(Path(f"{key}.pub"))


def test_the_only_key_of_the_agent_is_used(place: Place, tmp_path: Path, agent):
    agent(keygen(tmp_path / "one"))
    signer = find_signer(place)
    assert signer.because == "the only key in the SSH agent"
    assert signer.sign(b"m") is not None
    agent(keygen(tmp_path / "two"))
    assert find_signer(place).because == "unsigned, this clone: no SSH key"


def test_without_any_key_nothing_is_signed_and_said_why(place: Place):
    signer = find_signer(place)
    assert signer.sign(b"m") is None
    assert signer.because == "unsigned, this clone: no SSH key"


def test_a_passphrase_is_never_asked_for_without_a_terminal(place: Place, scratch_home: Path, monkeypatch):
    keygen(scratch_home / ".ssh/id_ed25519", passphrase="secret words")
    monkeypatch.setenv("SSH_ASKPASS", "/bin/false")
    monkeypatch.setenv("DISPLAY", ":9")
    signer = find_signer(place)
    assert signer.sign(b"m") is None
    assert signer.because.startswith("unsigned, this clone: ")
    assert "in time" not in signer.because


@pytest.mark.parametrize("value", ["/no/such/key", "ssh-ed25519 AAAA", "key::nonsense", "0xDEADBEEF"])
def test_a_signing_key_that_cannot_be_read_is_said_so(repo: Repo, place: Place, value: str):
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingkey", value)
    signer = find_signer(place)
    assert signer.sign(b"m") is None
    assert "user.signingkey cannot be read" in signer.because


def test_a_gpg_key_is_not_taken_for_an_ssh_key(repo: Repo, place: Place, scratch_home: Path):
    repo.git("config", "user.signingkey", "0xDEADBEEF")
    keygen(scratch_home / ".ssh/id_ed25519")
    assert find_signer(place).because == "~/.ssh/id_ed25519"


def test_without_ssh_keygen_nothing_is_signed(place: Place, scratch_home: Path, tmp_path: Path, monkeypatch):
    keygen(scratch_home / ".ssh/id_ed25519")
    git = subprocess.check_output(["sh", "-c", "command -v git"], text=True).strip()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").symlink_to(git)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_signer(place).sign(b"m") is None
    assert sshsig.verify("x", b"m") is None


def test_a_signed_statement_names_its_person(place: Place, scratch_home: Path):
    key = keygen(scratch_home / ".ssh/id_ed25519")
    with opened(place.home) as ledger:
        signed = ledger.append(note("signed"), task="t", at=AT, person_signer=find_signer(place))
        plain = ledger.append(note("plain"), task="t", at=AT)
        assert ledger.person_keys(signed) == [fingerprint(key)]
        assert ledger.person_keys(plain) == []
        assert ledger.person_keys("0" * 64) == []
        assert ledger.verify() == []


def test_a_signature_over_another_statement_does_not_count(place: Place, scratch_home: Path, monkeypatch):
    keygen(scratch_home / ".ssh/id_ed25519")
    signer = find_signer(place)
    real = signer.sign
    monkeypatch.setattr(signer, "sign", lambda _: real(b"something else"))
    with opened(place.home) as ledger:
        name = ledger.append(note("replayed"), task="t", at=AT, person_signer=signer)
        assert ledger.person_keys(name) == []


def test_another_namespace_does_not_count(scratch_home: Path, tmp_path: Path):
    key = keygen(scratch_home / ".ssh/id_ed25519")
    (tmp_path / "m").write_bytes(b"m")
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", key, tmp_path / "m"], check=True)
    assert sshsig.verify((tmp_path / "m.sig").read_text(), b"m") is None


@pytest.mark.parametrize("text", ["", "x", "-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----\n"])
def test_what_is_no_signature_does_not_verify(text: str):
    assert sshsig.verify(text, b"m") is None


def test_an_empty_home_is_no_obstacle(repo: Repo, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    assert find_signer(find_place(repo.root)).sign(b"m") is None
    key = keygen(tmp_path / "k")
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingkey", str(key))
    made = find_signer(find_place(repo.root)).sign(b"m")
    assert made is not None
    assert sshsig.verify(made.armoured, b"m") == fingerprint(key)


@pytest.mark.parametrize("kind", ["sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"])
def test_a_hardware_key_is_presence(kind: str):
    assert presence(PersonKey(f"{kind} AAAA", "SHA256:x", "")) == "fido"


PRESENCE = "from passdown.ledger.person import presence; print('presence', presence(None))"


def test_presence_is_a_terminal_on_both_ends_or_unproven(tmp_path: Path):
    at = run_at_terminal([sys.executable, "-c", PRESENCE], tmp_path)
    assert "presence terminal" in at.out
    piped = subprocess.run([sys.executable, "-c", PRESENCE], capture_output=True, text=True, input="", check=True)
    assert piped.stdout == "presence unproven\n"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ("Alice Test", "alice@example.test")),
        ({"github.user": "alice"}, ("Alice Test", "@alice")),
        ({"user.name": "Other", "user.email": "o@example.test"}, ("Alice Test", "alice@example.test")),
    ],
)
def test_the_person_is_named_as_git_names_them(repo: Repo, place: Place, settings, expected):
    for name, value in settings.items():
        repo.git("config", "--global", name, value)
    assert identity(place) == expected


def test_without_an_environment_the_settings_name_the_person(repo: Repo, place: Place, monkeypatch):
    for name in list(os.environ):
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")):
            monkeypatch.delenv(name)
    assert identity(place) == ("", "")
    repo.git("config", "--global", "user.name", "Carol")
    repo.git("config", "user.email", "carol@example.test")
    assert identity(place) == ("Carol", "carol@example.test")


def test_a_command_in_the_repository_s_settings_is_not_run(
    repo: Repo, place: Place, tmp_path: Path, scratch_home: Path
):
    """E-kind: an agent writes .git/config; signing runs ssh-keygen alone."""
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for name in ("gpg.ssh.program", "gpg.program", "core.fsmonitor", "core.sshCommand", "gpg.ssh.defaultKeyCommand"):
        repo.git("config", name, str(trap))
    repo.git("config", "gpg.format", "ssh")
    keygen(scratch_home / ".ssh/id_ed25519")
    assert find_signer(place).sign(b"m") is not None
    assert not (tmp_path / "sprung").exists()
