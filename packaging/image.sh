#!/usr/bin/env bash
# Makes an OCI image from the Debian packages that build.sh has made.
#
#   image.sh           packaging/target/ferry-image.tar
#   image.sh --s3      packaging/target/ferry-s3-image.tar, which can also serve s3://BUCKET/PREFIX
#
# It has the Java runtime, the jar, and of Debian the C and C++ libraries alone; no shell. It runs
# as user 65532 and needs a writable /tmp and /srv only. Needs umoci, skopeo, and apt-get of Debian.
set -euo pipefail

fail() {
  printf 'image: %s\n' "$1" >&2
  exit 1
}

name=ferry
entry=(-jar /usr/lib/ferry/ferry.jar)
case ${1:-} in
  '') ;;
  --s3)
    name=ferry-s3
    entry=(-cp /usr/lib/ferry/ferry.jar:/usr/lib/ferry/ferry-s3.jar dev.ferry.cli.Main)
    ;;
  *) fail "usage: image.sh [--s3]" ;;
esac

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$here/target
packages=("$target"/ferry_*.deb)
[ -f "${packages[0]}" ] || fail "no package: run packaging/build.sh first"
for program in umoci skopeo apt-get dpkg-deb; do
  command -v "$program" >/dev/null 2>&1 || fail "'$program' not found"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root" "$work/debs"
chmod 755 "$work" "$work/debs"
(cd "$work/debs" && apt-get -qq download libc6 libgcc-s1 libstdc++6 zlib1g)
for package in "$work"/debs/*.deb; do
  dpkg-deb -x "$package" "$root"
done
rm -rf "$root/usr/share/doc" "$root/usr/share/lintian"
dpkg-deb -x "${packages[0]}" "$work/ferry"
if [ "$name" = ferry-s3 ]; then
  dpkg-deb -x "$target"/ferry-s3_*.deb "$work/ferry"
fi
mkdir -p "$root/usr/lib" "$root/etc" "$root/tmp" "$root/srv"
cp -r "$work/ferry/usr/lib/ferry" "$root/usr/lib/ferry"
rm "$root/usr/lib/ferry/ferry" "$root/usr/lib/ferry/archive-classes.sh"
printf 'ferry:x:65532:65532:ferry:/srv:/usr/sbin/nologin\n' >"$root/etc/passwd"
printf 'ferry:x:65532:\n' >"$root/etc/group"
chmod 1777 "$root/tmp"
chown -R 0:0 "$root"
chown 65532:65532 "$root/srv"

image=$work/image
# Heap and buffers outside of it may each take this part of the memory limit. As a variable, the JVM
# would print it before the log.
heap=-XX:MaxRAMPercentage=40
entrypoint=()
for word in /usr/lib/ferry/runtime/bin/java "$heap" "${entry[@]}"; do
  entrypoint+=(--config.entrypoint "$word")
done
umoci init --layout "$image"
umoci new --image "$image:ferry"
umoci insert --image "$image:ferry" "$root" /
umoci config --image "$image:ferry" --config.user 65532:65532 --config.workingdir /srv \
  --config.env LC_ALL=C.UTF-8 --config.volume /srv --config.volume /tmp \
  --config.exposedports 7070/tcp --config.exposedports 7080/tcp \
  "${entrypoint[@]}" \
  --config.cmd serve --config.cmd /srv
umoci gc --layout "$image"
rm -f "$target/$name-image.tar"
skopeo copy --quiet "oci:$image:ferry" "oci-archive:$target/$name-image.tar:$name"
ls -l "$target/$name-image.tar"
