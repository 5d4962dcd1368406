#!/usr/bin/env bash
# Runs the suites of h5py and PyTables, natively and through the bridge, in chroots of Debian.
#   client-suites.sh WORK [trixie|sid]...     WORK: a folder for chroots and results; as root, with mmdebstrap
# The tests run as the user "nobody". The results that the project keeps are in CLIENTS.md.
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
root=$(cd "$here/../../../.." && pwd)
work=$(realpath -m "${1:?a folder for chroots}")
shift
suites=("${@:-trixie}")
plugin=$("$root/hyperslab" bridge --path --into "$work/plugin")
preload=$("$root/hyperslab" bridge --preload --into "$work/plugin")
jdk=$(dirname "$(dirname "${preload##*:}")")
packages=python3-h5py,python3-tables,python3-tables-data,python3-pytest,netcdf-bin,hdf5-tools,python3-setuptools
modules=(attributes basics create backcompat types lists tables tablesMD large_tables array earray carray vlarray tree
  timetype do_undo enum nestedtypes hdf5compat numpy queries expression links indexes index_backcompat aux utils
  direct_chunk garbage)

# Makes a chroot in which this project, its plugin and the JDK have the paths that they have here.
make_chroot() {
  local place=$work/$1 options=()
  [ -d "$place/usr/lib/python3/dist-packages/h5py" ] && return
  [ "$1" = sid ] && options=(--aptopt='Acquire::Check-Valid-Until "false"')
  mkdir -p "$work"
  mmdebstrap --variant=apt "${options[@]}" --include="$packages" "$1" "$place"
}

bind() {
  for folder in "$root" "${plugin%/*}" "$jdk"; do
    mkdir -p "$work/$1$folder"
    mountpoint -q "$work/$1$folder" || mount --bind "$folder" "$work/$1$folder"
  done
}

unbind() { for folder in "$jdk" "${plugin%/*}" "$root"; do umount "$work/$1$folder" || true; done; }

# Runs a command of python in a chroot: run SUITE native|bridged FOLDER ARGUMENTS...
run() {
  local suite=$1 how=$2 folder=$3 variables=(PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8)
  shift 3
  [ "$how" = bridged ] && variables+=(HDF5_PLUGIN_PATH="$plugin" HDF5_VOL_CONNECTOR="hyperslab native" LD_PRELOAD="$preload")
  chroot --userspec=nobody:nogroup "$work/$suite" /usr/bin/env -i -C "$folder" "${variables[@]}" timeout 1800 python3 "$@"
}

for suite in "${suites[@]}"; do
  make_chroot "$suite"
  bind "$suite"
  trap 'unbind "$suite"' EXIT
  tests=$(chroot "$work/$suite" sh -c 'ls -d /usr/lib/python3/dist-packages/h5py/*serial/tests')
  for how in native bridged; do
    folder=/tmp/$how
    mkdir -p "$work/$suite$folder" && chmod 777 "$work/$suite$folder"
    echo "== $suite $how h5py"
    run "$suite" "$how" "$folder" -m pytest -p no:cacheprovider -q -rfE --tb=no "$tests" | tail -40 || true
    for module in "${modules[@]}"; do
      # A child of fork cannot use the connector, and its parent in the test waits for it.
      skip=$([ "$how" = bridged ] && echo multiprocess || true)
      echo "== $suite $how PyTables $module"
      run "$suite" "$how" "$folder" - "$module" "$skip" <"$here/client-suites.py" || echo "ended with $?"
    done
  done
  unbind "$suite"
  trap - EXIT
done
