# ruff: noqa: E501 - a pattern reads best on one line
"""Secrets that show by their own form: the prefix or the layout that a vendor gave them.

Each row: rule name, literal texts one of which must stand in the input (the fast pre-filter), and
the pattern. The first group, if there is one, is the secret; else the whole match is.
"""

from __future__ import annotations

Row = tuple[str, tuple[str, ...], str]

_L = r"(?<![A-Za-z0-9])"
_R = r"(?![A-Za-z0-9])"
_W = r"[A-Za-z0-9_-]"
_HEX = r"[0-9a-f]"

# rules whose literal stands inside the match; every other one begins with its literal
INSIDE = {
    "api-header",
    "docker-auth",
    "discord",
    "digitalocean",
    "mailchimp",
    "telegram",
    "discord-webhook",
    "terraform",
    "azure-ad",
    "azure-sas",
}
VENDORS: tuple[Row, ...] = (
    ("anthropic", ("sk-ant-",), rf"{_L}sk-ant-{_W}{{20,}}"),
    ("openrouter", ("sk-or-",), rf"{_L}sk-or-(?:v\d-)?{_HEX}{{40,}}"),
    ("openai", ("sk-",), rf"{_L}sk-(?:(?:proj|svcacct|admin|None|service)-{_W}{{20,}}|[A-Za-z0-9]{{40,}})"),
    ("github", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"{_L}gh[pousr]_[A-Za-z0-9]{{30,255}}"),
    ("github-fine", ("github_pat_",), r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22,255}"),
    ("gitlab", ("glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glagent-", "gloas-", "glimt-"), rf"{_L}gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas|imt)-{_W}{{16,}}(?:\.{_W}+)*"),
    ("aws-access-key", ("AKIA", "ASIA", "ABIA", "ACCA"), rf"{_L}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_R}"),
    ("slack", ("xox", "xapp-", "xwfp-"), rf"{_L}(?:xox[abceoprs](?:\.xox[bp])?|xapp|xwfp)-{_W}{{10,}}"),
    ("slack-webhook", ("hooks.slack.com",), r"hooks\.slack\.com(?:/|%2F)(?:services|workflows|triggers)(?:/|%2F)((?:[A-Za-z0-9_]|/|%2F){20,})"),
    ("stripe", ("sk_live_", "sk_test_", "rk_live_", "rk_test_"), rf"{_L}[sr]k_(?:live|test)_[A-Za-z0-9]{{16,}}"),
    ("webhook-secret", ("whsec_",), r"(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    ("sendgrid", ("SG.",), rf"{_L}SG\.{_W}{{16,}}\.{_W}{{16,}}"),
    ("npm", ("npm_",), rf"{_L}npm_[A-Za-z0-9]{{36}}{_R}"),
    ("pypi", ("pypi-",), rf"{_L}pypi-[A-Za-z0-9_-]{{50,}}"),
    ("huggingface", ("hf_", "api_org_"), rf"{_L}(?:hf|api_org)_[A-Za-z0-9]{{30,}}{_R}"),
    ("google-api-key", ("AIza",), rf"{_L}AIza[A-Za-z0-9_-]{{35}}"),
    ("google-oauth", ("GOCSPX-", "ya29.", "1//0"), rf"{_L}(?:GOCSPX-{_W}{{24,}}|ya29\.{_W}{{20,}}|1//0{_W}{{40,}})"),
    ("digitalocean", ("_v1_",), rf"{_L}do[opr]_v1_{_HEX}{{64}}"),
    ("doppler", ("dp.",), rf"{_L}dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{{40,}}"),
    ("databricks", ("dapi",), rf"{_L}dapi{_HEX}{{32}}(?:-\d)?{_R}"),
    ("linear", ("lin_",), rf"{_L}lin_(?:api|oauth|wh)_[A-Za-z0-9]{{32,}}"),
    ("notion", ("ntn_", "secret_"), rf"{_L}(?:ntn_[A-Za-z0-9]{{40,}}|secret_[A-Za-z0-9]{{43}}){_R}"),
    ("twilio", ("SK",), rf"{_L}SK{_HEX}{{32}}{_R}"),
    ("mailgun", ("key-",), rf"{_L}key-{_HEX}{{32}}{_R}"),
    ("mailchimp", ("-us",), rf"{_L}{_HEX}{{32}}-us\d{{1,2}}{_R}"),
    ("telegram", (":AA", "%3AAA"), rf"{_L}\d{{8,10}}(?::|%3A)AA{_W}{{33}}{_R}"),
    ("discord", (".",), rf"\.(?:(?<=[MNO]{_W}{{23}}\.)|(?<=[MNO]{_W}{{24}}\.)|(?<=[MNO]{_W}{{25}}\.)|(?<=[MNO]{_W}{{27}}\.)){_W}{{6}}\.{_W}{{27,38}}{_R}"),
    ("discord-webhook", ("/webhooks/", "%2Fwebhooks%2F"), rf"discord(?:app)?\.com(?:/|%2F)api(?:/|%2F)webhooks(?:/|%2F)(\d+(?:/|%2F){_W}{{40,}})"),
    ("shopify", ("shpat_", "shpca_", "shppa_", "shpss_"), rf"{_L}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}"),
    ("square", ("sq0", "EAAA"), rf"{_L}(?:sq0(?:atp|csp|idp)-{_W}{{22,}}|EAAA{_W}{{60}}){_R}"),
    ("meta", ("EAA",), rf"{_L}EAA[A-Za-z0-9]{{80,}}"),
    ("heroku", ("HRKU-",), rf"{_L}HRKU-{_W}{{36,}}"),
    ("vault", ("hvs.", "hvb.", "hvr."), rf"{_L}hv[sbr]\.{_W}{{24,}}"),
    ("terraform", ("atlasv1",), rf"{_L}[A-Za-z0-9]{{14}}\.atlasv1\.{_W}{{60,}}"),
    ("new-relic", ("NRAK-", "NRII-", "NRJS-", "NRRA-"), rf"{_L}NR(?:AK|II|JS|RA)-{_W}{{19,}}"),
    ("sentry", ("sntry",), r"(?<![A-Za-z0-9])sntry[su]_[A-Za-z0-9_+/=-]{40,}"),
    ("grafana", ("glc_", "glsa_"), rf"{_L}(?:glc_[A-Za-z0-9+/]{{32,}}={{0,2}}|glsa_[A-Za-z0-9]{{32}}_[A-Fa-f0-9]{{8}})"),
    ("postman", ("PMAK-",), rf"{_L}PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    ("planetscale", ("pscale_",), r"(?<![A-Za-z0-9])pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}"),
    ("supabase", ("sbp_", "sb_secret_"), rf"{_L}(?:sbp_{_HEX}{{40}}|sb_secret_{_W}{{22,}})"),
    ("fly", ("fm1", "fm2_", "fo1_"), r"(?<![A-Za-z0-9])(?:fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3})"),
    ("age", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("rubygems", ("rubygems_",), rf"{_L}rubygems_{_HEX}{{48}}"),
    ("crates-io", ("cio",), rf"{_L}cio[A-Za-z0-9]{{32}}{_R}"),
    ("docker", ("dckr_",), rf"{_L}dckr_(?:pat|oat)_{_W}{{27,}}"),
    ("atlassian", ("ATATT3", "ATCTT3", "ATBB"), r"(?<![A-Za-z0-9])(?:AT[AC]TT3[A-Za-z0-9_=-]{100,}|ATBB[A-Za-z0-9]{32})"),
    ("airtable", ("pat",), rf"{_L}pat[A-Za-z0-9]{{14}}\.{_HEX}{{64}}{_R}"),
    ("figma", ("figd_",), rf"{_L}figd_{_W}{{40,}}"),
    ("dropbox", ("sl.",), rf"{_L}sl\.(?:u\.)?{_W}{{100,}}"),
    ("azure-ad", ("Q~",), r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])"),
    ("azure-key", ("AccountKey", "SharedAccessKey", "accesskey", "AccessKey"), r"(?i:(?:Account|SharedAccess|Access)Key(?:=|%3D))((?:[A-Za-z0-9+/]|%2[BbFf]){40,}(?:=|%3D){0,2})"),
    ("azure-sas", ("sig=", "sig%3D"), r"[?&;\\\"'](?:amp;|u0026)?sig(?:=|%3D)((?:[A-Za-z0-9+/_-]|%2[BbFf]){40,}(?:=|%3[Dd]){0,2})"),
    ("cloudflare", ("v1.0-",), rf"{_L}v1\.0-{_HEX}{{24}}-{_HEX}{{100,}}"),
    ("groq", ("gsk_",), rf"{_L}gsk_[A-Za-z0-9]{{40,}}"),
    ("xai", ("xai-",), rf"{_L}xai-[A-Za-z0-9]{{60,}}"),
    ("perplexity", ("pplx-",), rf"{_L}pplx-[A-Za-z0-9]{{40,}}"),
    ("replicate", ("r8_",), rf"{_L}r8_[A-Za-z0-9]{{37}}{_R}"),
    ("nvidia", ("nvapi-",), rf"{_L}nvapi-{_W}{{50,}}"),
    ("langsmith", ("lsv2_",), rf"{_L}lsv2_(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}"),
    ("pinecone", ("pcsk_",), rf"{_L}pcsk_[A-Za-z0-9_]{{50,}}"),
    ("pulumi", ("pul-",), rf"{_L}pul-{_HEX}{{40}}{_R}"),
    ("brevo", ("xkeysib-", "xsmtpsib-"), rf"{_L}x(?:key|smtp)sib-{_HEX}{{64}}-[A-Za-z0-9]{{16}}"),
    ("buildkite", ("bkua_",), rf"{_L}bkua_{_HEX}{{40}}"),
    ("circleci", ("CCIPAT_", "CCIPRJ_"), rf"{_L}CCIP(?:AT|RJ)_[A-Za-z0-9]{{20,}}_{_HEX}{{40}}"),
    ("netlify", ("nfp_",), rf"{_L}nfp_[A-Za-z0-9]{{36,}}"),
    ("contentful", ("CFPAT-",), rf"{_L}CFPAT-{_W}{{40,}}"),
    ("sonar", ("sqa_", "sqp_", "squ_"), rf"{_L}sq[apu]_{_HEX}{{40}}{_R}"),
    ("artifactory", ("AKCp",), rf"{_L}AKCp[A-Za-z0-9]{{60,}}"),
    ("one-password", ("ops_eyJ",), r"(?<![A-Za-z0-9])ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}"),
    ("alibaba", ("LTAI",), rf"{_L}LTAI[A-Za-z0-9]{{16,24}}{_R}"),
    ("easypost", ("EZAK", "EZTK"), rf"{_L}EZ[AT]K[A-Za-z0-9]{{54}}"),
    ("shippo", ("shippo_",), rf"{_L}shippo_(?:live|test)_{_HEX}{{40}}"),
    ("prefect", ("pnu_",), rf"{_L}pnu_[A-Za-z0-9]{{36}}{_R}"),
    ("tavily", ("tvly-",), rf"{_L}tvly-{_W}{{28,}}"),
    ("jwt", ("eyJ",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}(?:\.|%2E)eyJ[A-Za-z0-9_-]{10,}(?:\.|%2E)[A-Za-z0-9_-]{10,}"),
    ("jwe", ("eyJ",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}"),
    ("password-hash", ("$2", "$5$", "$6$", "$argon2", "$y$"), r"(?<![A-Za-z0-9])\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[56y]\$[^\s:$]{1,40}\$[./A-Za-z0-9]{40,}|argon2(?:id|i|d)\$v=\d+\$[\w=,]+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{20,})"),
)  # fmt: skip
