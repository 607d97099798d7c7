"""A quick look that tells whether any rule could find something in a text: most texts hold nothing.

Two kinds of rules. The tokens of most vendors are one long run of letters and digits that begins with the vendor's
own letters: only the beginnings of long runs are looked at. The others show by a literal, looked for as it stands.
A rule that is added to ``vendors`` or ``shapes`` is covered by one of the two; ``tests`` plants every kind.
"""

from __future__ import annotations

from passdown.rules.patterns import lazy
from passdown.rules.redact.names import KEYWORDS
from passdown.rules.redact.vendors import VENDORS

_RUN = lazy(r"[A-Za-z0-9_-]{15,}")
_START = lazy(r"(?<![A-Za-z0-9])(?=([A-Za-z0-9][A-Za-z0-9_-]{2}))")
_HEAD = 3
# Rules whose match may hold no long run, or whose run does not begin with their literal: looked for by literal.
_BY_LITERAL = {
    *("slack-webhook", "webhook-secret", "sendgrid", "google-oauth", "digitalocean", "doppler", "twilio", "mailchimp"),
    *("telegram", "discord", "sentry", "grafana", "planetscale", "fly", "vault", "terraform", "atlassian", "dropbox"),
    *("azure-ad", "azure-key", "azure-sas", "cloudflare", "one-password", "jwt", "jwe", "password-hash", "age"),
    "discord-webhook",
}
_IN_RUNS = tuple(word for name, words, _ in VENDORS if name not in _BY_LITERAL for word in words)
_HEADS = frozenset(word[:_HEAD] for word in _IN_RUNS)
_LITERALS = (
    *("hooks.slack.com", "whsec_", "SG.", "GOCSPX-", "ya29.", "1//0", "_v1_", "dp.", "-us", ":AA", "sntry", "glc_"),
    *("glsa_", "pscale_", "fm1", "fm2_", "fo1_", "hvs.", "hvb.", "hvr.", "atlasv1", "TT3", "ATBB", "Q~", "v1.0-"),
    *("eyJ", "AKIA", "ASIA", "glpat-", "/webhooks/", "-u ", "--user ", "--pass", "sig="),
)
_HASHES = ("$2", "$5$", "$6$", "$argon2", "$y$")
_ESCAPES = ("%40", "%3D", "%2F", "%3A")
_REFINED = tuple(
    lazy(pattern).search
    for pattern in (
        r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}",
        r"SK[0-9a-f]{32}",
        r"sl\.(?:u\.)?[A-Za-z0-9_-]{100}",
    )
)
# In lower case; they also stand in every match of the rules for headers, options, netrc, PEM blocks and cloud keys.
_NAMES = ("auth", "ookie", "earer", "private-lines", *KEYWORDS)


def may_hold_secrets(s: str, lowered: str) -> bool:
    """Whether a rule could match in ``s``; ``lowered`` is the same text in lower case."""
    if _one_of(_NAMES, lowered) or _one_of(_LITERALS, s) or ("$" in s and _one_of(_HASHES, s)):
        return True
    if ("@" in s and "://" in s) or ("%" in s and _one_of(_ESCAPES, s)):
        return True
    return any(find(s) for find in _REFINED) or _token(s)


def _one_of(words: tuple[str, ...], text: str) -> bool:
    for word in words:  # noqa: SIM110 - half the time of any(); it runs on every text
        if word in text:
            return True
    return False


def _token(s: str) -> bool:
    """A long run in which a vendor's token could begin."""
    runs = " ".join(_RUN.findall(s))
    return bool(runs) and not _HEADS.isdisjoint(_START.findall(runs)) and _one_of(_IN_RUNS, runs)
