#!/usr/bin/env bash
# Prints what calls of libhdf5 cost with its own connector and through the bridge: medians of runs by
# turns, by the clock and by processor time, and the median of what the first takes divided by what the
# second takes in the same turn. The clock says how long a program waits, and means something on a quiet
# machine only; processor time includes that of the JVM's compilers, which work beside the program.
#   figures.sh HDF5 PLUGIN [MIB [DATASETS [TURNS]]]
#     HDF5      a build of HDF5 1.14 or newer: include, lib
#     PLUGIN    what "hyperslab bridge --path" prints
#     MIB       the size of the large datasets (1024); twice that is used of /dev/shm, or of TMPDIR
#     DATASETS  the number of small ones (100000)
#     TURNS     how often each is run (3)
set -euo pipefail
hdf5=$1 plugin=$2 mib=${3:-1024} datasets=${4:-100000} turns=${5:-3}
place=/dev/shm
[ -w "$place" ] || place=${TMPDIR:-/tmp}
work=$(mktemp -d "$place/figures.XXXXXX")
trap 'rm -rf "$work"' EXIT
gcc -O2 -I"$hdf5/include" -o "$work/figures" "$(dirname "$0")/figures.c" -L"$hdf5/lib" -lhdf5
export LD_LIBRARY_PATH=$hdf5/lib
for turn in $(seq "$turns"); do
  "$work/figures" "$work/file.h5" "$mib" "$datasets" | sed "s/^/libhdf5\t$turn\t/" >>"$work/lines"
  HDF5_PLUGIN_PATH=$plugin HDF5_VOL_CONNECTOR="hyperslab native" \
    "$work/figures" "$work/file.h5" "$mib" "$datasets" | sed "s/^/bridge\t$turn\t/" >>"$work/lines"
done
printf '%s MiB, %s small datasets, %s turns, load %s\n\n' "$mib" "$datasets" "$turns" "$(cut -d' ' -f1-3 /proc/loadavg)"
awk -F'\t' '
  function median(list, n, i, j, t) {
    n = split(list, v, " ")
    for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
  }
  function value(time, i) {
    if (unit[i] ~ /\/s/) return sprintf("%.0f %s", amount[i] / time, unit[i])
    if (unit[i] == "us") return sprintf("%.2f us", time / amount[i] * 1e6)
    if (unit[i] == "ms") return sprintf("%.0f ms", time / amount[i] * 1e3)
    return sprintf("%.0f %s", time / amount[i], unit[i])
  }
  {
    if (!($3 in row)) { row[$3] = ++rows; name[rows] = $3; unit[rows] = $4; amount[rows] = $5 }
    r = row[$3]
    wall[$1, r] = wall[$1, r] " " $6; processor[$1, r] = processor[$1, r] " " $7
    if ($1 == "libhdf5") { w[r] = $6; p[r] = $7 }
    else { ratio[r] = ratio[r] " " w[r] / $6; worked[r] = worked[r] " " p[r] / $7 }
  }
  END {
    print "| | libhdf5 | bridge | ratio | libhdf5, processor | bridge, processor | ratio |\n|---|---|---|---|---|---|---|"
    for (r = 1; r <= rows; r++)
      printf "| %s | %s | %s | %.2f | %s | %s | %.2f |\n", name[r], value(median(wall["libhdf5", r]), r),
        value(median(wall["bridge", r]), r), median(ratio[r]), value(median(processor["libhdf5", r]), r),
        value(median(processor["bridge", r]), r), median(worked[r])
  }' "$work/lines"
