EXTENSION = ulid
# The checkout, which a build in another directory (VPATH) is not in.
checkout := $(dir $(lastword $(MAKEFILE_LIST)))
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(checkout)ulid.control)

MODULE_big = ulid
OBJS = \
	src/pg/module.o \
	src/pg/io.o \
	src/pg/order.o \
	src/pg/gist.o \
	src/pg/gin.o \
	src/pg/prefix.o \
	src/pg/generator_inputs.o \
	src/pg/generators.o \
	src/pg/monotonic.o \
	src/pg/parts.o \
	src/pg/registry.o \
	src/pg/planner/uuid_support.o \
	src/pg/time.o \
	src/pg/planner/time_support.o \
	src/pg/planner/hook.o \
	src/pg/planner/time_keys.o \
	src/pg/brin.o \
	src/pg/planner/selectivity.o \

DATA = sql/ulid--1.0.0.sql

PG_CPPFLAGS = -I$(srcdir)/src -DULID_VERSION='"$(EXTVERSION)"'
# Nothing of C++ that needs libstdc++ at run time, or that longjmp() could skip.
# _GLIBCXX_ASSERTIONS, which some distributions set, would need its abort function.
PG_CXXFLAGS = -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -U_GLIBCXX_ASSERTIONS

REGRESS = \
	type \
	order \
	gist \
	gin \
	prefix \
	generators \
	parts \
	uuid \
	time \
	time_cast \
	brin \
	partition \

REGRESS_OPTS = --inputdir=. --load-extension=ulid --encoding=UTF8 --no-locale

.DEFAULT_GOAL := all

# These work where PostgreSQL is not installed yet.
ROOT_TARGETS = quickstart test test-all test-clients test-matrix test-package test-rpm test-containers test-versions \
	test-long test-cross test-emulated test-citus test-tle test-pglite test-core test-assert test-sqlsmith test-valgrind mutants bench bench-scale dist addresses
.PHONY: $(ROOT_TARGETS)
quickstart:
	test/quickstart
test:
	test/machine/test
bench:
	test/bench/start run
test-all:
	test/machine/all
test-clients:
	test/clients/run
test-matrix:
	test/machine/matrix
test-package:
	test/machine/tally package test/package/run
test-rpm:
	test/machine/tally rpm test/package/rpm
test-containers:
	test/machine/tally containers test/package/containers
test-versions:
	test/versions/run
test-long:
	ULID_SUITES=servers ULID_TESTS="test/t/031_uniqueness.pl test/t/040_storm.pl test/t/042_encodings.pl" \
		ULID_TEST_IDS=$(or $(ULID_TEST_IDS),200000000) ULID_TEST_ROUNDS=$(or $(ULID_TEST_ROUNDS),200) \
		ULID_TEST_TEXTS=$(or $(ULID_TEST_TEXTS),500000) test/machine/test
test-cross:
	test/unit/cross
test-emulated:
	test/machine/emulated
test-citus:
	test/machine/citus
test-tle:
	test/machine/tle
test-pglite:
	test/pglite/run
bench-scale:
	test/bench/start scale
test-core:
	test/core/run
test-assert:
	test/machine/assert test
test-sqlsmith:
	test/machine/tally sqlsmith test/sqlsmith/run
test-valgrind:
	test/machine/tally valgrind test/machine/valgrind
mutants:
	test/machine/tally mutants test/mutants/run
# The archive of the commit checked out, as PGXN takes it.
dist:
	git archive --format=zip --prefix=ulid-$(EXTVERSION)/ --output=ulid-$(EXTVERSION).zip HEAD
# The project's addresses stand in META.json (resources). This brings them to the packages.
addresses:
	@homepage=$$(sed -n 's/.*"homepage": "\([^"]*\)".*/\1/p' META.json) && \
	git=$$(sed -n 's/.*"repository": .*"url": "\([^"]*\)".*/\1/p' META.json) && \
	web=$$(sed -n 's/.*"repository": .*"web": "\([^"]*\)".*/\1/p' META.json) && \
	sed -i "s|^Homepage:.*|Homepage: $$homepage|; s|^Vcs-Git:.*|Vcs-Git: $$git|; s|^Vcs-Browser:.*|Vcs-Browser: $$web|" \
		debian/control.in debian/control && \
	sed -i "s|^URL:.*|URL:            $$homepage|" rpm/ulid.spec

ifeq (,$(filter $(ROOT_TARGETS),$(MAKECMDGOALS)))
PG_CONFIG = pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# PGXS makes no directories for a build in another directory.
ifdef VPATH
$(shell mkdir -p $(sort $(dir $(OBJS))))
endif

# Not every server is built with --enable-depend.
$(OBJS) $(OBJS:.o=.bc): $(wildcard $(srcdir)/src/*/*.hpp $(srcdir)/src/*/*/*.hpp)

# Exports what SQL calls and nothing of C++: the server loads modules into one name space. From 16
# on the flags of PGXS see to that.
ifeq ($(PORTNAME),linux)
SHLIB_LINK += -Wl,--version-script=$(srcdir)/src/exports.map
endif

# What only newer servers can pass.
ifneq (,$(filter-out 15,$(MAJORVERSION)))
REGRESS += soft_errors
endif
ifneq (,$(filter-out 15 16,$(MAJORVERSION)))
REGRESS += copy_on_error
endif

# PGXS passes PG_CXXFLAGS to the compiler, but not to the one that makes LLVM bitcode.
override BITCODE_CXXFLAGS += $(PG_CXXFLAGS)
# PGXS passes the flags of the compiler that built the server, which may be another.
ifneq (,$(findstring clang,$(CXX)))
override CXXFLAGS += -Wno-unknown-warning-option -Wno-unused-command-line-argument
endif
endif
