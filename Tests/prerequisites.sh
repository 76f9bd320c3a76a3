# Sourced by the scripts: makes sure that the system's libraries are here, or says what to install.
# usage: . Tests/prerequisites.sh; need PACKAGE:PROBE…   (PROBE: a pkg-config module, a command with a slash
# before, or the pattern of a file with = for its first slash)

need() {
    missing=
    for pair in "$@"; do
        package=${pair%%:*} probe=${pair#*:}
        case $probe in
        /*) command -v "${probe#/}" >/dev/null 2>&1 || missing="$missing $package" ;;
        =*) ls /${probe#=} >/dev/null 2>&1 || missing="$missing $package" ;;
        *) pkg-config --exists "$probe" 2>/dev/null || missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Please install the libraries that Debian calls:$missing" >&2
        exit 69
    fi
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || { echo "As root: apt-get install$missing" >&2; exit 69; }
        as_root=sudo
    fi
    echo "Installing$missing" >&2
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive sh -c \
        "(apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing) >/dev/null" || {
        echo "Could not install$missing; install by hand and try again." >&2
        exit 69
    }
}

command -v swift >/dev/null 2>&1 || {
    echo "Swift 6.3 is needed: https://www.swift.org/install" >&2
    exit 69
}
