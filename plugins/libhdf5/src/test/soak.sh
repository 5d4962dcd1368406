#!/usr/bin/env bash
# Runs soak.c through the bridge, and prints what the process holds at the beginning, now and then, and at the end.
#   soak.sh HDF5 PLUGIN CONNECTOR SECONDS [PAUSE]
#     HDF5       a build of HDF5 1.14 or newer: include, lib
#     PLUGIN     what "hyperslab bridge --path" prints
#     CONNECTOR  a configuration, such as "native"
#     PAUSE      microseconds between two files; 100000 if none is given, which costs little
# Columns: minutes; cycles; memory in MiB: resident, of the JVM beside the heap, live in the heap; file descriptors;
# threads; mappings; live objects of the JVM: the bridge's and the connectors' handles, sessions of arenas.
# Counts of objects are made after a collection.
set -euo pipefail
hdf5=$1 plugin=$2 connector=$3 seconds=$4 pause=${5:-100000}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'kill "$soak" 2>/dev/null || true; rm -rf "$work"' EXIT
gcc -O1 -o "$work/soak" "$here/soak.c" -I"$hdf5/include" -L"$hdf5/lib" -lhdf5
java=$(strings "$plugin/libhyperslab.so" | sed -n 's,/lib/server/libjvm.so$,,p' | head -n 1)
export LD_LIBRARY_PATH=$hdf5/lib HDF5_PLUGIN_PATH=$plugin HDF5_VOL_CONNECTOR="hyperslab $connector"
# The bridge's JVM does not listen to jcmd unless it is told to.
export HYPERSLAB_JAVA_OPTS="${HYPERSLAB_JAVA_OPTS:-} -XX:NativeMemoryTracking=summary -XX:-DisableAttachMechanism -XX:+StartAttachListener"
"$work/soak" "$work" "$seconds" "$pause" >"$work/out" &
soak=$!

ask() { "$java/bin/jcmd" "$soak" "$@" 2>/dev/null; }
figures() {
  local native live
  live=$(ask GC.class_histogram | awk '
    $4 ~ /^org.hyperslab.plugins.libhdf5.object.BridgeObject/ {bridge += $2}
    $4 == "org.hyperslab.vol.Handle" {handles += $2}
    $4 ~ /^jdk.internal.foreign.*Session/ && $4 !~ /ResourceList|Cleanup|\$/ {sessions += $2}
    $1 == "Total" {heap = $3}
    END {printf "%.1f | %d | %d | %d", heap / 1048576, bridge, handles, sessions}')
  native=$(ask VM.native_memory summary scale=KB | awk '
    /^Total:/ {sub(/.*committed=/, ""); total = $0 + 0} /Java Heap/ {sub(/.*committed=/, ""); heap = $0 + 0}
    END {printf "%.1f", (total - heap) / 1024}')
  IFS='|' read -r heap bridge handles sessions <<<"$live"
  printf '| %.1f | %s | %.1f | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$(((SECONDS * 10) / 60))e-1" \
    "$(tail -n 1 "$work/out")" "$(awk '/VmRSS/ {print $2 / 1024}' "/proc/$soak/status")" "$native" "${heap// /}" \
    "$(find "/proc/$soak/fd" | wc -l)" "$(find "/proc/$soak/task" -maxdepth 1 | wc -l)" "$(wc -l <"/proc/$soak/maps")" \
    "${bridge// /}" "${handles// /}" "${sessions// /}"
}
printf '| min | cycles | resident | JVM beside heap | live heap | descriptors | threads | mappings | bridge objects | handles | arenas |\n|---|---|---|---|---|---|---|---|---|---|---|\n'
between=$((seconds < 120 ? seconds / 4 + 1 : seconds / 15))
sleep $((seconds < 120 ? 5 : 30))
while kill -0 "$soak" 2>/dev/null; do
  figures || true
  for ((i = 0; i < between; i++)); do
    kill -0 "$soak" 2>/dev/null || break
    sleep 1
  done
done
wait "$soak"
printf '\n%s\n' "$(tail -n 1 "$work/out")"
