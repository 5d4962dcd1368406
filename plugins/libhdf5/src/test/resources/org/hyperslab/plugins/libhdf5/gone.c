/*
 * Opens a file of a server, says so by making the file of the second argument, waits until that is
 * deleted, when the server is gone, and goes on.
 */
#include "hdf5.h"
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("before %d\n", group >= 0 && H5Gclose(group) >= 0);
  FILE *sign = fopen(argv[2], "w");
  fclose(sign);
  while (access(argv[2], F_OK) == 0) usleep(20000);
  printf("flushed %d\n", H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  printf("read %d\n", H5Gopen2(file, "group", H5P_DEFAULT) >= 0);
  printf("closed %d\n", H5Fclose(file) >= 0);
  return 0;
}
