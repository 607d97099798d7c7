# ruff: noqa: E501 - a pattern reads best on one line
"""Statements that something was not changed (``I did not touch docs/``), against the session's own writes.

Precision first: the whole clause must be one of a few plain shapes, so that ``except``, ``the rest of``, a condition, a
plan or somebody else's words in it take it out; what may hold although the file was written (its API, its title) has
none of these shapes.
"""

from __future__ import annotations

import posixpath
import re

from passdown.agents.facts.claims.ruling import Ruling, of_write
from passdown.agents.facts.claims.tokens import paths
from passdown.agents.facts.journal import END, Journal, Ran, Written, between
from passdown.rules.patterns import lazy

_HINT = lazy(r"touch|chang|modif|edit|alter|alone|as[- ]is\b|as it was", re.IGNORECASE)
_NOT_SAID = lazy(
    r"\b(?:if|when|whenever|unless|until|till|while|should|would|could|will|won['\u2019]t|must|may|might|can|shall|please|once|so that|to (?:keep|leave|make|have)"
    r"|except\w*|apart|aside|besides?|other than|otherwise|only|but for|rest|remaining|most(?:ly)?|some|other|others|old|existing|existed|previously|earlier|before|after|since|yet|again|first|initially|originally"
    r"|no longer|anymore|any more|said|says?|claim\w*|according|asked|told|wants?|expect\w*|plan\w*|make sure|ensure|verify|confirm that|whether|because|intended|supposed|meant|need\w*)\b",
    re.IGNORECASE,
)
_QUOTES = lazy(r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u00ab[^\u00bb\n]*\u00bb")
_CLAUSES = lazy(
    r"\s*(?:;|\s[\u2014\u2013]\s(?!(?:un\w+|no|not)\b)|,\s+(?:and|but|so)\s+|,\s+(?=(?:I|we|leaving|keeping|without)\b))\s*",
    re.IGNORECASE,
)
_LEAD = lazy(r"[-*_\u2022\s]*(?:(?:and|but|also|note that|importantly|finally)[,:]?\s+)?", re.IGNORECASE)
_FOLDER = lazy(r"(?<![\w/`@:.-])((?:[\w.-]+/)+)(?=[\s.,;:!)*]|$)")

_P = r"(?:the\s+)?\x00(?:\s+(?:folder|directory|file|files|tree))?(?:(?:\s*,\s*(?:and|or)?|\s+(?:and|or|nor))\s*(?:the\s+)?\x00)*"
_DEED = r"(?:touch|chang|modif|edit|alter)\w*"
_DONE = r"(?:touched|changed|modified|edited|altered)"
_STATE = r"(?:untouched|unchanged|unmodified|unaltered|as[- ]is|as it was|as they were)"
_HOW = r"(?:\s+(?:completely|entirely|fully|totally|all|still|deliberately|intentionally|also|itself|themselves))*"
_IN = r"(?:in|under|below|inside|within|of|to|from)"
_END = r"(?:\s+(?:at all|either|in this (?:session|run|change|task)|by me|here))?[\s.!*_]*"
_WHO = r"(?:I|we)(?:['\u2019]ve|\s+have)?"
_WHAT = r"(?:files?|code|lines?|things?|modules?|of the files)"
_SHAPES = tuple(
    lazy(f"{shape}{_END}", re.IGNORECASE)
    for shape in (
        rf"{_WHO}\s+(?:did\s+not|didn['\u2019]t|have\s+not|haven['\u2019]t|not|never)\s+{_DEED}\s+(?:any(?:thing|\s+{_WHAT})\s+{_IN}\s+)?{_P}",
        rf"{_WHO}\s+(?:left|kept)\s+{_P}{_HOW}\s+(?:{_STATE}|alone)",
        rf"(?:left|kept|leaving|keeping)\s+{_P}{_HOW}\s+(?:{_STATE}|alone)",
        rf"(?:without|{_WHO}\s+avoided)\s+(?:touch|chang|modify|edit|alter)ing\s+(?:anything\s+{_IN}\s+)?{_P}",
        rf"(?:{_WHO}\s+(?:made|have\s+made)\s+)?no\s+(?:changes|edits|modifications)\s+(?:(?:were|have\s+been)\s+made\s+)?{_IN}\s+{_P}(?:\s+(?:were|have\s+been)\s+made)?",
        rf"(?:no|none\s+of\s+the)\s+{_WHAT}\s+{_IN}\s+{_P}\s+(?:was|were|has\s+been|have\s+been|got)?\s*{_DONE}",
        rf"nothing\s+{_IN}\s+{_P}\s+(?:was|has\s+been|got)?\s*{_DONE}",
        rf"(?:(?:the\s+|all\s+)?files\s+{_IN}\s+)?{_P}{_HOW}\s+(?:is|are|was|were|has\s+been|have\s+been|remains?|stays?|remained|stayed){_HOW}\s+(?:left\s+|kept\s+)?{_STATE}",
        rf"(?:(?:the\s+)?files\s+{_IN}\s+)?{_P}\s+(?:(?:was|were|is|are)(?:\s+not|n['\u2019]t)|(?:has|have)(?:\s+not|n['\u2019]t)\s+been)\s+{_DONE}",
        rf"{_P}\s*(?::|\u2014|\u2013|->)?\s*(?:{_STATE}|no\s+changes|not\s+(?:touched|changed|modified))",
    )
)
_KINDS = {
    "migrations": re.compile(r"(?:^|/)migrations?/"),
    "workflows": re.compile(r"(?:^|/)\.github/workflows/"),
    "snapshots": re.compile(r"(?:^|/)__snapshots__/|\.snap$"),
}
_NO_KIND = lazy(
    rf"(?:no|none\s+of\s+the)\s+(?:database\s+|db\s+|ci\s+|github\s+|test\s+)?(migrations|workflows|snapshots)\s+(?:was|were|has\s+been|have\s+been)\s+{_DONE}{_END}",
    re.IGNORECASE,
)
_CHANGED_ONLY = lazy(r"\bfiles?\b.*\b(?:changed|modified|edited|altered)\b", re.IGNORECASE)


def refuted(text: str, journal: Journal, said_at: int = END) -> Ruling | None:
    """CONTRADICTED with the write of this turn that tells against ``text``; None where it denies none of them."""
    if not _HINT.search(text) or _NOT_SAID.search(_bare(text, _named(text))):
        return None
    begun = max((seq for seq in journal.asked if seq < said_at), default=-1)
    written = [(write, _place(write, journal)) for write in between(journal.written, begun, said_at) if _own(write)]
    for clause in _CLAUSES.split(_QUOTES.sub(" ", text)) if written else ():
        named = [journal.inside(path).removeprefix("./").rstrip("/") for path in denied(clause)]
        kind = _NO_KIND.fullmatch(clause.strip("*-_ "))
        older = _CHANGED_ONLY.search(clause) is not None  # "no files in docs/ were changed" holds beside a new one
        about = [w for w, at in written if any(_within(w, at, path, older=older) for path in named)]
        if kind:
            about += [w for w, at in written if w.event.op != "create" and _KINDS[kind[1].lower()].search(at)]
        if about and not _undone(about, journal):
            return Ruling("CONTRADICTED", of_write(about[-1]))
    return None


def denied(clause: str) -> list[str]:
    """The paths that a clause says were not changed; none where it is no such clause."""
    named = _named(clause)
    if not named:
        return []
    bare = _bare(clause, named)
    lead = _LEAD.match(bare)
    bare = bare[lead.end() :] if lead else bare
    return named if any(shape.fullmatch(bare) for shape in _SHAPES) else []


def _named(text: str) -> list[str]:
    """The paths in ``text``, bare folders (``docs/``) too."""
    named = [path for path in paths(text) if not path.startswith(("http", "~"))]
    folders = _FOLDER.findall(re.sub(r"`[^`]*`", " ", text))
    return list(dict.fromkeys([*named, *folders]))


def _bare(text: str, named: list[str]) -> str:
    """``text`` without bold, each path in it as one sign."""
    bare = text.replace("**", "")
    for path in sorted(named, key=len, reverse=True):
        name = re.escape(path)
        bare = re.sub(rf"`{name}`|\[[^\]]*\]\({name}\)|(?<![\w/.-]){name}(?![\w/'\u2019-])", "\0", bare)
    return bare


def _own(write: Written) -> bool:
    """Surely the agent's own: done, by a tool of its own."""
    return write.ok and write.event.via != "shell" and not write.event.subagent


def _place(write: Written, journal: Journal) -> str:
    """Where it wrote, as seen from the folder of work."""
    path = write.event.path.replace("\\", "/")
    return journal.inside(posixpath.normpath(posixpath.join(write.event.cwd or "", path)))


def _within(write: Written, at: str, path: str, *, older: bool) -> bool:
    """It wrote the very file, or one in the folder; another file of the same name elsewhere is not meant for sure."""
    if "*" in path or not path:
        return False
    return at == path or (at.startswith(f"{path}/") and not (older and write.event.op == "create"))


def _undone(about: list[Written], journal: Journal) -> bool:
    """Each of the files was put back, or may have been: by git, or by the opposite edit."""
    left = {write.event.path for write in about}
    for path in sorted(left):
        pairs = {(w.event.added.strip(), w.event.removed.strip()) for w in about if w.event.path == path}
        opposite = any((removed, added) in pairs for added, removed in pairs if added != removed)
        if opposite or any(_puts_back(ran) for ran in journal.ran_after(about[0].seq)):
            left.discard(path)
    return not left


def _puts_back(ran: Ran) -> bool:
    undoes = re.search(r"\bgit\b.*\b(?:checkout|restore|reset|stash|revert|clean)\b|\b(?:rm|mv|cp)\b", ran.command)
    return undoes is not None and ran.ok is not False
