#!/bin/sh
# Installs what is missing, builds, and runs all tests. Arguments go to `swift test`, those in SWIFT_BUILD_OPTIONS to every build.
set -eu
SWIFT_BUILD_OPTIONS=${SWIFT_BUILD_OPTIONS:-}
cd "$(dirname "$0")/.."
. Tests/prerequisites.sh
need pkg-config:/pkg-config libyaml-dev:yaml-0.1 nettle-dev:nettle zlib1g-dev:zlib libzstd-dev:libzstd \
    portaudio19-dev:portaudio-2.0 libsndfile1-dev:sndfile libsqlite3-dev:sqlite3 libexpat1-dev:expat \
    libcurl4-openssl-dev:libcurl libsystemd-dev:libsystemd libebur128-dev:libebur128 libre2-dev:re2 libsoundtouch-dev:soundtouch jq:/jq
# What only some tests need, which are skipped without it.
(need libcurl4:=usr/lib/*/libcurl.so.4 espeak-ng:/espeak-ng chafa:/chafa ffmpeg:/ffmpeg python3:/python3 \
    python3-yaml:=usr/lib/python3/dist-packages/yaml \
    strace:/strace pulseaudio:/pulseaudio pulseaudio-utils:/parec dbus:/dbus-daemon \
    libasound2-plugins:=usr/lib/*/alsa-lib/libasound_module_pcm_pulse.so \
    python3-dbusmock:=usr/lib/python3/dist-packages/dbusmock) || echo "Some tests will be skipped" >&2
# shellcheck disable=SC2086
swift build $SWIFT_BUILD_OPTIONS --build-tests
# What failed is said again at the end, where it is looked for.
said=$(mktemp)
trap 'rm -f "$said" "$said.code"' EXIT
# Tests talk to servers of their own: this machine is asked directly, whatever proxy is named; here nobody is at it.
# shellcheck disable=SC2086
{
    code=0
    http_proxy=http://127.0.0.1:9 swift test $SWIFT_BUILD_OPTIONS --skip-build "$@" 2>&1 || code=$?
    echo $code >"$said.code"
} | tee "$said"
code=$(cat "$said.code")
if [ "$code" != 0 ]; then
    echo "== what failed"
    grep -E '^(✘|↳|.*(error|Fatal error|crashed):)' "$said" | grep -vE '^(↳ (Testing Library|Target Platform)|◇)' | cut -c1-600 | tail -n 60
fi
exit "$code"
