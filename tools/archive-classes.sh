#!/usr/bin/env bash
# Makes a class data archive (CDS), with which Ferry's commands start faster.
#
#   archive-classes.sh JAVA JAR ARCHIVE [OPTION...]
#
# The archive fits this JVM and this jar alone. "ferry" calls this in the background, once for each
# archive: whatever goes wrong, its commands run without one.
set -euo pipefail

java=$1
jar=$2
archive=$3
shift 3
target=${archive%/*}

# Whoever waits for the end of what the caller has open must not wait for this.
for descriptor in /proc/"$BASHPID"/fd/*; do
  descriptor=${descriptor##*/}
  case $descriptor in
    0 | 1 | 2 | 255 | '*') ;;
    *) eval "exec $descriptor>&-" ;;
  esac
done

# Whoever makes this file makes the archive. An hour later the next one may try.
claim=$archive.claim
find "$target" -maxdepth 1 -name "${claim##*/}" -mmin +60 -delete
(set -o noclobber && : >"$claim") 2>/dev/null || exit 0

work=$(mktemp -d "$target/archive.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/files"
cd "$work"
options=("$@" -XX:ErrorFile="$work/crash" -XX:-CreateCoredumpOnCrash)

"$java" "${options[@]}" -XX:DumpLoadedClassList=all -Djava.io.tmpdir="$work" \
  -cp "$jar" dev.ferry.cli.TrainingRun "$work/files"
# JDK 17 crashes on lambdas of types that are older than lambdas, as picocli's are.
grep -v '^@lambda-proxy .*picocli' all >classes
"$java" "${options[@]}" -Xshare:dump -XX:SharedClassListFile=classes \
  -XX:SharedArchiveFile="$work/archive" -cp "$jar"

# Archives of earlier jars go; one of another JVM for this jar stays.
find "$target" -maxdepth 1 -name 'ferry-*.jsa*' ! -newer "$jar" -delete
mv -f archive "$archive"
