#!/usr/bin/env bash
# Builds every module without tests and lays out tools/target/dist: jars, the JVM to use, an AOT cache.
#   build-dist.sh ROOT
# The caller sees to it that no two run at once.
set -euo pipefail
root=$1
dist=$root/tools/target/dist
. "$root/tools/src/build/find-jdk.sh"
. "$root/tools/src/build/leave-job.sh"
find_jdk || exit 1
leave_job
command -v mvn >/dev/null 2>&1 || { echo "hyperslab: building needs Maven (mvn) 3.8 or newer on PATH" >&2; exit 1; }
mkdir -p "$root/tools/target"
rm -rf "$dist/lib"
echo "hyperslab: building (JDK $JAVA_HOME); the first time takes about a minute, and downloads" >&2
log=$root/tools/target/build.log
touch "$root/tools/target/.unchecked" # for ./check
if ! (cd "$root" && mvn -B -q -T 2 -Dhyperslab.plain -DskipTests -Dmaven.test.skip=true -pl tools -am package) >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "hyperslab: the build failed; the whole output is in $log" >&2
  exit 1
fi
cp "$root"/tools/target/hyperslab-tools-*.jar "$dist/lib/"
rm -f "$dist"/*.aot "$dist/hyperslab.jar"
# One jar, of whose classes the caches below can take all. Without it all works, only slower.
classpath=$dist/hyperslab.jar
if ! "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "$root/tools/src/build/OneJar.java" \
    "$classpath" "$dist"/lib/*.jar >>"$log" 2>&1; then
  rm -f "$classpath"
  classpath=""
  for jar in "$dist"/lib/*.jar; do classpath=$classpath${classpath:+:}$jar; done
fi
cp "$root/tools/src/build/find-jdk.sh" "$dist/"
# The jars by the launcher's variable for their folder, so that all can be moved.
printf 'JAVA=%q\nCLASSPATH=%s\n' "$JAVA_HOME/bin/java" "${classpath//"$dist"/'"$dist"'}" >"$dist/launch.env"
# Three training runs: the commands of commands.txt, what programs of libhdf5 do (with the collector
# that these run with), and what the ranks of a parallel job do, under Open MPI's mpirun so that the
# binding is known too, or with threads for ranks. Without the caches everything works, only slower.
flash=$dist/flash
configuration=$dist/ranks.aotconf
java=("$JAVA_HOME/bin/java" -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED)
main=org.hyperslab.tools.Main
samples=$dist/samples
mkdir -p "$samples"
awk -v folder="$samples" -f "$root/tools/src/build/samples.awk"
# train CACHE COLLECTOR ARGUMENT...
train() {
  (cd "$samples" && "$JAVA_HOME/bin/java" "$2" --enable-native-access=ALL-UNNAMED \
    -XX:AOTCacheOutput="$dist/$1.aot" -cp "$classpath" "$main" train "${@:3}") >>"$log" 2>&1 || rm -f "$dist/$1.aot"
}
train hyperslab -XX:+UseParallelGC "$root/tools/src/build/commands.txt" &
train bridge -XX:+UseSerialGC --bridge "$samples/bridge"
wait
train_ranks() {
  local record=(-XX:AOTMode=record -XX:AOTConfiguration="$configuration")
  local run=(-cp "$classpath" "$main" flash-io --connector mpiio --out "$flash")
  if command -v mpirun.openmpi >/dev/null 2>&1; then
    local root_flag=()
    [ "$(id -u)" = 0 ] && root_flag=(--allow-run-as-root)
    # More ranks than cores where these are few, for then ranks wait in a way of its own.
    local others=$(nproc)
    [ "$others" -le 3 ] || others=1
    # Through env: mpirun adds the working folder to the class path of what is called java.
    timeout 300 mpirun.openmpi "${root_flag[@]}" --oversubscribe --bind-to none \
      -n 1 env "${java[@]}" "${record[@]}" "${run[@]}" : -n "$others" env "${java[@]}" "${run[@]}" && return
  fi
  timeout 300 "${java[@]}" "${record[@]}" "${run[@]}" --ranks 2
}
if train_ranks >>"$log" 2>&1; then
  "${java[@]}" -XX:AOTMode=create -XX:AOTConfiguration="$configuration" \
    -XX:AOTCache="$dist/ranks.aot" -cp "$classpath" >>"$log" 2>&1 || rm -f "$dist/ranks.aot"
fi
rm -rf "$flash" "$configuration" "$samples"
# The plugin of libhdf5 in the same package; without a C compiler, "hyperslab bridge" builds it later.
rm -rf "$dist/plugin"
"$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dhyperslab.bridge.cache="$dist/bridge.aot" \
  -cp "$classpath" "$main" bridge --package "$dist/plugin" >>"$log" 2>&1 || rm -rf "$dist/plugin"
touch "$dist/.built"
