#!/usr/bin/env bash
# Runs HDF5's classic tests (test/*.c of HDF5's source package) through the bridge and prints a table:
# how each ends on libhdf5's native connector, and on a connector of ours.
#   classic-tests.sh HDF5 PLUGIN CONNECTOR [TEST...]
#     HDF5       a build of HDF5 1.14 or newer with its sources: include, lib, src
#     PLUGIN     what "hyperslab bridge --path" prints
#     CONNECTOR  a configuration, such as "native"
#     TEST       parts of testhdf5 ("testhdf5:attr") or programs; all that are listed below if none is given
# A program that tells its checks apart is counted by checks: passed / failed / skipped. A check that fails is often told
# twice, and leaves files open, by which later checks fail; "ended early" is a crash. What it printed stays in classic-tests below the folder for temporary files.
set -uo pipefail
hdf5=$1 plugin=$2 connector=$3
shift 3
build=$hdf5/classic
out=${TMPDIR:-/tmp}/classic-tests
parts="file objects h5s coords sohm attr select time ref_deprec ref vltypes vlstrings iterate array genprop unicode id misc"
programs="hyperslab dtypes dsets chunk_info cmpd_dset mdset filter_fail extend direct_chunk external links unlink mtime fillval mount
  flush1 flush2 app_ref enum set_extent getname ntypes dangle dtransform vds file_image unregister cmpd_dtransform event_set
  objcopy objcopy_ref enc_dec_plist cross_read evict_on_close del_many_dense_attrs"
testhdf5="testhdf5 tarray tattr tchecksum tconfig th5_system tcoords tfile tgenprop th5o th5s tid titerate tmeta tmisc trefer
  trefer_deprec trefstr tselect tskiplist tsohm ttime tunicode tvltypes tvlstr"
# What tests ask of the library's own structures is answered by public functions instead (classic-shims.c).
here=$(cd "$(dirname "$0")" && pwd)
shims=
for each in G__verify_cached_stabs_test:cached_stabs G__is_empty_test:is_empty G__has_links_test:has_links G__has_stab_test:has_stab \
  G__is_new_dense_test:is_dense G__new_dense_info_test:dense_info G__user_path_test:user_path D__layout_idx_type_test:index_type \
  D__layout_type_test:layout_type F_sfile_assert_num:open_files; do shims="$shims -DH5${each%:*}=shim_${each#*:}"; done
export LD_LIBRARY_PATH=$hdf5/lib HDF5TestExpress=${HDF5TestExpress:-3}

compile() { # PROGRAM SOURCE...
  [ -x "$build/$1" ] && return
  local source sources=()
  for source in "${@:2}"; do sources+=("$hdf5/src/test/$source.c"); done
  if [ "$1" = getname ]; then # the path that libhdf5 remembers beside the present name is not public
    sed 's/strcmp(user_path, chk_user_path) != 0/0/' "${sources[0]}" >"$build/getname.c"
    sources=("$build/getname.c")
  fi
  gcc -w -O1 $shims -DH5_TEST_EXPRESS_LEVEL_DEFAULT=3 -I"$build" -I"$hdf5/include" -I"$hdf5/src/test" "${sources[@]}" \
    -L"$build" -L"$hdf5/lib" -lclassic -lhdf5 -lz -lm -lpthread -ldl -o "$build/$1"
}
mkdir -p "$build"
echo "static const char *config_srcdir = \"$hdf5/src/test\";" >"$build/H5srcdir_str.h"
if [ ! -e "$build/libclassic.a" ]; then
  (cd "$build" && gcc -w -O1 -c -I"$hdf5/include" "$here/classic-shims.c" && for each in h5test testframe cache_common external_common swmr_common; do
    gcc -w -O1 -c $shims -DH5_TEST_EXPRESS_LEVEL_DEFAULT=3 -I"$build" -I"$hdf5/include" "$hdf5/src/test/$each.c" || exit 1
  done && ar rc libclassic.a ./*.o) || exit 2
fi

run() { # FOLDER TEST: runs one test in a folder of its own; the exit code is the program's
  mkdir -p "$1"
  cp -r "$hdf5/src/test/testfiles" "$1/"
  case $2 in
    testhdf5:*) set -- "$1" testhdf5 -only "${2#*:}" ;;
    flush2) (cd "$1" && "$build/flush1") >/dev/null 2>&1 ;;
  esac
  (cd "$1" && srcdir=. timeout 300 "$build/$2" "${@:3}") 2>&1 | head -c 5000000 >"$1.log" # some fail a million times
}
result() { # LOG CODE: "passed / failed / skipped" and how it ended
  local counts
  counts=$(grep -aoE 'PASSED|\*FAILED\*|-SKIP-' "$1" | awk '/^PASSED/ {p++} /FAILED/ {f++} /SKIP/ {s++}
    END {if (p + f + s) printf "%d / %d / %d", p, f, s}')
  [ -n "$counts" ] || counts=$(sed -nE 's/^!!! ([0-9]+) Error.*/\1 failures/p' "$1")
  case $2 in
    0) printf '%s' "${counts:-passed}" ;;
    124) printf '%s' "${counts:+$counts, }too long" ;;
    1) printf '%s' "${counts:-failed}" ;;
    *) printf '%s' "${counts:+$counts, }ended early" ;;
  esac
}

[ $# -gt 0 ] || { for each in $parts; do set -- "$@" "testhdf5:$each"; done; set -- "$@" $programs; }
rm -rf "$out"
printf '| test | (libhdf5) | `%s` |\n|---|---|---|\n' "${connector//|/\\|}"
for each in "$@"; do
  case $each in
    testhdf5:*) compile testhdf5 $testhdf5 || continue ;;
    flush2) compile flush1 flush1 && compile flush2 flush2 || continue ;;
    *) compile "$each" "$each" || continue ;;
  esac
  run "$out/alone/$each" "$each"
  alone=$(result "$out/alone/$each.log" $?)
  HDF5_PLUGIN_PATH=$plugin HDF5_VOL_CONNECTOR="hyperslab $connector" run "$out/ours/$each" "$each"
  ours=$(result "$out/ours/$each.log" $?)
  printf '| %s | %s | %s |\n' "$each" "$alone" "$ours"
  rm -rf "$out/alone/$each" "$out/ours/$each"
done
