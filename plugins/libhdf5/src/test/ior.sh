#!/usr/bin/env bash
# Runs IOR on files of libhdf5 by several ranks, natively and through the bridge, in a chroot of Debian trixie, which it makes.
#   ior.sh WORK SOURCE
#     WORK     a folder for the chroot and the files; as root, with mmdebstrap
#     SOURCE   the source of IOR (github.com/hpc/ior)
#   CONNECTOR: what the bridge uses, mpiio if it is not set
# Each setting is run twice with the same data: IOR itself checks what it has written and read, and h5diff compares the files.
# The results that the project keeps are in CLIENTS.md.
set -euo pipefail
root=$(cd "${BASH_SOURCE[0]%/*}/../../../.." && pwd)
work=$(realpath -m "${1:?a folder for the chroot}")
source=$(realpath "${2:?the source of IOR}")
place=$work/mpi
plugin=$("$root/hyperslab" bridge --path --into "$work/plugin")
preload=$("$root/hyperslab" bridge --preload --into "$work/plugin")
jdk=$(dirname "$(dirname "${preload##*:}")")
folders=("$root" "$work/plugin" "$jdk")

[ -d "$place/usr/include/hdf5/openmpi" ] ||
  mmdebstrap --mode=root --variant=apt --include=gcc,libc6-dev,libopenmpi-dev,openmpi-bin,libhdf5-openmpi-dev,hdf5-tools trixie "$place" \
    http://deb.debian.org/debian

unbind() {
  for folder in "${folders[@]}" /proc /dev; do umount -R "$place$folder" 2>/dev/null || true; done
}
trap unbind EXIT
for folder in "${folders[@]}"; do
  mkdir -p "$place$folder"
  mount --bind "$folder" "$place$folder"
done
for folder in proc dev; do mount --rbind "/$folder" "$place/$folder"; done

rm -rf "$place/src/ior" && mkdir -p "$place/src/ior" && cp "$source"/src/*.[ch] "$place/src/ior/"
for name in HAVE_{FCNTL_H,STDLIB_H,STRING_H,STRINGS_H,SYS_IOCTL_H,SYS_PARAM_H,SYS_STATFS_H,SYS_STATVFS_H,SYS_TIME_H,SYS_MOUNT_H,UNISTD_H} \
  HAVE_{SYSCONF,GETTIMEOFDAY,PUTENV,STATFS,STATVFS,UNAME,REGCOMP,H5PSET_ALL_COLL_METADATA_OPS,H5PGET_VOL_ID,H5FIS_ACCESSIBLE,H5FDELETE} \
  USE_{HDF5,MPIIO,POSIX}_AIORI; do
  echo "#define $name 1"
done >"$place/src/ior/config.h"
printf '#define %s "%s"\n' META_NAME ior META_VERSION source PACKAGE_NAME ior PACKAGE_VERSION source >>"$place/src/ior/config.h"
# Linked with the shared libhdf5: the bridge needs its functions.
chroot "$place" sh -c 'cd /src/ior && h5pcc -shlib -D_GNU_SOURCE -DHAVE_CONFIG_H -w -O1 -I. -o ior ior-main.c ior.c mdtest.c \
  md-workbench.c utilities.c parse_options.c option.c ior-output.c aiori.c aiori-DUMMY.c aiori-HDF5.c aiori-MPIIO.c aiori-POSIX.c -lm'

# Runs IOR: ior native|bridged RANKS OPTION...
ior() {
  local how=$1 ranks=$2 variables=()
  shift 2
  [ "$how" = bridged ] &&
    variables=(HDF5_PLUGIN_PATH="$plugin" HDF5_VOL_CONNECTOR="hyperslab ${CONNECTOR:-mpiio}" LD_PRELOAD="$preload")
  chroot "$place" /usr/bin/env -i -C /tmp PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 \
    mpirun --oversubscribe --bind-to none -n "$ranks" env "${variables[@]}" /src/ior/ior -a HDF5 -w -r -R -W -G 1234 -k "$@" -o "/tmp/ior.$how" \
    </dev/null >"$work/$how.log" 2>&1
}

# Compares the files of the two runs; with -F or -m there are several.
equal() {
  local file
  for file in "$place"/tmp/ior.native*; do
    file=${file#"$place"}
    chroot "$place" h5diff "$file" "${file/native/bridged}" >/dev/null 2>&1 || return 1
  done
}

all=0
same=0
while read -r ranks options; do
  rm -f "$place"/tmp/ior.*
  all=$((all + 1))
  # shellcheck disable=SC2086
  ior native "$ranks" $options || { echo "natively fails: $ranks ranks, $options" && all=$((all - 1)) && continue; }
  # shellcheck disable=SC2086
  if ior bridged "$ranks" $options && ! grep -aqiE "incorrect|HDF5-DIAG|hyperslab:" "$work/bridged.log" && equal; then
    same=$((same + 1))
  else
    echo "differs: $ranks ranks, $options"
  fi
done <<'SETTINGS'
1 -b 4m -t 1m
2 -b 4m -t 1m
2 -b 4m -t 1m -c
4 -b 1m -t 256k -s 4
4 -b 256k -t 256k -s 8 -c
2 -b 4m -t 1m -F
2 -b 1m -t 256k -C
2 -b 1m -t 256k --hdf5.chunkSize=8192
2 -b 1m -t 256k -c --hdf5.chunkSize=8192
2 -b 1m -t 256k --hdf5.collectiveMetadata
2 -b 1m -t 256k --hdf5.setAlignment=1m
2 -b 1m -t 256k --hdf5.noFill
2 -b 1m -t 256k -i 3 -m
2 -b 1m -t 256k -e
2 -b 1m -t 256k -s 2 -l random
4 -b 47008 -t 47008 -s 20
4 -b 47008 -t 47008 -s 20 -c
2 -b 64m -t 4m
SETTINGS
echo "== IOR on ${CONNECTOR:-mpiio}: $same of $all settings with the same files"
