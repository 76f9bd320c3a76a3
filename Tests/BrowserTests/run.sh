#!/bin/sh
# The monitor in a browser, before hostile clients, under load and killed. Installs what is missing.
# usage: Tests/BrowserTests/run.sh [PATH OF entrain-monitor]; without it the debug build is tested.
# What cannot be installed is skipped, and said. How fast it is, is told, and judged with ENTRAIN_JUDGE_SPEED=1.
set -eu
cd "$(dirname "$0")/../.."
. Tests/prerequisites.sh
(need libjs-dygraphs:=usr/share/javascript/dygraphs/dygraph.min.js chromium:/chromium) || true
(need python3-venv:=usr/lib/python3*/ensurepip/__init__.py slowhttptest:/slowhttptest openssl:/openssl) || true
monitor=${1:-$(swift build --show-bin-path)/entrain-monitor}
python=.build/browser-tests/bin/python3
if ! "$python" -c "import axe_playwright_python, playwright, openapi_spec_validator" 2>/dev/null; then
    # These versions were tried; a Python that is too old or too new for them takes its own.
    install() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }
    { python3 -m venv .build/browser-tests &&
        { install playwright==1.65.2 axe-playwright-python==0.1.8 openapi-spec-validator==0.9.0 ||
            install playwright axe-playwright-python openapi-spec-validator; }; } || python=python3
fi
# Pages wait for runs, and the others wait for nothing: beside each other.
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
for tests in test_pages test_layout test_looks test_runs test_room test_overview test_day test_curves test_alarms test_signin test_notes test_hurry test_protocol; do
    (code=0; "$python" "Tests/BrowserTests/$tests.py" "$monitor" >"$said/$tests" 2>&1 || code=$?; echo $code >"$said/$tests.code") &
done
failed=
work() { "$@" || failed="$failed $2"; }
work "$python" Tests/BrowserTests/faults.py "$monitor"
# By hand for half an hour, on a machine that does nothing else: --minutes 30.
work "$python" Tests/BrowserTests/rooms.py "$monitor" --minutes 0.5 --rooms 20 --pages 2
work python3 Tests/BrowserTests/hostile.py "$monitor"
work python3 Tests/BrowserTests/kill.py "$monitor" --times 20
work python3 Tests/BrowserTests/power.py "$monitor" --cuts 16
work python3 Tests/BrowserTests/away.py "$monitor" --seconds 10 --speed 24
work python3 Tests/BrowserTests/bundles.py "$monitor" --bundles 20 --megabytes 1 --kills 3
work python3 Tests/BrowserTests/relay.py "$monitor"
work python3 Tests/BrowserTests/streams.py "$monitor" --clients 100 --sessions 20 --seconds 8
wait
for tests in test_pages test_layout test_looks test_runs test_room test_overview test_day test_curves test_alarms test_signin test_notes test_hurry test_protocol; do
    echo "$tests:"
    cat "$said/$tests"
    [ "$(cat "$said/$tests.code")" = 0 ] || failed="$failed $tests"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
