"""``passdown export --in-toto``: verified by the libraries of others, not by us."""

from __future__ import annotations

import json
import subprocess

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from passdown.checks.test_result import outcome
from support.evidence import evidence

dsse = pytest.importorskip("securesystemslib.dsse", reason="securesystemslib verifies the envelopes")
signer = pytest.importorskip("securesystemslib.signer", reason="securesystemslib verifies the envelopes")
statements = pytest.importorskip("in_toto_attestation.v1.statement", reason="in-toto's own reader of statements")
results = pytest.importorskip("in_toto_attestation.predicates.test_result.v0.test_result_pb2", reason="same")
json_format = pytest.importorskip("google.protobuf.json_format", reason="same")

TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"


@pytest.fixture
def checked(repo):
    repo.write("src/ok", "1\n").write("passdown.toml", '[checks.ok]\nrun = "test -f src/ok"\n').commit("Begin")
    repo.passdown("check").check()
    return repo


def keys_of(pems):
    return [signer.SSlibKey.from_crypto(load_pem_public_key(pem.encode()), keyid=name) for name, pem in pems.items()]


def opened(line, keys):
    """The statement in an envelope that securesystemslib verifies and in-toto's own classes accept."""
    envelope = dsse.Envelope.from_dict(json.loads(line))
    assert envelope.verify(keys, 1)
    assert envelope.payload_type == "application/vnd.in-toto+json"
    said = json.loads(envelope.payload)
    subjects = [json_format.ParseDict(one, statements.ResourceDescriptor().pb) for one in said["subject"]]
    assert said["_type"] == statements.STATEMENT_TYPE_URI
    statements.Statement(subjects, said["predicateType"], said["predicate"]).validate()
    return said


def test_others_verify_it(checked):
    keys = keys_of(checked.passdown("export", "--in-toto", "--json").check().json()["keys"])
    lines = checked.passdown("export", "--in-toto").check().out.splitlines()
    own, result = (opened(line, keys) for line in lines)
    assert own["predicateType"] == "https://passdown.dev/evidence/v1"
    assert own["predicate"]["body"]["exit"] == 0
    assert result["predicateType"] == TEST_RESULT
    json_format.ParseDict(result["predicate"], results.TestResult())
    assert result["predicate"]["result"] == "PASSED"
    tree = checked.git("rev-parse", "HEAD^{tree}")
    assert {name: value for one in result["subject"] for name, value in one["digest"].items()} == {
        "gitTree": tree,
        "gitCommit": checked.head,
    }


def test_what_was_changed_does_not_verify(checked):
    document = checked.passdown("export", "--in-toto", "--json").check().json()
    keys = keys_of(document["keys"])
    for envelope in document["envelopes"]:
        envelope["payload"] = envelope["payload"][:40] + "AAAA" + envelope["payload"][44:]
        with pytest.raises(Exception, match="Accepted signatures do not match threshold"):
            dsse.Envelope.from_dict(envelope).verify(keys, 1)


def test_uncommitted_work_is_no_commit(checked):
    checked.write("src/more", "x\n")
    checked.passdown("check").check()
    keys = keys_of(checked.passdown("export", "--in-toto", "--json").check().json()["keys"])
    *_, result = (opened(line, keys) for line in checked.passdown("export", "--in-toto").check().out.splitlines())
    assert [list(one["digest"]) for one in result["subject"]] == [["gitTree"]]


def test_a_packet_with_what_it_rests_on(checked, tmp_path):
    checked.write("src/more", "x\n")
    checked.passdown("check").check()
    packet = checked.passdown("pack", "--goal", "more", "--json").check().json()["packet"]
    file = tmp_path / "out.jsonl"
    assert "3 attestations" in checked.passdown("export", packet[:8], "--in-toto", "--output", str(file)).check().out
    keys = keys_of(checked.passdown("export", "--in-toto", "--json").check().json()["keys"])
    types = [opened(line, keys)["predicateType"].rpartition("/")[0] for line in file.read_text().splitlines()]
    assert types == ["https://passdown.dev/packet", "https://passdown.dev/evidence", TEST_RESULT.rpartition("/")[0]]


def test_the_public_key_is_one_that_openssl_reads(checked, tmp_path):
    pem = checked.passdown("export", "--public-key").check().out
    file = tmp_path / "key.pem"
    file.write_text(pem)
    read = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", str(file), "-noout", "-text"], capture_output=True, check=True
    )
    assert b"ED25519" in read.stdout


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, "PASSED"),
        ({"warnings": ["masked: x"]}, "WARNED"),
        ({"warnings": ["shadowed: grep is ./grep"]}, "WARNED"),
        ({"changed_inputs": ["a"]}, "WARNED"),
        ({"result": "FAILED", "exit": 1}, "FAILED"),
        ({"exit": 1}, "FAILED"),
        ({"signal": 9}, "FAILED"),
        *(
            ({"result": name}, "FAILED")
            for name in ("ERROR", "SKIPPED", "NOT RUN", "INCONCLUSIVE", "UNSTABLE", "FLAKY")
        ),
    ],
)
def test_nothing_is_exported_better_than_it_was(changes, result):
    assert outcome(evidence(**changes)) == result


def test_a_candidates_pass_is_exported_with_a_warning(repo):
    repo.write("Makefile", "test:\n\ttrue\n").commit("Begin")
    repo.passdown("check", "tests").check()
    keys = keys_of(repo.passdown("export", "--in-toto", "--json").check().json()["keys"])
    *_, result = (opened(line, keys) for line in repo.passdown("export", "--in-toto").check().out.splitlines())
    assert result["predicate"]["result"] == "WARNED"


@pytest.mark.parametrize(("args", "code", "said"), [
    ((), 2, "which form?"), (("--in-toto",), 3, "nothing to export"), (("--public-key",), 3, "no key yet"),
    (("--in-toto", "abcd1234"), 2, "no packet abcd1234"),
])  # fmt: skip
def test_what_cannot_be_exported(repo, args, code, said):
    repo.write("a").commit("Begin")
    assert said in repo.passdown("export", *args).check(code).err
    assert not repo.home.exists()
