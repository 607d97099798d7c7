"""Assignments whose name says that the value is a secret; the value alone decides whether it is one."""

from __future__ import annotations

import math
import re
from collections import Counter

from passdown.rules.patterns import lazy

KEYWORDS = ("key", "secret", "token", "passw", "passphrase", "pwd", "credential")
ASSIGNED = lazy(
    r"""(?P<word>(?i:keys?|secrets?|tokens?|passwords?|passwd|passphrase|pwd|credentials?)(?:[_-]?(?i:base64|b64|hex|value|v?\d{1,2}|key))?)"""
    r"""(?P<mid>(?:\\*["'\]]{0,2}|%22)(?:\s|%20)*(?::=|=>|[:=]|%3D|%3A)(?:\s|%20)*(?:\\*["']|%22)?|\\*["'],\s*\\*["'])"""
    r"""(?P<value>(?:[^\s"'`\\,;<>(){}\[\]&|%]|%(?!22|26|0A|0D|3B)[0-9A-Fa-f]{2}|\\/){6,512}={0,2})"""
    r"""(?P<more>(?:(?:\\+n|\n)[ \t]*[A-Za-z0-9+/]{16,}={0,2}(?=\\+n|["'\\\s]|$))*)"""
)
ASSIGNABLE = lazy(
    r"(?:keys?|secrets?|tokens?|passwords?|passwd|passphrase|pwd|credentials?)(?:[_-]?(?:base64|b64|hex|value|v?\d{1,2}))?$",
    re.IGNORECASE,
)
_KEY_OF = lazy(
    r"(?:api|private|access|auth|signing|encryption|master|service|account|license|client|deploy|webhook|secret|admin|app|application|write|ingest|jwt|session)"
    r"[_.-]?key",
    re.IGNORECASE,
)
_ORDINARY = lazy(
    r"(?:^|[_.-])(?:public|primary|foreign|cache|partition|sort|hash|lookup|idempotency|group|unique|row|object|sub|parent|map|s3|page|next|prev"
    r"|continuation|cursor|publishable|sync|shortcut|hot|bind|max|min|num|count|total|input|output|prompt|completion|cached|usage|reasoning|pad|eos|bos|mask|csrf"
    r"|stop|special|cancellation|design|name|type|path|file|ref|env|var|header|field|url|uri|arn|len|length|limit|expiry|ttl)(?:[_.-]|$)",
    re.IGNORECASE,
)
_REFERENCE = lazy(
    r"^(?:\$|%24|\{\{|<|@|\*+$|x{4,}|X{4,}|\.{3}|process\.env|os\.|env\.|ENV|config\.|settings\.|self\.|this\.|secrets?\.|args\.|options?\.|ctx\.|var\."
    r"|\[?redacted|REDACTED|your[_-]?|my[_-]?|example|changeme|placeholder|dummy|fake|test[_-]|todo|null|none|undefined|true|false|string|str\b|required)",
    re.IGNORECASE,
)
_UUID = lazy(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_DIGEST = lazy(r"(?:sha\d+[-:=]|md5[-:=]).*|[0-9a-f]{7,12}", re.IGNORECASE)
_IDENTIFIER = lazy(r"[A-Za-z_][A-Za-z_]*(?:[.:/-]+[A-Za-z_]+)*")
_CODE = lazy(
    r"[A-Za-z_][\w.]*(?:\.|::|->)[A-Za-z_]\w*$|[a-z]+(?:_[a-z0-9]+)+$|[A-Z]+(?:_[A-Z0-9]+)+$|[a-z]+(?:-[a-z]+\d?)+$|(?:[A-Z]?[a-z]+){2,}\d?$"
)
_ENV_STYLE = lazy(r"[A-Z][A-Z0-9_]*$")
_STRONG = lazy(
    r"passw|passphrase|secret|pwd|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key", re.IGNORECASE
)
_SHORTEST = 6
_SHORTEST_TOKEN = 12
_LONGEST_NAME = 60
_RANDOM_BITS = 3.0


def name_before(text: str, end: int) -> str:
    """The part of an assigned name that stands before ``end``: ``STRIPE_`` of ``STRIPE_SECRET=...``."""
    start = end
    while start > 0 and end - start < _LONGEST_NAME and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    return text[start:end]


def entropy(value: str) -> float:
    """Bits a character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values()) if total else 0.0


def is_secret(name: str, value: str) -> bool:
    """Whether ``name=value`` gives a secret away."""
    value = value.rstrip(".,;:!?")
    if name.lower().rstrip("s").endswith("key") and not (
        _KEY_OF.search(name) or (_ENV_STYLE.match(name) and name.endswith("_KEY"))
    ):
        return False
    if len(value) < _SHORTEST or _REFERENCE.match(value) or (_ORDINARY.search(name) and not _STRONG.search(name)):
        return False
    if (
        value.startswith(("http://", "https://", "/", "./", "~/", "../"))
        or value.replace(".", "").replace("_", "").isdigit()
    ):
        return _ENV_STYLE.match(name) is not None and "PASS" in name and value.isdigit()
    if _UUID.fullmatch(value):
        return _STRONG.search(name) is not None
    if _DIGEST.fullmatch(value):
        return False
    password = re.search(r"passw|passphrase|pwd", name, re.IGNORECASE) is not None
    if password and _ENV_STYLE.match(name):
        return True
    return _looks_random(value, password=password)


def _looks_random(value: str, *, password: bool) -> bool:
    if _IDENTIFIER.fullmatch(value) or _CODE.match(value):
        mixed = re.search(r"[a-z][A-Z]{2}|[A-Z]{2}[a-z][A-Z]|[bcdfghjklmnpqrstvwxz]{6}", value) is not None
        return len(value) >= 24 and mixed and entropy(value) > 4.0  # noqa: PLR2004 - letters alone must be long and disordered
    classes = sum(re.search(p, value) is not None for p in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9]"))
    if password:
        return classes >= 2 and entropy(value) >= 2.2  # noqa: PLR2004 - people's passwords are short
    mixed = classes > 1 and len(value) >= _SHORTEST_TOKEN and re.search(r"\d", value) is not None
    return mixed and entropy(value) >= _RANDOM_BITS
