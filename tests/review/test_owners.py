"""CODEOWNERS as the forges read it, from the base revision."""

from __future__ import annotations

import pytest

from passdown.review.owners import load_owners, others, parse_owners
from passdown.workspace.place import find_place


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        ("* @all\n", "src/a.py", ("@all",)),
        ("* @all\nsrc/ @core @org/team\n", "src/a.py", ("@core", "@org/team")),
        ("* @all\nsrc/ @core\n", "docs/a.md", ("@all",)),
        ("src/ @core\nsrc/generated/\n", "src/generated/a.py", ()),
        ("*.py @py # asked @bob once\n", "a.py", ("@py",)),
        ("# * @nobody\n", "a.py", ()),
        ("docs/* docs@example.com\n", "docs/a.md", ("docs@example.com",)),
        ("docs/* @d\n", "docs/deep/a.md", ()),
        ("my\\ docs/ @d\n", "my docs/a.md", ("@d",)),
        ("/café.go @fr\n", "café.go", ("@fr",)),
        ("docs/[ab].md @x\n* @all\n", "docs/a.md", ("@all",)),
        ("* @all\n", "my\ue000docs/a.md", ("@all",)),
    ],
)
def test_who_owns_a_path(text, path, owners):
    assert parse_owners("CODEOWNERS", text.encode()).of(path) == owners


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("src/[ @core\n", "`[ ]`"),
        ("src/[ab] @core\n", "`[ ]`"),
        ("src/ core\n", "'core'"),
        ("!src/ @core\n", "`!`"),
        ("\\#src @core\n", "`\\#`"),
    ],
)
def test_a_broken_line_is_one_line_and_owns_nothing(text, word):
    owners = parse_owners("docs/CODEOWNERS", ("* @all\n" + text).encode())
    assert len(owners.warnings) == 1
    assert owners.warnings[0].startswith("docs/CODEOWNERS:2: ")
    assert word in owners.warnings[0]
    assert owners.of("src/a.py") == ("@all",)


def test_any_bytes_are_read():
    owners = parse_owners("CODEOWNERS", b"\xff\xfe\x00 @x\n* @all\n")
    assert owners.of("a") == ("@all",)


def test_a_file_that_no_forge_reads_owns_nothing():
    owners = parse_owners("CODEOWNERS", b"* @all\n" + b"#" * (3 * 1024 * 1024))
    assert owners.of("a") == ()
    assert len(owners.warnings) == 1


@pytest.mark.parametrize(
    ("files", "source"),
    [
        ({"CODEOWNERS": "* @r\n", ".github/CODEOWNERS": "* @g\n"}, ".github/CODEOWNERS"),
        ({"CODEOWNERS": "* @r\n", "docs/CODEOWNERS": "* @d\n"}, "CODEOWNERS"),
        ({"docs/CODEOWNERS": "* @d\n"}, "docs/CODEOWNERS"),
        ({".gitlab/CODEOWNERS": "* @l\n"}, ".gitlab/CODEOWNERS"),
        ({}, None),
    ],
)
def test_the_forge_s_places_in_their_order(repo, files, source):
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("Owners")
    assert load_owners(find_place(repo.root), repo.head).source == source


def test_owners_are_those_of_the_revision_and_not_of_the_worktree(repo):
    """J4: a run that edits CODEOWNERS does not become its own reviewer."""
    repo.write("CODEOWNERS", "* @security\n").commit("Owners")
    repo.write("CODEOWNERS", "* @agent\n")
    assert load_owners(find_place(repo.root), repo.head).of("a") == ("@security",)


@pytest.mark.parametrize(
    ("text", "mine", "touched", "denied"),
    [
        ("* @all\nsrc/auth/ @security\n", ["@me"], [], [("src/auth/", "@security")]),
        ("src/ @me\nsrc/auth/ @security\n", ["@me"], [], [("src/auth/", "@security")]),
        ("src/ @core\nsrc/mine/ @me\n", ["@me"], [], []),
        ("src/ @core\n", [], ["src/a.py"], []),
        ("src/ @core\ndocs/ @docs\n", [], ["src/a.py"], [("docs/", "@docs")]),
        ("src/ @core @me\n", ["@me"], [], []),
        ("src/generated/\n", ["@me"], [], []),
    ],
)
def test_what_others_own_is_denied_and_nothing_of_mine(text, mine, touched, denied):
    assert others(parse_owners("CODEOWNERS", text.encode()), mine, touched) == denied
