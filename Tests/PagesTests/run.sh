#!/bin/sh
# The pages' JavaScript: tests of all that computes, without a browser, and its format and faults.
# usage: Tests/PagesTests/run.sh [--fix]; with it, the format is mended first. What cannot be installed is skipped, and said.
set -eu
cd "$(dirname "$0")/../.."
. Tests/prerequisites.sh
(need nodejs:/node python3:/python3 python3-venv:=usr/lib/python3*/ensurepip/__init__.py) || true

# One program formats and finds faults. Another version of it may format otherwise.
deno=.build/deno/bin/deno
[ -x $deno ] || { python3 -m venv .build/deno &&
    .build/deno/bin/python -m pip install --quiet --disable-pip-version-check deno==2.9.8; } || true
export DENO_NO_UPDATE_CHECK=1
checked() { $deno "$@" --config Tests/PagesTests/deno.json $scripts; }
scripts="Sources/Monitor/Pages/*.js Sources/Monitor/Pages/*/*.mjs Tests/PagesTests/*.mjs"
[ "${1:-}" != --fix ] || checked fmt

if command -v node >/dev/null; then
    node --test --test-reporter=spec Tests/PagesTests/*.test.mjs
else
    echo "skipped: what the pages compute; Node.js is not installed: apt-get install nodejs"
fi
if [ -x $deno ]; then
    checked fmt --check
    checked lint
    # What computes uses nothing that only browsers have.
    scripts="Sources/Monitor/Pages/Computing/*.mjs"
    checked lint --rules-include=no-undef
else
    echo "skipped: the scripts' format and faults; PyPI's deno cannot be installed"
fi
