# ruff: noqa: E501 - a pattern reads best on one line
"""How the runners name a failing test where one line holds the whole name."""

from __future__ import annotations

import re

from passdown.rules.patterns import lazy

_PY_ID = r"(?P<id>\S+?\.py(?:::[^\s\[]+(?:\[.*?\](?= - |\s+\w+ +\[ *\d+%\]|$))?)?)"
# A pattern of one failing test: its id in group "id" and perhaps its error in group "error". The first that finds any tells all.
HEADS = tuple(
    lazy(pattern, re.MULTILINE)
    for pattern in (
        # pytest: the short summary, else the verbose lines (alone, and by xdist's workers)
        rf"^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\(.*?\)|\[.*?\])?) {_PY_ID}(?: - (?P<error>.*))?$",
        rf"^(?:\[gw\d+\] )?\[ *\d+%\] (?:FAILED|ERROR) {_PY_ID}$",
        rf"^{_PY_ID} (?:FAILED|ERROR) +\[ *\d+%\]$",
        r"^(?:FAIL|ERROR): (?P<id>\w+ \([\w.]+\))",
        # Go, gotestsum
        r"^\s*--- FAIL: (?P<id>\S+)",
        r"^=== FAIL: \S+ (?P<id>\S+)",
        r"^FAIL\t(?P<id>\S+) \[(?P<error>[\w ]+ failed)\]",
        # Rust: nextest, then libtest
        r"^\s+(?:FAIL|TIMEOUT|SIG\w+|ABORT) \[ *>?[\d.]+s\](?: \( *\d+/\d+\))? (?P<id>\S+ \S.*)$",
        r"^test (?P<id>(?:[\w:]+|\S+\.rs)(?: - .*?)?) \.\.\. FAILED$",
        # Deno: the list that closes the run
        r"^(?P<id>\S.*) => \S+:\d+:\d+$",
        # vitest: the heading of a failure, else the tree
        r"^\s*FAIL\s+(?:\|[^|]+\| )?(?P<id>\S+ > .+|\S+(?= \[ \S+ \]$))",
        r"^\s+\u00d7 (?P<id>\S.*?) \d+ms$",
        r"^\(fail\) (?P<id>.+?)(?: \[[\d.]+ms\])?$",
        r"^\s*\u2718 \[fail\]: (?P<id>.+)$",
        # .NET: VSTest, then the terminal logger
        r"^\s*(?:Failed|Fehler|Nicht bestanden) (?P<id>[\w.+`]+(?:\(.*\))?) \[.*\]$",
        r"^\s+(?P<id>\w+(?:\.\w+)+(?:\(.*\))?) \([\d,.]+m?s\): (?:Error Message: )?(?P<error>.+)$",
        # JVM: gradle, surefire (its summary), surefire before 2.13
        r"^(?P<id>[\w.$]+ > .+?) FAILED$",
        r"^\[ERROR\]\s+(?P<id>[\w.$]+\.\w+(?:\([^)]*\))?(?:\[[^\]]*\])?(?::\d+(?:->[\w.$:]+)?(?= |$)|(?= \u00bb)))(?: \u00bb)? ?(?P<error>.*)$",
        r"^(?:Failed tests:|Tests in error:)?\s+(?P<id>\w+\([\w.$]+\)): (?P<error>.+)$",
        # C and C++: CTest, GoogleTest
        r"^\s*\d+ - (?P<id>.+?) \((?:Failed|Timeout|SEGFAULT|Not Run|Subprocess \w+|ILLEGAL|INTERRUPT|NUMERICAL|OTHER_FAULT|BAD_COMMAND|Exit code \w+)\)(?:[ \t].*)?$",
        r"^\[  FAILED  \] (?P<id>[\w/]+\.[\w/]+)(?:, where .*?)?(?: \(\d+ ms\))?$",
        # Ruby and PHP
        r"^(?P<id>[\w:]+#\w+)(?: \[\S+\])?:$",
        r"^\s+FAILED\s+(?P<id>\S+ > .+?)(?:\s{2,}\S+)?$",
        r"^\d+\) (?P<id>[\w\\]+::\w+.*)$",
        # Swift: XCTest, then Swift Testing
        r"^\S+\.swift:\d+: error: (?:-\[)?(?P<id>[\w.]+[. ]\w+)\]? : (?P<error>.+)$",
        r"^Test Case '(?:-\[)?(?P<id>[\w.]+(?: \w+)?)\]?' failed",
        r"^\u2718 Test (?!run )(?P<id>\S.*?) recorded an issue(?: with .*?)? at \S+: (?P<error>.+)$",
        # ExUnit, Playwright, Zig
        r"^\s+\d+\) (?P<id>(?:test|doctest|property) .+ \([\w.]+\))$",
        r"^\s+\d+\) (?P<id>\[[\w -]+\] \u203a .+?)(?: \u2500+)?$",
        r"^error: '(?P<id>[\w.]+)' failed: ?(?P<error>.*)$",
        # bats
        r"^ ?\u2717 (?P<id>\S.*?)(?: \[[\d.]+ms\])?$",
    )
)
