# The targets of this package, which a bare `make` lists.
# Each target does its own setup, so that any of them can be the first one typed after a clone.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play serve test check lint library programs docc docs encryption depth smoke clients builds sanitizers \
    tour bench layers format apple sanitize soak hosts mutants model clean ready libpq server browser

PLAYGROUND := --package-path Playground
BENCHMARKS := --package-path Playground/Benchmarks
# In the build folder of the Playground, whose tests have built the packages that both need.
SERVER := --package-path Playground/Server --scratch-path Playground/.build
ENCRYPTION := --package-path Playground/Encryption
MUTANTS := --package-path Playground/Mutants -Xswiftc -gnone
# The tests of @Entity need swift-syntax, which the package has only with this trait. Every target that shares their
# build sets it; the sanitizers and the Playground do not.
MACROS := --traits Macros
# The Playground's page needs a server framework, which only this trait builds.
SERVE := --traits Serve
# The packages of `.ci` that the sanitizers test, which have nothing else to build. The store takes as long as
# everything else that `check` does, so `check` leaves it out.
SANITIZED ?= Streams Store
# Without a limit all tests begin at once. A test that waits for an event would share two cores with so many others that
# two minutes might not be enough.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8
# Runs a command at idle priority; not for anything with a time limit.
IDLE := $(shell if chrt -i 0 true 2>/dev/null; then echo chrt -i 0; else echo nice -n 19; fi)
# The numbers of rounds in a long run, and the seed of its first random history.
HISTORIES ?= 20000
KILLS ?= 500
RESTARTS ?= 200
STRESS ?= 100000
HISTORY ?= 1000
# The numbers of random sets of live queries, and of the commits that each of them follows.
QUERIES ?= 400
COMMITS ?= 2000
# The same for the random schemas of other programs.
SCHEMAS ?= 10000
SCHEMA ?= 1000
CORES := $(shell getconf _NPROCESSORS_ONLN)
# No test needs debug information, and the search for tests needs only the index of the package's own sources: that of
# the system's takes a third of a build. Three batches of files for each core: each batch parses its whole module, and
# with 25 files in each there would be ten. With fewer batches, the last one keeps one core busy alone for minutes.
NO_INDEX := -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
FAST := -Xswiftc -gnone $(NO_INDEX) -Xswiftc -driver-batch-count -Xswiftc $(shell expr 3 \* $(CORES))
# Compiles whole modules, which takes a sixth less CPU time. It is for builds that run once: a change compiles its whole
# module again.
WHOLE := -Xswiftc -gnone $(NO_INDEX) -Xswiftc -disable-batch-mode -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc $(CORES)
# A debug build checks that each access to a variable is exclusive, which takes a fifth of the time of all tests.
# `check` and the sanitizers keep the check.
UNCHECKED := -Xswiftc -enforce-exclusivity=unchecked
# Set only by `check`, so that its search for warnings and the tests share one build.
STRICT :=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# An optimized build takes a minute longer, most of it on one core, and the tour a second less. The folder and the
# settings are those of the tests, so that both share the build of the library.
BUILD ?= debug
play: ready libpq ## run the tour: 100,000 films imported, followed live and summed up; make play BUILD=release for speed
	@swift run -c $(BUILD) $(FAST) $(UNCHECKED) $(PLAYGROUND) --scratch-path .build playground $(ARGS)

# In the Playground's own folder, which `check` builds with the same trait. `play` is quick because it does not set it.
serve: ready libpq ## open a store of films to a browser, on a page that changes when a row does: make serve ARGS="--store films.sqlite --port 8080"
	@swift run -c $(BUILD) $(FAST) $(UNCHECKED) $(PLAYGROUND) $(SERVE) playground serve $(ARGS)

# Without the trait, because the tests of @Entity need swift-syntax, which takes minutes to build. So do the packages of
# the Playground and the server, and the tests of documents and project rules. After changing those, run `check`.
test: export VALUES ?= 3000
test: export EXPRESSIONS ?= 200
test: export TERMS ?= 40
test: export WITHOUT_TIDY = 1
test: ready server ## run every test of the library; those of the macro, the documents, the Playground and the server are a part of check
	@swift test --disable-xctest $(FAST) $(UNCHECKED) $(ARGS)

# The builds without a test run beside the tests, in the time that those leave. So does the documentation, once the
# modules that it needs are built. Missing packages are installed first, because apt-get runs only once at a time.
check: export SANITIZED = Streams
check: STRICT := -Xswiftc -warnings-as-errors $(WHOLE)
check: lint server browser ## all that must hold before a change goes in: format, warnings, every test
	@mkdir -p .build-check
	@$(IDLE) $(MAKE) --no-print-directory builds >.build-check/log 2>&1 & builds=$$!; \
	$(MAKE) --no-print-directory library programs encryption STRICT='$(STRICT)' || { kill $$builds; exit 1; }; \
	$(IDLE) $(MAKE) --no-print-directory docc >.build-check/docc 2>&1 & docc=$$!; \
	$(MAKE) --no-print-directory depth sanitize STRICT='$(STRICT)' || { kill $$builds $$docc; exit 1; }; \
	wait $$builds; status=$$?; wait $$docc || status=1; cat .build-check/log .build-check/docc; [ $$status -eq 0 ]
	@$(MAKE) --no-print-directory smoke

bench: ready server ## measure beside the raw C API and the peers: make bench ARGS="--json"
	@swift run -c release $(BENCHMARKS) benchmarks $(ARGS)

layers: ready server ## print which folder of the core uses which
	@LAYERS=1 swift test --disable-xctest $(MACROS) --filter 'TidyTests\.TidyTests/layers' 2>/dev/null | grep ' → '

docs: docc ## build the documentation of all products and show it in a browser; Ctrl-C ends it
	@.ci/docc serve

format: ready ## rewrite the sources in the project's format
	@swift format --in-place --recursive --parallel .

# Other targets run the tests of depth: a sanitizer takes minutes for them, and finds nothing.
sanitize: export VALUES := 300
sanitize: sanitizers ## run the tests of the streams and the store under the thread, the address and the leak sanitizer; make sanitize SANITIZED=Streams
	@.ci/sanitize test $(SANITIZED)

soak: ready server ## play random histories, send each engine random queries, crash and restart a server, follow many commits: make soak HISTORIES=100000 HISTORY=1 KILLS=500
	@HISTORIES=$(HISTORIES) HISTORY=$(HISTORY) QUERIES=$(QUERIES) COMMITS=$(COMMITS) SCHEMAS=$(SCHEMAS) SCHEMA=$(SCHEMA) KILLS=$(KILLS) RESTARTS=$(RESTARTS) STRESS=$(STRESS) \
	    swift test --disable-xctest $(MACROS) \
	    --filter 'HistoryTests|ComputedLiveTests|UndoUniqueTests|OtherSchemasTests|AgreementTests|ArithmeticTests|ServerKillTests|RestartTests|StreamStressTests'

# It runs its own tests, too, because only this target builds swift-syntax as a library, which takes minutes.
mutants: ready server ## put small faults into the sources and show those that no test sees: make mutants ARGS="--count 40"
	@echo "== tests of the mutants =="
	@swift test --disable-xctest $(MUTANTS)
	@echo "== mutants =="
	@swift build $(MUTANTS) --product mutants
	@Playground/Mutants/.build/debug/mutants $(ARGS)

model: ## try every interleaving of a few threads at the outbox of a sink, and faults in it (Python 3, two minutes)
	@python3 .ci/outbox.py

hosts: ready server ## follow one server on three hosts while it is stopped and started (root): make hosts ARGS="--seconds 3600 --restart-every 60"
	@.ci/hosts $(ARGS)

clean: ## remove everything that was built
	@rm -rf .build .build-tsan .build-asan .build-store-tsan .build-store-asan .build-mutants .build-hosts .build-docc .build-check .build-tour .build-apple
	@rm -rf Playground/.build Playground/Benchmarks/.build Playground/Server/.build Playground/Mutants/.build
	@rm -rf Playground/Encryption/.build

# The parts of `check`.

lint: ready
	@echo "== format =="
	@swift format lint --strict --recursive --parallel .

# The store is optimized, with its assertions, so that its tests take half as long. `make test` tests a debug build of
# it; the streams are a debug build in both.
library depth: export OPTIMIZED = 1
library: export PATIENCE = 300
# Only the product with the tests: with the macro, a whole build compiles all libraries twice, once for the tools.
library: ready server browser
	@echo "== tests =="
	@swift build --product SignalRepositoryPackageTests $(MACROS) $(STRICT)
	@swift test --skip-build --disable-xctest $(MACROS) $(STRICT)

programs: ready server browser
	@echo "== tests of the Playground =="
	@swift test --disable-xctest $(PLAYGROUND) $(SERVE) $(STRICT)
	@echo "== tests of the server =="
	@swift test --disable-xctest $(SERVER) $(STRICT)

# Each warning is an error: a link that leads nowhere or to two things, a parameter without a description.
docc: ready libpq
	@echo "== documentation =="
	@.ci/docc

apple: ready ## test the bridge to Combine with OpenCombine, and compile what else is for Apple platforms
	@echo "== code for Apple platforms =="
	@.ci/apple

# With its own SQLite, which must be downloaded: without a network these tests are left out.
encryption: ready
	@echo "== tests of encryption =="
	@if Playground/Encryption/get-sqlite; then \
	    .ci/clients encryption --disable-xctest $(ENCRYPTION) $(STRICT); \
	else \
	    echo "SQLite3 Multiple Ciphers could not be downloaded. Left out: the tests of encryption, a client without libpq."; \
	fi

# In separate runs, because for minutes they leave no thread to other tests.
depth: ready server
	@echo "== 200,000 values through every operator on a small stack, 100,000 live queries =="
	@PATIENCE=300 VALUES=200000 swift test --skip-build --disable-xctest $(MACROS) $(STRICT) \
	    --filter '^SignalsTests\.StackTests|^SignalRepositoryTests\.WorkTests'
	@echo "== 30,000 random expressions =="
	@PATIENCE=300 EXPRESSIONS=700 swift test --skip-build --disable-xctest $(MACROS) $(STRICT) \
	    --filter '^SignalRepositoryTests\.AgreementTests'
	@echo "== 100 more random histories =="
	@PATIENCE=300 HISTORY=100 HISTORIES=100 swift test --skip-build --disable-xctest $(MACROS) $(STRICT) \
	    --filter '^SignalRepositoryTests\.HistoryTests'

# The program as a release build; the tests above run a debug build.
smoke: tour
	@echo "== the tour =="
	@swift run --skip-build -c release -Xswiftc -gnone $(PLAYGROUND) --scratch-path .build-tour playground

# The products that `check` builds while the tests run.
builds: sanitizers clients tour apple

sanitizers: ready server
	@.ci/sanitize build $(SANITIZED)

tour: ready libpq
	@swift build -c release -Xswiftc -gnone $(PLAYGROUND) --scratch-path .build-tour --product playground

# Checks that a package that depends on this one gets nothing else, unless it asks for it.
clients: ready libpq
	@echo "== clients =="
	@.ci/clients

# The setup. Swift must be installed; other missing packages are installed if there is apt. On macOS the SDK has SQLite,
# and Homebrew the rest.

# Installs packages: $(call install,the name of the dependency,a command that succeeds if it is installed,packages).
define install
	@if [ "$$(uname -s)" = Darwin ] || { $(2); } >/dev/null 2>&1; then \
	    exit 0; \
	elif ! command -v apt-get >/dev/null 2>&1; then \
	    echo "$(1) is missing and there is no apt-get: install it and try again." >&2; \
	    exit 1; \
	elif [ "$$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then \
	    echo "$(1) is missing and there is no sudo: run 'apt-get install $(3)' as root." >&2; \
	    exit 1; \
	fi; \
	if [ "$$(id -u)" -eq 0 ]; then as_root=""; else as_root=sudo; fi; \
	echo "Installing $(3)."; \
	$$as_root sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(3)' >/dev/null || { \
	    echo "$(1) is missing and apt-get could not install $(3): see its message above." >&2; \
	    exit 1; }
endef

ready:
	@command -v swift >/dev/null 2>&1 || { \
	    echo "Swift is missing: install version 6.2 or later from https://www.swift.org/install and try again." >&2; \
	    exit 1; }
	$(call install,SQLite's header sqlite3.h,echo '#include <sqlite3.h>' | clang -E -x c -,libsqlite3-dev)

# PostgreSQL's client library, which the second engine, and so the Playground, needs.
libpq:
	$(call install,PostgreSQL's client library,$(LIBPQ_IS_THERE),libpq-dev)

# The same, and a server, which the tests start themselves.
server:
	$(call install,PostgreSQL,$(LIBPQ_IS_THERE) && ls /usr/lib/postgresql/*/bin/initdb,libpq-dev postgresql)

# A browser, in which the tests open the Playground's page.
browser:
	$(call install,Chromium,command -v chromium || command -v chromium-browser || command -v google-chrome,chromium)

LIBPQ_IS_THERE := [ -e /usr/include/postgresql/libpq-fe.h ]
