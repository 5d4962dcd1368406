/* Writes a contiguous dataset in a group, and reads it back; knows no filter and no chunk. */
#include <hdf5.h>
#include <stdio.h>

int main(void) {
  static double written[64][32], read[64][32];
  hsize_t dims[2] = {64, 32};
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 32; j++) written[i][j] = i + j;
  hid_t file = H5Fcreate("run.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t dataset = H5Dcreate2(group, "t", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, written) < 0) return 1;
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) return 1;
  int wrong = 0;
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 32; j++) wrong += read[i][j] != written[i][j];
  H5Dclose(dataset);
  H5Sclose(space);
  H5Gclose(group);
  H5Fclose(file);
  printf("wrong %d\n", wrong);
  return wrong != 0;
}
