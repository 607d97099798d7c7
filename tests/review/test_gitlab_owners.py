"""CODEOWNERS as GitLab reads it: sections judged alone, default owners, exclusions, paths bound to no top."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.review.owners import forge_of, load_owners, others, parse_owners
from passdown.workspace.place import find_place


def owners_of(text, path):
    return parse_owners(".gitlab/CODEOWNERS", text.encode()).of(path)


README = "* @admin\n[README Owners]\nREADME.md @u1 @u2\ninternal/README.md @u4\n[README other owners]\nREADME.md @u3\n"
DEFAULTS = "* @general\n[Documentation] @docs\ndocs/\nREADME.md\n*.txt\n[Database] @db @ag\nmodel/db/\nsetup.md @docs\n"


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        # each section is judged alone; within one the last match counts
        (README, "README.md", ("@admin", "@u1", "@u2", "@u3")),
        (README, "internal/README.md", ("@admin", "@u4", "@u3")),
        (README, "src/a.py", ("@admin",)),
        ("*.md @docs\nterms.md @legal\n", "terms.md", ("@legal",)),
        # default owners, and owners of one's own in place of them
        (DEFAULTS, "docs/a.md", ("@general", "@docs")),
        (DEFAULTS, "model/db/CHANGELOG.txt", ("@general", "@docs", "@db", "@ag")),
        (DEFAULTS, "setup.md", ("@general", "@docs")),
        # sections of one name, whatever their case, are one
        ("[Docs]\n*.md @one\n[Other]\nx @x\n[DOCS]\nREADME.md @two\n", "README.md", ("@two",)),
        ("[Docs] @one\n*.md\n[docs] @two\nREADME.md\n", "a.md", ("@one",)),
        # an optional section owns as well
        ("^[Go] @go\n*.go\n", "a.go", ("@go",)),
        ("[Two][2] @a @b\n*.go\n", "a.go", ("@a", "@b")),
        # a heading that is none is a rule, and its section goes on
        ("* @group\n[Section name\ndocs/ @docs\n", "docs/a", ("@docs",)),
        ("[]\n* @x\n", "a", ("@x",)),
        # malformed owners are left out, the line stands
        ("/path/* @group user @member\n", "path/a", ("@group", "@member")),
        ("folder with spaces/*.md @group\n", "x/folder", ("@group",)),
        ("path\\ with\\ spaces/*.md @owner\n", "a/path with spaces/x.md", ("@owner",)),
        # no owner at all: nobody in this section
        ("* @a\nsrc/gen/\n", "src/gen/x", ()),
        ("[S] @s\n*\n[T]\n*\n", "a", ("@s",)),
        # behind a rule there is no comment: who is named there owns too
        ("*.py @py # asked @bob once\n", "a.py", ("@py", "@bob")),
        ("# * @nobody\n", "a.py", ()),
        ("\\#file.rb @hash\n", "#file.rb", ("@hash",)),
        # users, groups, roles, addresses
        ("README @group @group/with-nested/subgroup @@maintainer jane@example.com\n", "docs/README",
         ("@group", "@group/with-nested/subgroup", "@@maintainer", "jane@example.com")),
        # what is spared stays spared in its section, whatever comes later, and only there
        ("* @u\n!pom.xml\n[Ruby]\n*.rb @ruby\n!/config/**/*.rb\n/config/routes.rb @ops\n", "pom.xml", ()),
        ("* @u\n!*.rb\n/special/*.rb @ruby\n", "special/a.rb", ()),
        ("[Ruby]\n*.rb @ruby\n!/config/**/*.rb\n[Config]\n/config/ @ops\n", "config/a.rb", ("@ops",)),
        ("* @u\n!**/generated/\n", "src/generated/deep/a.rb", ()),
    ],
)  # fmt: skip
def test_who_owns_a_path(text, path, owners):
    assert owners_of(text, path) == owners


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*", "deep/er/.hidden", True),
        ("/README.md", "README.md", True),
        ("/README.md", "docs/README.md", False),
        ("README.md", "app/lib/README.md", True),
        ("internal/README.md", "docs/api/internal/README.md", True),  # a slash inside binds nothing to the top
        ("/docs/", "docs/a/b/c.md", True),
        ("/docs/", "a/docs/c.md", False),
        ("lib/", "src/lib/x/y.rb", True),
        ("lib/", "library/x", False),
        ("docs", "docs/a.md", False),  # without the slash it names a file
        ("/docs/*", "docs/a.md", True),
        ("/docs/*", "docs/deep/a.md", False),
        ("/docs/**", "docs/deep/a.md", False),  # at the end two stars are one
        ("/docs/**/*", "docs/deep/a.md", True),
        ("/docs/*.md", "docs/.a.md", True),
        ("/docs/index.*", "docs/index.html", True),
        ("/docs/*spec*", "docs/runtime.spec", True),
        ("/docs/*/README.md", "docs/api/README.md", True),
        ("/docs/*/README.md", "docs/a/b/README.md", False),
        ("/docs/**/index.md", "docs/index.md", True),
        ("/docs/**/index.md", "docs/api/graphql/index.md", True),
        ("**/*.rb", "app/controllers/users/stars.rb", True),
        ("file?.py", "file1.py", True),
        ("file?.py", "file/.py", False),
        ("file[0-9].py", "file7.py", True),
        ("file[!0-9].py", "filex.py", True),
        ("file[!0-9].py", "file/.py", False),
        ("file[^x-].py", "file-.py", False),
        ("a[]]b", "a]b", True),
        ("a\\*b", "a*b", True),
        ("a\\*b", "axb", False),
        ("a[b", "a[b", False),
        ("a[z-a]b", "azb", False),
        ("a+b(c)", "a+b(c)", True),
        ("A.py", "a.py", False),
        ("a.py", "a.py\n", False),
    ],
)
def test_which_paths_a_pattern_means(pattern, path, matches):
    assert owners_of(f"{pattern} @x\n", path) == (("@x",) if matches else ())


@pytest.mark.parametrize(
    ("text", "optional", "approvals"),
    [
        ("[A]\n", False, 1),
        ("^[A]\n", True, 1),
        ("[A][3]\n", False, 3),
        ("^[A][2] @x\n", True, 2),
        ("[A][0]\n", False, 1),
        ("[A][]\n", False, 1),
        ("[A][-2]\n", False, 1),
        ("[A][x]\n", False, 1),
        ("^[A]\n[a]\n", False, 1),  # one of them is required, so both are
        ("[a]\n^[A]\n", False, 1),
        ("^[A][2]\n^[a][3]\n", True, 3),
    ],
)
def test_what_a_heading_asks_for(text, optional, approvals):
    section = parse_owners(".gitlab/CODEOWNERS", text.encode()).sections[-1]
    assert (section.optional, section.approvals) == (optional, approvals)


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("* @x\n/a/* @g user\n", 2, "'user' is no owner and left out"),
        ("[Section name\n", 1, "neither a section nor a path"),
        ("[A][0]\n", 1, "[0] is no number of approvals"),
        ("! @x\n", 1, "`!` names nothing"),
        ("[A] team\n", 1, "'team' is no owner"),
    ],
)
def test_what_is_not_understood_is_one_line(text, line, word):
    warnings = parse_owners(".gitlab/CODEOWNERS", text.encode()).warnings
    assert len(warnings) == 1
    assert warnings[0].startswith(f".gitlab/CODEOWNERS:{line}: ")
    assert word in warnings[0]


SECTIONS = "* @all\n[Docs] @writers\ndocs/\n"


@pytest.mark.parametrize(
    ("path", "remote", "owners"),
    [
        (".gitlab/CODEOWNERS", "https://github.com/octo/shop", ("@all", "@writers")),
        (".github/CODEOWNERS", "https://gitlab.com/octo/shop", ()),
        ("CODEOWNERS", "git@gitlab.example.org:octo/shop.git", ("@all", "@writers")),
        ("CODEOWNERS", "https://github.com/octo/shop", ()),  # there a path without an owner is nobody's
        ("docs/CODEOWNERS", "https://git.example.org/gitlab/shop", ("@all", "@writers")),  # its sections say it
        ("CODEOWNERS", None, ("@all", "@writers")),
    ],
)
def test_whose_rules_hold(repo, path, remote, owners):
    if remote:
        repo.git("remote", "add", "origin", remote)
    repo.write(path, SECTIONS).commit("Owners")
    assert load_owners(find_place(repo.root), repo.head).of("docs/a.md") == owners


@pytest.mark.parametrize(
    ("address", "forge"),
    [
        ("https://github.com/a/b", "github"),
        ("github.com:a/b.git", "github"),
        ("ssh://git@gitlab.com:22/a/b", "gitlab"),
        ("https://gitlab.intern.example/a/b", "gitlab"),
        ("https://git.example.org/github.com/b", None),
        ("/srv/gitlab.com/b", None),
        ("gitlab", None),
        ("shop", None),
    ],
)
def test_the_host_alone_says_which_forge(address, forge):
    assert forge_of(address) == forge


def test_a_gitlab_remote_reads_gitlab_s_places_first(repo):
    repo.git("remote", "add", "origin", "https://gitlab.com/octo/shop")
    for path in (".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"):
        repo.write(path, "* @x\n")
    repo.commit("Owners")
    assert load_owners(find_place(repo.root), repo.head).source == "docs/CODEOWNERS"


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("[A]\n/src/auth/ @security\n", [("/src/auth/", "@security")]),
        ("[A]\nsrc/auth/ @security\n", [("**/src/auth/", "@security")]),
        ("^[A]\n/src/auth/ @security\n", []),  # asked, not required
        ("[A]\n/src/ @core\n[B]\n/src/ @me\n", []),
        ("[A]\n/src/ @me\n[B] @core\n/docs/\n", [("/docs/", "@core")]),
    ],
)
def test_what_others_own_is_denied(text, denied):
    assert others(parse_owners(".gitlab/CODEOWNERS", text.encode()), ["@me"], []) == denied


NAMES = st.sampled_from(["a", "b", "docs", "src", "x.py", "x.md"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PATTERNS = st.builds(
    lambda start, path, end: f"{start}{path}{end}",
    st.sampled_from(["", "/", "**/"]),
    PATHS,
    st.sampled_from(["", "/", "/*", "*"]),
) | st.sampled_from(["*", "*.py", "/"])


@given(st.lists(PATTERNS, max_size=6), st.lists(PATHS, min_size=1, max_size=8), st.sampled_from(["github", "gitlab"]))
def test_asking_by_folder_finds_what_asking_each_rule_finds(patterns, paths, forge):
    text = "\n".join(f"{pattern} @o{at}" for at, pattern in enumerate(patterns))
    (section,) = parse_owners("CODEOWNERS", text.encode(), forge).sections
    for path in paths:
        plainly = [rule.owners for rule in section.rules if rule.regex.search(path)]
        assert section.of(path) == (plainly[-1] if plainly else ()), (text, path)
