#!/bin/sh
# Builds the documentation as a website into the folder OUT: build.sh OUT
set -eu
[ $# -eq 1 ] || { echo "usage: build.sh OUT" >&2; exit 64; }
here=$(dirname "$0")
swift=$(command -v swift) || { echo "Swift 6.3 is needed: https://www.swift.org/install" >&2; exit 69; }
# docc lies beside swift; where swift is a launcher, the launcher knows.
docc=$(dirname "$swift")/docc
[ -x "$docc" ] || docc=$(dirname "$(readlink -f "$swift")")/docc
[ -x "$docc" ] || docc=$(xcrun --find docc 2>/dev/null || swiftly run which docc 2>/dev/null || command -v docc) || {
    echo "docc is not beside swift ($swift); install a toolchain from https://www.swift.org/install" >&2
    exit 69
}
mkdir -p "$(dirname "$1")"
"$docc" convert "$here/Entrain.docc" --output-path "$1" \
    --fallback-display-name Entrain --fallback-bundle-identifier org.entrain.documentation \
    --warnings-as-errors
echo "Wrote $1; look at it with: python3 -m http.server --directory $1, then http://localhost:8000/documentation/entrain"
