# ruff: noqa: E501 - a pattern reads best on one line
"""Secrets that show by what stands around them: PEM blocks, URLs, headers, command-line options."""

from __future__ import annotations

from passdown.rules.redact.vendors import Row

_NL = r"(?:\r?\n|\\+r\\+n|\\+n|%0D%0A|%0A)"
_SP = r"(?:[ +]|%20)"
_QUOTE = r"(?:\\*[\"'])"
_KEYED = r"(?:%3A|[:=]|\\*[\"']\s*[:,]\s*\\*[\"'])"
_MARK = r"(?!\[redacted:)"

SHAPES: tuple[Row, ...] = (
    (
        "private-key",
        ("-----BEGIN",),
        (rf"-----BEGIN{_SP}(?:[A-Z0-9]+{_SP}){{0,3}}PRIVATE{_SP}KEY(?:{_SP}BLOCK)?-----"
        rf"(?:(?:(?!-----END)[\s\S]){{20,20000}}?-----END{_SP}(?:[A-Z0-9]+{_SP}){{0,3}}PRIVATE{_SP}KEY(?:{_SP}BLOCK)?-----"
        rf"|(?:{_NL}|[A-Za-z0-9+/=\s,:-]|\\u000a|%2[BbFf]|%3[Dd]){{20,20000}})"),
    ),
    ("putty-key", ("Private-Lines",), rf"Private-Lines: \d+{_NL}((?:[A-Za-z0-9+/=]{{20,}}{_NL}?)+)"),
    (
        "url-userinfo",
        ("://", "%3A%2F%2F", "%3a%2f%2f"),
        (r"(?:://|%3A%2F%2F)[^\s/@:\"'<>%\[]{0,80}(?::|%3A)"
        r"(?!\$|\{|<|\*{2,}|\.\.\.|%24|x{3,}(?:@|%40)|\[redacted:)((?:(?!%40)[^\s/@\"'<>]){3,200})(?:@|%40)(?=[A-Za-z0-9\[])"),
    ),
    (
        "url-token",
        ("://", "%3A%2F%2F"),
        r"(?:://|%3A%2F%2F)(?!\[redacted:)((?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,200})(?:@|%40)(?=[A-Za-z0-9])",
    ),
    (
        "authorization",
        ("uthorization", "UTHORIZATION"),
        (rf"(?:uthorization|UTHORIZATION)\\*[\"']?\s*(?:{_KEYED}|=>|\s)(?:\s|%20|\+)*{_QUOTE}?(?:(?i:bearer|basic|token|apikey|digest|negotiate)(?:{_SP}|\s)+)"
        rf"{_MARK}(?!\$|\{{|<|%24)((?:[A-Za-z0-9._~+/=-]|%2[BbFf]|%3[Dd]){{8,}})"),
    ),
    ("bearer", ("earer ", "earer%20", "earer+", "EARER "), rf"(?i:earer)(?:{_SP})(?!\$|\{{|<)((?=[A-Za-z._~+/-]*[0-9])[A-Za-z0-9._~+/-]{{20,}}={{0,2}})"),
    (
        "cookie",
        ("ookie", "OOKIE"),
        (rf"(?i:ookie)\\*[\"']?(?:%3A|:|\\*[\"']\s*[:,]\s*\\*[\"'])(?:\s|%20)*{_QUOTE}?{_MARK}"
        r"([\w.-]+(?:=|%3D)[^\s;\"'\\<>]{8,}(?:;[ ]?[\w.-]+(?:=[^\s;\"'\\<>]*)?)*)"),
    ),
    (
        "api-header",
        ("X-", "x-", "rivate-token", "RIVATE-TOKEN", "pi-key", "pi-Key", "PI-KEY", "cp-apim", "cp-Apim"),
        (rf"(?<![A-Za-z])(?i:x-[a-z-]*(?:api-?key|token|auth|secret)|private-token|api-key|ocp-apim-subscription-key)\\*[\"']?{_KEYED}(?:\s|%20)*{_QUOTE}?{_MARK}"
        r"(?!\$|\{|<)((?=[A-Za-z._~+/-]*[0-9])[A-Za-z0-9._~+/=-]{12,})"),
    ),
    ("netrc", ("machine ",), rf"machine\s+\S+\s+login\s+\S+\s+password\s+{_MARK}(\S{{4,}})"),
    (
        "option",
        ("--pass", "--token", "--secret", "--api-key", "--apikey", "--access-token", "--auth-token", "--client-secret"),
        (rf"(?:(?<!\S)|(?<=%20))--(?:pass(?:word|wd|phrase)?|token|secret|api-?key|access-token|auth-token|client-secret)(?:=|%3D|%20|\s+)[\"']?{_MARK}(?![$<{{-])"
        r"((?=\S*[0-9])(?:(?!%20|%0A)[^\s\"'`]){8,})"),
    ),
    ("basic-user", ("-u ", "--user "), rf"(?<!\S)(?:-u|--user)\s+[\"']?[\w.@-]+:{_MARK}(?![$<{{])([^\s\"'@/]{{6,}})(?=[\"'\s]|$)"),
    ("npmrc", ("_auth",), rf"_auth(?:Token)?\s*(?:=|%3D)\s*[\"']?{_MARK}(?!\$)([A-Za-z0-9+/=_.-]{{8,}})"),
    ("docker-auth", ("auth",), rf"\\*\"auth\\*\"\s*:\s*\\*\"{_MARK}([A-Za-z0-9+/]{{16,}}={{0,2}})\\*\""),
    ("key-id", ("private_key_id",), rf"private_key_id\\*[\"']?(?:\s|%20)*(?:[:=]|%3A)(?:\s|%20)*(?:\\*[\"']|%22)?{_MARK}([0-9a-f]{{40}})"),
)  # fmt: skip
