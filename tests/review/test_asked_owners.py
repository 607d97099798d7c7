"""Whose word is asked for: grouped by who may speak, with who has answered and who is missing."""

from __future__ import annotations

import pytest

from passdown.cli.owner_rows import behind, row
from passdown.model.boundary import Boundary
from passdown.model.event import Verdict
from passdown.review.asked_owners import asked_owners
from passdown.review.owners import parse_owners

SEALED = Boundary(version=1, source="reviewed").sealed()


def given(by, answer="approve", *, own=False, teams=()):
    return Verdict(
        task="t", packet="p", answer=answer, by=by, presence="terminal", self_=own, boundary=SEALED,
        boundary_digest=SEALED.digest, previous=None, owners=[], answers_for=list(teams),
    )  # fmt: skip


GITHUB = "* @core\n/src/auth/ @sec @octo/crypto\n/docs/ jane@example.com\n/gen/\n"
GITLAB = "* @core\n[Auth][2]\n/src/auth/ @sec @two @three\n^[Docs] @writers\n/docs/\n"
AUTH, DOCS, OTHER = "src/auth/token.py", "docs/a.md", "src/a.py"


@pytest.mark.parametrize(
    ("text", "paths", "answers", "says"),
    [
        (GITHUB, [OTHER], [], "@core (1 file): nobody yet"),
        (GITHUB, [OTHER, OTHER, "src/b.py"], [], "@core (2 files): nobody yet"),
        (GITHUB, ["gen/x"], [], ""),
        (GITHUB, [OTHER], [given("@core")], "@core (1 file): approve by @core"),
        (GITHUB, [OTHER], [given("@CORE", "narrow")], "@core (1 file): narrow by @CORE"),
        (GITHUB, [OTHER], [given("@sec")], "@core (1 file): nobody yet"),
        (GITHUB, [OTHER], [given("@core", own=True)], "@core (1 file): only @core, who ran the agent"),
        (GITHUB, [OTHER], [given("@core"), given("@core", "rollback")], "@core (1 file): rollback by @core"),
        (GITHUB, [DOCS], [given("jane@example.com")], "jane@example.com (1 file): approve by jane@example.com"),
        (GITHUB, [AUTH], [given("@sec")], "@sec or @octo/crypto (1 file): approve by @sec"),
        # a team's member speaks for it where the forge said so
        (GITHUB, [AUTH], [given("@bob")], "@sec or @octo/crypto (1 file): nobody yet"),
        (GITHUB, [AUTH], [given("@bob", teams=["@octo/crypto"])], "@sec or @octo/crypto (1 file): approve by @bob"),
        # who is missing comes first
        (GITHUB, [OTHER, DOCS], [given("@core")],
         "jane@example.com (1 file): nobody yet; @core (1 file): approve by @core"),
        # GitLab: each section asks, for as many as it says; an optional one asks for nobody
        (GITLAB, [AUTH], [given("@core"), given("@sec")],
         "[Auth] @sec or @two or @three (1 file): approve by @sec; 2 are asked for; @core (1 file): approve by @core"),
        (GITLAB, [AUTH], [given("@core"), given("@sec"), given("@two")],
         "@core (1 file): approve by @core; [Auth] @sec or @two or @three (1 file): approve by @sec, approve by @two"),
        (GITLAB, [DOCS], [given("@core")],
         "@core (1 file): approve by @core; [Docs] @writers (1 file): nobody yet (optional)"),
        (GITLAB, [DOCS], [given("@core"), given("@writers")],
         "@core (1 file): approve by @core; [Docs] @writers (1 file): approve by @writers"),
    ],
)  # fmt: skip
def test_who_has_answered_and_who_is_missing(text, paths, answers, says):
    assert row(asked_owners(parse_owners("CODEOWNERS", text.encode()), paths, answers)) == says


def test_many_owners_and_files_are_counted_and_foreign_names_are_harmless():
    owners = parse_owners("CODEOWNERS", "* @a @b @c @d\u202e @e\n".encode())
    asked = asked_owners(owners, [f"f{at}" for at in range(5000)], [])
    assert row(asked) == "@a or @b or @c or 2 more (5,000 files): nobody yet"
    assert behind(asked) == ["@a or @b or @c or 2 more (5,000 files): nobody yet: f0, f1, f2 and 4997 more"]
