#!/usr/bin/env bash
# simgrid.sh: the times of the flows of SimGridTest by SimGrid, as simgrid.tsv.
# Needs SimGrid (Debian: libsimgrid-dev), the compiled tests of plugins/mpiio/simulation, and a build of
# the command line (./hyperslab).
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=plugins/mpiio/simulation/src/test/resources/org/hyperslab/simulation/network/simgrid.tsv
module=plugins/mpiio/simulation/target
"${CC:-gcc}" -O2 -Wall -Wextra -o "$work/replay" benchmarks/judges/replay.c -lsimgrid
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$module/classes:$module/test-classes:tools/target/dist/hyperslab.jar" \
  org.hyperslab.simulation.network.SimGridTest "$work"
model=(--cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/latency-factor:1
  --cfg=network/bandwidth-factor:1 --cfg=network/weight-S:0)
{
  echo "# Ends of flows in seconds by SimGrid's CM02, made by benchmarks/judges/simgrid.sh"
  for number in $(seq 0 31); do
    printf '%s\t%s\n' "$number" "$("$work/replay" "$work/$number.xml" "$work/$number.flows" "${model[@]}" 2> /dev/null | paste -sd '\t')"
  done
} > "$work/table"
mv "$work/table" "$table"
