#!/usr/bin/env bash
# Tries what the README says of a project of one's own: its POM and its first program, with Maven's own defaults.
#   release/try-pom.sh [REPOSITORY]   REPOSITORY has the installed artifacts already
# Installs in a temporary local repository otherwise. Maven needs its plugins, from the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/src/build/find-jdk.sh
find_jdk || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
repository=${1:-$work/repository}
[ -n "${1:-}" ] || mvn -B -ntp -q -DskipTests -Dmaven.repo.local="$repository" install -pl release/hyperslab -am
for artifact in hyperslab hyperslab-format hyperslab-model hyperslab-spi hyperslab-api hyperslab-native hyperslab-remote; do
  for kind in "" -sources -javadoc; do
    ls "$repository/org/hyperslab/$artifact"/*/"$artifact"-[0-9.]*[0-9]"$kind.jar" >/dev/null
  done
done
mkdir -p "$work/src/main/java"
{
  echo '<project xmlns="http://maven.apache.org/POM/4.0.0"> <modelVersion>4.0.0</modelVersion>'
  echo '<groupId>my</groupId> <artifactId>first</artifactId> <version>1</version>'
  sed -n '/^```xml$/,/^```$/p' README.md | grep -v '^```'
  echo '</project>'
} >"$work/pom.xml"
sed -n '/^```java$/,/^```$/p' README.md | grep -v '^```' >"$work/src/main/java/First.java"
cd "$work"
mvn -B -ntp -q -Dmaven.repo.local="$repository" compile dependency:build-classpath -Dmdep.outputFile=target/classpath
said=$("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -cp "target/classes:$(cat target/classpath)" First)
[ "$said" = "6.0 1000 [field, grid]" ] || { echo "README's program printed: $said" >&2; exit 1; }
version=$(mvn -B -v)
echo "README's POM and program work with ${version%%$'\n'*}"
