/* Writes and ends, without closing anything or telling HDF5 that it ends. */
#include "hdf5.h"

int main(int argc, char **argv) {
  int numbers[4] = {0, 1, 2, 3};
  hsize_t four = 4;
  if (argc != 2) return 2;
  H5dont_atexit();
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &four, NULL);
  hid_t set = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0;
}
