#!/usr/bin/env bash
# Installs the Debian package in a fresh chroot without a JDK, as root, and uses it: a server of the
# package's user with TLS and a caller, a file put and got, a removal. Needs debootstrap.
#
#   try-deb.sh [SUITE]     default: bookworm
set -euo pipefail

suite=${1:-bookworm}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
packages=("$here"/target/ferry_*.deb)
[ -f "${packages[0]}" ] || { echo "try-deb: no package: run packaging/build.sh first" >&2; exit 1; }
command -v debootstrap >/dev/null 2>&1 || { echo "try-deb: 'debootstrap' not found" >&2; exit 1; }

chroot=$(mktemp -d)
chmod 755 "$chroot"
server=
cleanup() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  umount "$chroot/proc" 2>/dev/null || true
  rm -rf --one-file-system "$chroot"
}
trap cleanup EXIT

debootstrap --variant=minbase "$suite" "$chroot" >"$here/target/debootstrap.log"
mount -t proc proc "$chroot/proc"
cp "${packages[0]}" "$chroot/root/ferry.deb"
in_chroot() {
  chroot "$chroot" "$@"
}
as_ferry() {
  in_chroot runuser -u ferry -- "$@"
}
in_chroot apt-get install -y --no-install-recommends /root/ferry.deb >"$here/target/apt.log"

in_chroot ferry --version
as_ferry ferry serve /var/lib/ferry --init /etc/ferry/server --host-name localhost \
  >"$chroot/root/init.txt"
as_ferry ferry serve /var/lib/ferry --host 0.0.0.0 --host-name localhost \
  --tls-cert /etc/ferry/server/cert.pem --tls-key /etc/ferry/server/key.pem \
  --callers /etc/ferry/server/callers >"$chroot/root/serve.txt" 2>&1 &
server=$!
in_chroot cp /root/ferry.deb /var/tmp/file
client=(--server localhost --tls --ca /etc/ferry/server/cert.pem
  --token-file /etc/ferry/server/owner.token)
in_chroot ferry put /var/tmp/file file "${client[@]}"
in_chroot ferry get file /var/tmp/copy "${client[@]}"
in_chroot cmp /var/tmp/file /var/tmp/copy
client[1]=localhost:7080
in_chroot ferry ls --carrier http "${client[@]}"
kill "$server"
wait "$server" || true
server=
in_chroot apt-get remove -y ferry >>"$here/target/apt.log"
[ ! -e "$chroot/usr/lib/ferry" ] || { echo "try-deb: /usr/lib/ferry is left" >&2; exit 1; }
[ -f "$chroot/var/lib/ferry/file" ] || { echo "try-deb: the served file is gone" >&2; exit 1; }
echo "try-deb: installed, served, removed"
