# Makefile - builds, checks and installs banksim. `make help` lists the targets.
#
# Needs GNU Make 4 and a C11 compiler; everything else is asked for by the target that uses it.
# Built files go to build/VARIANT/; build/banksim and build/libbanksim.* lead to the last built.
#
#     make VARIANT=release|debug|asan|cov     what to build (release)
#     make CC=clang CFLAGS=-march=native      CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS add to banksim's own
#     make V=1                                shows the commands

.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

VARIANT ?= release
PREFIX ?= /usr/local

# As many jobs as processors, unless the caller says otherwise (make -j1).
ifeq ($(filter -j% j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
endif

# ---- the variants ------------------------------------------------------------------------------

# Two targets bring their own.
ifneq ($(filter coverage,$(MAKECMDGOALS)),)
override VARIANT := cov
else ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
override VARIANT := fuzz
FUZZER := $(if $(filter list,$(FUZZ)),list,$(if $(shell command -v clang),libfuzzer,$(strip \
              $(if $(shell command -v afl-cc),afl,none))))
CC := $(if $(filter afl,$(FUZZER)),afl-cc,clang)
endif

FLAGS_release := -O2
FLAGS_debug := -O0 -g
# Reports need functions and lines; where variables are asked for there is debug.
# What addresses go wrong, AddressSanitizer tells; telling it twice would take a third of the time. What else is
# undefined traps, and AddressSanitizer tells where: a text for each such place, guarded as a variable is, would add
# a third to the time that a run takes to start, and there are thousands.
FLAGS_asan := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
              -fsanitize-undefined-trap-on-error -fno-sanitize=null,object-size,pointer-overflow
FLAGS_cov := -O0 -g --coverage
FLAGS_fuzz := $(FLAGS_asan) -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION \
              $(if $(filter libfuzzer,$(FUZZER)),-fsanitize=fuzzer-no-link)

# What is freed is used again once 1 MB more was freed, not 256: to fetch fresh pages instead took a third of the time.
ifeq ($(VARIANT),asan)
export ASAN_OPTIONS := handle_sigill=1:quarantine_size_mb=1$(if $(ASAN_OPTIONS),:$(ASAN_OPTIONS))
endif

ifeq ($(origin FLAGS_$(VARIANT)),undefined)
$(error VARIANT=$(VARIANT) is not one of release, debug, asan, cov)
endif

B := build/$(VARIANT)

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wpedantic
COMPILE = $(CC) -std=c11 $(WARNINGS) -fPIC -fvisibility=hidden -Iinclude -Isrc \
          $(FLAGS_$(VARIANT)) $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) -pthread $(FLAGS_$(VARIANT)) $(LINK_$(VARIANT)) $(CFLAGS) $(LDFLAGS)
# Two hundred tests are linked, by lld in half the time; gold is quicker where there is no lld.
FAST_LD := $(if $(findstring -fuse-ld,$(CFLAGS) $(LDFLAGS))$(findstring -flto,$(CFLAGS) $(LDFLAGS)),,$(strip \
               $(if $(shell command -v ld.lld),-fuse-ld=lld,$(if $(shell command -v ld.gold),-fuse-ld=gold))))
LINK_TEST = $(LINK) $(FAST_LD)
# A program that may lie anywhere has 400,000 places for the sanitizers to be filled in at each start.
LINK_asan := $(if $(filter Linux,$(shell uname -s)),-no-pie) $(FAST_LD)

# ---- the files ---------------------------------------------------------------------------------

VERSION := $(shell sed -n 's/.*BSIM_VERSION "\(.*\)"/\1/p' include/banksim/banksim.h)
ABI := $(firstword $(subst ., ,$(VERSION)))

ifeq ($(shell uname -s),Darwin)
SO_NAME := libbanksim.$(ABI).dylib
SO_FULL := libbanksim.$(VERSION).dylib
SO_LINK := libbanksim.dylib
SO_FLAGS = -dynamiclib -install_name $(PREFIX)/lib/$(SO_NAME)
else
SO_NAME := libbanksim.so.$(ABI)
SO_FULL := libbanksim.so.$(VERSION)
SO_LINK := libbanksim.so
SO_FLAGS = -shared -Wl,-soname,$(SO_NAME)
endif

CLI_SOURCES := $(sort $(wildcard src/cli/*.c))
CUDART_SOURCES := $(sort $(wildcard src/cudart/*.c))
WEB_SOURCES := $(sort $(wildcard src/web/*.c))
LIB_SOURCES := $(filter-out $(CLI_SOURCES) $(CUDART_SOURCES) $(WEB_SOURCES),\
                            $(sort $(wildcard src/*/*.c src/*/*/*.c)))
SUPPORT_SOURCES := $(filter-out %/which_test.c,$(sort $(wildcard tests/support/*.c)))
TEST_SOURCES := $(sort $(wildcard tests/unit/test_*.c tests/property/test_*.c \
                                  tests/measured/test_*.c))
PROGRAMS_SOURCES := tools/crosscheck/programs.c
CROSSCHECK_SOURCES := $(addprefix tools/crosscheck/,table.c checks.c checks_twins.c emulated.c)
PTX_SOURCES := $(addprefix tools/crosscheck/,ptx_check.c ptx_chains.c ptx_forms.c ptx_sums.c)
HEADERS := $(sort $(wildcard include/banksim/*.h))
CUDA_HEADERS := $(patsubst src/cudart/include/%,%,$(sort $(wildcard $(addprefix src/cudart/include/,*.h */*.h cuda/* cub/*.cuh cub/*/*.cuh))))

object = $(patsubst %.c,$(B)/%.o,$(1))
CLI_OBJECTS := $(call object,$(CLI_SOURCES) $(addprefix src/web/,answer.c fill.c launch.c picture.c)) $(B)/exercises.o
LIB_OBJECTS := $(call object,$(LIB_SOURCES)) $(B)/page.o
CUDART_OBJECTS := $(call object,$(CUDART_SOURCES))
SUPPORT_OBJECTS := $(call object,$(SUPPORT_SOURCES))
CROSSCHECK_OBJECTS := $(call object,$(CROSSCHECK_SOURCES))
PROGRAMS_OBJECTS := $(call object,$(PROGRAMS_SOURCES))
PTX_OBJECTS := $(call object,$(PTX_SOURCES))
TEST_PROGRAMS := $(patsubst %.c,$(B)/%,$(TEST_SOURCES))
# A program takes longer to link than most tests to run: those of a folder are one, but for some that replace a part of
# the library, or want the runtime, or do more by their mains.
CUDART_TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test_cudart*.c))
APART := $(CUDART_TESTS) $(B)/tests/measured/test_crosscheck \
         $(addprefix $(B)/tests/unit/test_,cuda_kernels own_kernel propose replace)
TOGETHER := $(filter-out $(APART),$(TEST_PROGRAMS))
TEST_FOLDERS := $(patsubst %/,%,$(sort $(dir $(TOGETHER))))
EXAMPLES := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/examples/*.c)))
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_PROGRAMS := $(FUZZ_SOURCES:%.c=$(B)/%)
FUZZ_OBJECTS := $(addprefix $(B)/tests/fuzz/,support.o forms.o command.o ways.o) \
                $(filter-out %/main.o,$(CLI_OBJECTS))

# The quiet form of a command line: `CC src/base/buffer.c`.
say = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$(2)';)

# ---- build -------------------------------------------------------------------------------------

all: $(B)/banksim $(B)/libbanksim.a $(B)/$(SO_LINK) $(B)/libbanksim_cudart.a $(B)/include-cuda newest ## build the program and the libraries

.PHONY: all newest
newest: $(B)/banksim $(B)/libbanksim.a $(B)/$(SO_LINK) $(B)/libbanksim_cudart.a $(B)/include-cuda
	@for f in banksim libbanksim.a libbanksim_cudart.a include-cuda $(SO_LINK); do \
	    [ "$$(readlink build/$$f)" = "$(VARIANT)/$$f" ] || ln -sfn "$(VARIANT)/$$f" "build/$$f"; \
	done

$(B)/banksim: $(CLI_OBJECTS) $(B)/libbanksim.a
	$(call say,LINK,$@)$(LINK) -o $@ $(CLI_OBJECTS) $(B)/libbanksim.a -lm $(LDLIBS)

$(B)/libbanksim.a: $(LIB_OBJECTS) $(B)/files.stamp
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(LIB_OBJECTS)

# What a CUDA program links in the place of CUDA's runtime; the library is in it.
$(B)/libbanksim_cudart.a: $(CUDART_OBJECTS) $(LIB_OBJECTS) $(B)/files.stamp
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(CUDART_OBJECTS) $(LIB_OBJECTS)

# The headers that clang compiles a CUDA program with.
$(B)/include-cuda:
	@mkdir -p $(@D)
	@ln -sfn '$(CURDIR)/src/cudart/include' $@

$(B)/$(SO_LINK): $(LIB_OBJECTS) $(B)/files.stamp
	$(call say,LINK,$@)$(LINK) $(SO_FLAGS) -o $(B)/$(SO_FULL) $(LIB_OBJECTS) -lm $(LDLIBS) && \
	    ln -sfn $(SO_FULL) $(B)/$(SO_NAME) && ln -sfn $(SO_FULL) $@

$(B)/src/%.o: src/%.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

# A root is one instruction, of several lanes.
$(call object,src/ptx/alu.c src/ptx/alu_avx2.c): private COMPILE += -fno-math-errno

# What a page of `--format html` is made of, as C: numbers, since C promises no string of that length.
# Its scripts are one, in this order; tests/golden/html_policy has it too.
PAGE_FILES := $(addprefix src/report/page/,page.html page.css)
PAGE_SCRIPTS := $(patsubst %,src/report/page/%.js,words data tables array banks drawing stepper parts compare)
$(B)/page.c: $(PAGE_FILES) $(PAGE_SCRIPTS) Makefile
	@mkdir -p $(@D)
	@for kind in html css js; do \
	    printf 'extern const char bsim_page_%s[];\nconst char bsim_page_%s[] = {\n' $$kind $$kind; \
	    case $$kind in js) cat $(PAGE_SCRIPTS) ;; *) cat src/report/page/page.$$kind ;; esac | \
	        od -An -v -tu1 | sed 's/\([0-9][0-9]*\)/\1,/g'; \
	    echo '0};'; \
	done >$@
$(B)/page.o: $(B)/page.c $(B)/flags.stamp
	$(call say,CC,$<)$(COMPILE) -c -o $@ $<

# The exercises, which `banksim lesson` has built in, as C.
EXERCISES := $(sort $(wildcard traces/exercises/*.check))
$(B)/exercises.c: $(EXERCISES) Makefile
	@mkdir -p $(@D)
	@{ printf '#include "cli/exercise.h"\n\nconst struct built_in_exercise bsim_cli_exercises[] = {\n'; \
	    for file in $(EXERCISES); do \
	        printf '    {"%s",\n' "$$(basename "$$file" .check)"; \
	        sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' "$$file"; \
	        echo '    },'; \
	    done; \
	    printf '    {NULL, NULL},\n};\n'; } >$@
$(B)/exercises.o: $(B)/exercises.c src/cli/exercise.h $(B)/flags.stamp
	$(call say,CC,$<)$(COMPILE) -c -o $@ $<

# ---- the page that has the library in it -------------------------------------------------------

# The library as WebAssembly. None of this is needed to build the rest: `make deps-web` installs what it
# needs. The stack is wasm-ld's 64 KiB by default, and a frame
# of the emulated kernels has 49.
W := build/web
WEB_CC ?= clang
WEB_FLAGS := --target=wasm32-wasi -std=c11 -Wall -Wextra -Oz -flto -fvisibility=hidden -Iinclude -Isrc \
             -ffunction-sections -fdata-sections
WEB_LINK := --target=wasm32-wasi -Oz -flto -mexec-model=reactor -Wl,--gc-sections,--strip-all \
            -Wl,--stack-first,-z,stack-size=1048576
# What a page does not ask for; src/web/absent.c stands for it. Kernels are run by a second module, which has all
# of the first one, and which a page unpacks when one is pasted.
WEB_LACKS := src/web/fill.c $(addsuffix %,src/hazard/ src/emulators/ src/compare/ src/run/crew.c src/report/page/ \
               src/report/picture/picture_svg.c)
WEB_KERNELS := src/web/launch.c $(addsuffix %,src/ptx/ src/cuda/ src/trace/)
web_objects = $(patsubst %.c,$(W)/%.o,$(filter-out $(WEB_LACKS) $(1),$(WEB_SOURCES) $(LIB_SOURCES)))
WEB_OBJECTS := $(call web_objects,$(WEB_KERNELS))
KERNEL_OBJECTS := $(call web_objects,src/web/absent_kernels.c)
# Makes it a tenth smaller, where it is installed.
WEB_SMALL := $(if $(shell command -v wasm-opt),wasm-opt -Oz)

web: build/banksim.html ## the library in a page, for any browser: build/banksim.html (make deps-web)

deps-web: ## install what `make web` needs (clang, lld, wasi-libc, binaryen)
	@sh tools/install_deps.sh wasm

# Whether the compiler has all of it.
HAS_WASM = echo 'int main(void) { return 0; }' | \
    $(WEB_CC) --target=wasm32-wasi -x c -o /dev/null - 2>/dev/null

$(B)/tests/web/ask: tests/web/ask.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -o $@ $<

check-web: $(B)/banksim $(B)/tests/web/ask ## compare what the page says with what the program says (make deps-web, node)
	@mkdir -p $(B)/tests; if $(HAS_WASM); then $(MAKE) --no-print-directory web; else \
	    echo "skipped: no WebAssembly by $(WEB_CC) here: make deps-web installs it"; exit; fi; \
	    TEST_SECONDS=1500 sh tests/run.sh tests/web $(B)/tests/web.count \
	    sh tests/web/run.sh '$(B)/banksim' build/banksim.html '$(B)/tests/web/ask'; \
	    grep -h '^skipped:\|^# ' $(B)/tests/web.log || :; \
	    awk '{ printf "%d passed, %d failed\n", $$1, $$2; exit $$2 > 0 }' $(B)/tests/web.count

.PHONY: web deps-web check-web

$(W)/flags.stamp: export TEXT = $(WEB_CC) $(WEB_FLAGS) / $(WEB_LINK) / $(WEB_SMALL) / $(KERNEL_OBJECTS)
$(W)/flags.stamp: always
	$(stamp)
$(W)/src/%.o: src/%.c $(W)/flags.stamp
	@mkdir -p $(@D)
	$(call say,WASM,$<)$(WEB_CC) $(WEB_FLAGS) -Wno-deprecated-declarations -MMD -MP -c -o $@ $<
$(W)/page.o: $(B)/page.c $(W)/flags.stamp
	@mkdir -p $(@D)
	$(call say,WASM,$<)$(WEB_CC) $(WEB_FLAGS) -c -o $@ $<
$(W)/banksim.wasm: $(WEB_OBJECTS)
$(W)/kernels.wasm: $(KERNEL_OBJECTS)
$(W)/banksim.wasm $(W)/kernels.wasm:
	$(call say,LINK,$@)$(WEB_CC) $(WEB_LINK) -o $@ $^
	$(if $(WEB_SMALL),$(call say,OPT,$@)$(WEB_SMALL) -o $@ $@)
$(WEB_OBJECTS) $(KERNEL_OBJECTS): | $(W)/able
$(W)/able: always
	@mkdir -p $(@D); [ -e $@ ] || $(HAS_WASM) || \
	    { echo "make web needs WebAssembly by $(WEB_CC): make deps-web installs it" >&2; exit 1; }; touch -r Makefile $@

# It shows the first example when it is opened, which the program fills in, as others later on.
WEB_SCRIPTS := src/report/page/words.js \
               $(patsubst %,src/web/%.js,text state library launch array sectors lanes editor layout result pictures \
                 exercises pinned page)
WEB_EXAMPLES := $(sort $(wildcard src/web/examples/*.check))
WEB_EXERCISES := $(sort $(wildcard traces/exercises/*.check))
build/banksim.html: $(W)/banksim.wasm $(W)/kernels.wasm tools/join_page.sh $(addprefix src/web/,page.html page.css engine.js) \
                    $(WEB_SCRIPTS) $(WEB_EXAMPLES) $(WEB_EXERCISES) $(B)/banksim
	$(call say,JOIN,$@)sh tools/join_page.sh src/web/page.html $(W)/banksim.wasm $(W)/kernels.wasm '$(VERSION)' \
	    src/web/page.css src/web/engine.js src/web/examples traces/exercises $(WEB_SCRIPTS) >$(W)/page.html && \
	sed 1d $(firstword $(WEB_EXAMPLES)) | \
	    BANKSIM_PAGE=$(W)/page.html $(B)/banksim check - --format html -o $@

# A stamp changes when its text does: other flags rebuild everything, a file that came or went
# rebuilds the libraries and what is linked with them.
stamp = @mkdir -p $(@D); [ "$$(cat $@ 2>/dev/null)" = "$$TEXT" ] || printf '%s\n' "$$TEXT" >$@

.PHONY: always
$(B)/flags.stamp: export TEXT = $(COMPILE) / $(LINK_TEST) $(SO_FLAGS) / $(FUZZ_DEFINES) / $(notdir $(APART))
$(B)/flags.stamp: always
	$(stamp)
$(B)/files.stamp: export TEXT = $(LIB_SOURCES) $(CLI_SOURCES) $(SUPPORT_SOURCES)
$(B)/files.stamp: always
	$(stamp)

# ---- run ---------------------------------------------------------------------------------------

TRACES := build/traces

run: all ## trace the square and rectangular transposes and count their conflicts
	@set -e; mkdir -p $(TRACES); traces=; \
	for kernel in $$($(B)/banksim list kernels --format csv | sed 1d | cut -d, -f1); do \
	    case $$kernel in square_*|rect_*) \
	        $(B)/banksim emulate "$$kernel" -o "$(TRACES)/$$kernel.trace"; \
	        traces="$$traces $(TRACES)/$$kernel.trace";; \
	    esac; \
	done; \
	$(B)/banksim run $${traces:?no such kernels}

traces: all ## write the ready traces in traces/ anew
	@sh tools/make_traces.sh $(B)/banksim traces

.PHONY: run traces

# ---- check -------------------------------------------------------------------------------------

# Each piece of the suite leaves a file with two numbers, passed and failed. TESTS names some of
# them: make check TESTS="test_wide golden".
# Their commands link programs of their own with the library, which a sanitizer's would not.
CUDA := $(addprefix cuda-,1 2)
LINKED_TESTS := $(if $(filter release debug,$(VARIANT)),$(CUDA) twins readme-traces)
# What looks at the sources alone finds no more in a build with sanitizers, nor do many more commands like the
# golden tests'.
RELEASE_TESTS := $(if $(filter asan,$(VARIANT)),,mutants layers texts)
# The golden tests and the CUDA programs are dealt to several pieces, TESTS=golden and TESTS=cuda are all of them.
# What takes longest comes first, so that no processor is left with it at the end.
GOLDEN := $(addprefix golden-,1 2 3 4 5)
LONG_TESTS := $(foreach t,programs fast cuda_kernels verdicts pasted oracle_model schedule split pipelines products \
                best_layout timing_oracle ptx batch hazard_oracle kernels ptx_stuck,$(filter %/test_$t,$(TEST_PROGRAMS)))
ALL_COUNTS := $(patsubst %,$(B)/tests/%.count,$(LINKED_TESTS) $(GOLDEN) files traces fuzz \
                $(RELEASE_TESTS)) \
              $(addsuffix .count,$(LONG_TESTS) $(filter-out $(LONG_TESTS),$(TEST_PROGRAMS))) \
              $(patsubst %,$(B)/tests/%.count,readme readme-ptx readme-sass examples cuda-ends \
                $(if $(filter cov asan,$(VARIANT)),,symbols))
COUNTS := $(if $(TESTS),$(foreach t,$(patsubst cuda,$(CUDA),$(patsubst golden,$(GOLDEN),$(TESTS))),$(filter %/$(t).count,$(ALL_COUNTS))),\
            $(ALL_COUNTS))

check: $(COUNTS) ## build and run all tests (VARIANT=asan: of many cases alike a part)
	@$(if $(filter asan,$(VARIANT)),echo '# of many cases alike a part: tests/support/watched.h')
	@sh tests/sum.sh $(COUNTS)

# What takes longest, built: make, which runs first what it finds ready, runs it before the rest.
long: $(B)/banksim $(LONG_TESTS)

deps: ## install what the tests need (cmocka)
	@CC='$(CC)' sh tools/install_deps.sh

deps-cuda: ## install what `banksim cuda` compiles with (clang)
	@sh tools/install_deps.sh clang

.PHONY: check long deps deps-cuda
# What takes longest of all needs the program, which is linked last. Where all is run the rest waits for it, too,
# since it would else be through before that begins.
$(if $(TESTS),,$(TEST_PROGRAMS:=.count)): | $(B)/banksim
# glibc keeps what is freed: many short runs in one process would fetch fresh pages for each.
$(TEST_PROGRAMS:=.count): $(B)/%.count: $(B)/% always
	@MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_TOP_PAD_=16777216 sh tests/run.sh $* $@ $<

piece = @mkdir -p $(@D); BANKSIM_BIN='$(CURDIR)/$(B)' SANITIZED=$(filter asan,$(VARIANT)) sh tests/run.sh

$(B)/tests/golden-%.count: $(B)/banksim always
	$(piece) 'tests/golden $*/$(words $(GOLDEN))' $@ sh tests/golden/run.sh --part $*/$(words $(GOLDEN))
$(B)/tests/files.count: $(B)/banksim always
	$(piece) tests/files $@ sh tests/files/run.sh
$(B)/tests/readme.count: newest always
	$(piece) tests/readme $@ sh tests/readme/run.sh
$(B)/tests/readme-ptx.count: newest always
	$(piece) src/ptx/README.md $@ sh tests/readme/run.sh src/ptx/README.md
$(B)/tests/readme-sass.count: newest always
	$(piece) src/sass/README.md $@ sh tests/readme/run.sh src/sass/README.md
$(B)/tests/readme-traces.count: newest always
	$(piece) traces/README.md $@ sh tests/readme/run.sh traces/README.md
$(B)/tests/texts.count: newest always
	$(piece) traces/TEXTS.md $@ sh tests/texts/run.sh
$(B)/tests/traces.count: $(B)/banksim always
	$(piece) traces $@ sh tools/make_traces.sh $(B)/banksim traces --check
$(B)/tests/fuzz.count: $(FUZZ_PROGRAMS) always
	$(piece) tests/fuzz $@ sh tests/fuzz/run.sh $(FUZZ_PROGRAMS)
$(B)/tests/mutants.count: always
	$(piece) tests/mutants $@ sh tests/mutants/run.sh --places
# Of `newest` these need no links, for which they would wait until all else has run.
LINKED := $(B)/banksim $(B)/libbanksim_cudart.a $(B)/include-cuda
$(B)/tests/cuda-%.count: $(LINKED) always
	$(piece) 'tests/cuda $*/$(words $(CUDA))' $@ sh tests/cuda/run.sh --part $*/$(words $(CUDA))
$(B)/tests/twins.count: $(LINKED) always
	$(piece) tests/cuda/twins $@ sh tests/cuda/twins.sh
$(B)/tests/cuda-ends.count: $(LINKED) always
	$(piece) tests/cuda-ends $@ sh tests/cuda/ends.sh
$(B)/tests/examples.count: $(EXAMPLES) always
	$(piece) tests/examples $@ sh tests/examples/run.sh $(EXAMPLES)
$(B)/tests/layers.count: $(B)/banksim always
	$(piece) check-layers $@ sh tools/check_layers.sh $(B) $(CLI_OBJECTS) $(LIB_OBJECTS)
$(B)/tests/symbols.count: $(B)/libbanksim.a $(B)/$(SO_LINK) always
	$(piece) check-symbols $@ sh tools/check_symbols.sh $(B)/libbanksim.a $(B)/$(SO_LINK)

$(APART) $(TEST_FOLDERS:=/all): $(SUPPORT_OBJECTS) $(B)/libbanksim.a $(B)/cmocka.stamp
	$(call say,LINK,$@)$(LINK_TEST) -o $@ $(filter %.o,$^) $(B)/libbanksim.a \
	    $$(sed -n 2p $(B)/cmocka.stamp) -lm $(LDLIBS)
$(APART): %: %.o
# A program's runtime is no part of the library.
$(CUDART_TESTS): $(CUDART_OBJECTS)

# By its name the program of a folder knows which of its tests is asked for.
define of_folder
$(filter $(1)/%,$(TOGETHER)): $(1)/all
$(1)/all: $(addsuffix .o,$(filter $(1)/%,$(TOGETHER)) $(1)/all)
endef
$(foreach folder,$(TEST_FOLDERS),$(eval $(call of_folder,$(folder))))
$(TOGETHER):
	@ln -sf all $@
$(TOGETHER:=.o): private COMPILE += -Dmain=main_of_$(*F)
$(TEST_FOLDERS:=/all.o): tests/support/which_test.c $(B)/flags.stamp $(B)/tests.stamp
	@mkdir -p $(@D)
	$(call say,CC,$@)$(COMPILE) '-DEACH_TEST(X)=$(patsubst $(@D)/%,X(%),$(filter $(@D)/%,$(TOGETHER)))' -c -o $@ $<
$(B)/tests.stamp: export TEXT = $(TEST_SOURCES)
$(B)/tests.stamp: always
	$(stamp)

# What compares measured counts with the model: for the tests, and for other GPUs' counts. emulated.o
# stands for the library's launch.o, so it is linked before it.
$(B)/tools/%.o: tools/%.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<
$(B)/tests/measured/test_crosscheck: $(CROSSCHECK_OBJECTS)
$(B)/tests/measured/all: $(PTX_OBJECTS) $(PROGRAMS_OBJECTS) $(B)/tools/crosscheck/table.o
$(B)/tests/measured/%.o: private CPPFLAGS += -Itools/crosscheck

$(B)/crosscheck-calibrate: $(B)/tools/crosscheck/calibrate.o $(PROGRAMS_OBJECTS) $(B)/libbanksim.a
	$(call say,LINK,$@)$(LINK) -o $@ $^ -lm $(LDLIBS)

$(B)/crosscheck-compare: $(B)/tools/crosscheck/compare.o $(CROSSCHECK_OBJECTS) $(B)/libbanksim.a
	$(call say,LINK,$@)$(LINK) -o $@ $(filter %.o,$^) $(B)/libbanksim.a -lm $(LDLIBS)

$(B)/crosscheck-ptx: $(B)/tools/crosscheck/ptx_compare.o $(PTX_OBJECTS) $(B)/libbanksim.a
	$(call say,LINK,$@)$(LINK) -o $@ $^ -lm $(LDLIBS)

# As others use the library: by its public headers and what the shared one shows.
$(EXAMPLES:=.o): $(B)/tests/examples/%.o: tests/examples/%.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(filter-out -Isrc,$(COMPILE)) -MMD -MP -c -o $@ $<
$(EXAMPLES): %: %.o $(B)/$(SO_LINK)
	$(call say,LINK,$@)$(LINK) -o $@ $< $(B)/$(SO_LINK) -Wl,-rpath,$(CURDIR)/$(B) $(LDLIBS)

# The corpus is replayed without cmocka and without the tests' support.
$(B)/tests/fuzz/%.o: tests/fuzz/%.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) $(FUZZ_DEFINES) -MMD -MP -c -o $@ $<
$(FUZZ_PROGRAMS): FUZZ_OBJECTS += $(B)/tests/fuzz/replay.o
$(FUZZ_PROGRAMS): $(B)/tests/fuzz/replay.o
$(FUZZ_PROGRAMS) $(B)/tests/fuzz/random_ways: %: %.o $(FUZZ_OBJECTS) $(B)/libbanksim.a
	$(call say,LINK,$@)$(LINK_TEST) $(FUZZ_LINK) -o $@ $< $(FUZZ_OBJECTS) \
	    $(B)/libbanksim.a -lm $(LDLIBS)

# Under sanitizers compiling a unit test takes longer than running it.
ifeq ($(VARIANT),asan)
$(B)/tests/unit/%.o: private COMPILE += -O0
endif
$(B)/tests/%.o: tests/%.c $(B)/flags.stamp $(B)/cmocka.stamp
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -Itests/support $$(sed -n 1p $(B)/cmocka.stamp) \
	    -MMD -MP -c -o $@ $<
.PRECIOUS: $(B)/%.o

# Looked for when a test is built, not when this file is read: `make deps check` installs it first.
$(B)/cmocka.stamp: always $(if $(filter deps,$(MAKECMDGOALS)),deps)
	@mkdir -p $(@D)
	@CC='$(CC)' sh tools/find_cmocka.sh $@

check-layers: $(B)/banksim ## check which folder uses which
	@sh tools/check_layers.sh $(B) $(CLI_OBJECTS) $(LIB_OBJECTS)

check-symbols: $(B)/libbanksim.a $(B)/$(SO_LINK) ## check the names that the libraries show and use
	@sh tools/check_symbols.sh $(B)/libbanksim.a $(B)/$(SO_LINK)

check-browser: $(B)/banksim ## look at the pages of --format html in a browser (chromium, firefox, node)
	@mkdir -p $(B)/tests; TEST_SECONDS=600 sh tests/run.sh tests/browser $(B)/tests/browser.count \
	    sh tests/browser/run.sh '$(B)/banksim'; \
	    grep -h '^skipped:\|^# [0-9]* bytes' $(B)/tests/browser.log || :; \
	    awk '{ printf "%d passed, %d failed\n", $$1, $$2; exit $$2 > 0 }' $(B)/tests/browser.count

check-install: all ## install into an empty folder, use it, uninstall
	@MAKE='$(MAKE)' CC='$(CC)' VARIANT='$(VARIANT)' sh tools/check_install.sh

mutants: $(TEST_PROGRAMS) ## break the model on purpose, see the tests notice (MUTANTS=names)
	@MAKE='$(MAKE)' VARIANT='$(VARIANT)' sh tests/mutants/run.sh $(MUTANTS)

crosscheck: $(B)/crosscheck-compare $(B)/crosscheck-ptx $(B)/tests/measured/test_textures ## count and time requests and kernels on this machine's GPU
	@rm -f $(B)/crosscheck.dir; status=0; \
	DIRNAME=$(B)/crosscheck.dir sh tools/crosscheck/run.sh || status=1; \
	[ ! -s $(B)/crosscheck.dir ] || $< "$$(cat $(B)/crosscheck.dir)" || status=1; \
	[ ! -s $(B)/crosscheck.dir ] || $(B)/crosscheck-ptx "$$(cat $(B)/crosscheck.dir)/ptx.txt" || \
	    status=1; \
	[ ! -s $(B)/crosscheck.dir ] || TEXTURES="$$(cat $(B)/crosscheck.dir)/textures.txt" \
	    $(B)/tests/measured/test_textures || status=1; \
	exit $$status

calibrate: $(B)/crosscheck-calibrate ## time programs on this machine's GPU, fit the cycle model
	@sh tools/crosscheck/calibrate.sh $(SEED) >$(B)/calibrate.dir && $< "$$(cat $(B)/calibrate.dir)"

.PHONY: check-layers check-symbols check-browser check-install mutants crosscheck calibrate

# ---- speed -------------------------------------------------------------------------------------

# Nothing in `check` depends on time. BENCH="model traces work ptx" chooses parts: tools/bench/README.md.
BENCH_OBJECTS := $(call object,$(sort $(wildcard tools/bench/*.c)))

$(B)/bench: $(BENCH_OBJECTS) $(B)/libbanksim.a
	$(call say,LINK,$@)$(LINK) -o $@ $(BENCH_OBJECTS) $(B)/libbanksim.a -lm $(LDLIBS)

bench: all $(B)/bench ## time the model, the readers and the rest against this machine's limits
	@mkdir -p build/bench
	@$(B)/bench $(B)/banksim build/bench build/bench.csv
	@rmdir build/bench

.PHONY: bench

# ---- fuzz and coverage -------------------------------------------------------------------------

FUZZ_SECONDS ?= 60
FUZZ ?= trace
FUZZ_PROGRAM = $(B)/tests/fuzz/fuzz_$(FUZZ)
FUZZ_CORPUS = $(firstword $(wildcard tests/fuzz/corpus_$(FUZZ)) tests/fuzz/corpus)
FUZZ_NAMES := $(FUZZ_SOURCES:tests/fuzz/fuzz_%.c=%)

ifeq ($(filter list $(FUZZ_NAMES),$(FUZZ)),)
$(error FUZZ=$(FUZZ) is not one of $(FUZZ_NAMES))
endif

# FUZZER=libfuzzer or afl chooses. libFuzzer brings main; AFL++ gives the program a file, as the
# replay does.
FUZZ_DEFINES = $(if $(filter libfuzzer,$(FUZZER)),-DBSIM_LIBFUZZER)
FUZZ_LINK = $(if $(filter libfuzzer,$(FUZZER)),-fsanitize=fuzzer)

fuzz: fuzz-$(FUZZER) ## look for inputs that break FUZZ=trace; FUZZ=list has all (clang or AFL++)

fuzz-list:
	@for f in $(FUZZ_SOURCES); do \
	    sed -n '1s|^/\* fuzz_\([a-z]*\)\.c - \(.*\)|FUZZ=\1 \2|p' "$$f"; \
	done

fuzz-none:
	@echo "make fuzz needs clang (libFuzzer) or AFL++ (afl-cc)" >&2; exit 1

fuzz-libfuzzer: $(FUZZ_PROGRAM)
	@mkdir -p $(B)/found_$(FUZZ)
	$(FUZZ_PROGRAM) -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2000 \
	    -max_len=100000 -print_final_stats=1 -artifact_prefix=$(B)/ $(B)/found_$(FUZZ) $(FUZZ_CORPUS)

fuzz-afl: $(FUZZ_PROGRAM)
	AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_AUTORESUME=1 \
	    afl-fuzz -V $(FUZZ_SECONDS) -i $(FUZZ_CORPUS) -o $(B)/afl_$(FUZZ) -- $(FUZZ_PROGRAM) @@
	@! ls $(B)/afl_$(FUZZ)/default/crashes/id* $(B)/afl_$(FUZZ)/default/hangs/id* 2>/dev/null

# SEED=2 makes others; PROGRAM=build/banksim runs each command in a process of its own.
RUNS ?= 1000
ways: $(B)/tests/fuzz/random_ways ## run RUNS=1000 random traces by jobs, pipes, forms and shards
	$< $(or $(SEED),1) $(RUNS) $(if $(PROGRAM),-p $(PROGRAM)) tests/fuzz/corpus/*

coverage: $(COUNTS) ## run all tests with VARIANT=cov and tell which lines they reached
	@sh tools/coverage.sh '$(CC)' $(LIB_OBJECTS) $(CLI_OBJECTS)
	@sh tests/sum.sh $(COUNTS)

ifeq ($(VARIANT),cov)
# Counts of an earlier run, perhaps of other sources, must not stay.
$(ALL_COUNTS): | forget-coverage
forget-coverage:
	@find $(B) -name '*.gcda' -exec rm -f {} + 2>/dev/null || :
.PHONY: forget-coverage
endif

.PHONY: fuzz fuzz-list fuzz-none fuzz-libfuzzer fuzz-afl ways coverage

# ---- the code's form ---------------------------------------------------------------------------

C_FILES = $(wildcard include/banksim/*.h src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch] tools/*/*.[ch])

lint: ## clang-tidy, cppcheck and shellcheck, those that are installed
	@sh tools/lint.sh

format: ## clang-format all C files in place
	clang-format -i $(C_FILES)

.PHONY: lint format

# ---- install -----------------------------------------------------------------------------------

BIN := $(DESTDIR)$(PREFIX)/bin
LIB := $(DESTDIR)$(PREFIX)/lib
INCLUDE := $(DESTDIR)$(PREFIX)/include/banksim
MAN := $(DESTDIR)$(PREFIX)/share/man/man1
CUDA_FILES := $(DESTDIR)$(PREFIX)/lib/banksim
SHARE := $(DESTDIR)$(PREFIX)/share/banksim

install: all ## install below PREFIX=/usr/local (and DESTDIR)
	install -d '$(BIN)' '$(LIB)/pkgconfig' '$(INCLUDE)' '$(MAN)'
	install -m 755 $(B)/banksim '$(BIN)/banksim'
	install -m 644 $(B)/libbanksim.a '$(LIB)/libbanksim.a'
	install -m 755 $(B)/$(SO_FULL) '$(LIB)/$(SO_FULL)'
	ln -sf $(SO_FULL) '$(LIB)/$(SO_NAME)'
	ln -sf $(SO_FULL) '$(LIB)/$(SO_LINK)'
	install -m 644 $(HEADERS) '$(INCLUDE)'
	install -d '$(CUDA_FILES)'
	install -m 644 $(B)/libbanksim_cudart.a '$(CUDA_FILES)/libbanksim_cudart.a'
	cd src/cudart/include && for f in $(CUDA_HEADERS); do \
	    install -D -m 644 "$$f" '$(CUDA_FILES)/include-cuda'/"$$f" || exit 1; \
	done
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' src/banksim.pc.in >$(B)/banksim.pc
	install -m 644 $(B)/banksim.pc '$(LIB)/pkgconfig/banksim.pc'
	install -m 644 src/cli/banksim.1 '$(MAN)/banksim.1'
	if [ -f build/banksim.html ]; then \
	    install -D -m 644 build/banksim.html '$(SHARE)/banksim.html'; \
	fi

uninstall: ## remove what install put there
	rm -f '$(BIN)/banksim' '$(LIB)/libbanksim.a' '$(LIB)/$(SO_FULL)' '$(LIB)/$(SO_NAME)' \
	    '$(LIB)/$(SO_LINK)' '$(LIB)/pkgconfig/banksim.pc' '$(MAN)/banksim.1'
	rm -f $(patsubst include/banksim/%,'$(INCLUDE)/%',$(HEADERS)) '$(SHARE)/banksim.html'
	[ ! -d '$(SHARE)' ] || rmdir '$(SHARE)'
	[ ! -d '$(INCLUDE)' ] || rmdir '$(INCLUDE)'
	rm -f '$(CUDA_FILES)/libbanksim_cudart.a' $(patsubst %,'$(CUDA_FILES)/include-cuda/%',$(CUDA_HEADERS))
	for f in include-cuda/banksim_cuda include-cuda/cooperative_groups include-cuda/nvtx3 include-cuda/cuda \
	    include-cuda/cub/block include-cuda/cub/warp include-cuda/cub include-cuda ''; do \
	    [ ! -d "$(CUDA_FILES)/$$f" ] || rmdir "$(CUDA_FILES)/$$f"; \
	done

.PHONY: install uninstall

# ---- the rest ----------------------------------------------------------------------------------

clean: ## remove build/
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | \
	    while IFS='|' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

.PHONY: clean help

-include $(wildcard $(W)/src/*/*.d $(W)/src/*/*/*.d $(B)/src/*/*.d $(B)/src/*/*/*.d $(B)/tests/*/*.d $(B)/tools/*/*.d)
