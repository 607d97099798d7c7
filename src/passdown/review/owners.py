"""Who owns a path: CODEOWNERS as it stands at the base revision, by the rules of the forge that reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct, field

from passdown.checks.policy_places import CODEOWNERS
from passdown.review.github_owners import github_owners
from passdown.review.gitlab_owners import gitlab_owners, has_sections
from passdown.review.owner_rules import Rule, Section
from passdown.rules.patterns import lazy
from passdown.workspace import diff
from passdown.workspace.place import Place

Forge = Literal["github", "gitlab"]
GITLABS = ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS", ".github/CODEOWNERS")
_LIMIT = 3 * 1024 * 1024  # GitHub reads no larger one
_HOST = lazy(r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:[^/@]*@)?(?P<host>[^/:@]+\.[^/:@]+)[:/].*")


class Owners(Struct, frozen=True):
    """The owners at one revision. ``source`` None: no file; ``warnings``: one line for each that was not understood."""

    source: str | None = None
    digest: str | None = None
    sections: list[Section] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of one path: its last matching line, in each section; () where nobody owns it."""
        return tuple(dict.fromkeys(name for section in self.sections for name in section.of(path)))

    def of_all(self, paths: Iterable[str]) -> list[str]:
        """Owners of any of the paths, sorted."""
        return sorted({owner for path in paths for owner in self.of(path)})


def load_owners(place: Place, revision: str | None) -> Owners:
    """CODEOWNERS of ``revision`` (a commit; None: nothing is owned)."""
    if revision is None:
        return Owners()
    forge = forge_of(place.repository)
    found = diff.read_paths(place, revision, CODEOWNERS)
    ordered = ((path, found.get(path)) for path in (GITLABS if forge == "gitlab" else CODEOWNERS))
    return next((parse_owners(path, raw, forge) for path, raw in ordered if raw is not None), Owners())


def forge_of(address: str) -> Forge | None:
    """Whose rules a remote's address speaks for; None where its name does not say."""
    found = _HOST.fullmatch(address)
    labels = found["host"].lower().split(".") if found is not None else []
    forges: tuple[Forge, ...] = ("github", "gitlab")
    return next((forge for forge in forges if forge in labels), None)


def parse_owners(source: str, raw: bytes, forge: Forge | None = None) -> Owners:
    """The owners that a file's bytes name; a bad line is left out and told, as the forges do.

    The folder says whose rules hold, then the remote (``forge``), then whether the file has sections.
    """
    digest = hashlib.sha256(raw).hexdigest()
    if len(raw) > _LIMIT:
        return Owners(source, digest, [], [f"{source}: larger than 3 MB, so no forge reads it: nobody is an owner"])
    lines = raw.decode("utf-8", "replace").splitlines()
    folder: dict[str, Forge] = {".github/CODEOWNERS": "github", ".gitlab/CODEOWNERS": "gitlab"}
    rules = folder.get(source) or forge or ("gitlab" if has_sections(lines) else "github")
    parsed = gitlab_owners(lines) if rules == "gitlab" else github_owners(lines)
    warnings = [f"{source}:{number}: {problem}" for number, problem in parsed.warnings]
    return Owners(source, digest, parsed.sections, warnings)


def others(owners: Owners, mine: Sequence[str], touched: Iterable[str]) -> list[tuple[str, str]]:
    """``(pattern, owner)`` of what belongs to others than ``mine``, for the proposal's denials.

    Where CODEOWNERS names nobody of ``mine``, whoever owns the ``touched`` files stands in. A pattern over
    the whole tree, or one that a later line or another section opens for ``mine``, is no denial: deny would win over
    both. An optional section asks for nobody's word.
    """
    required = [section for section in owners.sections if not section.optional]
    known = {name for section in required for rule in section.rules for name in rule.owners}
    own = known & set(mine) or set(owners.of_all(touched))
    found: list[tuple[str, str]] = []
    for section in required:
        elsewhere = [rule for other in owners.sections if other is not section for rule in other.rules]
        for at, rule in enumerate(section.rules):
            opened = _opened(rule, [*section.rules[at + 1 :], *elsewhere], own)
            if rule.owners and not own & set(rule.owners) and not opened and rule.pattern.strip("/*"):
                found.append((rule.pattern, ", ".join(rule.owners)))
    return found


def _opened(rule: Rule, beside: Sequence[Rule], own: set[str]) -> bool:
    return any(own & set(other.owners) and _within(other.pattern, rule.pattern) for other in beside)


def _within(inner: str, outer: str) -> bool:
    return inner.strip("/").startswith(outer.strip("/").rstrip("*").rstrip("/"))
