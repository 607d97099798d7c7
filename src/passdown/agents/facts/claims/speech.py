# ruff: noqa: E501 - a pattern reads best on one line
"""Whether a statement claims that something is done or holds (no plan, question, condition or denial)."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.tokens import names, paths
from passdown.agents.facts.claims.units import Unit
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_VERB = (
    r"(?:re)?(?:added|fixed|implemented|updated|created|removed|deleted|changed|modified|renamed|replaced|refactored|moved|extracted|converted|enabled"
    r"|disabled|configured|committed|pushed|merged|opened|closed|published|released|tagged|rebased|squashed|reverted|restored|installed|upgraded|bumped"
    r"|resolved|addressed|corrected|cleaned|simplified|documented|wired|integrated|introduced|built|generated|wrote|written|tested|verified|validated"
    r"|confirmed|ran|executed|checked|completed|finished|ensured|applied|set|made|kept|left|saved|stored|migrated|ported|split|extended|expanded|improved"
    r"|optimi[sz]ed|adjusted|aligned|switched|dropped|exposed|registered|exported|handled|covered|formatted|linted|deployed|synced|patched|hardened"
    r"|tightened|normali[sz]ed|consolidated|unified|deduplicated|archived|staged|redesigned|reworked|rewrote|rewritten|hooked|included|excluded|redone"
    r"|reduced|increased|raised|lowered|marked|filled|mapped|linked|pinned|tweaked|swapped|enhanced|clarified|notified|edited|prepared|regenerated|rebuilt|recreated|amended|tidied|trimmed|wrapped|inlined|reordered|relaxed|bundled|parametri[sz]ed|mocked|stubbed|guarded|annotated|polished|reorgani[sz]ed|cherry-picked|force-pushed|filed|posted|drafted)"
)
_DONE = tuple(
    lazy(pattern, _I)
    for pattern in (
        rf"^[\W_]*(?:[\w`.-]+ ){{1,5}}{_VERB} (?:into|to|in|from|with|as|by|on|at|and|against)\b",
        r"^[\W_]*all (?:\d+ |of the |remaining |`)[^.]{1,60}? (?:use|have|are|return|live|point|match|now)\b",
        rf"^(?:[\W_]*)(?:also |now |then |successfully |just )?{_VERB}\b",
        rf"^[\W_]*(?:\*\*[^*]{{1,80}}\*\*|`[^`]+`|[\w./#-]+(?: [\w./#-]+){{0,4}})(?:\s*\([^)]*\))?\s*(?:[:\u2014\u2013\u2192|-]\s*)+(?:also |now )?{_VERB}\b|^[\W_]*(?:[\w-]+ ){{0,3}}{_VERB}:\s+\S",
        rf"^[\W_]*(?:both|all|the)\b[\w #-]{{1,40}}\b{_VERB}[\W_]*$|\b(?:created|committed|pushed|merged|updated|installed|applied|completed) successfully\b",
        rf"\b(?:I|we)(?:['\u2019]ve| have)? (?:just |also |now |already |then |successfully |first )*{_VERB}\b",
        rf"\b(?:has|have|was|were|been|is|are|got) (?:now |also |already |\w+ly |all |squash[ -]|been )*{_VERB}\b",
        r"\b(?:is|are) now\b|\b(?:is|are) (?:[\w-]+ ){1,4}now\b|\b(?:I|we)(?:['\u2019]ve| have) (?:also |now )?(?!(?:notic|want|need|assum|tri|consider|expect|hop|look|ask|plann|decid|suggest|propos|attempt|start|investigat|explor|review|stopp|paus|us|seen?\b|been?\b|fail|struggl|prepar|outlin|list)\w*)\w{3,}ed\b|\bnow [a-z]{3,}s\b|\bnow (?:includes?|contains?|uses?|returns?|includes?|supports?|works?|passes|shows?|handles?|has|have|runs?|accepts?|reads?|writes?|executes?|does)\b",
        (
            r"\b(?:tests?|suites?|specs?|lint\w*|builds?|checks?|type[- ]?check\w*|compil\w+|ci|hooks?|pipeline|typescript|tsc|mypy|ruff|tox|nox|analy[sz]er|eslint|pytest|clippy|phpunit|rspec|jest|vitest|mocha|playwright|cypress|ctest|bats|rubocop|phpstan|psalm|shellcheck|prettier|biome|ktlint|detekt|checkstyle|swiftlint|(?:based)?pyright|flake8|pylint|rustfmt|gofmt|gradle|maven|terraform|validate)\b(?:[^.?]|\.(?=\w)){0,80}"
            r"\b(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?|successful(?:ly)?|ok)\b"
        ),
        r"`[\w@./-]+ [^`]+`\W{0,3}\s*(?:\w+ ){0,2}(?:pass(?:es|ed)?|succeed(?:s|ed)?|clean|green)\b",
        r"\b(?:all|both) (?:\d+ )?(?:[\w-]+ ){0,3}(?:pass(?:ed|es|ing)?|green)\b|\b\d+ (?:passed|passing|pass)\b|\b\d+/\d+\b.{0,30}\bpass",
        r"\b(?:is|are) (?:\w+ )?(?:ready|complete|done|fixed|working|in place|live|up to date|clean|green|finished|available|gone|excluded|included)\b",
        r"\bworks?\b(?: now| again| correctly| as expected| fine| end[- ]to[- ]end|\.|$)|\b(?:builds?|compiles?|runs?) (?:cleanly|successfully|without|fine)\b",
        r"\b(?:compiles|builds|type-?checks|types check)\W*$|\bexit(?:ed)?(?: with)?(?: code| status)? 0\b|\bwithout (?:any )?(?:errors?|warnings?|issues)\b",
        r"\b(?:no|zero|0) (?:remaining |more |type |lint |test |new )*(?:match(?:es)?|references?|occurrences?|usages?|mentions?|errors?|warnings?|issues?|failures?|failed|regressions?|problems?|offenses?|violations?|vulnerabilities|findings)\b",
        r"\b(?:executed|completed|ran|exited|finished) (?:successfully|cleanly|with(?:out)?)\b",
        r"^(?:[\W_]*)(?:commits?|committed|branch|pr|pull request|merged|tag|tests?|build|lint)\b[^:]{0,20}:\s*\S",
        r"\beverything (?:else )?(?:passes|passed|is green|builds|works)\b|\b(?:whole|full|entire) suite\b[^.?]{0,40}\b(?:pass\w*|green)",
        r"[\u2705\u2714\u2611\u2713]",
        r"\bno longer\b",
        r"\bcoverage\b(?! (?:threshold|target|goal|minimum))[^.;]{0,20}?(?:\b(?:is|at|of|now)|:)[^.;]{0,12}?\d+(?:\.\d+)? ?%",
        # German, French, Spanish, Italian, Portuguese
        r"\b(?:ist|sind) (?:jetzt |nun |wieder |bereits |damit |alle )*(?:drin|gr\u00fcn|fertig|behoben|erledigt|umgesetzt|implementiert|aktualisiert|sauber|eingebaut|vorhanden)\b",
        r"\b(?:l\u00e4uft|laufen|baut|kompiliert|funktioniert)\b.{0,40}\b(?:jetzt|nun|durch|fehlerfrei|wieder|mit|ohne)\b",
        r"\b(?:wurden?|habe ich|hab ich|haben wir)\b.{0,120}\b\w*(?:ge\w+t|ge\w+en|iert|\w+t)\b|\b(?:hinzugef\u00fcgt|erg\u00e4nzt|behoben|aktualisiert|erstellt|angepasst|entfernt|bestanden|ge\u00e4ndert)\b",
        r"\b(?:j['\u2019]ai|a \u00e9t\u00e9|ont \u00e9t\u00e9|est maintenant|sont maintenant)\b|\b(?:ajout\u00e9|corrig\u00e9|cr\u00e9\u00e9|supprim\u00e9|mis \u00e0 jour|termin\u00e9)e?s?\b|\btests?\b[^.?]{0,30}\b(?:passent|r\u00e9ussissent|sont (?:au )?verts?)\b|\btests\b[^.?]{0,30}\bau vert\b",
        r"\b[Tt]ests\b[^.?]{0,30}\b(?:bestehen|gr\u00fcn|laufen durch)\b|\btest(?:es)? (?:pasan|passam|passaram|passano|superati)\b|\btests? pasan\b|\btesty\b[^.?]{0,20}\bprzechodz|\btests\b[^.?]{0,20}\b(?:slagen|geslaagd)\b|\b(?:build|compilaci\u00f3n|lint|suite|compila\u00e7\u00e3o)\b[^.?]{0,20}\b(?:pasa|passa|passe|compila)\b|\ud14c\uc2a4\ud2b8.{0,10}\ud1b5\uacfc",
        r"\b(?:he|se ha|se han|ha sido|fue) \w+[ai]do\b|\b(?:a\u00f1adid|corregid|actualizad|cread|eliminad)[oa]s?\b|\bpruebas pasan\b",
        r"\b(?:ho|\u00e8 stat[oa]|sono stat[ie]|foi|foram) \w+[ai][td][oaie]s?\b|\b(?:adicionad|corrigid|atualizad|criad|aggiunt|corrett|aggiornat)[oaie]s?\b",
        # Chinese, Japanese, Russian
        r"\u5df2(?!\u7ecf?\u6709|\u7ecf?\u5b58\u5728)|(?:\u5b9e\u73b0|\u6dfb\u52a0|\u66f4\u65b0|\u4fee\u590d|\u5220\u9664|\u65b0\u589e|\u5b8c\u6210|\u4fee\u6539|\u521b\u5efa|\u63d0\u4ea4|\u63a8\u9001)\u4e86|(?:\u5168\u90e8|\u5747|\u90fd|\u6d4b\u8bd5)[^\u3002]{0,10}\u901a\u8fc7",
        r"\u3057\u307e\u3057\u305f|\u5b8c\u4e86|\u4fee\u6b63\u6e08|\u8ffd\u52a0\u6e08|\u5408\u683c|\u901a\u308a\u307e\u3057\u305f|\u6210\u529f|\u30c6\u30b9\u30c8.{0,12}(?:\u30d1\u30b9|\u901a\u3063)(?!\u3059\u308b|\u305f\u3089)",
        r"\b(?:\u0434\u043e\u0431\u0430\u0432|\u0438\u0441\u043f\u0440\u0430\u0432|\u043e\u0431\u043d\u043e\u0432|\u0441\u043e\u0437\u0434\u0430|\u0443\u0434\u0430\u043b)(?:\u0438?\u043b|[\u0435\u0451]\u043d|\u043b[\u0435\u0451]\u043d(?!\u0438)|\u043d[\u044b\u043e\u0430]?\b)\w*|\u043f\u0440\u043e\u0445\u043e\u0434\u044f\u0442|\u043f\u0440\u043e\u0448\u043b\u0438",
    )
)
_PLAN = lazy(
    r"^[\W_]*(?:(?:so|and|but|then|now|ok(?:ay)?|great|good|perfect)[,!.]? )?"
    r"(?:I['\u2019]ll|I will|I['\u2019]d|I would|I['\u2019]m (?:now |going|about|currently|just )?\w+ing?\b|I am (?:now |going )|let me|let['\u2019]s|next\b|to (?:run|use|test|verify|try|start|see)\b"
    r"|you (?:can|could|may|might|should|need|will|must)|if\b|would\b|should\b|want me|feel free|please\b|try\b|run\b|use\b|once\b|when you|after you|consider\b|tell me|say\b|say the word"
    r"|make sure\b|ensure\b|verify (?:that|the)\b|confirm that\b|(?:I|we) (?:expect|want|hope|need|plan|intend|think|believe|assume)\b|whether\b|assuming\b|provided\b|unless\b|until\b|to (?:have|make|get|keep|let)\b|the (?:goal|aim|idea|plan|expectation|target) is\b|it (?:looks like|seems|appears)\b|(?:apparently|presumably|probably|likely|maybe|perhaps)\b|the (?:[\w-]+ ){0,2}(?:problem|issue|bug|root cause|cause|reason|culprit|failure)\b[^.`]{0,30} (?:is|was|were|comes?|came)\b(?! (?:now |also |already |finally |fully )*(?:fix|resolv|gone|solv|clos|address|correct|repair|in place))|goal\b"
    r"|when\b|whenever\b|while\b|here['\u2019]?s\b|here (?:is|are)\b|remaining\b|todo\b|follow-?ups?\b|not\b|nothing\b|we (?:should|could|can|need)|there (?:are|is) (?:still|remaining)|ready to\b|shall\b|do you|ich (?:werde|behebe|erg\u00e4nze|pr\u00fcfe)|bitte\b"
    r"|sollen\b|sobald\b|damit\b|als n\u00e4chstes\b|ensuite\b|une fois que\b|quand\b|lorsque\b|d\u00e8s que\b|ahora voy\b|voy a\b|cuando\b|\u6b21\u306b|\u8fd8\u6ca1|\u63a5\u7740|soll\b|m\u00f6chte|wenn\b|falls\b|je vais|si\b|voulez|veux|puis-je|\u5982\u679c|\u9700\u8981\u6211|\u63a5\u4e0b\u6765|\u5efa\u8bae|\u53ef\u4ee5|\u8bf7)",
    _I,
)
_DENIAL = lazy(
    r"\b(?:did|do|does|have|has|had|was|were|is|are|could|can|would) ?(?:n['\u2019]t|not)\b|\bcannot\b|\bcan['\u2019]t\b|\bnot (?:yet|run|tested|executed|verified|committed|pushed|able|been|included)\b"
    r"|\bnever\b|\bunable\b|\bwithout (?:running|testing|verifying)\b|\bno tests? (?:were |was )?(?:run|executed|added)|\bstill (?:fail|need|open|red|broken)|\b(?:failed|fails|failing) (?:to|with|because|due|on|in)\b"
    r"|\bnoch nicht\b|\bnicht (?:ausgef\u00fchrt|getestet|gepr\u00fcft|committet|gepusht|m\u00f6glich)|\bkonnte\w* nicht\b|\u672a(?!\u77e5|\u8ba4\u8bc1|\u8bbe\u7f6e|\u914d\u7f6e)|\u5c1a\u672a|\u6ca1\u6709\u8fd0\u884c|\u65e0\u6cd5|\bn['\u2019]ai pas\b|\bno se (?:ha|han)\b"
    r"|\bne (?:\w+ ){1,2}pas\b|\bn['\u2019]\w+ pas\b|\b(?:no|non|n\u00e3o) (?:pas|funcion|compil|est\u00e1)\w*|\b\u043d\u0435 (?:\u0432\u0441\u0435 |\u0435\u0449\u0451 |\u0435\u0449\u0435 )?(?:\u043f\u0440\u043e|\u0440\u0430\u0431)\w*"
    r"|\u6ca1(?:\u6709|\u80fd)?(?:\u5168\u90e8)?\u901a\u8fc7|\u4e0d\u901a\u8fc7|\u5e76\u975e|\u4e0d\u662f\u6240\u6709|\u307e\u3060|\u3066\u3044\u307e\u305b\u3093|\u307e\u305b\u3093\u3067\u3057\u305f|\u306a\u304b\u3063\u305f|\ubabb|\uc54a",
    _I,
)
_DENIAL_OF_HARM = lazy(
    r"\b(?:no longer|does(?:n['\u2019]t| not) \w+ (?:any ?more|any longer)|(?:not|n['\u2019]t) (?:touch|chang|modif)\w*|\u4e0d\u518d)",
    _I,
)
_MODAL = lazy(
    r"\b(?:should|could|would|might|may|will|can|won['\u2019]t|sollte\w*|k\u00f6nnte\w*|w\u00fcrde\w*|kann|wird|devrai\w+|deber\u00edan?|dovrebb\w+|dever\w+|expect(?:s|ed)? to|supposed to)\b|\u5e94\u8be5|\u5e94\u80fd|\u5c06\u4f1a|\u306f\u305a|\u3067\u3057\u3087\u3046",
    _I,
)
_LEAD = lazy(
    r"\b(?:summary|overview|changes?|changed|verif\w+|validat\w+|results?|tests?|highlights|key|files?|status|outcome|improvements|deliverables|checks?)\b"
    r"|\u6539\u52a8|\u4fee\u6539|\u53d8\u66f4|\u6d4b\u8bd5|\u9a8c\u8bc1|\b(?:pr\u00fcfung|\u00e4nderungen|zusammenfassung|ergebnis\w*|r\u00e9sum\u00e9|modifications|cambios|resumen)\b",
    _I,
)
_LEAD_DONE = lazy(
    r"\b(?:(?:what|changes) (?:i|was|were|we)\b|(?:changes|edits) made|done|completed|implemented|fixed|added|updated|removed|refactored|delivered|created)\b"
    r"|\u5df2|\u5b8c\u6210|\u65b0\u589e|\b(?:umgesetzt|erledigt|implementiert|behoben)\b",
    _I,
)
_LEAD_PLAN = lazy(
    r"\b(?:next|steps?|how to|usage|to ?do|remaining|recommend\w*|suggest\w*|options?|questions?|follow-?ups?|plan(?:ned)?|proposed|proposal|would|could|should|will|not done|limitations|caveats|risks?"
    r"|known issues|known gaps|deferred|skipped|out of scope|open|want|would you|before|root cause|problem|issue|why|vorschl\w+|n\u00e4chste\w*|offen\w*|optional)\b"
    r"|\u4f7f\u7528$|\u5efa\u8bae|\u6539\u8fdb|\u9700\u8981|\u4e0b\u4e00\u6b65|\u4f18\u5148|\u76ee\u6807|\u987a\u5e8f|\u65b9\u6848|\u8ba1\u5212",
    _I,
)
_IMPERATIVE = lazy(
    r"^[\W_]*(?:run|use|open|check|try|add|set|make|start|stop|visit|see|read|install|create|commit|push|review|call|click|go|note)\b",
    _I,
)
_QUOTED = lazy(r"^[\"\u201c\u2018\u00ab].*[\"\u201d\u2019\u00bb][.!]?$")
_BARE = lazy(
    r"^[\W_]*(?:\w+ed|done|all done|perfect|great|excellent|ok(?:ay)?|got it|good|yes|fertig|erledigt|completed?)[\W_]*$",
    _I,
)
_LABEL = lazy(r"^[\W_]*\*\*[^*]{1,60}\*\*:?\s*|^[\W_]*[A-Z][\w ]{2,24}:\s+")
_EXPLAINING = lazy(
    r"\b(?:root cause|cause|problem|issue|why|background|before|symptom|note|caveat|reason|context|risk|limitation|next"
    r"|criteri\w+|goals?|targets?|expected|expectations?|requirements?|acceptance|definition of done|to ?do|plan|ziel\w*|objecti\w+)\b",
    _I,
)
_QUOTES = lazy(
    r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u201e[^\u201c\u201d\n]*[\u201c\u201d]|\u00ab[^\u00bb\n]*\u00bb|\u300c[^\u300d\n]*\u300d"
)
_CITING = lazy(
    r"\b(?:says?|said|claim(?:s|ed)?|promis\w+|states?|stated|reads?|wrote|quot\w+|according to|is what|message|comment|issue|ticket|readme|docs?|log|wording|phrase|title|told|asked)\b",
    _I,
)
# What held before, or holds somewhere else, is no statement on this code.
_ELSEWHERE = lazy(
    r"^[\W_]*(?:previously|originally|before (?:my|the|this|these|that)|earlier|you (?:said|say|mentioned|wrote|reported|told)|the (?:user|issue|ticket|readme|docs?|ci log) (?:said|says|claims|states))\b"
    r"|\b(?:pass(?:es|ed|ing)?|green|worked|succeeded)\b[^.;]{0,20}\b(?:before(?! (?:commit|push|merg|releas|deploy|publish|hand)\w*ing\b)|on (?:main|master|the (?:base|main|target)(?: branch)?)|upstream|for you|on your (?:machine|side)|in your)\b"
    r"|\bused to\b|\uaca0\uc2b5\ub2c8\ub2e4|\u304b\u78ba\u8a8d\u3057|\u3088\u3046\u306b\u3057\u307e\u3059|^(?!.*(?:\u5df2|\u5b8c\u6210|\u4e86)).*(?:\u786e\u4fdd|\u662f\u5426|\u53ea\u8981|\u4e00\u65e6)|\u4e0b\u4e00\u6b65",
    _I,
)
_CONTRAST = lazy(r";\s|[,;]?\s(?:but|though|although|however|whereas|while|aber|mais|pero)\b", _I)
_BUT = lazy(r"[,;]?\s(?:but|aber|mais|pero)\b", _I)
_CONDITIONAL = lazy(r"^\W*(?:if|when|unless|once|wenn|falls|si|cuando)\b", _I)
_ASIDE = lazy(
    r",\s(?=(?:the |my |our |die |das |les? |la |los? |el )?(?:[\w-]+ ){1,3}(?:was|were|is|are|has|have|wurden?|ist|sind|n['\u2019]ont|n['\u2019]a)\b)",
    _I,
)
_SPAN = lazy(r"`[^`]*`")
_SHARE = lazy(r"\d+ ?(?:of|/|out of) ?\d+")
_UNDONE = lazy(r"\b(?:timed out|inconclusive|hung|hangs|crash\w*|pending|fail(?:s|ed|ing))\b", _I)
_UNTRIED = lazy(
    r"\b(?:I|we)\b[^.]{0,20}(?:not|n['\u2019]t|never|unable)\b[^.]{0,20}\b(?:run|ran|check|verif|test|confirm|execut|try|tried)",
    _I,
)
_SHORTEST = 6
_WORDS = lazy(r"\w")


def is_said(unit: Unit) -> bool:
    """Whether ``unit`` is the agent's own word on how things are: no question, quote, title, nor under a plan."""
    text = unit.text.strip()
    if (
        len(text) < _SHORTEST
        or text.endswith(("?", "\uff1f"))
        or _QUOTED.match(text)
        or _BARE.match(text)
        or not _WORDS.search(text)
        or unit.open
    ):
        return False
    return not (
        _LEAD_PLAN.search(unit.lead) or (unit.heading and len(text.split()) < 3 and len(text) < 24)  # noqa: PLR2004 - a title, no sentence
    )


def affirmed(text: str) -> str:
    """``text`` up to a contrast whose second half denies: ``the unit tests pass, but ...``.

    Or what comes after one whose first half denies: ``pytest is not on the path, but all 9 tests pass in the venv``.
    """
    turn = _CONTRAST.search(text)
    if turn is None:
        aside = _ASIDE.search(text)
        denied = aside is not None and _DENIAL.search(prose(text[aside.start() :]))
        turn = aside if denied else None
    elif _BUT.match(text, turn.start()) and _denied_first(text, turn):
        return text[turn.end() :].strip()
    if (
        turn is None
        or _UNTRIED.search(text, turn.end())
        or _SHARE.search(text, 0, turn.start())
        or _DENIAL.search(prose(text[: turn.start()]))
        or not (_DENIAL.search(rest := prose(text[turn.end() :])) or _UNDONE.search(rest))
    ):
        return text
    return f"{text[: turn.start()]}, but no more"


def _denied_first(text: str, turn: re.Match[str]) -> bool:
    before, behind = prose(text[: turn.start()]), prose(text[turn.end() :])
    return (
        _DENIAL.search(before) is not None
        and _DENIAL_OF_HARM.search(before) is None
        and _CONDITIONAL.search(before) is None
        and _DENIAL.search(behind) is None
        and _MODAL.search(behind) is None
    )


def is_claim(unit: Unit, *, worked: bool) -> bool:
    """Whether ``unit`` claims something; ``worked``: the session wrote files, so bullets under a summary are claims."""
    text = affirmed(unit.text.strip())
    if not is_said(unit):
        return False
    label = _LABEL.match(text)
    if label and _EXPLAINING.search(label[0]):
        return False
    if unit.table and _EXPLAINING.search(text.strip("| ").partition("|")[0]):
        return False
    if _PLAN.match(text[label.end() :] if label else text) or (
        _DENIAL.search(prose(text)) and not _DENIAL_OF_HARM.search(text)
    ):
        return False
    if _ELSEWHERE.search(prose(text)):
        return False
    said = _SPAN.sub(lambda m: m[0].replace(".", "_"), _cited(text))
    marker = next((m for pattern in _DONE if (m := pattern.search(said))), None)
    if marker is not None:
        modal = _MODAL.search(prose(text))
        return modal is None or modal.start() >= marker.end()
    if not (unit.bullet and worked and unit.lead) or unit.table or text.endswith((":", "\uff1a")):
        return False
    heading = unit.lead.split(" | ")[0]
    if not (
        _LEAD_DONE.search(heading) or ((_LEAD.search(unit.lead) or _LEAD_DONE.search(unit.lead)) and _checkable(text))
    ):
        return False
    return not _MODAL.search(prose(text)) and not _IMPERATIVE.match(text) and not _is_pointer(text)


def _cited(text: str) -> str:
    """``text`` without what it quotes of others."""
    return _QUOTES.sub(lambda m: " " * len(m[0]), text) if _CITING.search(text) else text


def _checkable(text: str) -> bool:
    """It names something that the record could show."""
    return bool(paths(text) or names(text))


def prose(text: str) -> str:
    """``text`` with its code spans blanked, at the same length: their words are not the agent's."""
    return re.sub(r"`[^`]*`", lambda m: " " * len(m[0]), text)


def _is_pointer(text: str) -> bool:
    """Only a name, a path or a link."""
    return re.fullmatch(r"[\W_]*(?:`[^`]+`|\[[^\]]+\]\([^)]+\)|[\x21-\x7e]+)[\W_]*", text) is not None
