#!/usr/bin/env bash
# Creates a class data sharing (CDS) archive, so that Ferry's commands start faster.
#
#   archive-classes.sh JAVA JAR ARCHIVE [OPTION...]
#
# The archive is valid only for this JVM and this jar. "ferry" runs this script in the background,
# once per archive. If it fails, commands run without an archive.
set -euo pipefail

java=$1
jar=$2
archive=$3
shift 3
target=${archive%/*}

# Close inherited file descriptors. A process that waits for the end of a pipe of the caller must
# not wait for this script.
for descriptor in /proc/"$BASHPID"/fd/*; do
  descriptor=${descriptor##*/}
  case $descriptor in
    0 | 1 | 2 | 255 | '*') ;;
    *) eval "exec $descriptor>&-" ;;
  esac
done

# The process that creates this file creates the archive. After an hour, another one may try again.
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
# JDK 17 crashes on lambdas in class files older than Java 8, such as picocli's.
grep -v '^@lambda-proxy .*picocli' all >classes
"$java" "${options[@]}" -Xshare:dump -XX:SharedClassListFile=classes \
  -XX:SharedArchiveFile="$work/archive" -cp "$jar"

# Delete archives of earlier jars. Keep archives of other JVMs for this jar.
find "$target" -maxdepth 1 -name 'ferry-*.jsa*' ! -newer "$jar" -delete
mv -f archive "$archive"
