# Every verb of this package. A bare `make` lists them.
# Each verb does its own set-up, so that any of them can be the first one typed after a clone.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play serve test check lint library programs docc docs encryption depth smoke clients builds sanitizers \
    tour bench rooms format sanitize soak hosts mutants model clean ready libpq server browser

PLAYGROUND := --package-path Playground
BENCHMARKS := --package-path Playground/Benchmarks
# In the Playground's folder, whose tests have built what both need.
SERVER := --package-path Playground/Server --scratch-path Playground/.build
ENCRYPTION := --package-path Playground/Encryption
MUTANTS := --package-path Playground/Mutants -Xswiftc -gnone
# The tests of @Entity need swift-syntax, which the package has only with this trait; so whatever shares their build has
# it. The sanitizers and the Playground do without.
MACROS := --traits Macros
# The Playground's page needs a server framework, which only this trait builds.
SERVE := --traits Serve
# What the sanitizers run, each in a package of `.ci` that has nothing else to build. The store's takes as long as
# everything else that `check` does, which leaves it out.
SANITIZED ?= Streams Store
# A test that waits for an event shares two cores with so many others that two minutes may not be enough: without a
# limit all of them begin at once.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8
# Makes way for everything else, as nothing may that has a limit of time.
IDLE := $(shell if chrt -i 0 true 2>/dev/null; then echo chrt -i 0; else echo nice -n 19; fi)
# How many random histories a long run plays, and with which seed it begins.
HISTORIES ?= 20000
KILLS ?= 500
RESTARTS ?= 200
STRESS ?= 100000
HISTORY ?= 1000
# The same for random schemas of other programs.
SCHEMAS ?= 10000
SCHEMA ?= 1000
CORES := $(shell getconf _NPROCESSORS_ONLN)
# No test reads debug information, and only the package's own sources are searched for tests: the index of the system's
# takes a third of a build. Three batches of files for each core: each parses all of its module, and of 25 files there
# would be ten; of fewer, the last one keeps one core alone for minutes.
NO_INDEX := -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
FAST := -Xswiftc -gnone $(NO_INDEX) -Xswiftc -driver-batch-count -Xswiftc $(shell expr 3 \* $(CORES))
# A module at a time, which takes a sixth less of the processors' time. It is for what is built once: a change compiles
# its whole module again.
WHOLE := -Xswiftc -gnone $(NO_INDEX) -Xswiftc -disable-batch-mode -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc $(CORES)
# A debug build looks at each access to a variable for being the only one, which takes a fifth of the time of all tests.
# `check` and the sanitizers have it.
UNCHECKED := -Xswiftc -enforce-exclusivity=unchecked
# Filled by `check` alone, so that its strictness and the tests share one build.
STRICT :=

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Optimized it is compiled for a minute longer, most of it on one core, and the tour takes a second less. In the folder,
# and with the settings, of the tests, which so find the library built.
BUILD ?= debug
play: ready libpq ## run the tour: 100,000 films imported, followed live and summed up; make play BUILD=release for speed
	@swift run -c $(BUILD) $(FAST) $(UNCHECKED) $(PLAYGROUND) --scratch-path .build playground $(ARGS)

# In the Playground's own folder, which `check` builds with the same trait: `play` is quick because it goes without.
serve: ready libpq ## open a store of films to a browser, on a page that changes when a row does: make serve ARGS="--store films.sqlite --port 8080"
	@swift run -c $(BUILD) $(FAST) $(UNCHECKED) $(PLAYGROUND) $(SERVE) playground serve $(ARGS)

# Without the trait: the tests of @Entity need swift-syntax, which takes minutes to build, as do the Playground's and the
# server's packages, and those of the documents and of the house. Whoever changes those runs `check`.
test: export VALUES ?= 3000
test: export EXPRESSIONS ?= 200
test: export TERMS ?= 40
test: export WITHOUT_TIDY = 1
test: ready server ## run every test of the library; those of the macro, the documents, the Playground and the server are a part of check
	@swift test --disable-xctest $(FAST) $(UNCHECKED) $(ARGS)

# What is only built in the end is built beside the tests, in the time that they leave, and so are the documents, once the
# modules are there that they need. What is missing is fetched before, because apt-get runs once at a time.
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

rooms: ready server ## print which room of the store uses which
	@ROOMS=1 swift test --disable-xctest $(MACROS) --filter 'TidyTests\.TidyTests/rooms' 2>/dev/null | grep ' → '

docs: docc ## build the documentation of all products and show it in a browser; Ctrl-C ends it
	@.ci/docc serve

format: ready ## rewrite the sources in the house format
	@swift format --in-place --recursive --parallel .

# The tests of depth are the other verbs': a sanitizer takes minutes for them, and has nothing to find.
sanitize: export VALUES := 300
sanitize: sanitizers ## run the tests of the streams and the store under the thread, the address and the leak sanitizer; make sanitize SANITIZED=Streams
	@.ci/sanitize test $(SANITIZED)

soak: ready server ## play random histories, ask each engine random questions, crash and restart a server, follow many commits: make soak HISTORIES=100000 HISTORY=1 KILLS=500
	@HISTORIES=$(HISTORIES) HISTORY=$(HISTORY) SCHEMAS=$(SCHEMAS) SCHEMA=$(SCHEMA) KILLS=$(KILLS) RESTARTS=$(RESTARTS) STRESS=$(STRESS) \
	    swift test --disable-xctest $(MACROS) \
	    --filter 'HistoryTests|UndoUniqueTests|OtherSchemasTests|AgreementTests|ArithmeticTests|ServerKillTests|RestartTests|StreamStressTests'

# Its own tests come with it, because it alone builds swift-syntax as a library, which takes minutes.
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
	@rm -rf .build .build-tsan .build-asan .build-store-tsan .build-store-asan .build-mutants .build-hosts .build-docc .build-check .build-tour
	@rm -rf Playground/.build Playground/Benchmarks/.build Playground/Server/.build Playground/Mutants/.build
	@rm -rf Playground/Encryption/.build

# The parts of `check`.

lint: ready
	@echo "== format =="
	@swift format lint --strict --recursive --parallel .

# The store's tests take half as long when it is optimized, with its assertions. As it is debugged it is in `make test`,
# and the streams in both.
library depth: export OPTIMIZED = 1
library: export PATIENCE = 300
# The tests' product alone: with the macro they are built for the tools, and a whole build compiles all libraries twice.
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

# With an SQLite of its own, which has to be downloaded: without a network these tests are left out.
encryption: ready
	@echo "== tests of encryption =="
	@if Playground/Encryption/get-sqlite; then \
	    .ci/clients encryption --disable-xctest $(ENCRYPTION) $(STRICT); \
	else \
	    echo "SQLite3 Multiple Ciphers could not be downloaded. Left out: the tests of encryption, a client without libpq."; \
	fi

# On their own, because for minutes they leave no thread to the others.
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

# The program as a user builds it for speed; the tests above run it as it is debugged.
smoke: tour
	@echo "== the tour =="
	@swift run --skip-build -c release -Xswiftc -gnone $(PLAYGROUND) --scratch-path .build-tour playground

# What `check` builds beside the tests.
builds: sanitizers clients tour

sanitizers: ready server
	@.ci/sanitize build $(SANITIZED)

tour: ready libpq
	@swift build -c release -Xswiftc -gnone $(PLAYGROUND) --scratch-path .build-tour --product playground

# What a package gets that depends on this one: nothing else, unless it asks for the macro.
clients: ready libpq
	@echo "== clients =="
	@.ci/clients

# The set-up. Swift has to be there; what else is missing is fetched where apt can fetch it. On macOS the SDK has SQLite,
# and Homebrew the rest.

# Installs packages: $(call install,what may be missing,how to see that it is there,packages).
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

# PostgreSQL's client library, which the second engine and so the Playground are built with.
libpq:
	$(call install,PostgreSQL's client library,$(LIBPQ_IS_THERE),libpq-dev)

# The same, and a server, which the tests start for themselves.
server:
	$(call install,PostgreSQL,$(LIBPQ_IS_THERE) && ls /usr/lib/postgresql/*/bin/initdb,libpq-dev postgresql)

# A browser, in which the tests open the Playground's page.
browser:
	$(call install,Chromium,command -v chromium || command -v chromium-browser || command -v google-chrome,chromium)

LIBPQ_IS_THERE := [ -e /usr/include/postgresql/libpq-fe.h ]
