#!/usr/bin/env bash
# Prints what calls of libhdf5 cost with its own connector and through the bridge, by processor time.
#   figures.sh HDF5 PLUGIN [MIB [DATASETS]]
#     HDF5      a build of HDF5 1.14 or newer: include, lib
#     PLUGIN    what "hyperslab bridge --path" prints
#     MIB       the size of the large datasets (1024); twice that is used of /dev/shm, or of TMPDIR
#     DATASETS  the number of small ones (100000)
set -euo pipefail
hdf5=$1 plugin=$2 mib=${3:-1024} datasets=${4:-100000}
place=/dev/shm
[ -w "$place" ] || place=${TMPDIR:-/tmp}
work=$(mktemp -d "$place/figures.XXXXXX")
trap 'rm -rf "$work"' EXIT
gcc -O2 -I"$hdf5/include" -o "$work/figures" "$(dirname "$0")/figures.c" -L"$hdf5/lib" -lhdf5
export LD_LIBRARY_PATH=$hdf5/lib
"$work/figures" "$work/alone.h5" "$mib" "$datasets" >"$work/alone"
rm "$work/alone.h5"
HDF5_PLUGIN_PATH=$plugin HDF5_VOL_CONNECTOR="hyperslab native" \
  "$work/figures" "$work/bridge.h5" "$mib" "$datasets" >"$work/bridge"
printf '| %s MiB, %s small datasets | libhdf5 | bridge |\n|---|---|---|\n' "$mib" "$datasets"
paste -d'\t' "$work/alone" "$work/bridge" | awk -F'\t' '{
  n = split($1, a, " "); split($2, b, " "); name = a[1]
  for (i = 2; i <= n - 2; i++) name = name " " a[i]
  printf "| %s | %s %s | %s %s |\n", name, a[n - 1], a[n], b[n - 1], b[n]
}'
