#!/usr/bin/env bash
# Runs HDF5's own API tests (h5_api_test, of HDF5's source package) through the bridge and prints a
# table: passed, failed and skipped checks of each group, beside those of libhdf5's native connector.
#   api-tests.sh HDF5 PLUGIN CONNECTOR...
#     HDF5       a build of HDF5 1.14 or newer: bin/h5_api_test, lib
#     PLUGIN     what "hyperslab bridge --path" prints
#     CONNECTOR  configurations, such as "native" or "async | native"
# What failed and what is skipped beyond the native connector's is listed below the table. The exit
# code is the number of connectors with failures.
set -uo pipefail
hdf5=$1 plugin=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
groups="file group dataset datatype attribute link object misc async"
export LD_LIBRARY_PATH=$hdf5/lib

run() { # OUTPUT GROUP: runs one group in a folder of its own
  mkdir -p "$1.d"
  (cd "$1.d" && timeout 600 "$hdf5/bin/h5_api_test" "$2") >"$1" 2>&1
}
numbers() { # OUTPUT: "passed / failed / skipped" of a group
  awk '/API tests passed/ {split($1, p, "/")} /did not pass/ {split($1, f, "/")} /were skipped/ {split($1, s, "/")}
    END {printf "%d / %d / %d", p[1], f[1], s[1]}' "$1"
}
# A result on a line of its own belongs to the last title before it.
results() { # WORD OUTPUT: the checks with that result
  awk -v word="$1" '/^ *Testing / {title = $0} index($0, word) {t = title; sub(/ *(\*FAILED\*|-SKIP-|PASSED).*/, "", t);
    sub(/HDF5-DIAG.*/, "", t); sub(/^ *Testing /, "", t); sub(/ *$/, "", t); print t}' "$2" | sort
}

printf '| connector |'
for group in $groups; do printf ' %s |' "$group"; done
printf '\n|---|'
for group in $groups; do printf -- '---|'; done
printf '\n| (libhdf5) |'
for group in $groups; do
  run "$work/alone.$group" "$group"
  printf ' %s |' "$(numbers "$work/alone.$group")"
done
printf '\n'
bad=0
export HDF5_PLUGIN_PATH=$plugin
for connector in "$@"; do
  export HDF5_VOL_CONNECTOR="hyperslab $connector"
  printf '| `%s` |' "${connector//|/\\|}"
  for group in $groups; do
    run "$work/ours.$group" "$group"
    printf ' %s |' "$(numbers "$work/ours.$group")"
    results '*FAILED*' "$work/ours.$group" | sed "s/^/- $group, failed: /" >>"$work/notes"
    comm -13 <(results -SKIP- "$work/alone.$group") <(results -SKIP- "$work/ours.$group") | sed "s/^/- $group, skipped: /" >>"$work/notes"
    grep -q 'API tests passed' "$work/ours.$group" || [ "$group" = async ] || echo "- $group: ended early" >>"$work/notes"
    rm -rf "$work/ours.$group.d"
  done
  printf '\n'
  grep -qE 'failed:|early' "$work/notes" 2>/dev/null && bad=$((bad + 1))
done
printf '\nBeyond libhdf5'"'"'s own connector, with any of these:\n'
sort -u "$work/notes" 2>/dev/null
exit "$bad"
