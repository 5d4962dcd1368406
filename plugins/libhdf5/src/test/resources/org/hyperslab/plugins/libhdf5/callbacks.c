/* Transfers with callbacks and without checksums; prints which calls succeeded. */
#include <stdio.h>
#include "hdf5.h"

static H5T_conv_ret_t convert(H5T_conv_except_t e, hid_t from, hid_t to, void *a, void *b, void *data) {
  (void)e, (void)from, (void)to, (void)a, (void)b, (void)data;
  return H5T_CONV_UNHANDLED;
}

static H5Z_cb_return_t filter(H5Z_filter_t id, void *buffer, size_t size, void *data) {
  (void)id, (void)buffer, (void)size, (void)data;
  return H5Z_CB_FAIL;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  hsize_t dims[1] = {4};
  int values[4] = {1, 2, 3, 4};
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, NULL);
  hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t plain = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_type_conv_cb(plain, convert, NULL);
  printf("converted %d\n", H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, plain, values) >= 0);
  H5Pset_type_conv_cb(plain, NULL, NULL);
  H5Pset_filter_callback(plain, filter, NULL);
  printf("filtered %d\n", H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, plain, values) >= 0);
  H5Pset_filter_callback(plain, NULL, NULL);
  H5Pset_edc_check(plain, H5Z_DISABLE_EDC);
  printf("unchecked %d\n", H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, plain, values) >= 0);
  H5Pset_edc_check(plain, H5Z_ENABLE_EDC);
  printf("plain %d\n", H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, plain, values) >= 0);
  H5Pclose(plain);
  H5Dclose(set);
  H5Sclose(space);
  return H5Fclose(file) < 0;
}
