#!/usr/bin/env bash
# Runs HDF5's parallel tests (testpar/*.c of HDF5's source package) through the bridge and prints a table: how each ends
# on libhdf5's native connector, and on a connector of ours.
#   job-tests.sh SOURCE HDF5 PLUGIN CONNECTOR [TEST...]
#     SOURCE     the unpacked source package
#     HDF5       a parallel build of it, by parallel-hdf5.sh with Open MPI: include, lib
#     PLUGIN     what "hyperslab bridge --path" prints
#     CONNECTOR  a configuration, such as "mpiio"
#     TEST       parts of testphdf5 ("testphdf5:idsetw") or programs; all that are listed below if none is given
# RANKS is the number of ranks, 3 if unset; LIMIT the seconds for a test, 120 if unset. A part that reads what another
# has written needs it before. What they printed stays in job-tests below the folder for temporary files.
set -uo pipefail
source=$1 hdf5=$2 plugin=$3 connector=$4
shift 4
out=${TMPDIR:-/tmp}/job-tests
build=$hdf5/testpar
programs="t_pmulti_dset t_select_io_dset t_shapesame t_filters_parallel t_pshutdown t_init_term t_pread"
testphdf5="testphdf5 t_dset t_file t_file_image t_mdset t_ph5basic t_coll_chunk t_span_tree t_chunk_alloc t_filter_read t_prop t_coll_md t_oflush"
export HDF5TestExpress=${HDF5TestExpress:-3} HDF5_NOCLEANUP=1 LC_ALL=C

flags="-w -O1 -DH5_TEST_EXPRESS_LEVEL_DEFAULT=3 -I$build -I$hdf5/include -I$source/test -I$source/testpar"
compile() { # PROGRAM SOURCE...
  [ -x "$build/$1" ] && return
  local each sources=()
  for each in "${@:2}"; do sources+=("$source/testpar/$each.c"); done
  # A part of testphdf5 reads what another has written: files are kept.
  mpicc.openmpi $flags -Dh5_delete_all_test_files=keep_files "${sources[@]}" "$build/libjob.a" -L"$hdf5/lib" -lhdf5 -lm -Wl,-rpath,"$hdf5/lib" -o "$build/$1"
}
mkdir -p "$build"
echo "static const char *config_srcdir = \"$source/testpar\";" >"$build/H5srcdir_str.h"
if [ ! -e "$build/libjob.a" ]; then
  (cd "$build" && echo 'void keep_files(const char **names, long list) { (void)names, (void)list; }' | gcc -c -x c - -o keep.o &&
    mpicc.openmpi $flags -c "$source/test/h5test.c" "$source/test/testframe.c" && ar rc libjob.a keep.o h5test.o testframe.o) || exit 2
fi
compile testphdf5 $testphdf5 || exit 2
if [ $# = 0 ]; then
  for each in $(sed -nE 's/^ *AddTest\((\(mpi_size < 3\) \? "-[^"]*" : )?"([^"]*)".*/\2/p' "$source/testpar/testphdf5.c"); do set -- "$@" "testphdf5:$each"; done
  set -- "$@" $programs
fi

run() { # FOLDER TEST: runs one test; the exit code is the job's, 124 if it takes too long
  mkdir -p "$1"
  local log=$1/${2//\//_}.log
  case $2 in testphdf5:*) set -- "$1" testphdf5 -o "${2#*:}" ;; esac
  (cd "$1" && srcdir=. timeout -k 5 "${LIMIT:-120}" mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -n "${RANKS:-3}" \
    "$build/$2" "${@:3}") 2>&1 | head -c 2000000 >"$log"
}
result() { # LOG CODE
  local failed
  failed=$(grep -cE '\*FAILED\*|^Proc .*: \*\*\*|VRFY.*fail|ASSERT|Assertion' "$1")
  case $2 in
    0) [ "$failed" = 0 ] && printf passed || printf 'passed, %s complaints' "$failed" ;;
    124 | 137) printf 'too long' ;;
    *) grep -qE 'Signal: |signal 11|signal 6' "$1" && printf 'ended early' || printf 'failed' ;;
  esac
}

rm -rf "$out"
printf '| test | (libhdf5) | `%s` |\n|---|---|---|\n' "${connector//|/\\|}"
for each in "$@"; do
  case $each in testphdf5:*) ;; *) compile "$each" "$each" || continue ;; esac
  run "$out/alone" "$each"
  alone=$(result "$out/alone/${each//\//_}.log" $?)
  HDF5_PLUGIN_PATH=$plugin HDF5_VOL_CONNECTOR="hyperslab $connector" run "$out/ours" "$each"
  ours=$(result "$out/ours/${each//\//_}.log" $?)
  printf '| %s | %s | %s |\n' "$each" "$alone" "$ours"
done
