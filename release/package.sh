#!/usr/bin/env bash
# Makes a package of the launcher, the jars, the AOT caches and the plugin of libhdf5 that can be copied to
# any folder and machine with a JDK: hyperslab-VERSION.tar.gz.
#   release/package.sh [--check] FOLDER     the package is written to FOLDER
#     --check   also unpacks it elsewhere, makes what it was made from unreadable for another user, and has
#               that user run the launcher and, if HDF5_TOOLS names a folder with it, h5ls; as root
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
check=
if [ "${1:-}" = --check ]; then
  check=true
  shift
fi
into=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
fail() { echo "package: $*" >&2; exit 1; }
version=$(sed -n 's,^  <version>\(.*\)</version>$,\1,p' pom.xml | head -1)
name=hyperslab-$version

"$root/hyperslab" --version >/dev/null || fail "the launcher does not run"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$name"
cp "$root/hyperslab" "$root/LICENSE" "$root/NOTICE" "$work/$name/"
# With the times of the jars, which the caches record.
cp -a "$root/tools/target/dist" "$work/$name/dist"
# All classes are in hyperslab.jar, if there is one.
[ -f "$work/$name/dist/hyperslab.jar" ] && rm -rf "$work/$name/dist/lib"
tar -C "$work" -czf "$into/$name.tar.gz" --owner=0 --group=0 --mode=a+rX "$name"
echo "package: $into/$name.tar.gz"
[ -n "$check" ] || exit 0

[ "$(id -u)" = 0 ] || fail "--check needs root, to become another user"
place=$(mktemp -d)
trap 'chmod 755 "$root/tools/target"; rm -rf "$work" "$place"' EXIT
chmod 755 "$place"
tar -C "$place" -xzf "$into/$name.tar.gz"
chmod -R a-w "$place/$name"
install -d -o 65534 -g 65534 "$place/home"
chmod 700 "$root/tools/target"
as_another() {
  setpriv --reuid=65534 --regid=65534 --clear-groups env -i -C "$place/home" HOME="$place/home" PATH=/usr/bin:/bin "$@"
}
as_another test -r "$root/tools/target/dist/launch.env" && fail "the other user can read what the package was made from"
run=$place/$name/hyperslab
as_another "$run" --version | grep -q "^hyperslab" || fail "the launcher does not run"
plugin=$(as_another "$run" bridge --path) || fail "no plugin"
[ "$plugin" = "$place/$name/dist/plugin" ] || fail "the plugin is $plugin, not that of the package"
printf 'x\n1\n2\n' >"$place/home/table.csv"
as_another "$run" convert table.csv made.h5 >/dev/null || fail "a conversion fails"
# A program of libhdf5, if the folder of its tools is known: with what the cache of the package holds.
if [ -n "${HDF5_TOOLS:-}" ]; then
  listed=$(as_another HDF5_PLUGIN_PATH="$plugin" HDF5_VOL_CONNECTOR="hyperslab native" "$HDF5_TOOLS/h5ls" made.h5) ||
    fail "h5ls does not run with the plugin"
  [[ $listed == *Dataset* ]] || fail "h5ls prints: $listed"
fi
echo "package: runs elsewhere, read-only, for another user"
