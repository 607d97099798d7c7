# ruff: noqa: E501 - a pattern reads best on one line
"""What the person said not to do: the sentence verbatim, and the paths that it names."""

from __future__ import annotations

import re

from msgspec import structs

from passdown.agents.facts.claims.tokens import is_path, paths
from passdown.agents.facts.claims.units import Unit, units
from passdown.model.session import Prohibition
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_START = r"(?:^|[,;:.!?(\u2013\u2014-]\s*|\b(?:and|but|please|pls|so|also|just|then|otherwise|however|still|absolutely|note:|important:)\s+)"
_ACT = (
    r"(?:touch|chang|modif|edit|alter|delet|remov|rewrit|refactor|renam|commit|push|merg|rebas|install|upgrad|updat|bump|break|overwrit|reformat|format|mov|drop|deploy|publish|releas|revert|reset"
    r"|creat|add|introduc|replac|mess with|mess up|run|start|execut|write to|implement|fix|amend|squash|force|open a|close|stag|stash|regenerat|disabl|skip|weaken|mock|duplicat|use\b|import\b|rely\b|switch"
    r"|check (?:\S+ ){1,3}in\b|spawn|unignor|wrap\b|rebuild|inline\b|restructur|reorder|reorgani|downgrad|invent|comment out|hard-?cod|bypass|suppress|silenc|truncat|destroy|restart|kill\b|pull\b|tag\b|spread|copy\b|make (?:any )?(?:more |further |other )?(?:changes|edits|modifications)\b|expand|broaden|append|do (?:it|that|this|so)\b|apply\b(?=\W*$|,|\s+(?:it|them|this|that|anything|the (?:plan|migrations?|patch|diff)|migrations?)\b))"
)
_BE = r"(?:stay|remain|be left|be kept|stays?|remains?)"
_ENGLISH = tuple(
    lazy(pattern, _I)
    for pattern in (
        rf"{_START}(?:please\s+)?(?:do not|don['\u2019]?t|never|must not|mustn['\u2019]?t|shall not|not to)(?:,? i repeat,?(?: do not| don['\u2019]?t| never)?,?)?\s+(?!\w*[a-rt-z]s\b)(?:ever |you (?:dare )?|yet |even |actually |just |plain )?-{{0,2}}{_ACT}\w*",
        rf"\b(?:done|finished|ready|complete|then|now)\s+(?:do not|don['\u2019]?t|never)\s+{_ACT}\w*",
        rf"\b(?:you|it|claude|codex|agents?) (?:must|should|may|shall)(?: not|n['\u2019]t) (?:ever )?(?:be )?{_ACT}\w*",
        rf"\b(?:i|we) (?:do not|don['\u2019]?t) want (?:you to |any(?:one|thing)? (?:to )?)?\w*\s?{_ACT}\w*",
        r"\b(?:without|w/o) (?:touching|changing|modifying|editing|altering|breaking|renaming|rewriting)\b",
        rf"\blet['\u2019]?s not {_ACT}|^(?:please )?(?:restrict|limit|confine) (?:yourself|(?:your|all|any|the) (?:changes|edits|work)) to\b",
        r"(?:^|[,;:.]\s*)nothing (?:in|under|inside) (?:[^.;\s]|\.(?=\w)){1,80} (?:may|must|should|can|is allowed to) change\b",
        r"\b(?:leave|keep)\b(?:[^.;]|\.(?=\w)){1,80}?\b(?:alone|untouched|unchanged|unmodified|intact|as[- ](?:it )?(?:is|are)|the way (?:it|they) (?:is|are))\b",
        r"(?:^|[,;:.]\s*|\b(?:so|but|and|just|please) )nothing (?:outside|beyond|other than|except)\b",
        r"\bkeep\b(?:[^.;]|\.(?=\w)){1,80}?\bas they are\b",
        r"\bleave (?:all )?the (?:others?|rest)\b(?! (?:to|for|until|up)\b)|\bleave everything else\b",
        r"\b(?:hands off|stay away from|stay out of|keep (?:your hands )?(?:off|out of|away from)|off[- ]limits|is frozen|are frozen|read[- ]only for you)\b",
        r"\b(?:should|must|may|can)(?: not|n['\u2019]t)\s+(?:be )?(?:touched|changed|modified|edited|altered|deleted|removed|renamed|pushed|committed|broken|affected|weakened|skipped|disabled|loosened|rewritten|reformatted|bumped|upgraded|merged)\b",
        rf"\b(?:under no circumstances?|at no point|on no account)\s+(?:should you |may you |must you )?{_ACT}\w*",
        r"(?:^|[,;:]\s*|\bmake |\bwith )no (?:changes|edits|modifications) (?:to|in|outside)\b|(?:^|[,;:]\s*)no (?:commits?|push(?:es|ing)?|refactor(?:s|ings?)?|force[- ]push\w*)(?=\W*$|,| (?:yet|please|pls|here|for now))",
        r"(?:^|[,;:.]\s*|\band )no (?:new|additional|extra|further) (?:dependenc\w+|packages?|files?|librar\w+|deps|abstractions?|tests?)\b",
        rf"{_START}(?:please\s+)?(?:you (?:may|can|should|are to) )?only (?:ever )?(?:touch|change|modify|edit|work (?:on|in)|write (?:to|in))\b",
        rf"\b(?:not|n['\u2019]t) allowed to {_ACT}\w*|{_START}(?:please\s+)?(?:avoid|refrain from) (?:{_ACT}\w*ing|changes|edits)\b|{_START}(?:please\s+)?(?:steer|stay) clear of\b",
        r"\b(?:treat|consider|regard)\b(?:[^.;]|\.(?=\w)){1,60}\b(?:read[- ]only|frozen|off[- ]limits|untouchable)\b",
        rf"\bI(?:['\u2019]d| would) (?:rather|prefer) (?:that |if |it if )?(?:you )?(?:did(?:n['\u2019]t| not)|do(?:n['\u2019]t| not)|not)(?: to)? {_ACT}\w*",
        rf"\b(?:must|should|ha[sv]e? to|needs? to|shall) (?:also )?{_BE} (?:[a-z]+ )?(?:as[- ]?(?:it |they )?(?:is|are)|untouched|unchanged|unmodified|intact|alone|the same)\b",
        r"^(?:please )?(?:nothing|none|no (?:files?|code|lines?))\b(?:[^.;]|\.(?=\w)){0,60}\b(?:may|must|should|can|is to|are to) (?:ever )?be (?:touched|changed|modified|edited|altered|deleted|removed|renamed)\b",
        r"\bbut (?:please )?not (?:the |in |under )?(?=[`'\"]?[\w.-]*[./][\w*]|the \w+ (?:folder|directory|file|module|tests))[`'\"\w./*-]+",
    )
)  # fmt: skip
_OTHERS = tuple(
    lazy(pattern, _I)
    for pattern in (
        r"\b(?:nicht|nie(?:mals)?|nichts(?: an| in)?)\b(?:[^.;]|\.(?=\w)){0,60}\b(?:anfassen|anr\u00fchren|\u00e4ndern|ver\u00e4ndern|l\u00f6schen|bearbeiten|committen|einchecken|pushen|umbenennen|mergen|entfernen|verschieben|\u00fcberschreiben|anzufassen|zu \u00e4ndern)\b",
        r"\b(?:fass|\u00e4ndere?|ver\u00e4ndere?|l\u00f6sche?|bearbeite|committe?|pushe?|entferne|r\u00fchr)\b(?:[^.;]|\.(?=\w)){0,60}\b(?:nicht|nichts|nie|keine?n?)\b",
        r"\b(?:lass|lasse|lassen sie)\b(?:[^.;]|\.(?=\w)){1,60}\b(?:so|in ruhe|unver\u00e4ndert|unangetastet|wie (?:es|sie|er) (?:ist|sind))\b|\bbleib(?:t|en)\b.{0,20}\b(?:wie (?:es|sie|er) (?:ist|sind)|unver\u00e4ndert|unangetastet)\b|\bnur\b(?:[^.;]|\.(?=\w)){1,60}\b(?:\u00e4ndern|anfassen|bearbeiten|anpassen)\b|\bohne\b(?:[^.;]|\.(?=\w)){1,60}\bzu (?:\u00e4ndern|ver\u00e4ndern|l\u00f6schen|ber\u00fchren)|\bfinger weg\b|\bdie finger (?:von|aus|weg)\b|\bkeine (?:\u00e4nderungen|commits?)\b",
        r"\b(?:ne|n['\u2019])\s?\w*\s?(?:touche|modifie|change|supprime|commit|pousse|renomme)\w*\s+(?:\u00e0 )?(?:pas|jamais|rien)\b|(?:^|[,;:.!]\s*)(?:touche|modifie|change|supprime)[sz]? (?:surtout )?(?:pas|rien)\b|\bsans (?:toucher|modifier|changer|supprimer|casser)\b|\blaisse[sz]?\b(?:[^.;]|\.(?=\w)){1,60}\btels? quels?\b",
        r"(?:^|[,;:.]\s*|\b(?:y|pero|por favor) )no (?:toques|modifiques|cambies|borres|edites|elimines|toque|modifique|cambie|borre|hagas (?:commit|push))\b|\bsin (?:tocar|modificar|cambiar|borrar)\b|\bdeja\w*\b(?:[^.;]|\.(?=\w)){1,60}\bcomo est\u00e1n?\b",
        r"(?:^|[,;:.]\s*)non (?:toccare|modificare|cambiare|cancellare)\b|\bma non (?:toccare|modificare|cambiare|cancellare)\b|\bsenza (?:toccare|modificare|cambiare)\b|(?:^|[,;:.]\s*|\b(?:mas|e|por favor) )n\u00e3o (?:mexa|altere|modifique|toque|apague|mude)\b|\bsem (?:mexer|alterar|modificar)\b",
        r"\bniet\b(?:[^.;]|\.(?=\w)){0,60}\b(?:aankomen|komen|wijzigen|aanpassen|veranderen|verwijderen|aanraken)\b|\bblijf (?:van|uit)\b|\bnie (?:zmieniaj|ruszaj|dotykaj|usuwaj|edytuj)\b",
        r"\b(?:solo|s\u00f3lo|solamente|\u00fanicamente) (?:toca|modifica|cambia|edita)\w*\b|\b(?:ne |n['\u2019])(?:touche|modifie|change)\w* que\b|\bseulement (?:touche|modifie|change)\w*\b",
    )
)  # fmt: skip
# No match of these is ASCII alone.
_NO_LATIN = tuple(
    lazy(pattern, _I)
    for pattern in (
        r"(?:\u4e0d\u8981|\u522b|\u8bf7\u52ff|\u52ff|\u7981\u6b62|\u4e0d\u8bb8|\u4e0d\u51c6|\u5343\u4e07\u522b|\u65e0\u9700|\u4e0d\u80fd)(?:\u518d|\u53bb|\u968f\u4fbf|\u64c5\u81ea)?(?:\u4fee\u6539|\u6539\u52a8|\u6539\u53d8|\u66f4\u6539|\u6539|\u52a8|\u78b0|\u5220\u9664|\u5220|\u63d0\u4ea4|\u63a8\u9001|\u91cd\u547d\u540d|\u8986\u76d6|\u89e6\u78b0|\u7f16\u8f91)",
        r"(?:\u5909\u66f4|\u4fee\u6b63|\u7de8\u96c6|\u524a\u9664|\u30b3\u30df\u30c3\u30c8|\u30d7\u30c3\u30b7\u30e5)\u3057\u306a\u3044|\u89e6\u3089\u306a\u3044|\u5909\u3048\u306a\u3044|\u89e6\u308c\u306a\u3044|\u3044\u3058\u3089\u306a\u3044|\u4ee5\u5916(?:\u306f|\u3092)?.{0,10}\u306a\u3044|\u3060\u3051(?:\u3092)?(?:\u5909\u66f4|\u4fee\u6b63|\u7de8\u96c6)\u3057\u3066|\u305d\u306e\u307e\u307e\u306b\u3057\u3066",
        r"\u043d\u0435 (?:\u0442\u0440\u043e\u0433\u0430\u0439|\u043c\u0435\u043d\u044f\u0439|\u0438\u0437\u043c\u0435\u043d\u044f\u0439|\u0443\u0434\u0430\u043b\u044f\u0439|\u043a\u043e\u043c\u043c\u0438\u0442\u044c|\u043f\u0443\u0448\u044c)\w*",
        r"\u53ea(?:\u80fd|\u51c6|\u9700|\u8981)?(?:\u4fee\u6539|\u6539|\u52a8|\u7f16\u8f91)(?!\u4e86|\u8fc7)|(?:\uc218\uc815|\ubcc0\uacbd|\uc0ad\uc81c|\ud3b8\uc9d1|\ucee4\ubc0b|\ud478\uc2dc)\ud558\uc9c0 ?(?:\ub9c8|\ub9d0)|\uac74\ub4dc\ub9ac\uc9c0 ?(?:\ub9c8|\ub9d0)|\uadf8\ub300\ub85c \ub450",
    )
)  # fmt: skip
_NOT = lazy(
    r"\b(?:no longer|not) (?:off[- ]limits|frozen|read[- ]only)\b|"
    r"\b(?:don['\u2019]?t|do not|never) (?:forget|hesitate|worry|know|think|understand|see|need|have|care|like|believe|remember|mind|get)\b"
    r"|\b(?:reads?|says?|said|prints?|printed|shows?|header|banner|comment|message|log|output|docstring)\b[^.;]{0,20}(?:[:\"]|(?<!\w)')"
    r"|\bif (?:i|we|someone|a user|the user)\b.{0,120}\b(?:then|and|but) (?:do not|don['\u2019]?t|never)\b"
    r"|\b(?:where|which|that|because|since) (?:we|they|it|i|users?) [^,.;]{1,60} (?:but|and) (?:do not|don['\u2019]?t|never)\b"
    r"|\b(?:popped|happen(?:s|ed)|appear(?:s|ed)|occur\w*|crash\w*|fail(?:s|ed)|noticed)\b[^.;]{0,100}\bwithout \w+ing\b"
    r"|\b(?:why|if|when|since|because|that|which|who|they|it|tests?|users?|we|i) (?:do not|don['\u2019]?t|doesn['\u2019]?t|never|can(?:no|['\u2019])t|cannot)\b(?! want)|\bso (?:that )?(?:we|it|they|i) (?:do not|don['\u2019]?t)",
    _I,
)
# One of these words stands in every prohibition; most sentences hold none.
_MAY = lazy(
    r"not|n['\u2019]t|dont|never|\bno\b|none|without|\bw/o\b|restrict|limit|confine|leave|keep|hands|stay|remain|\boff\b|frozen|read|avoid|refrain|clear|rather|prefer|only"
    r"|nich|\bnie|ohne|lass|finger|kein|nur|bleib|\bpas\b|jamais|rien|\bque\b|sans|laiss|seul|\bsin\b|deja|solo|\bnon\b|senza|sem\b|blijf|[^\x00-\x7f]",
    _I,
)
_LOG = lazy(
    r"^\W*(?:\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|error|warning|hint|help)\b\]?[: ]|\d{4}-\d\d-\d\d|at \S+ ?\(|Traceback|npm (?:ERR|error|warn)|\w*(?:Error|Exception|Warning): |E  )"
)
_PASSIVE = lazy(
    r"\b(?:should|must|may|can)(?: not|n['\u2019]t)\s+be (?:touched|changed|modified|edited|altered|deleted|removed|renamed|pushed|committed|broken|affected|weakened|skipped|disabled|loosened|rewritten|reformatted|bumped|upgraded|merged)\b",
    _I,
)
_SPECIFIED = lazy(r"\b(?:when|while|until|by|after|before|during|unless|twice|once|if)\b", _I)
_OURS = lazy(
    r"\b(?:api|interface|schema|signatures?|behaviou?r|tests?|code|files?|config\w*|format|contract|defaults?)\b", _I
)
_ASKED = lazy(
    r"^\W*(?:(?:and|also|so|but) )?(?:(?:can|could|would|will) you|would you mind|mind)\b(?! confirm| explain| tell)",
    _I,
)
_ASKED_SO = lazy(
    rf"\bwithout (?:touching|changing|modifying|editing|altering|breaking|renaming|rewriting)\b|\bleave\b.{{1,60}}\balone\b|\bplease (?:do )?not (?:to )?{_ACT}|\bnot {_ACT}|\bkeep\b.{{1,60}}\b(?:as is|unchanged|untouched|intact)\b",
    _I,
)
_GLUED = lazy(
    r"(?<=[\w/])(?<![^\x00-\x7f])(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])(?=[\w./])(?![^\x00-\x7f])"
)
_EXEMPT = lazy(r"^.*?\bbut (?:please )?not\b", _I)
_DOTTED = lazy(
    r"(?<![\w@/.:-])((?:\.[\w-]+|[\w-]+)(?:/[\w.@*+-]+)*/(?=[\s,;:.!?)`'\"]|$)|\.[a-z][\w-]*(?:/[\w.@*+-]*\w)+)"
)
_NAMED_AFTER = lazy(
    r"\b(?:folder|directory|ordner|verzeichnis|carpeta|directorio|dossier|r\u00e9pertoire|cartella|pasta|map) [`'\"]?([\w.-]+(?:/[\w.-]+)*)[`'\"]?",
    _I,
)
_NO_NAMES = {
    *("the", "this", "that", "any", "same", "a", "to", "of", "in", "from", "der", "den", "das", "or", "and", "is", "are", "each", "every", "whole", "entire"),
    *("touching", "changing", "modifying", "editing", "deleting", "renaming", "new", "other", "another", "current", "unrelated", "with", "for", "structure", "layout"),
}  # fmt: skip
_DIRECTORIES = lazy(
    r"\b(migrations?|tests?|docs|documentation|vendor|fixtures|scripts|configs?|workflows|schemas?|templates|assets|examples|protos?|generated|locales|translations|infra|terraform|third_party"
    r"|node_modules|snapshots|goldens?|lockfiles?|api|frontend|backend|database|public|static|legacy|core|auth|billing|payments?)\b(?! (?:apis?|interfaces?|signatures?|surface|contract|methods?|functions?|types?|class(?:es)?|schemas?(?! folder)|files? (?:in|under|inside|of|below)\b|names?|symbols?|exports?|fields?|keys?|behaviou?r|string|pass|run|work))",
    _I,
)
_FOLDER = lazy(
    r"(?<![\w./-])([\w-]+) ?(?:(?<= )(?:folder|directory|dir|module|package|ordner|verzeichnis)\b(?![\w.-])|\u76ee\u5f55|\u6587\u4ef6\u5939|\u30d5\u30a9\u30eb\u30c0|\u30c7\u30a3\u30ec\u30af\u30c8\u30ea|\ud3f4\ub354)",
    _I,
)
_OBJECT = lazy(
    r"(?:touch\w*|chang\w+|modify\w*|edit\w*|alter\w*|delet\w+|remov\w+|anfassen|rewrit\w+|leave|off|of|from|to|keep)\s+(?:any(?:thing)?\s+|files?\s+|code\s+)?(?:in\s+|under\s+|inside\s+|of\s+)?(?:the\s+|our\s+|my\s+|existing\s+|die\s+|den\s+|das\s+)*$",
    _I,
)
_TEMPLATE = lazy(r"^#{1,4} |<[a-z][\w-]*(?: [^>]*)?>|^\*\*[A-Z]|^Implement the following plan:", re.MULTILINE)
_TAGGED = lazy(r"^[ \t]*<[a-z]+[-_][\w-]+(?: [^>]*)?>[ \t]*$", re.MULTILINE)
_QUOTED = lazy(r"`[^`]*`|\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb")
_TAG = lazy(r",?\s+(?:ok(?:ay)?|right|alright|yeah|please|thanks|deal|gell|oder|d'accord|vale)\?$", _I)
_ASIDE = lazy(r"(?:(?<=[?\uff1f])|(?<=\.\.\.)|(?<=\u2026))\s+(?=[a-z])")  # what follows a question in the same line
_LEADS = lazy(
    r"(?:please )?(?:(?:do not|don['\u2019]?t|never) (?:touch|change|modify|edit)(?: (?:any of )?(?:these|the following|those)(?: \w+)?)?|off[- ]limits|hands off|read[- ]only|leave (?:these )?alone|no[- ]touch|frozen)\W*",
    _I,
)
_PLACE_FIRST = lazy(r"[`'\"]?(?:[\w.@*-]+/|[\w.@*-]*\.\w)")
_LONG = 1500
_LONGEST_SENTENCE = 600
_LIFT = lazy(
    r"\b(?:you (?:can|may|could|are allowed to|are free to) (?:now |again |also )?(?:touch|change|modify|edit|push|commit|delete|remove|merge|deploy|rebase|install|publish|release|rename|update|rewrite|refactor|write to)"
    r"|(?:go ahead and|feel free to) (?:touch|change|modify|edit|push|commit|delete|remove|merge|deploy|rebase|install|publish|release|rename|update|rewrite|refactor)"
    r"|(?:it['\u2019]?s|is|are|it is) (?:now )?(?:ok(?:ay)?|fine|allowed) (?:now )?to (?:touch|change|modify|edit|push|commit|delete|remove|merge|deploy|rebase|rename|update|rewrite)"
    r"|(?:can|may) (?:now )?be (?:touched|changed|modified|edited|deleted|removed|renamed|pushed|committed|rewritten)|no longer (?:off[- ]limits|frozen|read[- ]only)"
    r"|(?:forget|ignore|drop) (?:what I said about|the (?:restriction|rule|limit)s? (?:on|about|for)))\b"
    r"|\bdarfst? (?:jetzt |nun )?\S+(?: \S+){0,3} (?:jetzt |nun )?(?:\u00e4ndern|anfassen|bearbeiten|pushen|committen)\b|\bpuedes (?:ya |ahora )?(?:tocar|modificar|cambiar|editar)\b|\btu peux (?:maintenant )?(?:toucher|modifier|changer)\b|\u73b0\u5728\u53ef\u4ee5(?:\u4fee\u6539|\u6539|\u52a8)",
    _I,
)
_ALL = lazy(r"\b(?:anything|everything|all (?:the )?files|any file)\b(?! (?:in|under|inside|of|about)\b)", _I)
_DEEDS = (
    *("push", "commit", "merge", "deploy", "rebase", "install", "publish", "releas", "delet", "renam", "upgrad"),
    *("format", "refactor"),
)
_WORD = lazy(r"[\w./-]{3,}")


def prohibitions(text: str, at: str | None, record: int) -> list[Prohibition]:
    """The prohibitions in one request; text that a client or a tool wrote (templates, quotes, code) is passed over."""
    if (len(text) > _LONG and _TEMPLATE.search(text)) or _TAGGED.search(text):
        return []
    found = []
    for sentence in (part for unit in units(text) for part in _ASIDE.split(_listed(unit))):
        if len(sentence) > _LONGEST_SENTENCE or _LOG.match(sentence) or not _forbids(sentence):
            continue
        found.append(Prohibition(text=sentence, paths=_paths(sentence), at=at, record=record))
    return found


def _listed(unit: Unit) -> str:
    """With the places that a list names under it (``OFF LIMITS:``), or below which such a line stands."""
    if unit.below and unit.text.endswith((":", "\uff1a")):
        return f"{unit.text}{unit.below}"
    above = unit.lead.rpartition(" | ")[2]
    if unit.bullet and _LEADS.fullmatch(above) and _PLACE_FIRST.match(unit.text):
        return f"{above}: {unit.text}"
    return unit.text


def _forbids(sentence: str) -> bool:
    if _MAY.search(sentence) is None:
        return False
    sentence = _TAG.sub("", sentence)
    bare = _QUOTED.sub(lambda m: m[0] if is_path(m[0][1:-1]) else "x" * len(m[0]), sentence)
    if sentence.endswith(("?", "\uff1f")):
        return _ASKED.match(bare) is not None and _ASKED_SO.search(bare) is not None
    if any(p.search(bare) for p in (_OTHERS if bare.isascii() else (*_OTHERS, *_NO_LATIN))):
        return True
    if not any(p.search(bare) for p in _ENGLISH) or _NOT.search(bare):
        return False
    if _PASSIVE.search(bare) and (_SPECIFIED.search(bare) or not (_OURS.search(bare) or _paths(sentence))):
        return any(p.search(_PASSIVE.sub(" ", bare)) for p in _ENGLISH)  # what a program must not do
    return True


def _paths(sentence: str) -> list[str]:
    sentence = sentence if sentence.isascii() else _GLUED.sub(" ", sentence)
    exempt = _EXEMPT.match(sentence)
    if exempt is not None:
        sentence = sentence[exempt.end() :]
    named = [re.sub(r"['\u2019]s$", "", p) for p in paths(re.sub(r"(\.\w+)['\u2019]s\b", r"\1", sentence))]
    named = [_as_written(name, sentence) for name in named]
    named += [
        m[1]
        for m in _DOTTED.finditer(sentence)
        if not any(m[1] in n or n.rstrip("/") == m[1].rstrip("/") for n in named)
    ]
    for pattern in (_FOLDER, _NAMED_AFTER):
        named += [
            m[1]
            for m in pattern.finditer(sentence)
            if m[1].lower() not in _NO_NAMES and not any(m[1] in n for n in named)
        ]
    for match in _DIRECTORIES.finditer(sentence):
        covered = any(match[1] in n for n in named)
        if not covered and _OBJECT.search(sentence[: match.start()]):
            named.append(match[1])
    return list(dict.fromkeys(named))


def _as_written(name: str, sentence: str) -> str:
    """``Makefile``, not ``makefile``."""
    at = sentence.lower().find(name.lower())
    return sentence[at : at + len(name)] if at >= 0 else name


def lifted(earlier: list[Prohibition], text: str, at: str | None) -> list[Prohibition]:
    """``earlier`` with those marked that ``text`` plainly takes back (it names the same path or deed)."""
    if not earlier or not _LIFT.search(text):
        return earlier
    sentence = next((u.text for u in units(text) if _LIFT.search(u.text) and not _forbids(u.text)), None)
    if sentence is None:
        return earlier
    return [_lift(p, sentence, at) for p in earlier]


def _lift(prohibition: Prohibition, sentence: str, at: str | None) -> Prohibition:
    """``prohibition`` marked where ``sentence`` names its places, a folder above them, everything, or its deed.

    Of several places those that it does not name stay.
    """
    told = {_bare(name) for name in (*_paths(sentence), *_WORD.findall(sentence))}
    everything = _ALL.search(sentence) is not None
    still = [path for path in prohibition.paths if not everything and not _allowed(_bare(path), told)]
    named = bool(prohibition.paths) and not still
    deed = not prohibition.paths and any(
        re.search(rf"\b{v}", prohibition.text, _I) and re.search(rf"\b{v}", sentence, _I) for v in _DEEDS
    )
    if not named and not deed:
        return prohibition if still == prohibition.paths else structs.replace(prohibition, paths=still)
    said = sentence if at is None else f"{sentence} ({at})"
    return structs.replace(prohibition, lifted=said)


def _bare(name: str) -> str:
    return name.strip("`'\".,;:()").removeprefix("./").rstrip("/").lower()


def _allowed(path: str, told: set[str]) -> bool:
    """The place itself, its last name, or a folder above it: a file inside it opens that file alone."""
    return (
        path in told
        or path.rsplit("/", 1)[-1] in told
        or any(path.startswith(f"{name}/") for name in told if "/" in name)
    )
