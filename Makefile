# Two commands do everything on a fresh Debian machine with Rust: `make run` and `make test`.

.PHONY: run test bench fmt openapi tools

# Builds the service and runs it on its embedded store, with its data in ./weir-data.
run:
	cargo run --release --bin weir -- serve

# Every check and every test. Installs what they need and what is missing.
test: tools
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	cargo build --workspace --all-features --all-targets
	cargo test --workspace --all-features
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --all-features --no-deps --quiet

# Measures, and prints ratios of one run. Nothing here passes or fails by time.
bench: tools
	cargo build --release --package weir-server --package weir-bench
	cargo run --release --quiet --package weir-bench

fmt:
	cargo fmt --all

# Writes openapi.json anew; a test compares it with what the program serves.
openapi:
	cargo run --quiet --bin weir -- openapi > openapi.json

tools:
	@scripts/install-tools
