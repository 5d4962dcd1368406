#!/usr/bin/env bash
# loggopsim.sh FOLDER: the times of the schedules of LogGopSimTest by LogGOPSim, as loggopsim.tsv.
# FOLDER has the programs txt2bin and LogGOPSim, built from https://github.com/spcl/LogGOPSim (src/LogGOPSim).
# Needs the compiled tests of plugins/mpiio/simulation, and a build of the command line (./hyperslab).
set -euo pipefail
programs=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=plugins/mpiio/simulation/src/test/resources/org/hyperslab/simulation/loggopsim.tsv
module=plugins/mpiio/simulation/target
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$module/classes:$module/test-classes:tools/target/dist/hyperslab.jar" \
  org.hyperslab.simulation.LogGopSimTest "$work"
{
  echo "# Nanoseconds by LogGOPSim -L 2000 -o 500 -g 300 -G 1 -O 0 -S 2147483647, made by benchmarks/judges/loggopsim.sh"
  for number in $(seq 0 49); do
    "$programs/txt2bin" -i "$work/$number.goal" -o "$work/$number.bin" > "$work/log"
    "$programs/LogGOPSim" -f "$work/$number.bin" -L 2000 -o 500 -g 300 -G 1 -O 0 -S 2147483647 --batchmode > "$work/log"
    printf '%s\t%s\n' "$number" "$(sed -n 's/^Maximum finishing time at host [0-9]*: \([0-9]*\) .*/\1/p' "$work/log")"
  done
} > "$work/table"
mv "$work/table" "$table"
