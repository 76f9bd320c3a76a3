#!/bin/sh
# Installs what is missing, builds, and runs the music study with a simulated heart.
# Arguments go to `entrain run`. The results go to the folder entrain-results where you are.
set -eu
here=$(pwd)
cd "$(dirname "$0")/.."
. Tests/prerequisites.sh
need pkg-config:/pkg-config libyaml-dev:yaml-0.1 nettle-dev:nettle zlib1g-dev:zlib libzstd-dev:libzstd \
    portaudio19-dev:portaudio-2.0 libsndfile1-dev:sndfile libexpat1-dev:expat \
    libcurl4-openssl-dev:libcurl libsystemd-dev:libsystemd libebur128-dev:libebur128 libre2-dev:re2 libsoundtouch-dev:soundtouch
# The packages of the monitor's server are not needed here, nor fetched.
swift build -c release --disable-default-traits --product entrain
entrain=$(swift build -c release --disable-default-traits --show-bin-path)/entrain
study=$(pwd)/Studies/music-heart-rate.yaml
cd "$here"
if [ -t 0 ] && [ -t 1 ]; then set -- "$@"; else set -- --auto "$@"; fi
"$entrain" run "$study" --participant P01 --out entrain-results "$@"
"$entrain" show "$(ls -td entrain-results/*/ | head -1)"
