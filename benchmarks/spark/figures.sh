#!/usr/bin/env bash
# Figures of the Spark source beside Parquet. MiB is the size of the field before compression.
#   benchmarks/spark/figures.sh FOLDER [MiB]
# Needs the module: mvn -Pspark -Dhyperslab.plain -DskipTests install -pl spark -am
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tools/src/build/find-jdk.sh
find_jdk || exit 1
folder=${1:?a folder for the files}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -B -ntp -q -Pspark -pl spark dependency:build-classpath -Dmdep.includeScope=compile -Dmdep.outputFile="$work/classpath"
classpath=$(cat "$work/classpath"):$(ls "$PWD"/spark/target/hyperslab-spark-*[0-9].jar)
options=$(sed -n 's,.*<test.jvm.args>\(.*\)</test.jvm.args>.*,\1,p' spark/pom.xml)
"$JAVA_HOME/bin/javac" -nowarn -d "$work" -cp "$classpath" benchmarks/spark/SparkFigures.java
# shellcheck disable=SC2086 # options are words
"$JAVA_HOME/bin/java" -Xmx2g $options --enable-native-access=ALL-UNNAMED -cp "$work:$classpath" \
  SparkFigures "$folder" "${2:-256}"
