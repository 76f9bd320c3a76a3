#!/bin/sh
# Installs the packages in OUT in bare systems, tries them, upgrades and removes them: try-packages.sh OUT SUITE…
#
# SUITE is one of Debian's, such as bookworm or trixie. As root, with debootstrap and systemd-nspawn; bare systems are made once in the
# folder ROOTS (default: /var/tmp/entrain-roots) and copied for each trial. A line for each thing that must hold.
set -eu
out=$(cd "$1" && pwd)
shift
roots=${ROOTS:-/var/tmp/entrain-roots}
mirror=$(awk '/^URIs:/{print $2; exit} /^deb /{print $2; exit}' /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null)
failed=0
holds() {
    words=$1
    shift
    if "$@" >"$log" 2>&1; then echo "ok    $suite: $words"; else echo "WRONG $suite: $words"; tail -n 5 "$log"; failed=1; fi
}
within() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install() { within apt-get install -qq -y --no-install-recommends "$@"; }
# All files but those that any work with packages writes.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./run \
        -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print) |
        grep -vE '^\./(etc/(passwd|group|shadow|gshadow|subuid|subgid)-?|etc/ld\.so\.cache|packages(/.*)?)$' | LC_ALL=C sort
}
unmount() { for m in proc dev; do ! mountpoint -q "$root/$m" || umount -R -l "$root/$m"; done; }
now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{printf "%.1f", $2 - $1}'; }

for suite in "$@"; do
    bare=$roots/$suite root=$roots/$suite.trial log=$roots/$suite.log
    mkdir -p "$roots"
    [ -e "$bare/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$bare" "$mirror" >"$log" 2>&1 || { tail -n 3 "$log"; exit 69; }
    unmount
    rm -rf --one-file-system "$root"
    cp -a "$bare" "$root"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
    trap unmount EXIT
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
    mkdir "$root/packages" "$root/packages/before"
    # The version before: the same files, with a lower number.
    for name in entrain entrain-monitor; do
        cp "$out/${name}_"*.deb "$root/packages/$name.deb"
        rm -rf "$root/tmp/unpacked"
        dpkg-deb -R "$root/packages/$name.deb" "$root/tmp/unpacked"
        sed -i 's/^Version: .*/Version: 0.0.1/' "$root/tmp/unpacked/DEBIAN/control"
        dpkg-deb -Znone --root-owner-group -b "$root/tmp/unpacked" "$root/packages/before/$name.deb" >/dev/null
    done
    rm -rf "$root/tmp/unpacked"
    within useradd -m lab
    within apt-get update -qq
    as="runuser -u lab -- env HOME=/home/lab sh -c"
    before=$(files)
    fetch=$(within apt-get install --no-install-recommends --assume-no /packages/entrain.deb | sed -n 's/^Need to get \(.*\) of archives.*/\1/p')

    began=$(now)
    holds "entrain installs" install /packages/entrain.deb
    installed=$(since "$began")
    holds "entrain try leaves a finished study" within $as 'cd && entrain try && test -s entrain-try/report.html'
    echo "      $suite: the package has $(du -k "$root/packages/entrain.deb" | cut -f1) kB, and ${fetch%%/*} of others are fetched;" \
        "$(within dpkg-query -Wf '${Installed-Size}' entrain) kB installed; $installed s to install, $(since "$began") s to the finished study"
    holds "its bundle is whole" within $as 'cd && entrain verify entrain-try/results/*/'
    holds "examples, pages and the drill's library are found" within $as \
        'cd && entrain examples | grep -q tapping && entrain docs Drill | grep -q power && entrain drill --budget 5s --out drill'
    within apt-get purge -qq -y entrain >/dev/null 2>&1

    holds "the version before installs" install /packages/before/entrain.deb /packages/before/entrain-monitor.deb
    echo '# kept' >>"$root/etc/default/entrain-monitor"
    monitor="setpriv --reuid=entrain-monitor --regid=entrain-monitor --clear-groups entrain-monitor"
    data=/var/lib/entrain-monitor
    within $monitor token create --data $data --scope read --name lab >/dev/null
    holds "the upgrade installs" install /packages/entrain.deb /packages/entrain-monitor.deb
    holds "the upgrade keeps what was set" grep -q '^# kept' "$root/etc/default/entrain-monitor"
    holds "the token of before is known" within sh -c "$monitor token list --data $data | grep -q lab"
    within apt-get purge -qq -y entrain entrain-monitor >/dev/null 2>&1
    within apt-get autoremove -qq -y --purge >/dev/null 2>&1
    echo "$before" >"$log.before"
    files | LC_ALL=C comm -13 "$log.before" - | grep -vE '^\./(home/lab|var/lib/entrain-monitor)(/|$)' >"$log.left" || true
    holds "nothing is left but the users' data" sh -c "! grep . '$log.left'"
    holds "the monitor's data are left" test -s "$root$data/monitor.sqlite"

    within apt-get install -qq -y --no-install-recommends systemd curl openssl /packages/entrain-monitor.deb >"$log" 2>&1
    unmount
    cat >"$root/root/serve.sh" <<'EOF'
cd /etc/entrain-monitor
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout key.pem -out chain.pem
chown entrain-monitor key.pem
echo 'OPTIONS="--host 0.0.0.0 --port 443 --certificate /etc/entrain-monitor/chain.pem --key /etc/entrain-monitor/key.pem"' \
    >/etc/default/entrain-monitor
systemctl enable --now entrain-monitor
for _ in $(seq 20); do
    curl -sS --fail --cacert chain.pem https://localhost/openapi.json >/root/answer && break
    sleep 0.5
done
systemctl status --no-pager entrain-monitor
systemd-analyze security --no-pager --threshold=25 entrain-monitor >/root/exposure && touch /root/confined
tail -n 1 /root/exposure
EOF
    printf '[Service]\nType=oneshot\nExecStart=sh /root/serve.sh\nExecStopPost=systemctl --no-block poweroff\nTimeoutStartSec=60\n' \
        >"$root/etc/systemd/system/trial.service"
    mkdir -p "$root/etc/entrain-monitor" "$root/etc/systemd/system/multi-user.target.wants"
    ln -s ../trial.service "$root/etc/systemd/system/multi-user.target.wants/trial.service"
    timeout 120 systemd-nspawn -q -D "$root" --register=no --keep-unit --boot --private-network </dev/null >"$log" 2>&1 || true
    holds "the service starts, and answers over TLS" grep -q '"openapi"' "$root/root/answer"
    holds "systemd finds it confined: $(sed -n 's/.*level for [^:]*: //p' "$root/root/exposure")" test -e "$root/root/confined"
done
exit $failed
