#!/usr/bin/env bash
# Creates a class data sharing (CDS) archive, so that Ferry's JVMs start faster.
#
#   archive-classes.sh commands|forks JAVA JAR ARCHIVE [OPTION...]
#
# It contains the classes that the short commands load, or the forks of the bench. It is valid only
# for this JVM and this jar. The options of the commands are recorded in ARCHIVE.commands. "ferry"
# runs this script once per archive. If it fails, the JVMs run without an archive.
set -euo pipefail

of=$1
java=$2
jar=$3
archive=$4
shift 4
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
# Whoever interrupts this has not seen it fail.
trap 'rm -f "$claim"; exit 130' INT
trap 'rm -f "$claim"; exit 143' TERM
mkdir "$work/files"
cd "$work"
options=("$@" -XX:ErrorFile="$work/crash" -XX:-CreateCoredumpOnCrash)

if [ "$of" = forks ]; then
  "$java" -Djava.io.tmpdir="$work" \
    -Dferry.lab.start-up-flags="-XX:DumpLoadedClassList=$work/fork-%p" \
    -jar "$jar" bench --profile smoke --suite answer --tables download --file-size 1M \
    --filter method=Default --filter method=ZeroCopy --filter method=ApacheTuned --out "$work/run"
  cat fork-* >all
  # The collector and the heap of forks: an archive of other ones has no heap objects for them.
  options+=(-XX:+UseG1GC -Xmx1g)
else
  # The short commands have these options with the archive. A JVM that does not know them makes none.
  options+=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)
  "$java" "${options[@]}" -XX:DumpLoadedClassList=all -Djava.io.tmpdir="$work" \
    -cp "$jar" dev.ferry.cli.TrainingRun "$work/files" "$work/commands"
fi
# JDK 17 crashes on lambdas in class files older than Java 8, such as picocli's.
awk '!/^@lambda-proxy .*picocli/ && !seen[$0]++' all >classes
"$java" "${options[@]}" -Xshare:dump -XX:SharedClassListFile=classes \
  -XX:SharedArchiveFile="$work/archive" -cp "$jar"

# Delete archives of earlier jars. Keep archives of other JVMs for this jar.
find "$target" -maxdepth 1 -name 'ferry-*.jsa*' ! -newer "$jar" -delete
if [ -f commands ]; then
  mv -f commands "$archive.commands"
fi
mv -f archive "$archive"
