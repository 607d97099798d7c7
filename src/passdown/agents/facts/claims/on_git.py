# ruff: noqa: E501 - a pattern reads best on one line
"""Claims about commits, pushes, branches and pull requests, against the git and forge commands that ran."""

from __future__ import annotations

import re

from msgspec import Struct

from passdown.agents.facts.claims.ruling import Ruling, of_run
from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.claims.tokens import hashes, pull_requests, spans, urls
from passdown.agents.facts.journal import Journal, Ran
from passdown.agents.facts.reading import read_line
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program

_I = re.IGNORECASE


class Deed(Struct, frozen=True):
    """A thing done with git: how it is said, the commands that do it, what their output shows when it worked or not."""

    name: str
    said: re.Pattern[str]
    verbs: tuple[str, ...]
    worked: re.Pattern[str]
    failed: re.Pattern[str]


_REFUSED = lazy(
    r"! \[(?:remote )?rejected\]|error: failed to push|fatal: |Permission denied|Everything up-to-date\s*$",
    re.MULTILINE,
)
_DEEDS: tuple[Deed, ...] = (
    Deed(
        "push",
        lazy(
            r"\b(?:force-)?pushed\b|\bgepusht\b|\b(?:branch|changes?|commits?) (?:is|are) pushed\b|\u5df2\u63a8\u9001|\u63a8\u9001\u5230|\bpouss\u00e9",
            _I,
        ),
        ("push",),
        lazy(
            r"^\s*(?:[0-9a-f]{7,}\.\.\.?[0-9a-f]{7,}| [*+] |\* \[new (?:branch|tag)\]|\+ [0-9a-f]{7,}).*->|^\s*[*+=]?\s*\[?[\w .]*\]?\s+\S+ -> \S+|set up to track|refs/heads/\S+:refs/heads/\S+",
            re.MULTILINE,
        ),
        _REFUSED,
    ),
    Deed(
        "merge",
        lazy(r"\b(?:squash[- ])?merged\b(?! conflict)|\bgemergt\b|\u5df2\u5408\u5e76", _I),
        ("merge", "pr merge", "mr merge", "pull"),
        lazy(r"Merged|Fast-forward|Merge made|Squashed and merged|merged pull request|Squash commit", _I),
        lazy(r"CONFLICT|fatal: |not mergeable|GraphQL:|X Pull request"),
    ),
    Deed(
        "pull request",
        lazy(
            r"\b(?:opened|created|filed|raised|submitted)\b[^.]{0,40}\b(?:PR|pull request|MR|merge request)\b|\b(?:PR|pull request|MR)\b[^.]{0,40}\b(?:opened|created|is (?:up|open|ready))\b|^\W*PR(?: #\d+)?: *(?:\[|http)",
            _I,
        ),
        ("pr create", "mr create"),
        lazy(r"/pull/\d+|/merge_requests/\d+|!\d+"),
        lazy(r"GraphQL:|pull request create failed|already exists|aborted"),
    ),
    Deed(
        "rebase",
        lazy(r"\b(?:rebased|squashed|fixup squashed|autosquashed)\b", _I),
        ("rebase", "reset", "merge", "pr merge"),
        lazy(r"Successfully rebased|up to date|fast-forwarded|Merged|HEAD is now at", _I),
        lazy(r"CONFLICT|could not apply|fatal: "),
    ),
    Deed(
        "commit",
        lazy(
            r"\b(?:committed|amended|cherry-picked)\b|^\W*commits?\b[^:]{0,12}:|\bcommit(?:s)? `?[0-9a-f]{7,}|\bin (?:a|one|the|this|that) (?:single |same )?commit\b|\bcommit (?:succeeded|was created)|\bcommit\s[^.]{0,50}?\bcreated\b|\bcommittet\b|\beingecheckt\b|\u5df2\u63d0\u4ea4|\bcommit\u00e9",
            _I,
        ),
        ("commit", "cherry-pick", "revert", "am"),
        lazy(r"^\[[^\]\n]+ [0-9a-f]{7,}\] ", re.MULTILINE),
        lazy(
            r"nothing to commit|no changes added|fatal: |error: |Aborting commit|hook .*failed|did not match any file"
        ),
    ),
    Deed(
        "branch",
        lazy(
            r"^\W*(?:new )?branch\b[^:]{0,20}:|\bcreated\b[^.]{0,30}\bbranch\b|\bbranch\b[^.]{0,30}\b(?:created|deleted)\b",
            _I,
        ),
        ("checkout", "switch", "branch", "push", "worktree", "pr merge"),
        lazy(r"Switched to a new branch|\[new branch\]|set up to track|Deleted branch"),
        lazy(r"fatal: "),
    ),
    Deed(
        "tag",
        lazy(r"\btagged\b|\bcreated (?:a |the )?tag\b", _I),
        ("tag",),
        lazy(r"(?!)"),
        lazy(r"fatal: "),
    ),
)
_OWN = lazy(
    r"^[\W_]*(?:successfully |changes |branch |everything )?(?:committed|pushed|merged|opened|created|rebased|tagged)\b|\b(?:I|we)(?:['\u2019]ve| have)? (?:also |now |successfully )*(?:committed|pushed|merged|opened|created|rebased)\b"
    r"|\b(?:has|have|was|were) (?:now |been |successfully )*(?:committed|pushed|merged|opened|created|rebased)\b",
    _I,
)
_UNDONE = lazy(
    r"\b(?:nothing|no commits?|none)\b[^.;,]{0,30}\b(?:pushed|merged|committed|tagged)\b"
    r"|\b(?:not|never|without being)\b (?:yet |been |be ){0,2}(?:pushed|merged|committed|rebased|tagged)\b",
    _I,
)
_COMMIT = lazy(r"^\W*commits?\W{0,4}:", _I)
_NOT_GIT = lazy(
    r"\b(?:pushed|merged) (?:back|down|up|through|into (?:the )?(?:state|list|array|object|config|one|a single))\b|\bmerged? (?:the )?(?:two|three|both|lists?|dict|objects?|configs?|sections?)\b|\bcommitted to (?:the )?(?:memory|state)\b",
    _I,
)


_EARLIER = lazy(r"\b(?:was|were|is|are|had(?: been)?|has been|have been) already\b", _I)


def on_git(text: str, journal: Journal) -> Ruling | None:
    """The ruling on ``text`` if it says that git or the forge was changed, else None."""
    deeds = deeds_said(text)
    if not deeds:
        return None
    rulings = [_ruling(deed, text, journal) for deed in deeds]
    order = ("CONTRADICTED", "UNSUPPORTED", "STALE", "SUPPORTED")
    return min(rulings, key=lambda r: order.index(r.class_))


def deeds_said(text: str) -> list[Deed]:
    """What ``text`` says was done with git or the forge."""
    words = _UNDONE.sub(" ", prose(text))
    if _NOT_GIT.search(words):
        return []
    return [d for d in _DEEDS if d.said.search(words) or (d.name == "commit" and _COMMIT.match(words))]


def attempts(verbs: tuple[str, ...], journal: Journal) -> list[Ran]:
    """The commands that used one of these git or ``gh``/``glab`` verbs and were carried out."""
    wanted = set(verbs)
    return [
        ran
        for ran in journal.ran
        if ran.verbs and ran.executed and not ran.background and not wanted.isdisjoint(ran.verbs) and not _tried(ran)
    ]


def _tried(ran: Ran) -> bool:
    """A dry run does nothing."""
    return "--dry-run" in ran.command and any("--dry-run" in call.words for call in read_line(ran.command).all)


def _ruling(deed: Deed, text: str, journal: Journal) -> Ruling:
    before = deed.name == "merge" and _EARLIER.search(prose(text))  # a pull fetches what others merged
    tried = attempts(tuple(verb for verb in deed.verbs if not (before and verb == "pull")), journal)
    if not tried and deed.name == "pull request" and re.match(r"^\W*PR\b[^:]{0,8}:", text):
        shown = [
            r
            for r in attempts(("pr view", "pr list", "pr checks", "pr merge", "pr edit", "pr status"), journal)
            if r.ok is not False
        ]
        if shown and _unseen(text, journal, since=0) is None:
            return Ruling("SUPPORTED", of_run(shown[-1]))
    if not tried:
        return Ruling("UNSUPPORTED", f"no command of this session made a {deed.name}")
    last = tried[-1]
    worked = [r for r in tried if succeeded(r, deed)]
    named = _unseen(text, journal, since=0)
    if not worked and deed.name == "merge" and (ended := _concluded(last, journal)):
        return Ruling("SUPPORTED", f"{of_run(last)}; then {of_run(ended)}")
    if not worked:
        failed = _sure_failure(last, deed) or (_ended_there(last, deed) and not journal.subagents)
        sure = bool(_OWN.search(prose(text))) and failed and not _went_on(last, deed, journal)
        return Ruling("CONTRADICTED" if sure else "UNSUPPORTED", of_run(last))
    if named:
        return Ruling("UNSUPPORTED", f"{named} is nowhere in the record; {of_run(worked[-1])}")
    if deed.name == "push" and last is not worked[-1] and _OWN.search(prose(text)) and _sure_failure(last, deed):
        return Ruling("CONTRADICTED", of_run(last))
    if deed.name == "push":
        later = [r for r in attempts(("commit",), journal) if r.seq > worked[-1].seq and succeeded(r, _DEEDS[4])]
        if later:
            return Ruling("STALE", f"{of_run(worked[-1])}; then {of_run(later[-1])}")
    return Ruling("SUPPORTED", of_run(worked[-1]))


def _went_on(ran: Ran, deed: Deed, journal: Journal) -> bool:
    """A merge or rebase that met a conflict ends with a commit, or by being continued."""
    if deed.name not in {"merge", "rebase"}:
        return False
    later = [r for r in attempts(("commit", "merge", "rebase", "cherry-pick"), journal) if r.seq > ran.seq]
    return any(r.ok is not False for r in later)


def _concluded(ran: Ran, journal: Journal) -> Ran | None:
    """The commit that ended a merge which met a conflict."""
    later = (
        r
        for r in attempts(("commit", "merge"), journal)
        if r.seq > ran.seq and succeeded(r, _DEEDS[4]) and "] Merge " in r.output
    )
    return next(later, None) if "CONFLICT" in ran.output else None


def _sure_failure(ran: Ran, deed: Deed) -> bool:
    return ran.ok is False and deed.failed.search(ran.output) is not None


def _ended_there(ran: Ran, deed: Deed) -> bool:
    """A commit or push that closes its line, which failed: whatever failed, it was not done."""
    line = read_line(ran.command)
    called = [call for verb, call in line.git if verb == deed.name]
    last = bool(called) and called[-1] is line.all[-1] and called[-1].vouched
    return deed.name in {"commit", "push"} and bool(ran.exit) and last


def succeeded(ran: Ran, deed: Deed) -> bool:
    """It ended well by its exit code, or its output shows the deed although the code says nothing."""
    if deed.worked.search(ran.output) and not re.search(
        r"! \[(?:remote )?rejected\]|error: failed to push", ran.output
    ):
        return True
    line = read_line(ran.command)
    vouched = any(call.vouched for verb, call in line.git if verb in deed.verbs) or any(
        call.vouched for call in line.all if program(call.words[0]) in {"gh", "glab"}
    )
    return ran.ok is True and vouched


def _unseen(text: str, journal: Journal, since: int) -> str | None:
    """The first commit id, link or pull request of the statement that no output shows."""
    outputs = [r.output for r in journal.ran if r.seq >= since]
    wanted = [h[:7] for h in hashes(text)]
    wanted += [f"/{number}" for number in pull_requests(text)]
    wanted += [u.rstrip("/") for u in urls(text) if not pull_requests(u)]
    if re.match(r"^\W*(?:new )?branch\b", text, _I):
        wanted += spans(text)
    commands = [r.command for r in journal.ran] if wanted else []
    for item in wanted:
        bare = item.lstrip("/")
        if not any(item in o or (bare.isdigit() and f"#{bare}" in o) for o in outputs) and not any(
            bare in c and re.search(rf"\b{re.escape(bare)}\b", c) for c in commands
        ):
            return bare
    return None
