#!/bin/sh
# Makes selections-VERSION.txt beside itself with the C library found under PREFIX (default /usr,
# as Debian's libhdf5-dev installs it; or a folder that such packages were unpacked in, together
# with the C library they need). Usage: encode_selections.sh [PREFIX]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${1:-/usr}
lib=$prefix/lib/x86_64-linux-gnu
include=$prefix/include/hdf5/serial
work=$(mktemp -d)
gcc -o "$work/encode" "$here/encode_selections.c" -I"$include" -L"$lib/hdf5/serial" -L"$lib" -lhdf5 \
  -Wl,--unresolved-symbols=ignore-in-shared-libs
version=$(sed -n 's/^#define H5_VERS_\(MAJOR\|MINOR\|RELEASE\) *\([0-9]*\).*/\2/p' \
  "$include/H5public.h" | paste -sd.)
if [ -x "$lib/ld-linux-x86-64.so.2" ]; then
  "$lib/ld-linux-x86-64.so.2" --library-path "$lib" "$work/encode"
else
  "$work/encode"
fi > "$here/selections-$version.txt"
rm -r "$work"
