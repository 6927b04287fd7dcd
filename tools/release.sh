#!/usr/bin/env bash
# Builds what a release publishes, and lays it out as a bundle for Maven Central, whose rules the
# build checks (profile release): target/release/bundle.zip, with checksums and signatures.
#
#   tools/release.sh https://HOST/ferry KEY   signs with a key of gpg
#   tools/release.sh --try                    with a key that is thrown away, and builds twice to
#                                             see that both builds make the same bytes
#
# MAVEN_ARGS has more arguments for Maven, for instance a local repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf 'release: %s\n' "$1" >&2
  exit 1
}

try=
case ${1:-} in
  --try)
    try=yes
    url=https://example.org/ferry
    ;;
  https://*)
    url=$1
    key=${2:-}
    [ -n "$key" ] || fail "needs the key to sign with, as 'gpg --list-secret-keys' names it"
    ;;
  *) fail "needs the URL of the sources, such as https://HOST/ferry, and a key; or --try" ;;
esac
command -v gpg >/dev/null || fail "needs gpg: install gnupg"

version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
modules=()
for pom in */pom.xml; do
  if grep -q '<ferry.unpublished>false<' "$pom"; then
    modules+=("${pom%/pom.xml}")
  fi
done
list=$(IFS=,; printf '%s' "${modules[*]}")
out=target/release

# What others have compiled against must go on as the version number says (semver.org). Before 1.0.0,
# the second number says that it does not.
api=()
previous=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | sed -n 2p)
if [ -n "$previous" ]; then
  api=(-Djapicmp.skip=false "-Dferry.released=$previous")
fi

# Builds into a folder as it looks in a Maven repository.
build() {
  # shellcheck disable=SC2086
  mvn -B -q -ntp ${MAVEN_ARGS:-} -Prelease "-Dferry.url=$url" ${api[@]+"${api[@]}"} \
    clean verify -pl "$list" -am
  rm -rf "$1"
  for module in "${modules[@]}"; do
    local folder=$1/dev/ferry/$module/$version
    mkdir -p "$folder"
    cp "$module/target/.flattened-pom.xml" "$folder/$module-$version.pom"
    for jar in "" -sources -javadoc; do
      local file=$module/target/$module-$version$jar.jar
      [ ! -e "$file" ] || cp "$file" "$folder/"
    done
  done
}

build "$out/files"
if [ -n "$try" ]; then
  build "$out/again"
  diff -r "$out/files" "$out/again" || fail "two builds differ"
  printf 'two builds made the same bytes\n'
  GNUPGHOME=$(mktemp -d)
  export GNUPGHOME
  trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
  key=release@ferry.invalid
  gpg --batch --quiet --passphrase '' --quick-generate-key "$key" default default 1d
fi
find "$out/files" -type f \( -name '*.jar' -o -name '*.pom' \) | sort | while read -r file; do
  gpg --batch --quiet --yes --local-user "$key" --armor --detach-sign "$file"
  gpg --batch --quiet --verify "$file.asc" "$file" 2>/dev/null || fail "$file: the signature is bad"
  for sum in md5 sha1 sha256; do
    "${sum}sum" "$file" | cut -d ' ' -f 1 >"$file.$sum"
  done
done
(cd "$out/files" && jar --create --no-manifest --file ../bundle.zip dev)
printf '%s/bundle.zip: %s modules of %s\n' "$out" "${#modules[@]}" "$version"
