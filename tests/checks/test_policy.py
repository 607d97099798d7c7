"""passdown.toml of the base; a mistake is one line: file, line, key, what was expected."""

from __future__ import annotations

import pytest

from passdown.checks.policy import find_policy, load_policy
from passdown.checks.policy_file import parse
from passdown.errors import PassdownError
from passdown.model.policy import DenyRule
from passdown.workspace.place import find_place

FULL = """
version = 1
mode = "team"
resume_owner = "@alice"
[git]
base = "main"
[checks.tests]
run = "pytest -q"
inputs = ["src/**", "tests/**"]
report = "build/junit.xml"
env = ["DATABASE_URL"]
ttl = "24h"
timeout = "10m"
acceptance = true
blocks = "continuation"
inputs_ignored = ["data/fixtures/**"]
protect = ["tests/golden/**"]
[checks.types]
run = ["mypy", "."]
[boundary]
deny = ["migrations/**", { path = "LICENSE", because = "legal" }]
derived = [{ path = "package-lock.json", from = "package.json" }]
[guard]
mode = "advise"
[hold]
base-drift = "ignore"
[hold.limits]
files = 80
replan-tries = 5
[review]
required = false
presence = "fido"
signers = ["@alice ssh-ed25519 AAAA"]
[trust]
ci = ["ssh-ed25519 BBBB"]
[redact]
extra = ['corp-[0-9a-f]{32}']
"""


def test_every_key():
    policy = parse(FULL, None)
    tests, types = policy.checks
    assert (policy.mode, policy.resume_owner, policy.base, policy.guard_mode) == ("team", "@alice", "main", "advise")
    assert (tests.run, tests.kind, tests.ttl, tests.timeout) == ("pytest -q", "test", 86400.0, 600.0)
    assert (tests.inputs, tests.report, tests.env) == (["src/**", "tests/**"], "build/junit.xml", ["DATABASE_URL"])
    assert (tests.acceptance, tests.blocks, tests.protect) == (True, "continuation", ["tests/golden/**"])
    assert (types.run, types.kind, types.blocks, types.source) == (["mypy", "."], "types", "merge", "policy")
    assert policy.deny == [DenyRule(path="migrations/**", because="policy"), DenyRule(path="LICENSE", because="legal")]
    assert [(d.path, d.from_) for d in policy.derived] == [("package-lock.json", "package.json")]
    assert policy.hold == {"base-drift": "ignore"}
    assert (policy.limits.files, policy.limits.replan_tries, policy.limits.days) == (80, 5, 14)
    assert (policy.review_required, policy.review_presence, policy.review_independent) == (False, "fido", True)
    assert (policy.signers, policy.trust_ci) == (["@alice ssh-ed25519 AAAA"], ["ssh-ed25519 BBBB"])
    assert policy.redact_extra == ["corp-[0-9a-f]{32}"]


def test_defaults():
    solo, team = parse("", None), parse('mode = "team"', None)
    assert (solo.mode, solo.guard_mode, solo.review_required) == ("solo", "enforce", False)
    assert (team.mode, team.guard_mode, team.review_required, team.review_independent) == (
        "team",
        "observe",
        True,
        True,
    )
    assert parse(None, None) is None
    assert parse(None, "[project]\nname = 'x'\n") is None
    assert parse(None, "[tool.passdown]\nmode = 'team'\n").source == "pyproject.toml"


MISTAKES = [
    ("version = 2", "passdown.toml:1: version: expected 1, the only version that this Passdown reads, got 2"),
    ("version = true", "passdown.toml:1: version: expected 1,"),
    ("\nmode = 'duo'", 'passdown.toml:2: mode: expected "solo" or "team", got "duo"'),
    ("mode = 3", 'passdown.toml:1: mode: expected "solo" or "team", got 3'),
    ("a = 1\nb =", "passdown.toml:2: expected TOML: "),
    ("[checks.tests]\nrun = 'a'\nrun = 'b'", "passdown.toml:3: expected TOML: cannot overwrite a value"),
    ("[checks.tests]\nrun = 'a'\n[checks.tests]\nrun = 'b'", "passdown.toml:3: expected TOML: "),
    ("modus = 'solo'", "passdown.toml:1: modus: no such key; did you mean 'mode'?"),
    (
        "[checks.tests]\nrun = 'x'\n\ninput = []",
        "passdown.toml:4: checks.tests.input: no such key; did you mean 'inputs'?",
    ),
    ("[chekcs.tests]\nrun = 'x'", "passdown.toml:1: chekcs: no such key; did you mean 'checks'?"),
    ("[checks.tests]\ninputs = []", "passdown.toml:1: checks.tests: expected run, a command"),
    ("[checks.tests]\nrun = ''", "passdown.toml:2: checks.tests.run: expected a command"),
    ("[checks.tests]\nrun = []", "passdown.toml:2: checks.tests.run: expected a command"),
    ("[checks.tests]\nrun = ['a', 1]", "passdown.toml:2: checks.tests.run: expected a command"),
    ("[checks]\ntests = 'pytest'", 'passdown.toml:2: checks.tests: expected a table, got "pytest"'),
    ("[checks.tests]\nrun = 'x'\ntimeout = '10 minutes'", "passdown.toml:3: checks.tests.timeout: expected a duration"),
    ("[checks.tests]\nrun = 'x'\ntimeout = 600", "passdown.toml:3: checks.tests.timeout: expected a duration"),
    ("[checks.tests]\nrun = 'x'\nttl = '0s'", "passdown.toml:3: checks.tests.ttl: expected a duration"),
    (
        "[checks.tests]\nrun = 'x'\nacceptance = 'yes'",
        "passdown.toml:3: checks.tests.acceptance: expected true or false",
    ),
    ("[checks.tests]\nrun = 'x'\nblocks = 'all'", "passdown.toml:3: checks.tests.blocks: expected"),
    ("[checks.tests]\nrun = 'x'\ninputs = 'src'", "passdown.toml:3: checks.tests.inputs: expected a list of strings"),
    (
        "[checks.tests]\nrun = 'x'\ninputs = ['a', '!b']",
        "passdown.toml:3: checks.tests.inputs: expected a gitignore pattern",
    ),
    (
        "[checks.tests]\nrun = 'x'\ninputs = ['../b']",
        "passdown.toml:3: checks.tests.inputs: expected a gitignore pattern",
    ),
    ("[checks.tests]\nrun = 'x'\nreport = '/tmp/x'", "passdown.toml:3: checks.tests.report: expected a path inside"),
    ("[checks.tests]\nrun = 'x'\nreport = '../x'", "passdown.toml:3: checks.tests.report: expected a path inside"),
    ("[checks.tests]\nrun = 'x'\nenv = ['A=1']", "passdown.toml:3: checks.tests.env: expected names of environment"),
    ("[checks.'a b']\nrun = 'x'", "passdown.toml:1: checks.a b: expected a name"),
    (
        "[checks.tests]\nrun='x'\n[checks.Tests]\nrun='x'",
        "passdown.toml:3: checks.Tests: expected another name: 'tests'",
    ),
    ("checks.tests.run = 'x'\nchecks.tests.ttl = 'x'", "passdown.toml:2: checks.tests.ttl: expected a duration"),
    ("[boundary]\ndeny = 'x'", "passdown.toml:2: boundary.deny: expected a list of patterns"),
    ("[boundary]\ndeny = [\n 'a',\n '!x',\n]", "passdown.toml:2: boundary.deny: expected a gitignore pattern"),
    ("[boundary]\ndeny = [{ because = 'x' }]", "passdown.toml:2: boundary.deny: expected { path = "),
    ("[boundary]\ndeny = [{ path = 'x', why = 'y' }]", "passdown.toml:2: boundary.deny: expected { path = "),
    ("[boundary]\nallow = []", "passdown.toml:2: boundary.allow: no such key"),
    ("[boundary]\nderived = [{ path = 'x' }]", "passdown.toml:2: boundary.derived: expected { path = "),
    ("[guard]\nmode = 'on'", 'passdown.toml:2: guard.mode: expected "observe" or "advise" or "enforce"'),
    ("[hold]\nbase-drif = 'hold'", "passdown.toml:2: hold.base-drif: no such key; did you mean 'base-drift'?"),
    ("[hold.limits]\nfiles = 0", "passdown.toml:2: hold.limits.files: expected a whole number from 1 on"),
    ("[hold.limits]\nreplan_tries = 1", "passdown.toml:2: hold.limits.replan_tries: no such key"),
    ("[hold.limits]\ndays = true", "passdown.toml:2: hold.limits.days: expected a whole number"),
    ("[hold]\nbase-drift = 'stop'", 'passdown.toml:2: hold.base-drift: expected "hold" or "watch" or "ignore"'),
    ("[review]\npresence = 'unproven'", "passdown.toml:2: review.presence: expected"),
    ("[review]\nsigners = []\nallowed_signers = 'x'", "passdown.toml:3: review.allowed_signers: expected signers or"),
    ("[redact]\nextra = ['ok', '(']", "passdown.toml:2: redact.extra: expected a regular expression"),
    ("guard = 1", "passdown.toml:1: guard: expected a table, got 1"),
    ('note = """\n[checks.x]\n"""\n[guard]\nmode = 1', "passdown.toml:1: note: no such key"),
]


@pytest.mark.parametrize(("text", "line"), MISTAKES)
def test_a_mistake_is_one_line(text, line):
    with pytest.raises(PassdownError) as error:
        parse(text, None)
    assert error.value.message.startswith(line)
    assert "\n" not in error.value.message
    assert error.value.code == 2


def test_lines_are_those_of_pyproject():
    with pytest.raises(PassdownError, match=r"^pyproject.toml:5: guard.mode: expected"):
        parse(None, "[project]\nname = 'x'\n[tool.passdown]\nmode = 'solo'\nguard.mode = 'x'\n")


def test_a_pyproject_that_is_broken_elsewhere_is_not_ours_to_judge():
    assert parse("", "[project\n").mode == "solo"


def test_two_places_are_one_too_many():
    with pytest.raises(PassdownError, match="in one place"):
        parse("", "[tool.passdown]\n")


def test_not_utf8(repo):
    repo.write("passdown.toml", b"mode = 'solo'\n# \xff\n")
    with pytest.raises(PassdownError, match=r"passdown.toml:2: expected UTF-8"):
        load_policy(find_place(repo.root), None)


def test_a_byte_order_mark_and_crlf_are_read(repo):
    repo.write("passdown.toml", b"\xef\xbb\xbfmode = 'team'\r\n").commit()
    assert load_policy(find_place(repo.root), repo.head).mode == "team"


# base and worktree


def test_the_base_is_in_force_and_the_worktree_only_narrows(repo):
    base = (
        repo.write("passdown.toml", "mode = 'team'\n[checks.tests]\nrun = 'a'\n[boundary]\ndeny = ['x/']\n")
        .commit()
        .head
    )
    repo.write(
        "passdown.toml",
        "mode = 'solo'\n[checks.tests]\nrun = 'true'\n[checks.more]\nrun = 'b'\n[boundary]\ndeny = ['x/', 'y/']\n"
        "[guard]\nmode = 'observe'\n[hold]\ntree-drift = 'ignore'\n[review]\nrequired = false\n"
        "[trust]\nci = ['ssh-ed25519 CCCC']\n"
        "[redact]\nextra = ['FAILED']\n",
    ).commit("Loosen")
    policy = load_policy(find_place(repo.root), base)
    assert [(c.name, c.run, c.source) for c in policy.checks] == [("tests", "a", "policy"), ("more", "b", "candidate")]
    assert [rule.path for rule in policy.deny] == ["x/", "y/"]
    assert (policy.mode, policy.guard_mode, policy.hold, policy.review_required) == ("team", "observe", {}, True)
    assert (policy.trust_ci, policy.redact_extra) == ([], [])
    assert (policy.source, policy.revision) == (f"{base[:12]}:passdown.toml", base)
    (warning,) = policy.warnings
    assert warning.startswith("passdown.toml in the worktree is a proposal; not in force: checks.tests, mode, ")


def test_the_worktree_cannot_take_a_deny_away(repo):
    base = repo.write("passdown.toml", "[boundary]\ndeny = ['x/']\n").commit().head
    repo.delete("passdown.toml")
    assert [rule.path for rule in load_policy(find_place(repo.root), base).deny] == ["x/"]


def test_no_base_and_no_policy_in_the_base_are_said(make_repo):
    repo = make_repo()
    assert load_policy(find_place(repo.root), None).warnings[0].startswith("no base commit yet")
    base = repo.write("a", "").commit().head
    repo.write("passdown.toml", "[checks.tests]\nrun = 'x'\n")
    policy = load_policy(find_place(repo.root), base)
    assert policy.warnings == [f"the base ({base[:12]}) has no policy: checks wait for a person to confirm them"]
    assert policy.checks[0].source == "candidate"


def test_a_mistake_in_the_worktree_can_be_a_warning(repo):
    base = repo.write("passdown.toml", "mode = 'team'\n").commit().head
    repo.write("passdown.toml", "mode = \n")
    place = find_place(repo.root)
    with pytest.raises(PassdownError, match=r"^passdown.toml:1: "):
        load_policy(place, base)
    policy = load_policy(place, base, strict=False)
    assert policy.mode == "team"
    assert "passdown.toml:1: expected TOML" in policy.warnings[0]


def test_a_mistake_in_the_base_is_never_passed_over(repo):
    base = repo.write("passdown.toml", "mode = 'x'\n").commit().head
    with pytest.raises(PassdownError, match=rf"in the base, {base[:12]}"):
        load_policy(find_place(repo.root), base, strict=False)


def test_a_link_in_the_worktree_is_no_policy(repo, tmp_path):
    (tmp_path / "elsewhere.toml").write_text("[boundary]\ndeny = ['*']\n")
    repo.link("passdown.toml", str(tmp_path / "elsewhere.toml"))
    assert load_policy(find_place(repo.root), repo.head).deny == []


def test_a_branch_cannot_choose_its_own_base(repo):
    repo.write("passdown.toml", "[git]\nbase = 'main'\n[checks.tests]\nrun = 'a'\n").commit()
    repo.remote()
    base = repo.head
    repo.branch("work").write("passdown.toml", "[git]\nbase = 'work'\n[checks.tests]\nrun = 'true'\n").commit("Loosen")
    policy, commit, _ = find_policy(find_place(repo.root))
    assert (commit, policy.checks[0].run) == (base, "a")


def test_the_start_of_the_task_stands_in_for_a_base(repo):
    start = repo.write("passdown.toml", "[checks.tests]\nrun = 'a'\n").commit().head
    repo.write("passdown.toml", "[checks.tests]\nrun = 'true'\n").commit("Loosen")
    policy, commit, because = find_policy(find_place(repo.root), start)
    assert (commit, because, policy.checks[0].run) == (start, "start of the task", "a")


def test_a_pushed_branch_is_no_base_for_its_own_policy(repo):
    repo.write("passdown.toml", "[checks.tests]\nrun = 'a'\n").commit()
    repo.remote()
    repo.branch("work").write("passdown.toml", "[git]\nbase = 'work'\n[checks.tests]\nrun = 'true'\n").commit("Loosen")
    repo.git("push", "-q", "-u", "origin", "work")
    repo.write("a", "x").commit()
    assert find_policy(find_place(repo.root))[0].checks[0].run == "a"
    repo.git("remote", "set-head", "origin", "main")
    repo.git("branch", "-q", "-D", "main")
    assert find_policy(find_place(repo.root))[0].checks[0].run == "a"


def test_no_commit_yet(make_repo):
    policy, commit, because = find_policy(find_place(make_repo().root))
    assert (policy.checks, commit, because) == ([], None, "no commit yet")


TEMPLATE = 'title = "t"\n[checklist]\nlast = "show it"\n'
MINE = ".passdown/templates/mine.toml"


def test_templates_are_those_of_the_base(repo):
    base = repo.write(MINE, TEMPLATE).write(".passdown/templates/notes.md", "#").commit().head
    repo.write(MINE, TEMPLATE + "[boundary]\nnew_files = 9\n").write(".passdown/templates/more.toml", TEMPLATE)
    policy = load_policy(find_place(repo.root), base)
    assert [(t.name, t.new_files, t.source) for t in policy.templates] == [("mine", 2, f"{base[:12]}:{MINE}")]
    assert policy.warnings[-1] == ".passdown/templates in the worktree is a proposal; not in force: mine, more"


def test_a_template_that_the_worktree_deleted_stays_in_force(repo):
    base = repo.write(MINE, TEMPLATE).write("passdown.toml", "mode = 'team'\n").commit().head
    repo.delete(MINE)
    policy = load_policy(find_place(repo.root), base)
    assert [template.name for template in policy.templates] == ["mine"]
    assert policy.warnings == [".passdown/templates in the worktree is a proposal; not in force: mine"]


def test_templates_that_are_the_same_say_nothing(repo):
    base = repo.write(MINE, TEMPLATE).write("passdown.toml", "mode = 'team'\n").commit().head
    repo.write(MINE, "# a word\n" + TEMPLATE)
    assert load_policy(find_place(repo.root), base).warnings == []


def test_a_broken_template_is_told_as_the_policy_is(repo):
    base = repo.write("passdown.toml", "mode = 'team'\n").commit().head
    repo.write(MINE, "title = 3\n")
    place = find_place(repo.root)
    with pytest.raises(PassdownError, match=rf"^{MINE}:1: title"):
        load_policy(place, base)
    assert MINE in load_policy(place, base, strict=False).warnings[0]
    broken = repo.commit().head
    with pytest.raises(PassdownError, match=rf"^{MINE}:1: title.*in the base, {broken[:12]}"):
        load_policy(place, broken, strict=False)


def test_a_link_is_no_template(repo):
    (repo.root / ".passdown/templates").mkdir(parents=True)
    (repo.root / "elsewhere.toml").write_text("title = 3\n")
    (repo.root / MINE).symlink_to("../../elsewhere.toml")
    place = find_place(repo.root)
    assert load_policy(place, repo.commit().head).templates == []
