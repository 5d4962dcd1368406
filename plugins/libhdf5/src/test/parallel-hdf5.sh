#!/usr/bin/env bash
# Builds a parallel libhdf5 from HDF5's sources (1.14), for BridgedJobTest and job-tests.sh. Downloads nothing.
#   parallel-hdf5.sh SOURCE FOLDER [MPICC]
#     SOURCE   the unpacked source package, such as DIR/src of a build of HDF5
#     FOLDER   receives include, lib
#     MPICC    the compiler of an MPI; mpicc.openmpi if none is given
# Takes about two minutes of processor time. Needs cmake, ninja and the header of zlib.
# Then: mvn verify -Dhyperslab.hdf5.parallel=FOLDER
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9p' "$0" >&2; exit 2; }
source=$(cd "$1" && pwd)
mkdir -p "$2/build" "$2/lib" "$2/include"
folder=$(cd "$2" && pwd)
CC=$(command -v "${3:-mpicc.openmpi}")
export CC
(cd "$folder/build" && cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DBUILD_STATIC_LIBS=OFF \
  -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF -DBUILD_TESTING=OFF \
  -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_PARALLEL=ON "$source" && ninja hdf5-shared) >"$folder/build.log" 2>&1 ||
  { tail -n 5 "$folder/build.log" >&2; exit 1; }
cp -a "$folder"/build/bin/*.so* "$folder/lib/"
find "$source/src" "$folder/build/src" -name "*.h" -exec cp {} "$folder/include/" \;
rm -rf "$folder/build"
echo "parallel HDF5 under $folder"
