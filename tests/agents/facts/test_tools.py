# ruff: noqa: E501 - outputs and commands stand as they are
"""Which commands are checks, and of which kind; what only mentions a check is none."""

from __future__ import annotations

import pytest

from passdown.agents.facts.reading import read_line
from passdown.agents.facts.scope import is_whole
from passdown.agents.facts.scripts import strongest
from passdown.agents.facts.tools import mends
from passdown.rules.shell_words import unwrap

CHECKS = {
    "test": """
        pytest -q | python -m pytest tests | python3 -m unittest discover | tox -e py311 | nox -s tests | uv run pytest -x | poetry run pytest
        npm test | npm t | npm run test:unit | pnpm test | pnpm --filter web test | yarn test | yarn workspace web test | bun test | bun run test
        npx vitest run | npx jest --ci | npx mocha | npx playwright test | bunx vitest run | npx cypress run | node_modules/.bin/jest | deno test
        go test ./... | gotestsum ./... | cargo test | cargo nextest run | make test | make -j4 check-tests test | just test | mise run test
        mise run test:integration | task test | ./gradlew test | gradle :app:testDebug | mvn -q test | ./mvnw verify | dotnet test | rspec
        bundle exec rspec spec/x_spec.rb | bin/rails test | rake test | php artisan test | vendor/bin/phpunit | php vendor/bin/phpunit | composer test
        ctest --test-dir build | swift test | xcodebuild test -scheme App | mix test | flutter test | dart test | zig test x.zig | sbt test | bazel test //...
        python manage.py test | docker compose run --rm web pytest | ./scripts/test.sh | bash run-tests.sh | tox | python tests/test_all.py
    """,
    "lint": """
        ruff check . | ruff format --check . | flake8 src | pylint pkg | black --check . | isort --check-only . | npm run lint | pnpm lint | yarn lint
        eslint src | npx eslint . | npx prettier --check . | npx biome check . | bunx @biomejs/biome ci | golangci-lint run ./... | go vet ./...
        cargo clippy -- -D warnings | cargo fmt --check | rubocop | bundle exec rubocop | shellcheck x.sh | make lint | just lint | mise run lint
        pre-commit run --all-files | gofmt -l . | npx markdownlint-cli2 README.md | swiftlint | mix credo | mix format --check-formatted
        ./gradlew ktlintCheck | npm run format:check | npx stylelint "**/*.css" | yamllint . | dotnet format --verify-no-changes | helm lint chart
    """,
    "types": """
        mypy src | uv run mypy --strict src | pyright | npx tsc --noEmit | tsc -p . --noEmit | vue-tsc --noEmit | npm run typecheck | pnpm type-check
        yarn tsc --noEmit | bun run check-types | cargo check | phpstan analyse | vendor/bin/psalm | make mypy | deno check main.ts | ty check
    """,
    "build": """
        npm run build | pnpm build | yarn build | bun run build | go build ./... | cargo build --release | make build | cmake --build build
        ./gradlew assembleDebug | mvn -DskipTests package | dotnet build | swift build | mix compile | npx vite build | next build | docfx docfx.json
        mkdocs build --strict | sphinx-build docs out | xcodebuild -scheme App build | ninja -C out | python -m build | npm run build:docs | msbuild A.sln
    """,
    "other": "make check | npm run check | just ci | npm run verify | terraform validate | npm run validate",
}
NO_CHECKS = """
    grep -rn pytest . | cat tests/test_x.py | pytest --help | pytest --version | pytest --collect-only | npx jest --listTests | echo pytest
    git status | git log --grep test | git commit -m "run pytest" | npm install | npm ci | pnpm add vitest | pip install pytest mypy | uv add ruff
    npm run dev | npm start | npm run test:watch | vite | next dev | cargo run | go run ./cmd/x | go mod tidy | go doc testing | cargo fmt | black .
    ruff format . | prettier --write . | npm run format | npm run lint:fix --help | make clean | make install | docker build . | docker compose up
    ls tests | find . -name "*test*" | head -5 test.log | sed -n 1,5p lint.txt | which pytest | type mypy | gh pr checks 12 | gh run view | make
    dotnet --info | dotnet msbuild -getProperty:X | dotnet restore | cargo --list | rtk git status | npm view jest | tail -f build.log | test -f x
    [ -f pytest.ini ] | python -c "import pytest" | node -e "require('jest')" | python script.py | ./entire help | cp build/x y | mkdir build
    mise run fmt | npx create-vite app | pnpm dlx degit x | yarn add jest | kubectl apply -f test.yaml | ssh host ls | playwright install
"""


def cases(text: str) -> list[str]:
    return [part.strip() for line in text.split("\n") for part in line.split(" | ") if part.strip()]


def kind_of(line: str) -> str | None:
    return strongest([kind for kind, _ in read_line(line).checks])


@pytest.mark.parametrize(("line", "kind"), [(line, kind) for kind, text in CHECKS.items() for line in cases(text)])
def test_checks_of_fifteen_ecosystems(line: str, kind: str) -> None:
    assert kind_of(line) == kind


@pytest.mark.parametrize("line", cases(NO_CHECKS))
def test_what_is_no_check(line: str) -> None:
    assert kind_of(line) is None


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("cd web && npm run lint && npm test", "test"),
        ("bash -lc 'mise run fmt && mise run lint'", "lint"),
        ("cat > x.json <<'EOF'\n{}\nEOF\ndocfx metadata x.json", "build"),
        ("git add . && git commit -m \"$(cat <<'EOF'\nnpm test\nEOF\n)\"", None),
    ],
)
def test_several_programs_in_one_line(line: str, kind: str | None) -> None:
    assert kind_of(line) == kind


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("pytest", True),
        ("pytest -q -n 4 tests", True),
        ("pytest -m 'not slow'", True),
        ("pytest -k name", False),
        ("pytest tests/test_x.py", False),
        ("pytest tests/unit", False),
        ("npm test", True),
        ("npm test -- src/a.test.ts", False),
        ("npm run test:unit", False),
        ("go test ./...", True),
        ("go test ./pkg/x", False),
        ("go test -run TestX ./...", False),
        ("cargo test", True),
        ("cargo test -p core", False),
        ("make test", True),
        ("dotnet test", True),
        ("./gradlew test --tests a.B", False),
        ("bun test src/x.test.ts", False),
    ],
)
def test_a_claim_about_all_tests_needs_a_whole_run(line: str, *, whole: bool) -> None:
    call = read_line(line).checks[-1][1]
    assert is_whole(unwrap(call.words)) is whole


@pytest.mark.parametrize(
    ("line", "fixes"),
    [
        ("npm run lint:fix", True),
        ("npx eslint --fix .", True),
        ("ruff check --fix", True),
        ("cargo fmt", True),
        ("black .", True),
        ("npm run lint", False),
        ("git commit -m fix", False),
    ],
)
def test_fixers_are_known(line: str, *, fixes: bool) -> None:
    assert mends(line, "lint") is fixes


SPEAKS = r"""
    pytest
    cd web && pytest -q
    set -o pipefail; pytest | tail -5
    set -euo pipefail; pytest | tee log
    set -eo pipefail && pytest 2>&1 | tee log
    pytest | tee log; exit ${PIPESTATUS[0]}
    pytest | tee log; test ${PIPESTATUS[0]} -eq 0
    pytest > log 2>&1; rc=$?; tail -5 log; exit $rc
    pytest || exit 1
    pytest || { echo bad; exit 1; }
    (cd web && pytest)
    { pytest; }
    time pytest
    timeout 60 pytest
    bash -c "pytest"
    bash -c "set -o pipefail; pytest | tail"
    bash -o pipefail -c "pytest | tail"
    bash -euo pipefail -c 'pytest | tail'
    pytest --junitxml=r.xml && echo OK
    source .venv/bin/activate && pytest
    . .venv/bin/activate; pytest
    export X=1; pytest
    FOO=bar pytest
    pytest; exit $?
    npm test -- --run
    nix develop -c pytest
    docker compose exec -T web pytest
    pytest < /dev/null
    pytest >/dev/null 2>&1
    pytest && pytest -x
    git diff --name-only | xargs ruff check
    eval "pytest"
    make test 2>&1
    command pytest
    env -i PATH=$PATH pytest
    pytest <<< ""
    ( set -o pipefail; pytest | tail )
    pytest; [ $? -eq 0 ]
    pytest; test $? -eq 0
    cmd /c "npm test"
    powershell -Command "npm test"
"""
HIDES = r"""
    pytest | tee log
    pytest |& tee log
    pytest > log 2>&1; rc=$?; tail -5 log; echo rc=$rc
    pytest; echo done
    pytest || true
    pytest || echo failed
    (pytest || true)
    (cd web; pytest; echo done)
    pytest &
    pytest & wait
    ! pytest
    if pytest; then echo ok; else echo bad; fi
    bash -c "pytest | tail"
    for d in a b; do (cd $d && pytest); done
    while ! pytest; do sleep 1; done
    pytest 2>&1 | grep -E "passed|failed"
    pytest | cat
    x=$(pytest); echo "$x"
    pytest && echo OK || echo BAD
    pytest && echo OK; echo rest
    pytest; exit 0
    pytest; true
    pytest 2>&1 | head -50 && echo done
    trap 'exit 0' EXIT; pytest
    pytest; pytest -x
    pytest --tb=short 2>&1 | tail -n 30 ; echo "exit=${PIPESTATUS[0]}"
    sh -c 'pytest; true'
    make -i test
    make -k test || :
    pytest || :
    (pytest) | tail
    ( set -o pipefail; pytest | tail ); true
    pytest; [ $? -eq 0 ] && echo passed
    npm test --silent; echo $?
    pwsh -c "npm test; exit 0"
    pylint --exit-zero pkg
    golangci-lint run --issues-exit-code=0
"""


@pytest.mark.parametrize("line", [line.strip() for line in SPEAKS.strip().split("\n")])
def test_the_exit_code_speaks_for_the_check(line: str) -> None:
    assert read_line(line).checks
    assert not read_line(line).masked


@pytest.mark.parametrize("line", [line.strip() for line in HIDES.strip().split("\n")])
def test_the_exit_code_says_nothing_of_the_check(line: str) -> None:
    assert read_line(line).checks
    assert read_line(line).masked


MORE = {
    "test": r"""
        python -m pytest -n auto
        python3.12 -m pytest tests/unit -x --ff
        uv run --with pytest pytest
        uv run python -m unittest
        uvx --from pytest pytest
        hatch test
        hatch run test
        hatch run dev:test
        pdm run test
        poe test
        rye test
        pixi run test
        conda run -n dev pytest
        docker compose run --rm -e X=1 web pytest -q
        docker exec -it web npm test
        make -C web test
        make test-unit
        make unit
        just test-all
        task test:unit
        npm run -s test
        npm run test --workspace=web
        npm run test:ci -- --coverage
        npm --prefix web test
        pnpm -r test
        pnpm --filter ./web run test
        pnpm exec vitest run
        yarn workspace web run test
        yarn run -T jest
        bun x vitest run
        bun --cwd web test
        npx --yes vitest run
        npx -y jest --runInBand
        npx tsx --test src/*.test.ts
        node --test --experimental-strip-types
        node --import tsx --test test/*.ts
        node ./node_modules/jest/bin/jest.js
        npx nx test web
        npx nx run web:test
        npx nx affected -t test
        turbo run test --filter=web
        npx turbo test
        deno task test
        deno test -A
        ng test --watch=false
        go test -race -count=1 ./...
        go test -C web ./...
        gotestsum --format testname -- ./...
        ginkgo -r
        richgo test ./...
        cargo t
        cargo test --workspace --all-features
        cargo nextest run --workspace
        cargo +nightly test
        cross test
        RUST_BACKTRACE=1 cargo test -p core
        ./gradlew :app:test --tests "*X*"
        ./gradlew check
        ./gradlew connectedAndroidTest
        ./mvnw -pl core test
        mvn clean verify
        mvn -Dtest=SumTest test
        sbt "testOnly *Sum*"
        sbt test
        bazel test //... --test_output=errors
        dotnet test --no-build --filter X
        bundle exec rake spec
        bin/rspec
        rails test
        bundle exec rails test test/models
        ruby -Itest test/cart_test.rb
        php bin/phpunit
        ./vendor/bin/pest --parallel
        composer run test
        composer test -- --filter X
        php artisan test --parallel
        symfony php bin/phpunit
        ctest -j4 --output-on-failure
        cmake --build build --target test
        ninja -C build test
        meson test -C build
        swift test --parallel
        xcodebuild -scheme App -destination 'x' test
        mix test test/x_test.exs:12
        MIX_ENV=test mix test
        rebar3 eunit
        rebar3 ct
        gleam test
        lein test
        clojure -X:test
        stack test
        cabal test all
        dune test
        dune runtest
        opam exec -- dune runtest
        zig build test
        flutter test
        dart run test
        nim c -r tests/test1.nim
        julia --project -e 'using Pkg; Pkg.test()'
        Rscript -e 'devtools::test()'
        busted
        prove -lr t
        perl Makefile.PL && make test
        bats tests
        forge test -vv
        npx hardhat test
        anchor test
        molecule test
        npx cypress run --spec x
        npx playwright test tests/x.spec.ts
        python -m playwright test
        npx wdio run wdio.conf.ts
        npx ava
        npx tap
        python -m doctest README.md
        python -m nose2
        ./run_tests.sh
        ./scripts/run-tests.sh unit
        sh ./test.sh
        python run_tests.py
        python -m tests
        coverage run -m pytest
    """,
    "lint": r"""
        ruff check --fix-only .
        npx eslint . --max-warnings 0
        npx @biomejs/biome check src
        bunx biome ci .
        deno lint
        deno fmt --check
        npx oxlint
        npx dprint check
        npx standard
        golangci-lint run
        revive ./...
        staticcheck ./...
        cargo clippy --all-targets
        cargo fmt --all -- --check
        cargo deny check
        ktlint
        ./gradlew detekt
        ./gradlew spotlessCheck
        mvn checkstyle:check
        mvn spotless:check
        dotnet format --verify-no-changes
        bundle exec rubocop -A
        bundle exec standardrb
        vendor/bin/phpcs src
        vendor/bin/php-cs-fixer fix --dry-run
        vendor/bin/pint --test
        clang-format --dry-run -Werror src/a.c
        clang-tidy src/a.c
        cppcheck src
        swiftlint lint
        swiftformat --lint .
        mix format --check-formatted
        mix credo --strict
        hlint src
        luacheck .
        shellcheck scripts/*.sh
        shfmt -d .
        hadolint Dockerfile
        actionlint
        terraform fmt -check
        tflint
        ansible-lint
        sqlfluff lint
        buf lint
        npx markdownlint "**/*.md"
        npx cspell "**/*.md"
        npx knip
        npx depcheck
        npx commitlint --from HEAD~1
        pre-commit run -a
        prek run --all-files
        lefthook run pre-commit
        npx lint-staged
        hatch fmt --check
        uv run ruff format --check
        nox -s lint
        tox -e lint
    """,
    "types": r"""
        uv run mypy .
        pyright --stats
        basedpyright
        uvx ty check
        npx tsc -b --noEmit
        npx vue-tsc --noEmit
        npx tsc --noEmit -p tsconfig.json
        pnpm tsc
        npm run type-check
        npm run check-types
        npm run tsc
        bun tsc --noEmit
        npx svelte-check
        npx astro check
        deno check src/mod.ts
        cargo check --workspace
        vendor/bin/phpstan analyse
        vendor/bin/psalm
        bundle exec srb tc
        bundle exec steep check
        mix dialyzer
        flow check
        dmypy run -- src
        pytype src
    """,
    "build": r"""
        npm run build --if-present
        pnpm -F web build
        yarn build:prod
        npx vite build
        npx next build
        npx tsup
        npx webpack --mode production
        go build -o bin/x ./cmd/x
        cargo build
        cargo b
        cargo doc --no-deps
        ./gradlew build -x test
        ./gradlew assemble
        mvn package -DskipTests
        mvn -q compile
        dotnet build -c Release
        swift build
        xcodebuild build -scheme X
        cmake --build build -j4
        make build
        ninja
        meson compile -C build
        bazel build //...
        mix compile --warnings-as-errors
        python -m build
        uv build
        poetry build
        hatch build
        python -m compileall src
        stack build
        dune build
        zig build
        flutter build apk
        mkdocs build
    """,
    None: r"""
        docker compose up -d test-db
        git checkout tests
        npm run test:watch
        npm run storybook
        pytest --fixtures
        cargo install cargo-nextest
        pip install -e ".[test]"
        uv sync --group test
        apt-get install -y shellcheck
        brew install pytest
        ls -la tests/
        mkdir -p tests/unit
        rm -rf .pytest_cache
        cp tests/a.py tests/b.py
        touch tests/test_x.py
        vim tests/test_x.py
        cat pytest.ini
        npm ls jest
        yarn why jest
        echo "npm test"
        printf 'cargo test\n'
        grep -r "npm test" .
        git commit -m "fix: npm test"
        git stash && git status
        curl http://localhost/test
        terraform plan
        kubectl get pods
        ruff format .
        cargo fmt
        npx prettier --write .
        go fmt ./...
        gofmt -w .
        dotnet new xunit
        rails generate rspec:install
        npx playwright install
        npx playwright codegen
        npx cypress open
        node test.js
        make help
        make -n test
        just --list
        nox -l
        tox -l
        pytest --co -q
        ctest -N
        go test -list . ./...
        go vet -h
        tsc --version
        tsc --init
        mvn dependency:tree
        gradle tasks
        python -m venv .venv
        which pytest
        command -v pytest
        test -f x && echo y
        [ -d tests ] && ls
        time ls
    """,
}


@pytest.mark.parametrize(
    ("line", "kind"), [(line.strip(), kind) for kind, text in MORE.items() for line in text.strip().split("\n")]
)
def test_more_tools_wrappers_and_what_only_names_them(line: str, kind: str | None) -> None:
    assert kind_of(line) == kind


WHOLE = """
    node --test
    npx tsx --test "test/**/*.test.ts"
    npx tsx --test test/*.test.ts
    npx vitest run
    npx vitest run --coverage
    npx jest --ci --coverage
    npx jest --config jest.config.js
    npx mocha
    npx mocha "test/**/*.spec.js"
    deno test -A
    bun test
    npx playwright test
    python -m unittest
    python -m unittest discover -s tests
    python manage.py test
    pytest -x --tb=short
    pytest -n auto -q
    pytest --cov=src --cov-report=term
    pytest -p no:cacheprovider
    pytest -o addopts= -W error
    tox
    tox -e py311
    nox
    nox -s tests-3.11
    cargo test --workspace
    cargo test --all-features
    cargo nextest run
    go test -race -count=1 ./...
    go test -v ./... -timeout 60s
    gotestsum ./...
    ./gradlew test
    ./gradlew clean test --info
    mvn -B test
    mvn clean verify
    dotnet test
    dotnet test App.sln
    bundle exec rspec
    bin/rails test
    rake test
    vendor/bin/phpunit
    composer test
    ctest --test-dir build
    swift test
    mix test
    npm test
    npm run test
    npm test -- --run
    pnpm -r test
    yarn test --watchAll=false
    make test
    just test
    make check
    uv run pytest
    poetry run pytest -q
    bazel test //...
    flutter test
    npx turbo test
    hatch test
"""
PARTS = """
    node --test test/a.test.js
    npx vitest run src/a
    npx vitest run -t adds
    npx jest cart
    npx jest --testPathPattern=cart
    npx jest -o
    deno test a_test.ts
    bun test cart
    npx playwright test tests/login.spec.ts
    npx playwright test -g login
    python -m unittest tests.test_a
    python -m unittest tests.test_a.T.test_x
    python manage.py test shop
    pytest --lf
    pytest "tests/test_a.py::test_x"
    pytest -k "a and b"
    pytest tests/unit -q
    cargo test adds
    cargo test --lib
    cargo nextest run -E 'test(x)'
    cargo nextest run adds
    go test ./store
    go test .
    go test -run TestX ./...
    ./gradlew :app:test
    ./gradlew test --tests "*X*"
    mvn -Dtest=SumTest test
    mvn -pl core test
    dotnet test tests/App.Tests
    dotnet test --filter X
    bundle exec rspec spec/models
    bundle exec rspec spec/a_spec.rb:12
    bundle exec rspec -e adds
    bin/rails test test/models/a_test.rb
    vendor/bin/phpunit tests/CartTest.php
    vendor/bin/phpunit --filter x
    ctest -R cart
    swift test --filter x
    mix test test/a_test.exs
    mix test --only slow
    npm test -- cart
    npm test -- -t adds
    npm run test:unit
    pnpm --filter web test
    yarn test src/a.test.ts
    make test TESTS=tests/test_a.py
    make test ARGS="-k x"
    just test cart
    bazel test //app:test
    flutter test test/a_test.dart
    npm run test --workspace=web
    npx nx test web
    npx turbo test --filter=web
    make test-unit
    just e2e
    tox -e lint
    npx vitest run --shard=1/3
    pytest --splits 3 --group 1
"""


@pytest.mark.parametrize("line", [line.strip() for line in WHOLE.strip().split("\n")])
def test_the_whole_suite_ran(line: str) -> None:
    assert is_whole(unwrap(read_line(line).checks[-1][1].words))


@pytest.mark.parametrize("line", [line.strip() for line in PARTS.strip().split("\n")])
def test_only_a_part_of_the_suite_ran(line: str) -> None:
    assert not is_whole(unwrap(read_line(line).checks[-1][1].words))
