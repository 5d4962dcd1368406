#!/usr/bin/env bash
# Runs the suites of libhdf5's clients, natively and through the bridge, in chroots of Debian, which it makes.
#   client-suites.sh [--only SUITES] [--connector CONFIGURATION] WORK [trixie|sid]...
#     WORK          a folder for chroots, sources and results; as root, with mmdebstrap
#     --only        some of: h5py pytables netcdf netcdf4 r gdal sample, separated by commas; sample is what fits in
#                   some minutes: h5py's tests of files, attributes and datasets, two modules of PyTables, ten
#                   files through the tools of netCDF and GDAL; it ends with 1 if a test of the two suites fails
#                   through the bridge only, but for those that CLIENTS.md explains
#     --connector   what the bridge uses instead of native
#   NETCDF4_SOURCE: the source of netCDF4-python at the version of Debian's package, whose tests netcdf4 runs
#   PLUGIN, PRELOAD: the plugin's folder and the value for LD_PRELOAD, if they are not those of the launcher
# The tests run as the user "nobody". The results that the project keeps are in CLIENTS.md.
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
root=$(cd "$here/../../../.." && pwd)
only=h5py,pytables,netcdf,r,gdal
connector=native
while [[ ${1:-} == --* ]]; do
  case $1 in
    --only) only=$2 ;;
    --connector) connector=$2 ;;
    *) echo "client-suites: unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
work=$(realpath -m "${1:?a folder for chroots}")
shift
suites=("${@:-trixie}")
plugin=${PLUGIN:-$("$root/hyperslab" bridge --path --into "$work/plugin")}
preload=${PRELOAD:-$("$root/hyperslab" bridge --preload --into "$work/plugin")}
jdk=$(dirname "$(dirname "${preload##*:}")")
corpus=$(realpath "$root/../shared/corpus")
# What the class path and the AOT cache of the plugin may name, and what tests read.
folders=("$root" "${plugin%/*}" "$(dirname "${preload%%:*}")" "$jdk" "$corpus")
common=ca-certificates,python3-h5py,python3-netcdf4,python3-tables,python-tables-data,python3-pytest,python3-setuptools,netcdf-bin,hdf5-tools
modules=(attributes basics create backcompat types lists tables tablesMD large_tables array earray carray vlarray tree
  timetype do_undo enum nestedtypes hdf5compat numpy queries expression links indexes index_backcompat aux utils
  direct_chunk garbage)

wants() { [[ ,$only, == *,$1,* ]]; }

# Makes a chroot; R's packages and GDAL are in trixie's only.
make_chroot() {
  local place=$work/$1 options=() packages=$common
  [ -d "$place/usr/lib/python3/dist-packages/h5py" ] && return
  [ "$1" = sid ] && options=(--aptopt='Acquire::Check-Valid-Until "false"')
  [ "$1" = trixie ] && packages+=,xz-utils,r-cran-hdf5r,r-bioc-rhdf5,r-cran-testthat,gdal-bin
  mkdir -p "$work"
  mmdebstrap --mode=root --variant=apt "${options[@]}" --include="$packages" "$1" "$place" http://deb.debian.org/debian
}

bind() {
  for folder in "${folders[@]}"; do
    mkdir -p "$work/$1$folder"
    mountpoint -q "$work/$1$folder" || mount --bind "$folder" "$work/$1$folder"
  done
  for folder in proc dev; do mountpoint -q "$work/$1/$folder" || mount --rbind "/$folder" "$work/$1/$folder"; done
}

unbind() {
  for folder in "${folders[@]}" /proc /dev; do umount -R "$work/$1$folder" 2>/dev/null || true; done
}

# Runs a command in a chroot: run SUITE native|bridged FOLDER COMMAND...
run() {
  local suite=$1 how=$2 folder=$3 variables=(PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8)
  shift 3
  [ "$how" = bridged ] &&
    variables+=(HDF5_PLUGIN_PATH="$plugin" HDF5_VOL_CONNECTOR="hyperslab $connector" LD_PRELOAD="$preload")
  chroot --userspec=nobody:nogroup "$work/$suite" /usr/bin/env -i -C "$folder" "${variables[@]}" timeout 1800 "$@"
}

h5py_suite() { # SUITE HOW FOLDER [FILE...]
  local tests
  tests=$(chroot "$work/$1" sh -c 'ls -d /usr/lib/python3/dist-packages/h5py/*serial/tests')
  echo "== $1 $2 h5py"
  run "$1" "$2" "$3" python3 -m pytest -p no:cacheprovider -q -rfE --tb=no "${@:4}" "$tests" | grep -v Warning | tail -30 || true
}

netcdf4_suite() { # SUITE HOW FOLDER
  local copy=$work/$1$3/netcdf4
  rm -rf "$copy"
  cp -r "${NETCDF4_SOURCE:?the source of netCDF4-python}/test" "$copy" && chmod -R a+rwX "$copy"
  echo "== $1 $2 netCDF4-python"
  run "$1" "$2" "$3/netcdf4" /usr/bin/env NO_NET=1 python3 -m pytest -p no:cacheprovider -q -rfE --tb=no . | grep -v Warning | tail -30 || true
}

tables_suite() { # SUITE HOW FOLDER MODULE...
  for module in "${@:4}"; do
    echo "== $1 $2 PyTables $module"
    run "$1" "$2" "$3" python3 - "$module" "" <"$here/client-suites.py" || echo "ended with $?"
  done
}

# Prints every so many HDF5 files of the corpus.
files() {
  find "$corpus" \( -name '*.h5' -o -name '*.nc' -o -name '*.hdf5' \) ! -path '*/cve/*' -size -2M | sort |
    awk -v every="$1" 'NR % every == 1' | head -n 50
}

# Prints what a tool of SUITE says of files natively and through the bridge: compare SUITE FOLDER EVERY TOOL...
compare() {
  local suite=$1 folder=$2 every=$3 same=0 all=0 native bridged
  shift 3
  for file in $(files "$every"); do
    native=$(run "$suite" native "$folder" timeout 30 "$@" "$file" 2>&1; echo "exit code $?") || true
    bridged=$(run "$suite" bridged "$folder" timeout 30 "$@" "$file" 2>&1; echo "exit code $?") || true
    all=$((all + 1))
    if [ "$(grep -v "^HDF5-DIAG\|^ *#0\|^ *m[aj][a-z]*or:\|DIAG" <<<"$native")" = \
      "$(grep -v "^HDF5-DIAG\|^ *#0\|^ *m[aj][a-z]*or:\|DIAG" <<<"$bridged")" ]; then
      same=$((same + 1))
    else
      echo "differs: $* ${file##*/}"
    fi
  done
  echo "== $suite $*: $same of $all files the same"
}

# Copies files by nccopy and compares the copies by libhdf5's own tools.
copies() { # SUITE FOLDER EVERY
  local same=0 all=0
  for file in $(files "$3"); do
    run "$1" native "$2" timeout 30 nccopy "$file" n.nc >/dev/null 2>&1 || continue
    all=$((all + 1))
    if run "$1" bridged "$2" timeout 30 nccopy "$file" b.nc >/dev/null 2>&1 &&
      run "$1" native "$2" h5diff n.nc b.nc >/dev/null 2>&1; then
      same=$((same + 1))
    else
      echo "differs: nccopy ${file##*/}"
    fi
  done
  echo "== $1 nccopy: $same of $all copies the same"
}

# Texts of netCDF to files and back: ncgen writes each kind, ncdump prints it.
generated() { # SUITE FOLDER
  for kind in nc4 nc7; do
    run "$1" native "$2" sh -c "cat > in.cdl" <<'CDL'
netcdf g {
dimensions: x = 3; t = UNLIMITED;
variables: double v(t, x); v:units = "m"; v:_FillValue = -1.; int n(x); n:long_name = "numbers"; n:b = 1s, 2s;
:title = "made"; :a = 1;
data: v = 1, 2, 3, 4, 5, 6; n = 7, 8, 9;
}
CDL
    for how in native bridged; do
      run "$1" "$how" "$2" sh -c "ncgen -k $kind -o $how.nc in.cdl && ncdump -n g $how.nc" >"$work/$1$2/$how.cdl" || true
    done
    if cmp -s "$work/$1$2/native.cdl" "$work/$1$2/bridged.cdl"; then
      echo "== $1 ncgen -k $kind: the same"
    else
      echo "differs: ncgen -k $kind"
    fi
  done
}

# The suites of R's packages, from Debian's sources.
r_suite() { # SUITE HOW FOLDER
  if ! [ -d "$work/$1/src/rhdf5" ]; then
    cp /etc/resolv.conf "$work/$1/etc/"
    chroot "$work/$1" sh -c "echo 'deb-src http://deb.debian.org/debian $1 main' >/etc/apt/sources.list.d/sources.list
      apt-get -qq update && mkdir -p /src && cd /src && apt-get -qq --download-only --tar-only source r-cran-hdf5r r-bioc-rhdf5
      for archive in *.orig.tar.*; do tar xf \$archive; done"
  fi
  for package in hdf5r rhdf5; do
    rm -rf "$work/$1$3/$package"
    cp -r "$work/$1/src/$package/tests" "$work/$1$3/$package"
    chmod -R a+rwX "$work/$1$3/$package"
    echo "== $1 $2 $package"
    run "$1" "$2" "$3/$package" Rscript - <<R 2>/dev/null || echo "ended with $?"
library(testthat); library($package)
r <- as.data.frame(test_dir("testthat", reporter = "silent", stop_on_failure = FALSE, load_package = "none"))
bad <- r[r\$failed > 0 | r\$error, ]
cat("tests", nrow(r), "failed", nrow(bad), "skipped", sum(r\$skipped), "\n")
cat(sprintf("failed %s: %s\n", bad\$file, bad\$test), sep = "")
R
  done
}

# Fails if tests failed in the sample through the bridge only, without an explanation.
explained() {
  local new
  grep -q " passed" "$1/sample.bridged" || { echo "client-suites: h5py's tests did not end" >&2; exit 1; }
  new=$(grep -hiE "^(failed|error) " "$1/sample.bridged" | sort | comm -13 <(grep -hiE "^(failed|error) " "$1/sample.native" | sort) - |
    grep -vE "test_split|SplitDriver|test_exception_writeonly" || true)
  [ -z "$new" ] || { printf 'client-suites: only through the bridge:\n%s\n' "$new" >&2; exit 1; }
}

for suite in "${suites[@]}"; do
  make_chroot "$suite"
  bind "$suite"
  trap 'unbind "$suite"' EXIT
  rm -f "$work/sample."*
  for how in native bridged; do
    folder=/tmp/$how
    mkdir -p "$work/$suite$folder" && chmod 777 "$work/$suite$folder"
    wants h5py && h5py_suite "$suite" "$how" "$folder"
    wants netcdf4 && netcdf4_suite "$suite" "$how" "$folder"
    wants pytables && tables_suite "$suite" "$how" "$folder" "${modules[@]}"
    [ "$suite" = trixie ] && wants r && r_suite "$suite" "$how" "$folder"
    if wants sample; then
      {
        h5py_suite "$suite" "$how" "$folder" -k "test_file or test_attrs or test_dataset"
        tables_suite "$suite" "$how" "$folder" create links
      } | tee "$work/sample.$how"
    fi
  done
  wants sample && explained "$work"
  folder=/tmp/compared
  mkdir -p "$work/$suite$folder" && chmod 777 "$work/$suite$folder"
  every=$(wants sample && echo 50 || echo 10)
  if wants netcdf || wants sample; then
    compare "$suite" "$folder" "$every" ncdump
    copies "$suite" "$folder" "$every"
    generated "$suite" "$folder"
  fi
  [ "$suite" = trixie ] && { wants gdal || wants sample; } && compare "$suite" "$folder" "$every" gdalinfo
  unbind "$suite"
  trap - EXIT
done
