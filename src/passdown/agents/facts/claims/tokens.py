# ruff: noqa: E501 - a pattern reads best on one line
"""The checkable things in a statement: paths, code names, numbers, commit ids, links."""

from __future__ import annotations

import re

from passdown.rules.patterns import lazy

_SPAN = lazy(r"`([^`\n]+)`")
_LINK = lazy(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
_ENDINGS = (
    "py|pyi|ipynb|[cm]?[jt]sx?|jsonc?|jsonl|ya?ml|toml|mdx?|rst|go|mod|sum|rs|rb|erb|php|java|kts?|swift|cs|csproj|sln|fs|vb|h|hh|hpp|c|cc|cpp|m|mm|sh|bash|zsh|ps1|sql|css|s[ac]ss|less|html?|vue|svelte"
    "|astro|lock|cfg|conf|ini|env|txt|xml|gradle|proto|tf|tfvars|exs?|erl|lua|pl|r|jl|zig|nix|csv|svg|png|snap|graphql|prisma|props|targets|resx|plist|bats|feature|mk|cmake|dockerfile|j2|tmpl|adoc|log|pdf"
)
_ROOTS = "src|tests?|lib|docs?|cmd|pkg|internal|apps?|packages|scripts|config|spec|examples?|plugins|tools|public|assets|components|server|client|api|core|crates|modules|website|bench|ci|infra|deploy"
_BARE_FILE = lazy(
    rf"(?<![\w@/.:-])((?:[A-Za-z0-9_.@~+-]+/)*[A-Za-z0-9_@*+-]+(?:\.[A-Za-z0-9_*-]+)*\.(?:{_ENDINGS})|(?:\.{{0,2}}/|(?:{_ROOTS})/)(?:[A-Za-z0-9_.@+-]+/)*[A-Za-z0-9_.@*+-]*[A-Za-z0-9_*+-]/?)(?![\w/])"
)
_FILE_NAME = lazy(rf"\.?[\w@*+-]+(?:\.[\w*-]+)*\.(?:{_ENDINGS})|\.[a-z][\w.-]+|(?:[A-Z][a-z]*file|LICENSE|CODEOWNERS)")
_LOCATION = lazy(r"(?::\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)$")
_HASH = lazy(r"(?<![\w-])(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?![\w-])")
_NUMBER = lazy(r"(?<![\w.#/:-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w/.:-]*\w)")
_URL = lazy(r"https?://[^\s)>\]\"'`]+")
_PR = lazy(r"(?:PR|pull request|MR|merge request)\s*(?:\[)?#(\d+)|/pull/(\d+)|/merge_requests/(\d+)", re.IGNORECASE)
_OLD = lazy(
    r"\breplac(?:es|ed|ing)\b(?:(?!\b(?:with|by)\b).)*|\b(?:instead of|rather than|no longer|from(?=\s+`)(?=(?:(?!\bto\b).)*$)|without|anstatt|statt|anstelle|au lieu|en lugar|\u800c\u4e0d\u662f|\u4e0d\u518d)\b(?:[^(\u2014\u2013]|(?<!\s)\()*",
    re.IGNORECASE,
)
_CHANGED = lazy(r"\bfrom\b[^.;]*?\bto\b|`[^`]*`\s*(?:\u2192|->|=>)", re.IGNORECASE)
_PLAIN_NAMES = (
    "changelog",
    "readme",
    "license",
    "makefile",
    "dockerfile",
    "gitignore",
    "package.json",
    "gemfile",
    "procfile",
)
_CODE_NAME = lazy(r"(?<![\w./`-])([A-Z]{1,4}\d{2,4}|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\w+_\w+|\w+\(\))(?![\w./`-])")


def paths(text: str) -> list[str]:
    """Paths named in ``text``, locations (``:12``) cut off, in order, once each."""
    found: dict[str, None] = {}
    for label, target in _LINK.findall(text):
        if not target.startswith(("http", "#", "mailto")):
            found.setdefault(_LOCATION.sub("", target.removeprefix("file://")))
        elif is_path(label):
            found.setdefault(label)
    rest = _URL.sub(" ", _LINK.sub(" ", text))
    for span in _SPAN.findall(rest):
        cut = _LOCATION.sub("", span.strip())
        if is_path(cut):
            found.setdefault(cut)
    for bare in _BARE_FILE.findall(_SPAN.sub(" ", rest)):
        found.setdefault(bare.rstrip("."))
    known = " ".join(found).lower()
    for name in _PLAIN_NAMES:
        if name not in known and re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w/-]|\.\w)", rest, re.IGNORECASE):
            found.setdefault(name)
    return list(found)


def is_path(text: str) -> bool:
    """Whether a code span is a path: a slash or a file's ending, no spaces, no call, no option."""
    if not text or len(text) > 200 or re.search(r"[\s()<>{}|;,=\"'$]|^-|^@\w+/|://|^\d+/\d+$", text):  # noqa: PLR2004 - no path is that long here
        return False
    if "/" in text or "\\" in text:
        return _is_slashed(text)
    return _FILE_NAME.fullmatch(text) is not None


def _is_slashed(text: str) -> bool:
    """A path rather than a branch (``fix/x``), a remote's branch, a repository or a set of words."""
    if re.match(r"(?:origin|upstream|remotes|refs|heads)/|[\w.-]*\.\.\.", text) or not re.search(r"\w", text):
        return False
    rooted = re.match(rf"\.{{0,2}}[/\\]|\.\w|~|[A-Za-z]:|(?:{_ROOTS})[/\\]", text) is not None
    named = _FILE_NAME.fullmatch(re.split(r"[/\\]", text)[-1]) is not None
    return rooted or named or "*" in text or text.endswith("/") or len(re.split(r"[/\\]", text)) > 3  # noqa: PLR2004 - deep enough


def names(text: str) -> list[str]:
    """Code names in ``text``: spans that are no paths, and words that look like code; what it speaks of as old is left out."""
    text = _LINK.sub(" ", text)
    kept = without_old(text)
    spans = [s.strip() for s in _SPAN.findall(kept)]
    found = [s for s in spans if not is_path(_LOCATION.sub("", s)) and len(s) > 1]
    found += _CODE_NAME.findall(_URL.sub(" ", _SPAN.sub(" ", kept)))
    return list(dict.fromkeys(found))


def without_old(text: str) -> str:
    """``text`` without what it speaks of as gone: ``instead of X``, ``from X to``, ``X ->``."""
    text = _CHANGED.sub(" ", text)
    return _OLD.sub(" ", text)


def spans(text: str) -> list[str]:
    """All code spans."""
    return [s.strip() for s in _SPAN.findall(text)]


def numbers(text: str) -> list[int]:
    """Whole numbers that stand by themselves in the prose (links, ids and versions aside)."""
    plain = _PR.sub(" ", _URL.sub(" ", _LINK.sub(" ", text)))
    return [int(n.replace(",", "")) for n in _NUMBER.findall(re.sub(r"^\s*\d{1,2}[.)]\s", "", plain))]


def hashes(text: str) -> list[str]:
    """Abbreviated or whole commit ids."""
    return _HASH.findall(_URL.sub(" ", text))


def urls(text: str) -> list[str]:
    """Links, closing punctuation cut off."""
    return [u.rstrip(".,;:") for u in _URL.findall(text)]


def pull_requests(text: str) -> list[str]:
    """Numbers of pull requests."""
    return [next(g for g in groups if g) for groups in _PR.findall(text)]


def same_path(written: str, named: str) -> bool:
    """Whether the path that was written is the one named: equal, or ending in it at a separator, or inside it."""
    a, b = _norm(written), _norm(named)
    if re.match(r"^[A-Za-z]:", a):
        b = b.lower()
    if not b:
        return False
    if "*" in b:
        return (
            re.search(rf"(?:^|/){re.escape(b).replace(re.escape('**'), '.*').replace(re.escape('*'), '[^/]*')}$", a)
            is not None
        )
    if a == b or a.endswith("/" + b) or b.endswith("/" + a):
        return True
    if f"/{b}/" in f"/{a}":
        return True
    stem = a.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return "/" not in b and b in _PLAIN_NAMES and (stem.lower() == b or a.rsplit("/", 1)[-1].lower().lstrip(".") == b)


def _norm(path: str) -> str:
    path = path.replace("\\", "/").strip().rstrip("/")
    path = re.sub(r"^(?:\./)+", "", path)
    return path.lower() if re.match(r"^[A-Za-z]:/", path) or path.lower() in _PLAIN_NAMES else path
