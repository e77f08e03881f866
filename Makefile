# Two commands do everything on a fresh Debian machine with Rust: `make run` and `make test`.

.PHONY: run demo test bench fmt openapi screenshots tools

# Builds the service and runs it on its embedded store, with its data in ./weir-data.
run:
	cargo run --release --bin weir -- serve

# The same with a demonstration in it: customers, buildings, two years of readings.
demo:
	cargo run --release --bin weir -- serve --demo

# Every check and every test. Installs what they need and what is missing.
test: tools
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	cargo build --workspace --all-features --all-targets
	cargo test --workspace --all-features
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --all-features --no-deps --quiet

# Measures ingestion, the size of readings, reads and pages, and prints tables with targets. Nothing here passes or
# fails by time. It takes more than half an hour and gigabytes of disk; `weir-bench --help` says how to run less.
bench: tools
	cargo build --release --package weir-server --package weir-bench
	cargo run --release --quiet --package weir-bench

fmt:
	cargo fmt --all

# Writes openapi.json anew; a test compares it with what the program serves.
openapi:
	cargo run --quiet --bin weir -- openapi > openapi.json

# Takes the pictures of the documentation anew, from the demonstration.
screenshots: tools
	WEIR_SCREENSHOTS=$(CURDIR)/docs/screenshots cargo test --package weir-server --test browser pages::

tools:
	@scripts/install-tools
