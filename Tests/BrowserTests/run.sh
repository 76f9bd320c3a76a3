#!/bin/sh
# The monitor in a browser, before hostile clients, under load and killed. Installs what is missing.
# usage: Tests/BrowserTests/run.sh [PATH OF entrain-monitor]; without it the debug build is tested.
# What cannot be installed is skipped, and said.
set -eu
cd "$(dirname "$0")/../.."
. Tests/prerequisites.sh
need libjs-dygraphs:=usr/share/javascript/dygraphs/dygraph.min.js python3:/python3
(need chromium:/chromium python3-venv:=usr/lib/python3*/ensurepip/__init__.py) || true
(need slowhttptest:/slowhttptest wrk:/wrk openssl:/openssl) || true
monitor=${1:-$(swift build --show-bin-path)/entrain-monitor}
python=.build/browser-tests/bin/python3
if ! [ -x "$python" ] || ! "$python" -c "import axe_playwright_python, playwright" 2>/dev/null; then
    { python3 -m venv .build/browser-tests &&
        "$python" -m pip install --quiet playwright axe-playwright-python flask openapi-spec-validator; } || python=python3
fi
for tests in test_pages test_layout test_runs; do "$python" "Tests/BrowserTests/$tests.py" "$monitor"; done
"$python" Tests/BrowserTests/faults.py "$monitor"
python3 Tests/BrowserTests/hostile.py "$monitor"
python3 Tests/BrowserTests/kill.py "$monitor" --times 20
python3 Tests/BrowserTests/away.py "$monitor" --seconds 10 --speed 24
python3 Tests/BrowserTests/streams.py "$monitor" --clients 100 --sessions 20 --seconds 8
