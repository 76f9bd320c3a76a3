#!/bin/sh
# The monitor in a browser, before hostile clients, under load and killed. Installs what is missing.
# usage: Tests/BrowserTests/run.sh [PATH OF entrain-monitor]; without it the debug build is tested.
# What cannot be installed is skipped, and said. How fast it is, is told, and judged with ENTRAIN_JUDGE_SPEED=1.
set -eu
cd "$(dirname "$0")/../.."
. Tests/prerequisites.sh
(need libjs-dygraphs:=usr/share/javascript/dygraphs/dygraph.min.js chromium:/chromium) || true
# Only the program: the package apache2 would begin a service.
(need apache2-bin:=usr/sbin/apache2) || true
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
# Pages wait for runs, and the others wait for nothing: beside each other, but no more at once than the machine bears.
tests="test_protocol test_replay test_notes test_hurry test_signin test_runs test_pages test_layout test_looks test_room test_overview test_day test_curves test_alarms"
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
for test in $tests; do echo "$test"; done | xargs -P 5 -I NAME sh -c \
    'code=0; "$1" "Tests/BrowserTests/NAME.py" "$2" >"$3/NAME" 2>&1 || code=$?; echo $code >"$3/NAME.code"' - "$python" "$monitor" "$said" &
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
for test in $tests; do
    echo "$test:"
    cat "$said/$test"
    [ "$(cat "$said/$test.code")" = 0 ] || failed="$failed $test"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
