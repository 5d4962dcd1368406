/* Becomes a user without rights, if it may, and writes a file. */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <unistd.h>
#include "hdf5.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) return 3;
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("root %d, made %d\n", geteuid() == 0, group >= 0);
  H5Gclose(group);
  H5Fclose(file);
  return 0;
}
