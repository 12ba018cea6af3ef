EXTENSION = ulid
# The directory of this Makefile. A VPATH build runs in another one.
checkout := $(dir $(lastword $(MAKEFILE_LIST)))
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(checkout)ulid.control)

MODULE_big = ulid
OBJS = \
	src/pg/module.o \
	src/pg/io.o \
	src/pg/order.o \
	src/pg/gist.o \
	src/pg/gin.o \
	src/pg/generators.o \
	src/pg/monotonic.o \
	src/pg/parts.o \
	src/pg/bounds.o \
	src/pg/selectivity.o \

# The first version is installed by a script, and each later one by an update of the version before.
DATA_built = $(notdir $(wildcard $(checkout)sql/ulid--*.sql))
EXTRA_CLEAN = server.stamp

PG_CPPFLAGS = -I$(srcdir)/src -DULID_VERSION='"$(EXTVERSION)"'
# Nothing of C++ that needs libstdc++ at run time, or that longjmp() could skip.
# _GLIBCXX_ASSERTIONS, which some distributions set, would need its abort function.
# The server's headers are C, and C++ warns about what C allows.
PG_CXXFLAGS = -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -U_GLIBCXX_ASSERTIONS \
	-Wno-register -Wno-ignored-attributes

REGRESS = \
	type \
	order \
	gist \
	indexes \
	prefix \
	generators \
	parts \
	time \
	brin \
	partition \

REGRESS_OPTS = --load-extension=ulid --encoding=UTF8 --no-locale

.DEFAULT_GOAL := all

# These work where PostgreSQL is not installed yet.
ROOT_TARGETS = quickstart test test-all bench dist addresses
.PHONY: $(ROOT_TARGETS)
quickstart:
	bash test/quickstart
test:
	test/tools/setup build test
	test/run suites
# What is rarely run is test/run NAME.
test-all:
	test/run all
bench:
	test/bench/run
# The archive of the commit checked out, as PGXN takes it.
dist:
	git archive --format=zip --prefix=ulid-$(EXTVERSION)/ --output=ulid-$(EXTVERSION).zip HEAD
# Replaces the placeholders, also of Go's modules and of Maven's group, and shows how to clone: make addresses
# HOMEPAGE=https://host/owner/repository EMAIL=name@host
addresses: clone = git clone --branch v$(EXTVERSION) $(HOMEPAGE).git \&\& cd $(notdir $(HOMEPAGE))
# io.github.owner, or the host's domain before the owner
addresses: group = $(shell echo $(HOMEPAGE) | awk -F/ '{ for (n = split($$3, part, "."); n > 0; n--) printf "%s.", part[n]; \
	print $$4 }' | sed 's/^com\.github\./io.github./')
addresses:
	@[ -n "$(HOMEPAGE)" ] && [ -n "$(EMAIL)" ] || \
		{ echo "make addresses needs HOMEPAGE=https://... and EMAIL=..."; exit 1; }
	find . \( -name .git -o -path ./test -o -name node_modules -o -name target \) -prune -o -type f ! -name Makefile \
		-exec grep -lIE 'example\.org|org\.example' {} + | xargs sed -i -e 's|https://example.org/ulid|$(HOMEPAGE)|g' \
		-e 's|example.org/ulid|$(HOMEPAGE:https://%=%)|g' -e 's|org\.example\.ulid|$(group)|g' \
		-e 's|ulid@example.org|$(EMAIL)|g'
	sed -i 's|^make && sudo make install$$|$(clone)\n&|' README.md

ifeq (,$(filter $(ROOT_TARGETS),$(MAKECMDGOALS)))
PG_CONFIG = pg_config
headers := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)
ifeq (,$(and $(headers),$(wildcard $(headers)/postgres.h)))
$(error $(if $(headers),there is no $(headers)/postgres.h,$(PG_CONFIG) is missing or fails). \
Install postgresql-server-dev-NN (Debian, Ubuntu) or postgresqlNN-devel (RPM), or set PG_CONFIG=/path/to/pg_config)
endif
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
too_old := $(filter 1,$(shell expr $(basename $(MAJORVERSION).) '<' 15))
$(if $(too_old),$(error ulid needs PostgreSQL 15 or later, and $(PG_CONFIG) is of $(VERSION). Set PG_CONFIG))

# PGXS makes no directories for a build in another directory.
ifdef VPATH
$(shell mkdir -p $(sort $(dir $(OBJS))))
endif

# What pg_config says of the server that the objects are for: with another one, they are built again.
server.stamp: FORCE
	@$(PG_CONFIG) | cmp -s - $@ || { rm -f $@ && $(PG_CONFIG) >$@; }
.PHONY: FORCE
# Not every server is built with --enable-depend.
$(OBJS) $(OBJS:.o=.bc): server.stamp $(wildcard $(srcdir)/src/*/*.hpp $(srcdir)/src/*/*/*.hpp)

# Exports what SQL calls and nothing of C++: the server loads modules into one name space. From 16
# on the flags of PGXS see to that.
ifeq ($(PORTNAME),linux)
SHLIB_LINK += -Wl,--version-script=$(srcdir)/src/exports.map
endif

# The last section of a script may be for PostgreSQL 18 and later.
$(DATA_built): %.sql: sql/%.sql server.stamp
	sed -n '$(if $(filter 15 16 17,$(MAJORVERSION)),/^-- PostgreSQL 18 and later/q;)p' $< >$@

# Tests that only newer servers can pass.
REGRESS += $(if $(filter-out 15,$(MAJORVERSION)),soft_errors)

# PGXS passes PG_CXXFLAGS to the compiler, but not to the one that makes LLVM bitcode.
override BITCODE_CXXFLAGS += $(PG_CXXFLAGS)
# PGXS passes the flags of the compiler that built the server, which may be another.
ifneq (,$(findstring clang,$(CXX)))
override CXXFLAGS += -Wno-unknown-warning-option -Wno-unused-command-line-argument
endif
endif
