/* Writes and reads a dataset of Zstandard while another Zstandard is in the process, as one is below libcurl. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "hdf5.h"

#define ZSTD 32015
#define COUNT 100000

/* libhdf5 checks that a filter of the number is there; the connector has its own. */
static size_t unused(unsigned flags, size_t count, const unsigned *values, size_t bytes, size_t *size, void **buffer) {
  (void)flags, (void)count, (void)values, (void)bytes, (void)size, (void)buffer;
  return 0;
}

static const H5Z_class2_t registered = {H5Z_CLASS_T_VERS, ZSTD, 1, 1, "zstd", NULL, NULL, unused};
static int values[COUNT], back[COUNT];

int main(int argc, char **argv) {
  hsize_t dims[] = {COUNT}, chunk[] = {COUNT / 10};
  unsigned level[] = {3};
  if (argc < 2) return 2;
  printf("another library %d\n", dlopen("libzstd.so.1", RTLD_NOW | RTLD_GLOBAL) != NULL);
  H5Zregister(&registered);
  for (int i = 0; i < COUNT; i++) values[i] = i / 9;
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  H5Pset_filter(list, ZSTD, H5Z_FLAG_MANDATORY, 1, level);
  hid_t set = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("write %d\n", H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  H5Dclose(set), H5Fclose(file);
  file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
  set = H5Dopen2(file, "d", H5P_DEFAULT);
  printf("read %d\n", H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  printf("same %d, smaller %d\n", memcmp(values, back, sizeof values) == 0, H5Dget_storage_size(set) < sizeof values);
  H5Dclose(set), H5Pclose(list), H5Sclose(space);
  printf("closed %d\n", H5Fclose(file));
  return 0;
}
