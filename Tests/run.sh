#!/bin/sh
# Installs what is missing, builds, and runs all tests. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."
. Tests/prerequisites.sh
need pkg-config:/pkg-config libyaml-dev:yaml-0.1 libsodium-dev:libsodium python3:/python3 strace:/strace
swift build --build-tests
swift test --skip-build "$@"
