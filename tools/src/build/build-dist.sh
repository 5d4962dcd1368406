#!/usr/bin/env bash
# Builds every module without tests and lays out tools/target/dist: jars, the JVM to use, an AOT cache.
#   build-dist.sh ROOT
# The caller sees to it that no two run at once.
set -euo pipefail
root=$1
dist=$root/tools/target/dist
. "$root/tools/src/build/find-jdk.sh"
find_jdk || exit 1
command -v mvn >/dev/null 2>&1 || { echo "hyperslab: building needs Maven (mvn) 3.8 or newer on PATH" >&2; exit 1; }
mkdir -p "$root/tools/target"
rm -rf "$dist/lib"
echo "hyperslab: building (JDK $JAVA_HOME); the first time takes a few minutes" >&2
log=$root/tools/target/build.log
if ! (cd "$root" && mvn -B -q -DskipTests -Dmaven.test.skip=true -pl tools -am package) >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "hyperslab: the build failed; the whole output is in $log" >&2
  exit 1
fi
cp "$root"/tools/target/hyperslab-tools-*.jar "$dist/lib/"
rm -f "$dist/hyperslab.aot"
classpath=""
for jar in "$dist"/lib/*.jar; do classpath=$classpath${classpath:+:}$jar; done
printf 'JAVA=%q\nCLASSPATH=%q\n' "$JAVA_HOME/bin/java" "$classpath" > "$dist/launch.env"
# One training run over what a short command touches; without the cache everything works, only slower.
sample=$dist/sample.h5
java=("$JAVA_HOME/bin/java" -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED)
if "${java[@]}" -cp "$classpath" org.hyperslab.tools.Main train "$sample" >>"$log" 2>&1; then
  "${java[@]}" -XX:AOTCacheOutput="$dist/hyperslab.aot" -cp "$classpath" \
    org.hyperslab.tools.Main ls "$sample" >>"$log" 2>&1 || rm -f "$dist/hyperslab.aot"
fi
touch "$dist/.built"
