#!/usr/bin/env bash
# Builds what users install, into packaging/target:
#
#   ferry_VERSION_ARCH.deb     Debian package with a Java runtime of its own; VERSION~TIME without
#                              the tag vVERSION on the commit
#   ferry-VERSION.tar.gz       the commands for any system with a JDK 17 or newer and bash
#   ferry-s3_VERSION_all.deb   Debian package of what "ferry serve s3://..." needs beside it
#   ferry-s3-VERSION.jar       the same for the tar archive
#   ferry-VERSION.cdx.json     the libraries inside, as CycloneDX bills of materials
#   ferry-s3-VERSION.cdx.json
#   SHA256SUMS
#
# Needs a JDK with jlink, Maven, and dpkg-deb. Two builds of one commit with one JDK are equal byte
# by byte: check-reproducible.sh compares them.
set -euo pipefail

fail() {
  printf 'packaging: %s\n' "$1" >&2
  exit 1
}

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${here%/*}
target=$here/target
for program in mvn jlink jdeps dpkg-deb; do
  command -v "$program" >/dev/null 2>&1 || fail "'$program' not found"
done
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v jlink)")")")

cd "$root"
mvn -B -ntp -q -DskipTests -Pdist -pl ferry-cli,ferry-s3 -am package
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
timestamp=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</.*:\1:p' pom.xml)
SOURCE_DATE_EPOCH=$(date -u -d "$timestamp" +%s)
export SOURCE_DATE_EPOCH
# The package of a commit without the tag of its release is older than that of the release.
deb_version=$version
if [ "$(git describe --tags --dirty --match "v$version" 2>/dev/null)" != "v$version" ]; then
  built=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S 2>/dev/null) ||
    built=$(date -u -d "$timestamp" +%Y%m%d%H%M%S)
  deb_version=${version%-SNAPSHOT}~$built
fi
rm -rf "$target"
mkdir -p "$target"

# Files of the installed Ferry that all packages have.
program_files() {
  install -D -m 755 ferry "$1/ferry"
  install -m 644 ferry-cli/target/ferry.jar "$1/ferry.jar"
  install -m 755 tools/archive-classes.sh "$1"
}

# Writes the pages for users into a folder, with the pictures and files that they link to.
pages() {
  install -D -m 644 -t "$1" {README,ARCHITECTURE,CHANGELOG,CONTRIBUTING,SECURITY}.md
  install -D -m 644 -t "$1/docs" docs/*.{md,svg,png,yml,json}
  install -D -m 644 -t "$1/docs/json" docs/json/*.json
  install -D -m 644 -t "$1/docs/results" docs/results/*.md
  install -D -m 644 -t "$1/docs/bench" docs/bench/*.md
}

archive() {
  tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --directory "$1" "$2" | gzip --no-name --best
}

# Writes the manual pages of the commands into a folder.
man_pages() {
  install -d "$1"
  "$jdk/bin/java" -jar ferry-cli/target/ferry.jar man-pages "$1"
  chmod 644 "$1"/*
}

make_tar() {
  local name=ferry-$version
  local tree=$target/tar/$name
  program_files "$tree"
  install -m 644 LICENSE "$tree"
  pages "$tree"
  man_pages "$tree/share/man/man1"
  archive "$target/tar" "$name" >"$target/$name.tar.gz"
}

# A runtime of the modules that the jars need. jdeps does not see that TLS needs jdk.crypto.ec.
# Jackson uses java.desktop, which is half of a runtime, only if it is there.
make_runtime() {
  local modules
  modules=$(jdeps --multi-release 17 --ignore-missing-deps --print-module-deps \
    ferry-cli/target/ferry.jar ferry-s3/target/ferry-s3.jar | sed 's/java.desktop,//')
  jlink --add-modules "$modules,jdk.crypto.ec" --strip-debug --no-man-pages --no-header-files \
    --compress=2 --output "$1"
  # Debian's JDK has a link here, to a file that another package makes.
  rm -f "$1/lib/security/cacerts"
  install -m 644 "$(readlink -f "$jdk/lib/security/cacerts")" "$1/lib/security/cacerts"
}

# Writes the script of a shell.
completion() {
  install -d "${2%/*}"
  "$jdk/bin/java" -jar ferry-cli/target/ferry.jar completion "$1" >"$2"
  chmod 644 "$2"
}

make_deb() {
  local tree=$target/deb
  local architecture
  architecture=$(dpkg --print-architecture)
  program_files "$tree/usr/lib/ferry"
  make_runtime "$tree/usr/lib/ferry/runtime"
  install -d "$tree/usr/bin"
  ln -s ../lib/ferry/ferry "$tree/usr/bin/ferry"
  install -D -m 644 -t "$tree/usr/lib/systemd/system" "$here/deb/ferry.service"
  install -D -m 644 -t "$tree/etc/ferry" "$here/deb/serve.conf"
  man_pages "$tree/usr/share/man/man1"
  gzip --no-name --best "$tree"/usr/share/man/man1/*
  completion bash "$tree/usr/share/bash-completion/completions/ferry"
  completion zsh "$tree/usr/share/zsh/vendor-completions/_ferry"
  completion fish "$tree/usr/share/fish/vendor_completions.d/ferry.fish"
  install -D -m 644 LICENSE "$tree/usr/share/doc/ferry/copyright"
  ln -s copyright "$tree/usr/share/doc/ferry/LICENSE"
  pages "$tree/usr/share/doc/ferry"
  install -D -m 755 -t "$tree/DEBIAN" "$here/deb/postinst" "$here/deb/prerm" "$here/deb/postrm"
  install -m 644 "$here/deb/conffiles" "$tree/DEBIAN"
  build_deb "$tree" "$here/deb/control" "$architecture"
}

# Makes a package of a folder and a template of its control file.
build_deb() {
  sed -e "s/@VERSION@/$deb_version/" -e "s/@ARCHITECTURE@/$3/" \
    -e "s/@SIZE@/$(du -sk --apparent-size "$1" | cut -f 1)/" "$2" >"$1/DEBIAN/control"
  find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$1" "$target" >/dev/null
}

make_s3() {
  local tree=$target/s3
  install -D -m 644 -t "$tree/usr/lib/ferry" ferry-s3/target/ferry-s3.jar
  install -D -m 644 LICENSE "$tree/usr/share/doc/ferry-s3/copyright"
  install -d "$tree/DEBIAN"
  build_deb "$tree" "$here/deb/control-s3" all
  install -m 644 ferry-s3/target/ferry-s3.jar "$target/ferry-s3-$version.jar"
  install -m 644 ferry-s3/target/ferry-s3-sbom.json "$target/ferry-s3-$version.cdx.json"
}

make_tar
make_deb
make_s3
install -m 644 ferry-cli/target/ferry-sbom.json "$target/ferry-$version.cdx.json"
rm -rf "$target/tar" "$target/deb" "$target/s3"
(cd "$target" && sha256sum ferry* >SHA256SUMS)
cat "$target/SHA256SUMS"
