#!/usr/bin/env bash
# Installs the Debian package in a fresh chroot without a JDK, as root. Opens its manual pages, has
# bash complete a command, and does what docs/operate.md describes: a server with TLS and callers,
# metrics, a certificate that is renewed while a file of 1 GiB is downloaded, a drain. Needs
# debootstrap, curl and openssl.
#
#   try-deb.sh [SUITE]     default: bookworm
set -euo pipefail

fail() {
  printf 'try-deb: %s\n' "$1" >&2
  exit 1
}

suite=${1:-bookworm}
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
packages=("$here"/target/ferry_*.deb)
[ -f "${packages[0]}" ] || fail "no package: run packaging/build.sh first"
for program in debootstrap curl openssl; do
  command -v "$program" >/dev/null 2>&1 || fail "'$program' not found"
done

chroot=$(mktemp -d)
chmod 755 "$chroot"
server=
cleanup() {
  status=$?
  if [ "$status" -ne 0 ] && [ -f "$chroot/root/serve.txt" ]; then
    sed 's/^/server: /' "$chroot/root/serve.txt" >&2
  fi
  if [ -n "$server" ]; then
    kill -9 "$server" 2>/dev/null || true
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
conf=/etc/ferry/server
port=17080
fingerprint() {
  openssl s_client -connect "localhost:$port" </dev/null 2>/dev/null |
    openssl x509 -noout -fingerprint -sha256
}

echo "== install"
in_chroot apt-get install -y --no-install-recommends /root/ferry.deb >"$here/target/apt.log" 2>&1
in_chroot ferry --version

echo "== manual pages and completion"
in_chroot apt-get install -y --no-install-recommends man-db bash-completion \
  >>"$here/target/apt.log" 2>&1
for page in "$chroot"/usr/share/man/man1/ferry*; do
  page=${page#"$chroot"}
  if ! warnings=$(in_chroot man --warnings --local-file "$page" 2>&1 >/dev/null) ||
    [ -n "$warnings" ]; then
    fail "$page: $warnings"
  fi
  in_chroot lexgrog "$page" >/dev/null || fail "$page has no name for apropos"
done
in_chroot man ferry-get | grep -e '--bwlimit=RATE' || fail "man ferry-get lacks --bwlimit"
# bash loads the script when Tab is pressed for the first time.
in_chroot bash -c '. /usr/share/bash-completion/bash_completion
  compopt() { :; }
  _completion_loader ferry
  complete -p ferry
  COMP_WORDS=(ferry ge) COMP_CWORD=1
  _complete_ferry
  [ "${COMPREPLY[*]}" = get ]' || fail "bash does not complete 'ferry ge'"

echo "== certificate and callers"
as_ferry ferry serve /var/lib/ferry --init "$conf" --host-name localhost
umask 077
as_ferry ferry token add "$conf/callers" alice all:/alice >"$chroot/root/alice.token"
as_ferry ferry token add "$conf/callers" bob read:/alice list:/alice >"$chroot/root/bob.token"
umask 022

echo "== serve"
# exec, so that the signal below reaches the server.
chroot --userspec=ferry:ferry "$chroot" ferry serve /var/lib/ferry --host 0.0.0.0 \
  --host-name localhost --grpc-port 17070 --http-port "$port" --admin 127.0.0.1:17090 \
  --tls-cert "$conf/cert.pem" --tls-key "$conf/key.pem" --users "$conf/callers" \
  >"$chroot/root/serve.txt" 2>&1 &
server=$!
client=(--server localhost:17070 --tls --ca "$conf/cert.pem" --retry-for 30s)
truncate -s 1G "$chroot/root/file"
in_chroot ferry put /root/file alice/file --parents --token-file /root/alice.token "${client[@]}"
in_chroot ferry ls alice --token-file /root/bob.token "${client[@]}"
if in_chroot ferry rm alice/file --token-file /root/bob.token "${client[@]}"; then
  fail "bob could delete the file"
fi

echo "== renew the certificate while the file is downloaded"
cp "$chroot$conf/cert.pem" "$chroot/root/old.pem"
curl -sSf --cacert "$chroot/root/old.pem" --limit-rate 100M -o "$chroot/root/copy" \
  -H "Authorization: Bearer $(cat "$chroot/root/alice.token")" \
  "https://localhost:$port/files/alice/file" &
download=$!
before=$(fingerprint)
as_ferry ferry serve /var/lib/ferry --init /etc/ferry/next --host-name localhost >/dev/null
as_ferry mv /etc/ferry/next/key.pem /etc/ferry/next/cert.pem "$conf"
for _ in $(seq 50); do
  after=$(fingerprint)
  [ "$after" = "$before" ] || break
  sleep 0.1
done
kill -0 "$download" || fail "the download ended before the renewal"
[ "$after" != "$before" ] || fail "the certificate was not renewed"
wait "$download"
cmp "$chroot/root/file" "$chroot/root/copy"

echo "== metrics"
curl -sSf http://127.0.0.1:17090/metrics >"$chroot/root/metrics.txt"
grep -E '^ferry_transfers_total|^ferry_tls_certificate' "$chroot/root/metrics.txt"

echo "== drain"
curl -sSf --cacert "$chroot$conf/cert.pem" --limit-rate 200M -o "$chroot/root/copy" \
  -H "Authorization: Bearer $(cat "$chroot/root/alice.token")" \
  "https://localhost:$port/files/alice/file" &
download=$!
sleep 1
kill -TERM "$server"
sleep 1
curl -s -o /dev/null -w 'ready while draining: %{http_code}\n' http://127.0.0.1:17090/ready
wait "$download" || fail "the drain cut a download"
wait "$server" || fail "the server ended with $?"
server=
cmp "$chroot/root/file" "$chroot/root/copy"

echo "== remove"
in_chroot apt-get remove -y ferry >>"$here/target/apt.log" 2>&1
[ ! -e "$chroot/usr/lib/ferry" ] || fail "/usr/lib/ferry is left"
[ -f "$chroot/var/lib/ferry/alice/file" ] || fail "the served file is gone"
echo "try-deb: done"
