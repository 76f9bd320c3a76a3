#!/bin/sh
# Makes the packages of a release in the folder OUT: package.sh OUT [SCRATCH]
#
# SCRATCH is the folder of the build, which may be kept for the next time. Build on the oldest distribution that the
# packages are for: the C library of the machine is the oldest one that they run with. The same commit, toolchain and
# libraries give the same bytes.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
[ $# -ge 1 ] || { echo "usage: package.sh OUT [SCRATCH]" >&2; exit 64; }
mkdir -p "$1" "${2:-.build/packages}"
out=$(cd "$1" && pwd) scratch=$(cd "${2:-.build/packages}" && pwd)
. Tests/prerequisites.sh
need pkg-config:/pkg-config libyaml-dev:yaml-0.1 nettle-dev:nettle zlib1g-dev:zlib libzstd-dev:libzstd \
    portaudio19-dev:portaudio-2.0 libsndfile1-dev:sndfile libsqlite3-dev:sqlite3 libexpat1-dev:expat libre2-dev:re2 \
    libcurl4-openssl-dev:libcurl libsystemd-dev:libsystemd libebur128-dev:libebur128 libsoundtouch-dev:soundtouch \
    python3:/python3 xz-utils:/xz

# What is released: a commit, by its tag or, between two releases, by its time and name.
version=$(sed -n 's/.*"\([0-9.]*\)" ENTRAIN_BUILD.*/\1/p' Sources/CVersion/version.c)
commit=$(git rev-parse --short=12 HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
[ -z "$(git status --porcelain --untracked-files=no)" ] || commit=$commit.changed
ENTRAIN_BUILD=+$commit
export ENTRAIN_BUILD
case $(git tag --points-at HEAD) in
*"v$version"*) named=$version ;;
*) named="$version~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).$commit" ;;
esac
machine=$(uname -m)
libc=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)

# The linker takes the first library of a name that it finds. In this folder are archives of those whose names differ
# between distributions: they are linked in, as Swift's own are.
within="re2 nettle hogweed"
archives=$scratch/archives
rm -rf "$archives"
mkdir "$archives"
for library in $within; do ln -sf "$(cc -print-file-name="lib$library.a")" "$archives/"; done
for module in nettle hogweed libzstd expat yaml-0.1 zlib sndfile; do
    case $module in hogweed) more="-lnettle -lgmp" ;; *) more= ;; esac
    cat >"$archives/$module.pc" <<EOF
Name: $module
Description: $module
Version: $(pkg-config --modversion "$module")
Cflags: $(pkg-config --cflags "$module")
Libs: -L$archives $(pkg-config --libs-only-l "$module") $more
EOF
done
# C libraries since 2.36 read packed relocations, which makes a program of 37 MB 2 MB smaller.
packed=
[ "$(printf '%s\n' 2.36 "$libc" | sort -V | head -n1)" != 2.36 ] || packed="-Xlinker -z -Xlinker pack-relative-relocs"
cp "$here/Package.resolved" Package.resolved
for product in entrain entrain-monitor EntrainFaults; do
    # shellcheck disable=SC2086
    swift build -c release --product "$product" --scratch-path "$scratch" --pkg-config-path "$archives" \
        --only-use-versions-from-resolved-file --disable-local-rpath \
        -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -function-sections \
        -Xcc -g0 -Xcc -ffunction-sections -Xcc "-ffile-prefix-map=$PWD=." -Xcc "-ffile-prefix-map=$scratch=build" \
        -Xcxx -g0 -Xcxx "-ffile-prefix-map=$PWD=." $packed >&2
done

stage=$scratch/stage
rm -rf "$stage"
put() { install -D -m "$1" "$2" "$3"; }
# Swift marks modules with digests of how they were compiled, paths among it; nothing reads them in a program.
bare() {
    strip --remove-section=.comment "$1"
    objcopy -O binary --only-section=.swift_modhash "$1" "$scratch/digests"
    [ ! -s "$scratch/digests" ] || {
        head -c "$(stat -c %s "$scratch/digests")" /dev/zero >"$scratch/zeros"
        objcopy --update-section .swift_modhash="$scratch/zeros" "$1"
    }
}
# As manual page: what the program says of itself. usage: manual PROGRAM SUMMARY COMMAND…
manual() {
    name=$1 summary=$2
    shift 2
    mkdir -p "$stage/$name/share/man/man1"
    {
        printf '.TH %s 1 "" "Entrain %s"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' "$name" "$version" "$name" "$summary"
        "$stage/$name/bin/$name" "$@" --help | sed 's/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/'
        printf '.fi\n'
    } | gzip -9n >"$stage/$name/share/man/man1/$name.1.gz"
}
runs="Runs research studies written in YAML and keeps every result"
shows="Shows running sessions and past days in a browser"
for name in entrain entrain-monitor; do
    share=$stage/$name/share
    put 755 "$scratch/release/$name" "$stage/$name/bin/$name"
    bare "$stage/$name/bin/$name"
    for shell in bash zsh fish; do
        "$stage/$name/bin/$name" --generate-completion-script $shell | sed '1{/^#!/d}' >"$scratch/completion.$shell"
    done
    put 644 "$scratch/completion.bash" "$share/bash-completion/completions/$name"
    put 644 "$scratch/completion.zsh" "$share/zsh/vendor-completions/_$name"
    put 644 "$scratch/completion.fish" "$share/fish/vendor_completions.d/$name.fish"
done
manual entrain "$runs"
manual entrain-monitor "$shows" serve
put 644 "$scratch/release/libEntrainFaults.so" "$stage/entrain/lib/entrain/libEntrainFaults.so"
bare "$stage/entrain/lib/entrain/libEntrainFaults.so"
git ls-files Studies Media 'Sources/Documentation/Entrain.docc/*.md' | grep -v '\.py$\|\.sh$' | while read -r file; do
    put 644 "$file" "$stage/entrain/share/entrain/$file"
done
put 644 "$here/entrain-monitor.service" "$stage/entrain-monitor/lib/systemd/system/entrain-monitor.service"
put 644 "$here/entrain-monitor.default" "$stage/etc/default/entrain-monitor"

# Nothing of the builder's may be left, and no library that only this distribution has.
for file in "$stage"/*/bin/* "$stage"/*/lib/entrain/*; do
    if LC_ALL=C grep -aqF -e "$PWD/" -e "$scratch/" -e "${HOME:-/root}/" "$file"; then
        echo "$file has paths of this machine" >&2
        exit 70
    fi
    needs=$(readelf -d "$file" | sed -n 's/.*\(NEEDED\|RUNPATH\|RPATH\).*\[\(.*\)\]/\2/p' |
        grep -vxE '(lib(c|m|gcc_s|stdc\+\+|asound|expat|gmp|portaudio|sndfile|sqlite3|yaml-0|z|zstd)\.so\.[0-9]+|ld-linux.*)' || true)
    [ -z "$needs" ] || { echo "$file needs $needs, which not every system has" >&2; exit 70; }
done

# What is linked in, with licences; hogweed is a part of Nettle. Then the packages.
for name in entrain entrain-monitor; do
    mkdir -p "$stage/$name/share/doc/$name"
    case $name in entrain) libraries="re2 nettle" ;; *) libraries=nettle ;; esac
    # shellcheck disable=SC2086
    python3 "$here/materials.py" --product "$name" --version "$version+$commit" --build "$scratch" \
        --program "$stage/$name/bin/$name" --out "$out/${name}_${named}_$machine" --licences "$stage/$name/share/doc/$name" $libraries
    date=$(date -R -u -d "@$SOURCE_DATE_EPOCH")
    printf 'entrain (%s) stable; urgency=medium\n\n  * The pages have what changed: entrain docs Changelog\n\n -- %s  %s\n' \
        "$named" "The Entrain authors <entrain@localhost>" "$date" | gzip -9n >"$stage/$name/share/doc/$name/changelog.gz"
done

debian=$(dpkg --print-architecture)
# usage: deb NAME
deb() {
    root=$scratch/deb/$1
    rm -rf "$root"
    mkdir -p "$root/usr" "$root/DEBIAN"
    cp -R "$stage/$1/." "$root/usr"
    if [ "$1" = entrain-monitor ]; then
        mkdir -p "$root/lib" "$root/etc"
        mv "$root/usr/lib/systemd" "$root/lib/systemd"
        rmdir "$root/usr/lib"
        cp -R "$stage/etc/." "$root/etc"
        echo /etc/default/entrain-monitor >"$root/DEBIAN/conffiles"
        for script in postinst prerm postrm; do put 755 "$here/$1.$script" "$root/DEBIAN/$script"; done
    fi
    size=$(find "$root" -type f -printf '%s\n' | awk '{ kibibytes += int(($1 + 1023) / 1024) } END { print kibibytes }')
    sed "s/@VERSION@/$named/; s/@ARCHITECTURE@/$debian/; s/@SIZE@/$size/; s/@LIBC@/$libc/" \
        "$here/$1.control" >"$root/DEBIAN/control"
    (cd "$root" && find usr lib -type f 2>/dev/null | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums)
    DPKG_DEB_THREADS_MAX=1 dpkg-deb -Zxz -z9 --root-owner-group --build "$root" "$out/${1}_${named}_$debian.deb" >&2
}
for name in entrain entrain-monitor; do deb $name; done

# The folder can lie anywhere: the programs find what they need beside themselves.
whole=entrain-$named-linux-$machine
rm -rf "$scratch/tar"
mkdir -p "$scratch/tar/$whole"
cp -R "$stage/entrain/." "$stage/entrain-monitor/." "$scratch/tar/$whole"
tar -C "$scratch/tar" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    -cf - "$whole" | xz -9 -T1 >"$out/$whole.tar.xz"

sums=SHA256SUMS-$machine
(cd "$out" && sha256sum -- *"_${named}_$debian.deb" *"_${named}_$machine".*.json "$whole.tar.xz" >"$sums")
# With a key, who made them.
if [ -n "${ENTRAIN_SIGNING_KEY:-}" ]; then
    gpg --batch --yes --local-user "$ENTRAIN_SIGNING_KEY" --armor --detach-sign "$out/$sums"
fi
ls -l "$out"
