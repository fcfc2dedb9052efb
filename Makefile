# `make demo` and `make test` need Rust and nothing else: .ci/setup installs the system packages
# that are missing (and only those), and says what it does.

.PHONY: help setup build demo test camera-test check fmt clippy doc bench clean evenings endurance harm fuzz deb deb-test hall-test

# rustup's programs, also in a shell that was open before Rust was installed.
export PATH := $(HOME)/.cargo/bin:$(PATH)

ifeq ($(shell uname -s),Darwin)
# Homebrew keeps libclang where neither the linker nor the OpenCV bindings look by themselves.
LLVM := $(shell brew --prefix llvm 2>/dev/null)
export LIBCLANG_PATH ?= $(LLVM)/lib
export DYLD_FALLBACK_LIBRARY_PATH ?= $(LLVM)/lib
endif

help:
	@echo 'make demo    build, score the sample photos, annotated pictures in target/demo/'
	@echo 'make test    build and run every test'
	@echo 'make build   build target/release/linecall'
	@echo 'make check   formatting, clippy and documentation, warnings as errors'
	@echo 'make bench   benchmarks'
	@echo 'make evenings  film simulated evenings and compare what is recorded with the truth (hours)'
	@echo 'make endurance  one core at 1080p30, memory over 30 minutes of film, 50 kills (half an hour)'
	@echo 'make harm    500 damaged photos and files of each kind, 50 kills, power cuts, full disks (half an hour)'
	@echo 'make fuzz    every fuzz target, SECONDS_EACH of them (60)'
	@echo 'make hall-test  40 tables on real brokers that are killed, 500 watchers (some minutes)'
	@echo 'make camera-test  cameras, against a video device in a guest kernel (built first: 5 CPU minutes)'
	@echo 'make deb     a Debian package for this machine, in target/debian/'
	@echo 'make deb-test  installs it in a bare Debian, starts it and scores a recording (root, debootstrap)'
	@echo 'make clean   remove everything built'
	@echo
	@echo 'System packages that are missing are installed first (Debian, Ubuntu: apt; macOS: Homebrew).'

setup:
	@bash .ci/setup build

build: setup
	cargo build --release --locked

demo: build
	@bash .ci/demo

test:
	@bash .ci/setup test
	XDG_DATA_HOME=$(CURDIR)/target/test-data cargo test --release --locked

# The hall at full size; `make test` runs the same with 8 tables and 3 kills.
hall-test:
	@bash .ci/setup test
	HALL_TABLES=40 HALL_KILLS=20 HALL_WATCHERS=500 cargo test --release --locked --test hall -- --nocapture --test-threads 1

# Not part of `make test`: it builds a kernel once, under target/camera-test/.
camera-test:
	@bash .ci/camera-test

check: fmt clippy doc

fmt:
	@bash .ci/setup check
	cargo fmt --check

clippy:
	@bash .ci/setup check
	cargo clippy --release --locked --all-targets -- -D warnings

doc:
	@bash .ci/setup check
	RUSTDOCFLAGS='-D warnings' cargo doc --release --locked --no-deps

bench: setup
	cargo bench --locked

# Simulated evenings, filmed and watched: hours of rendering. EVENINGS and SEEDS make it shorter.
EVENINGS ?= 4
SEEDS ?= 20
evenings:
	@bash .ci/setup test
	@bash .ci/evenings $(EVENINGS) $(SEEDS)

# SECONDS_PACED, MINUTES and KILLS make it shorter.
SECONDS_PACED ?= 150
MINUTES ?= 30
KILLS ?= 50
endurance: build
	@bash .ci/setup test
	@bash .ci/endurance $(SECONDS_PACED) $(MINUTES) $(KILLS)

# COUNT, KILLS and FULL_DISKS make it shorter.
COUNT ?= 500
FULL_DISKS ?= 20
harm: build
	@bash .ci/setup test
	@bash .ci/harm $(COUNT) $(KILLS) $(FULL_DISKS)

SECONDS_EACH ?= 60
fuzz: build
	@bash .ci/fuzz $(SECONDS_EACH)

# For this machine's Debian and architecture, amd64 or arm64 alike: a package rests on the OpenCV of the Debian that it
# is built on.
deb: setup
	@bash .ci/deb build

# SUITE is the Debian that the package was built on.
SUITE ?= bookworm
deb-test:
	@bash .ci/deb test $(SUITE)

clean:
	cargo clean
