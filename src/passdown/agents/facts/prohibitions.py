# ruff: noqa: E501 - a pattern reads best on one line
"""What the person said not to do: the sentence verbatim, and the paths that it names."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.tokens import paths
from passdown.agents.facts.claims.units import units
from passdown.model.session import Prohibition
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_START = r"(?:^|[,;:.!(\u2013\u2014-]\s*|\b(?:and|but|please|pls|so|also|just|then|otherwise|however|still|absolutely|note:|important:)\s+)"
_ACT = (
    r"(?:touch|chang|modif|edit|alter|delet|remov|rewrit|refactor|renam|commit|push|merg|rebas|install|upgrad|updat|bump|break|overwrit|reformat|format|mov|drop|deploy|publish|releas|revert|reset"
    r"|creat|add|introduc|replac|mess with|mess up|run|start|execut|write to|implement|fix|amend|squash|force|open a|close|stag|stash|regenerat|disabl|skip|weaken|mock|duplicat)"
)
_ENGLISH = tuple(
    lazy(pattern, _I)
    for pattern in (
        rf"{_START}(?:please\s+)?(?:do not|don['\u2019]?t|never|must not|mustn['\u2019]?t|shall not|not to)\s+(?:ever |you (?:dare )?|yet |even |actually |just )?{_ACT}\w*",
        rf"\b(?:you|it|claude|codex|agents?) (?:must|should|may|shall)(?: not|n['\u2019]t) (?:ever )?(?:be )?{_ACT}\w*",
        rf"\b(?:i|we) (?:do not|don['\u2019]?t) want (?:you to |any(?:one|thing)? (?:to )?)?\w*\s?{_ACT}\w*",
        r"\bwithout (?:touching|changing|modifying|editing|altering|breaking|renaming|rewriting)\b",
        r"\b(?:leave|keep)\b(?:[^.;]|\.(?=\w)){1,80}?\b(?:alone|untouched|unchanged|unmodified|intact|as[- ](?:it )?(?:is|are)|the way (?:it|they) (?:is|are))\b",
        r"\b(?:hands off|stay away from|stay out of|keep (?:your hands )?(?:off|out of|away from)|off[- ]limits|is frozen|are frozen|read[- ]only for you)\b",
        r"\b(?:should|must|may|can)(?: not|n['\u2019]t)\s+(?:be )?(?:touched|changed|modified|edited|altered|deleted|removed|renamed|pushed|committed|broken|affected)\b",
        r"(?:^|[,;:]\s*)no (?:changes|edits|modifications) (?:to|in|outside)\b|(?:^|[,;:]\s*)no (?:commits?|push(?:es|ing)?|force[- ]push\w*)\b",
    )
)  # fmt: skip
_OTHERS = tuple(
    lazy(pattern, _I)
    for pattern in (
        r"\b(?:nicht|nie(?:mals)?|nichts(?: an| in)?)\b(?:[^.;]|\.(?=\w)){0,60}\b(?:anfassen|anr\u00fchren|\u00e4ndern|ver\u00e4ndern|l\u00f6schen|bearbeiten|committen|einchecken|pushen|umbenennen|mergen|entfernen|verschieben|\u00fcberschreiben|anzufassen|zu \u00e4ndern)\b",
        r"\b(?:fass|\u00e4ndere?|ver\u00e4ndere?|l\u00f6sche?|bearbeite|committe?|pushe?|entferne|r\u00fchr)\b(?:[^.;]|\.(?=\w)){0,60}\b(?:nicht|nichts|nie|keine?n?)\b",
        r"\b(?:lass|lasse|lassen sie)\b(?:[^.;]|\.(?=\w)){1,60}\b(?:so|in ruhe|unver\u00e4ndert|unangetastet|wie (?:es|sie|er) (?:ist|sind))\b|\bohne\b(?:[^.;]|\.(?=\w)){1,60}\bzu (?:\u00e4ndern|ver\u00e4ndern|l\u00f6schen|ber\u00fchren)|\bfinger weg\b|\bkeine (?:\u00e4nderungen|commits?)\b",
        r"\b(?:ne|n['\u2019])\s?\w*\s?(?:touche|modifie|change|supprime|commit|pousse|renomme)\w*\s+(?:pas|jamais|rien)\b|\bsans (?:toucher|modifier|changer|supprimer|casser)\b|\blaisse[sz]?\b(?:[^.;]|\.(?=\w)){1,60}\btels? quels?\b",
        r"(?:^|[,;:.]\s*|\by )no (?:toques|modifiques|cambies|borres|edites|elimines|toque|modifique|cambie|borre|hagas (?:commit|push))\b|\bsin (?:tocar|modificar|cambiar|borrar)\b|\bdeja\w*\b(?:[^.;]|\.(?=\w)){1,60}\bcomo est\u00e1n?\b",
        r"(?:^|[,;:.]\s*)non (?:toccare|modificare|cambiare|cancellare)\b|\bsenza (?:toccare|modificare|cambiare)\b|(?:^|[,;:.]\s*)n\u00e3o (?:mexa|altere|modifique|toque|apague|mude)\b|\bsem (?:mexer|alterar|modificar)\b",
        r"(?:\u4e0d\u8981|\u522b|\u8bf7\u52ff|\u52ff|\u7981\u6b62|\u4e0d\u8bb8|\u4e0d\u51c6|\u5343\u4e07\u522b|\u65e0\u9700|\u4e0d\u80fd)(?:\u518d|\u53bb|\u968f\u4fbf|\u64c5\u81ea)?(?:\u4fee\u6539|\u6539\u52a8|\u6539\u53d8|\u66f4\u6539|\u6539|\u52a8|\u78b0|\u5220\u9664|\u5220|\u63d0\u4ea4|\u63a8\u9001|\u91cd\u547d\u540d|\u8986\u76d6|\u89e6\u78b0|\u7f16\u8f91)",
        r"(?:\u5909\u66f4|\u4fee\u6b63|\u7de8\u96c6|\u524a\u9664|\u30b3\u30df\u30c3\u30c8|\u30d7\u30c3\u30b7\u30e5)\u3057\u306a\u3044|\u89e6\u3089\u306a\u3044|\u5909\u3048\u306a\u3044|\u305d\u306e\u307e\u307e\u306b\u3057\u3066",
        r"\u043d\u0435 (?:\u0442\u0440\u043e\u0433\u0430\u0439|\u043c\u0435\u043d\u044f\u0439|\u0438\u0437\u043c\u0435\u043d\u044f\u0439|\u0443\u0434\u0430\u043b\u044f\u0439|\u043a\u043e\u043c\u043c\u0438\u0442\u044c|\u043f\u0443\u0448\u044c)\w*",
    )
)  # fmt: skip
_NOT = lazy(
    r"\b(?:don['\u2019]?t|do not|never) (?:forget|hesitate|worry|know|think|understand|see|need|have|care|like|believe|remember|mind|get)\b"
    r"|\b(?:why|if|when|since|because|that|which|who|they|it|tests?|users?|we|i) (?:do not|don['\u2019]?t|doesn['\u2019]?t|never|can(?:no|['\u2019])t|cannot)\b(?! want)|\bso (?:that )?(?:we|it|they|i) (?:do not|don['\u2019]?t)",
    _I,
)
_DIRECTORIES = lazy(
    r"\b(migrations?|tests?|docs|documentation|vendor|fixtures|scripts|configs?|workflows|schemas?|templates|assets|examples|protos?|generated|locales|translations|infra|terraform|third_party"
    r"|node_modules|snapshots|goldens?|lockfiles?|api|frontend|backend|database|public|static|legacy|core|auth|billing|payments?)\b",
    _I,
)
_FOLDER = lazy(r"\b([\w-]+) (?:folder|directory|dir|module|package|ordner|verzeichnis)\b(?!\.)", _I)
_OBJECT = lazy(
    r"(?:touch|chang\w+|modify\w*|edit\w*|alter\w*|delet\w+|remov\w+|anfassen|rewrit\w+|leave|off|of|from|to|keep)\s+(?:any(?:thing)?\s+|files?\s+|code\s+)?(?:in\s+|under\s+|inside\s+|of\s+)?(?:the\s+|our\s+|my\s+|existing\s+|die\s+|den\s+|das\s+)*$",
    _I,
)
_TEMPLATE = lazy(r"^#{1,4} |<[a-z][\w-]*(?: [^>]*)?>|^\*\*[A-Z]|^Implement the following plan:", re.MULTILINE)
_TAGGED = lazy(r"^[ \t]*<[a-z]+[-_][\w-]+(?: [^>]*)?>[ \t]*$", re.MULTILINE)
_LONG = 1500
_LONGEST_SENTENCE = 600
_LIFT = lazy(
    r"\b(?:you (?:can|may) (?:now |again )?(?:touch|change|modify|edit|push|commit|delete|remove)|(?:go ahead and|feel free to) (?:touch|change|modify|edit|push|commit)|(?:is|are) (?:ok|fine|allowed) to (?:touch|change|edit))\b",
    _I,
)
_WORD = lazy(r"[\w./-]{3,}")


def prohibitions(text: str, at: str | None, record: int) -> list[Prohibition]:
    """The prohibitions in one request; text that a client or a tool wrote (templates, quotes, code) is passed over."""
    if (len(text) > _LONG and _TEMPLATE.search(text)) or _TAGGED.search(text):
        return []
    found = []
    for unit in units(text):
        sentence = unit.text
        if len(sentence) > _LONGEST_SENTENCE or sentence.endswith(("?", "\uff1f")) or not _forbids(sentence):
            continue
        found.append(Prohibition(text=sentence, paths=_paths(sentence), at=at, record=record))
    return found


def _forbids(sentence: str) -> bool:
    bare = re.sub(r"`[^`]*`|\"[^\"]*\"", lambda m: "x" * len(m[0]), sentence)
    if any(p.search(bare) for p in _OTHERS):
        return True
    return any(p.search(bare) for p in _ENGLISH) and not _NOT.search(bare)


def _paths(sentence: str) -> list[str]:
    named = [re.sub(r"['\u2019]s$", "", p) for p in paths(re.sub(r"(\.\w+)['\u2019]s\b", r"\1", sentence))]
    named += [
        m[1]
        for m in _FOLDER.finditer(sentence)
        if m[1].lower()
        not in {"the", "this", "that", "any", "same", "a", "to", "of", "in", "from", "der", "den", "das"}
        and m[1] not in named
    ]
    for match in _DIRECTORIES.finditer(sentence):
        covered = any(match[1] in n for n in named)
        if not covered and _OBJECT.search(sentence[: match.start()]):
            named.append(match[1])
    return list(dict.fromkeys(named))


def lifted(earlier: list[Prohibition], text: str, at: str | None) -> list[Prohibition]:
    """``earlier`` with those marked that ``text`` plainly takes back (it names the same path or deed)."""
    if not earlier or not _LIFT.search(text):
        return earlier
    sentence = next((u.text for u in units(text) if _LIFT.search(u.text) and not _forbids(u.text)), None)
    if sentence is None:
        return earlier
    return [_lift(p, sentence, at) for p in earlier]


def _lift(prohibition: Prohibition, sentence: str, at: str | None) -> Prohibition:
    named = [p for p in prohibition.paths if p.rsplit("/", 1)[-1].lower() in sentence.lower()]
    deed = not prohibition.paths and any(
        re.search(rf"\b{v}", prohibition.text, _I) and re.search(rf"\b{v}", sentence, _I)
        for v in ("push", "commit", "merge", "deploy")
    )
    if not named and not deed:
        return prohibition
    return Prohibition(
        text=prohibition.text,
        paths=prohibition.paths,
        at=prohibition.at,
        record=prohibition.record,
        lifted=sentence if at is None else f"{sentence} ({at})",
    )
