/* Writes and reads stored chunks; prints what came back, and which sizes. */
#include <stdio.h>
#include <string.h>
#include "hdf5.h"

#define CHUNK_BYTES 80

static void read_chunks(hid_t set, const hsize_t *at, const unsigned char *written) {
  unsigned char back[200];
  uint32_t mask = 99;
#if H5_VERSION_GE(2, 0, 0)
  for (size_t given = 0; given <= 160; given += 40) {
    size_t size = given;
    memset(back, 255, sizeof back);
    int result = H5Dread_chunk2(set, H5P_DEFAULT, at, &mask, back, &size);
    printf("read %d, room %zu, size %zu, first %d, last %d\n", result, given, size, back[1], back[CHUNK_BYTES - 1]);
  }
  size_t size = 5;
  int result = H5Dread_chunk2(set, H5P_DEFAULT, at, &mask, NULL, &size);
  printf("without a buffer %d, size %zu\n", result, size);
  result = H5Dread_chunk1(set, H5P_DEFAULT, at, &mask, back);
#else
  int result = H5Dread_chunk(set, H5P_DEFAULT, at, &mask, back);
#endif
  printf("read %d, mask %u, same %d\n", result, mask, memcmp(back, written, CHUNK_BYTES) == 0);
}

int main(int argc, char **argv) {
  hsize_t dims[] = {40}, chunk[] = {10}, at[] = {10}, bytes = 0;
  unsigned char written[CHUNK_BYTES];
  if (argc < 2) return 2;
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  hid_t set = H5Dcreate2(file, "d", H5T_STD_I64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (int i = 0; i < CHUNK_BYTES; i++) written[i] = (unsigned char)(i % 7);
  printf("write %d\n", H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, CHUNK_BYTES, written));
  read_chunks(set, at, written);
  int result = H5Dget_chunk_storage_size(set, at, &bytes);
  printf("stored %d: %llu\n", result, (unsigned long long)bytes);
  H5Dclose(set), H5Pclose(list), H5Sclose(space);
  printf("closed %d\n", H5Fclose(file));
  return 0;
}
