/* Closes the library while everything is open. */
#include "hdf5.h"
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = H5Tcopy(H5T_NATIVE_INT), space = H5Screate(H5S_SCALAR);
  int made = H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t again = H5Topen2(file, "type", H5P_DEFAULT);
  hid_t set = H5Dcreate2(file, "set", again, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t attribute = H5Acreate2(set, "a", again, space, H5P_DEFAULT, H5P_DEFAULT);
  printf("made %d\n", made >= 0 && set >= 0 && group >= 0 && attribute >= 0 && H5Dget_type(set) >= 0);
  printf("closed %d\n", H5close());
  return 0;
}
