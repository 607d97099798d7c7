"""J1, J3: no planted secret survives in any form, and nothing ordinary is touched."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import random
import re
import string
import textwrap
import uuid
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from passdown.errors import PassdownError
from passdown.rules.redact import Redactor
from passdown.rules.redact.probe import may_hold_secrets
from passdown.rules.redact.shapes import SHAPES
from passdown.rules.redact.vendors import VENDORS

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"


def draw(rng: random.Random, alphabet: str, count: int) -> str:
    """Random text with a digit and a letter in it (so that it looks like what a vendor makes)."""
    made = [rng.choice(alphabet) for _ in range(count)]
    made[1], made[2] = "7", next(c for c in "kaK" if c in alphabet)
    return "".join(made)


def segment(rng: random.Random, value: object) -> str:
    text = json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=") + draw(rng, URLSAFE, 12)


def pem(rng: random.Random, label: str) -> str:
    body = "\n".join(draw(rng, BASE64, 64) for _ in range(6))
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"


# name -> (text before, secret, text after); prefixes are joined here so that no literal looks like a secret
KINDS = {
    "anthropic": lambda r: ("", "sk-" + "ant-" + "api03-" + draw(r, URLSAFE, 90) + "AA", ""),
    "openai-project": lambda r: ("", "sk-" + "proj-" + draw(r, URLSAFE, 60), ""),
    "openai-old": lambda r: ("", "sk-" + draw(r, ALNUM, 48), ""),
    "openrouter": lambda r: ("", "sk-" + "or-v1-" + draw(r, HEX, 64), ""),
    "github-classic": lambda r: ("", "gh" + "p_" + draw(r, ALNUM, 36), ""),
    "github-oauth": lambda r: ("", "gh" + "o_" + draw(r, ALNUM, 36), ""),
    "github-server": lambda r: ("", "gh" + "s_" + draw(r, ALNUM, 36), ""),
    "github-fine": lambda r: ("", "github" + "_pat_" + draw(r, ALNUM, 22) + "_" + draw(r, ALNUM, 59), ""),
    "gitlab": lambda r: ("", "gl" + "pat-" + draw(r, URLSAFE, 20), ""),
    "aws-id": lambda r: ("", "AK" + "IA" + draw(r, UPPER, 16), ""),
    "aws-temporary": lambda r: ("", "AS" + "IA" + draw(r, UPPER, 16), ""),
    "aws-secret": lambda r: ("aws_secret_access_key = ", draw(r, BASE64, 40), "\n"),
    "slack-bot": lambda r: ("", "xox" + "b-" + "123456789012-" + draw(r, ALNUM, 24), ""),
    "slack-app": lambda r: ("", "xapp" + "-1-A0123-" + draw(r, ALNUM, 40), ""),
    "slack-hook": lambda r: ("https://hooks.slack.com/services/", "T0123ABCD/B0123ABCD/" + draw(r, ALNUM, 24), ""),
    "stripe-live": lambda r: ("", "sk" + "_live_" + draw(r, ALNUM, 24), ""),
    "stripe-restricted": lambda r: ("", "rk" + "_live_" + draw(r, ALNUM, 24), ""),
    "webhook": lambda r: ("", "wh" + "sec_" + draw(r, ALNUM, 32), ""),
    "sendgrid": lambda r: ("", "SG" + "." + draw(r, URLSAFE, 22) + "." + draw(r, URLSAFE, 43), ""),
    "npm": lambda r: ("", "npm" + "_" + draw(r, ALNUM, 36), ""),
    "pypi": lambda r: ("", "py" + "pi-" + "AgEIcHlwaS5vcmc" + draw(r, URLSAFE, 60), ""),
    "huggingface": lambda r: ("", "h" + "f_" + draw(r, ALNUM, 34), ""),
    "google-api": lambda r: ("", "AI" + "za" + draw(r, URLSAFE, 35), ""),
    "google-oauth": lambda r: ("", "GOC" + "SPX-" + draw(r, URLSAFE, 28), ""),
    "google-access": lambda r: ("", "ya" + "29." + draw(r, URLSAFE, 60), ""),
    "digitalocean": lambda r: ("", "do" + "p_v1_" + draw(r, HEX, 64), ""),
    "doppler": lambda r: ("", "dp" + ".pt." + draw(r, ALNUM, 43), ""),
    "databricks": lambda r: ("", "da" + "pi" + draw(r, HEX, 32), ""),
    "linear": lambda r: ("", "lin" + "_api_" + draw(r, ALNUM, 40), ""),
    "notion": lambda r: ("", "nt" + "n_" + draw(r, ALNUM, 46), ""),
    "twilio": lambda r: ("", "S" + "K" + draw(r, HEX, 32), ""),
    "mailgun": lambda r: ("", "ke" + "y-" + draw(r, HEX, 32), ""),
    "mailchimp": lambda r: ("", draw(r, HEX, 32) + "-us" + "14", ""),
    "telegram": lambda r: ("", "1234567890" + ":AA" + draw(r, URLSAFE, 33), ""),
    "discord": lambda r: ("M" + draw(r, ALNUM, 23), "." + draw(r, URLSAFE, 6) + "." + draw(r, URLSAFE, 38), ""),
    "shopify": lambda r: ("", "shp" + "at_" + draw(r, HEX, 32), ""),
    "square": lambda r: ("", "sq0" + "csp-" + draw(r, URLSAFE, 43), ""),
    "vault": lambda r: ("", "hv" + "s." + draw(r, URLSAFE, 90), ""),
    "terraform": lambda r: ("", draw(r, ALNUM, 14) + ".atlas" + "v1." + draw(r, URLSAFE, 67), ""),
    "new-relic": lambda r: ("", "NR" + "AK-" + draw(r, UPPER, 27), ""),
    "sentry": lambda r: ("", "sntry" + "u_" + draw(r, HEX, 64), ""),
    "grafana": lambda r: ("", "gl" + "sa_" + draw(r, ALNUM, 32) + "_" + draw(r, HEX, 8), ""),
    "postman": lambda r: ("", "PM" + "AK-" + draw(r, HEX, 24) + "-" + draw(r, HEX, 34), ""),
    "planetscale": lambda r: ("", "pscale" + "_tkn_" + draw(r, URLSAFE, 43), ""),
    "supabase": lambda r: ("", "sb" + "p_" + draw(r, HEX, 40), ""),
    "age": lambda r: ("", "AGE-SECRET" + "-KEY-1" + draw(r, UPPER, 58), ""),
    "rubygems": lambda r: ("", "ruby" + "gems_" + draw(r, HEX, 48), ""),
    "docker": lambda r: ("", "dckr" + "_pat_" + draw(r, URLSAFE, 27), ""),
    "figma": lambda r: ("", "fig" + "d_" + draw(r, URLSAFE, 43), ""),
    "azure-storage": lambda r: (
        "DefaultEndpointsProtocol=https;AccountName=a;Account" + "Key=",
        draw(r, BASE64, 86) + "==",
        ";",
    ),
    "azure-ad": lambda r: ("", draw(r, ALNUM, 3) + "8Q" + "~" + draw(r, ALNUM + "_-", 34), ""),
    "groq": lambda r: ("", "gs" + "k_" + draw(r, ALNUM, 52), ""),
    "replicate": lambda r: ("", "r" + "8_" + draw(r, ALNUM, 37), ""),
    "nvidia": lambda r: ("", "nv" + "api-" + draw(r, URLSAFE, 64), ""),
    "langsmith": lambda r: ("", "lsv2" + "_pt_" + draw(r, HEX, 32) + "_" + draw(r, HEX, 10), ""),
    "brevo": lambda r: ("", "xkey" + "sib-" + draw(r, HEX, 64) + "-" + draw(r, ALNUM, 16), ""),
    "jwt": lambda r: (
        "",
        segment(r, {"alg": "HS256"}) + "." + segment(r, {"sub": "1"}) + "." + draw(r, URLSAFE, 43),
        "",
    ),
    "rsa-key": lambda r: ("", pem(r, "RSA " + "PRIVATE KEY"), ""),
    "openssh-key": lambda r: ("", pem(r, "OPENSSH " + "PRIVATE KEY"), ""),
    "pkcs8-key": lambda r: ("", pem(r, "PRIVATE " + "KEY"), ""),
    "url-password": lambda r: ("https://alice:", draw(r, ALNUM, 14), "@example.org/x"),
    "postgres": lambda r: ("postgres://app:", draw(r, ALNUM, 16), "@db:5432/app"),
    "remote-token": lambda r: ("https://", "x" + draw(r, ALNUM, 39), "@git.example.org/a/b.git"),
    "bearer": lambda r: ("Authorization: Bearer ", draw(r, ALNUM, 40), "\n"),
    "basic": lambda r: ("authorization: Basic ", draw(r, ALNUM, 32), "\n"),
    "cookie": lambda r: ("Cookie: session=", draw(r, ALNUM, 40), "\n"),
    "api-header": lambda r: ("X-Api-Key: ", draw(r, ALNUM, 32), "\n"),
    "env-token": lambda r: ("export DEPLOY_TOKEN=", draw(r, ALNUM, 24), "\n"),
    "env-password": lambda r: ("DB_PASSWORD=", "hunter" + "2-" + draw(r, ALNUM, 6), "\n"),
    "env-key": lambda r: ("STRIPE_KEY=", draw(r, ALNUM, 28), "\n"),
    "json-secret": lambda r: ('{"client_secret": "', draw(r, ALNUM, 32), '"}'),
    "option": lambda r: ("deploy --token ", draw(r, ALNUM, 24), " now"),
}


def plain(text: str) -> str:
    return text


def json_once(text: str) -> str:
    return json.dumps(text)


def json_twice(text: str) -> str:
    return json.dumps({"line": json.dumps({"out": text})})


def url_encoded(text: str) -> str:
    return quote(text, safe="")


def in_lines(text: str) -> str:
    return f"first line\n{text}\nlast line\n"


FORMS = [plain, json_once, json_twice, url_encoded, in_lines]


def fragments(secret: str) -> list[str]:
    """Pieces of a secret that would give it away (long ones only: headings of a block may stay)."""
    lines = [line for line in secret.split("\n") if not line.startswith("-----")]
    return [line[i : i + 12] for line in lines for i in range(0, max(1, len(line) - 12), 12)]


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_no_planted_secret_survives(kind: str, form) -> None:
    for seed in range(5):
        before, secret, after = KINDS[kind](random.Random(f"{kind}{seed}"))
        done = Redactor(salt=b"s").text(form(before + secret + after))
        assert "[redacted:" in done
        assert not [f for f in fragments(secret) if f in done or quote(f, safe="") in done], done


def test_there_are_at_least_sixty_kinds() -> None:
    assert len(KINDS) >= 60


def test_a_secret_wrapped_over_lines_is_one_value() -> None:
    secret = draw(random.Random(1), BASE64, 152)
    wrapped = "\n".join(textwrap.wrap(secret, 76))
    done = Redactor().text(f'SIGNING_SECRET="{wrapped}"\nnext=1\n')
    assert secret[80:100] not in done
    assert done.endswith("next=1\n")


def ordinary(rng: random.Random) -> list[str]:
    word = "".join(rng.choice(string.ascii_lowercase) for _ in range(rng.randint(3, 12)))
    digest = hashlib.sha256(word.encode()).hexdigest()
    return [
        hashlib.sha1(word.encode(), usedforsecurity=False).hexdigest(),
        digest,
        digest[:7],
        str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        base64.b64encode(word.encode()).decode(),
        f"sha512-{base64.b64encode(hashlib.sha512(word.encode()).digest()).decode()}",
        f"sha256:{digest}",
        f"src/{word}/{word.title()}{word.title()}Factory.tsx:{rng.randint(1, 900)}",
        f"get{word.title()}TokenFrom{word.title()}Request",
        f"{word}_{word}_token_count = {rng.randint(1, 99999)}",
        f"tokens: {rng.randint(1, 200000)}",
        f"max_tokens={rng.randint(1, 4096)}",
        f"password = get_password({word!r})",
        f"API_KEY = os.environ['{word.upper()}_API_KEY']",
        f'token: "${{{word.upper()}_TOKEN}}"',
        f"primary_key={word}_id_{rng.randint(1, 99)}",
        f"task-{word}-{word}-{rng.randint(100, 999)}",
        f"https://example.org/{word}/commit/{digest[:40]}",
        f"https://user@example.org/{word}.git",
        f"git@example.org:{word}/{word}.git",
        f"secret_name: {word}-credentials",
        f"data:image/png;base64,iVBORw0KGgo{base64.b64encode(digest.encode()).decode()}",
        f'"integrity": "sha512-{base64.b64encode(digest.encode()).decode()}"',
        f"def test_{word}_rejects_a_wrong_password(client):",
        f"passed={rng.randint(1, 9999)} keys={word}",
        f"tree {digest[:40]}\nparent {digest[20:60]}",
        f"cache_key: {digest}",
        f"node_modules/.pnpm/{word}@1.{rng.randint(0, 99)}.3_{digest[:32]}/node_modules",
    ]


def test_nothing_ordinary_is_touched() -> None:
    rng = random.Random(7)
    redactor = Redactor(salt=b"s")
    texts = [text for _ in range(380) for text in ordinary(rng)]
    assert len(texts) >= 10_000
    assert [t for t in texts if redactor.text(t) != t] == []
    assert not redactor.counts


def test_equal_secrets_give_equal_markers_in_every_form_and_other_salts_others() -> None:
    _, secret, _ = KINDS["rsa-key"](random.Random(3))
    one = Redactor(salt=b"a")
    marker = one.text(secret)
    assert json.loads(one.text(json.dumps({"k": secret})))["k"] == marker
    assert Redactor(salt=b"b").text(secret) != marker


@pytest.mark.parametrize("kind", KINDS)
def test_redacting_twice_changes_nothing(kind: str) -> None:
    before, secret, after = KINDS[kind](random.Random(kind))
    once = Redactor(salt=b"s").text(before + secret + after)
    again = Redactor(salt=b"s")
    assert again.text(once) == once
    assert not again.counts


def test_counts_say_how_many_each_rule_replaced() -> None:
    redactor = Redactor()
    token = KINDS["npm"](random.Random(1))[1]
    redactor.text(f"{token} and {token} and {KINDS['jwt'](random.Random(2))[1]}")
    assert dict(redactor.counts) == {"npm": 2, "jwt": 1}


def test_gcp_service_account_loses_key_and_key_id_alone() -> None:
    account = {
        "type": "service_account",
        "project_id": "demo-123",
        "private_key_id": draw(random.Random(4), HEX, 40),
        "private_key": pem(random.Random(5), "PRIVATE " + "KEY") + "\n",
        "client_email": "robot@demo-123.iam.example.org",
    }
    done = json.loads(Redactor().text(json.dumps(account)))
    assert done["project_id"] == "demo-123"
    assert done["client_email"] == account["client_email"]
    assert done["private_key"].startswith("[redacted:private-key:")
    assert done["private_key_id"].startswith("[redacted:")


class Inner(Struct, frozen=True):
    text: str


class Outer(Struct, frozen=True):
    names: list[str]
    inner: Inner
    table: dict[str, str]
    number: int = 3


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    text: str
    many: tuple[str, ...] = ()


def test_a_value_keeps_its_shape_and_loses_its_secrets() -> None:
    secret = KINDS["anthropic"](random.Random(1))[1]
    done = Redactor().value(Outer([secret, "ok"], Inner(f"x {secret}"), {secret: "a", "DB_PASSWORD": "hunter" + "22"}))
    assert secret not in repr(done)
    assert "hunter22" not in repr(done)
    assert (done.names[1], done.number, type(done.inner)) == ("ok", 3, Inner)
    assert secret not in repr(Redactor().value(Plain(secret, (secret,))))
    assert Redactor().value([1, None, True, {"a": [2.5]}]) == [1, None, True, {"a": [2.5]}]


def test_the_policy_adds_patterns_and_a_bad_one_is_one_line() -> None:
    assert "corp-" + "0" * 32 not in Redactor(["corp-[0-9a-f]{32}"]).text("id corp-" + "0" * 32)
    with pytest.raises(PassdownError, match=r"redact\.extra: '\('"):
        Redactor(["("])
    with pytest.raises(PassdownError, match="matches nothing"):
        Redactor(["x*"])


@pytest.mark.parametrize(("name", "words", "pattern"), [*SHAPES, *VENDORS], ids=lambda value: str(value)[:20])
def test_the_quick_look_passes_over_nothing_that_a_rule_finds(name: str, words: tuple[str, ...], pattern: str) -> None:
    compiled = re.compile(pattern, re.ASCII)

    @settings(max_examples=4, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(compiled))
    def held(text: str) -> None:
        if compiled.search(text) and any(word in text for word in words):
            assert may_hold_secrets(text, text.lower()), name

    held()


TOKENS = ["anthropic", "openai", "github", "aws-access-key", "slack", "stripe", "jwt", "gitlab"]


def in_half(secret: str, between: str) -> str:
    half = len(secret) // 2
    return secret[:half] + between + secret[half:]


BREAKS = {
    "a line": "\n",
    "a line that is set in": "\n    ",
    "a Windows line": "\r\n",
    "a continued line": "\\\n",
    "an escaped line": "\\n",
    "a twice escaped line": "\\\\n",
    "a diff": "\n+",
    "a quote": "\n> ",
    "numbered lines": "\n  12\t",
    "literals put together": '" +\n  "',
    "a colour": "\x1b[0m\x1b[31m",
    "an escaped colour": "\\u001b[31m",
    "a zero-width space": "\u200b",
}


@pytest.mark.parametrize("between", BREAKS.values(), ids=BREAKS)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if any(kind.startswith(name) for name in TOKENS)])
def test_a_token_that_something_breaks_is_found_whole_and_has_the_same_marker(kind: str, between: str) -> None:
    before, secret, after = KINDS[kind](random.Random(kind))
    redactor = Redactor(salt=b"s")
    marker = re.search(r"\[redacted:[\w-]+:[0-9a-f]{8}\]", redactor.text(before + secret + after))
    assert marker is not None
    done = redactor.text(f"x = {before}{in_half(secret, between)}{after}\nnext line 3f2a9c1")
    assert marker[0] in done
    assert secret[-8:] not in done
    assert done.endswith("next line 3f2a9c1")


@pytest.mark.parametrize("width", [40, 60, 72, 76, 80])
def test_a_token_wrapped_at_a_width_is_one_value(width: int) -> None:
    before, secret, _ = KINDS["anthropic"](random.Random(5))
    wrapped = "\n".join(textwrap.wrap(before + secret, width, break_on_hyphens=False))
    done = Redactor().text(f"{wrapped}\nThe next line stays.")
    assert secret[-12:] not in done
    assert done.endswith("The next line stays.")


@pytest.mark.parametrize(
    "behind",
    ["3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b", "The build passed.", "2026-01-02T10:00:00Z", "src/api/client_v2.py"],
)
def test_what_stands_on_the_line_below_a_whole_token_stays(behind: str) -> None:
    before, secret, after = KINDS["github"](random.Random(1)) if "github" in KINDS else ("", "ghp_" + "a1B2" * 9, "")
    assert Redactor().text(f"{before}{secret}{after.strip()}\n{behind}\n").endswith(f"]{after.strip()}\n{behind}\n")


def test_a_private_key_without_its_head_loses_its_lines_and_nothing_above() -> None:
    _, secret, _ = KINDS["rsa-key"](random.Random(3))
    body = secret.split("\n")[3:]
    for mark in ("", "+", "  12\t", "> "):
        tail = "\n".join(mark + line for line in body)
        done = Redactor().text(f"$ tail -5 key.pem\n{tail}\ndone\n")
        assert done.startswith("$ tail -5 key.pem\n")
        assert done.endswith("\ndone\n")
        assert not [line for line in body[:-1] if line[:12] in done and line]
