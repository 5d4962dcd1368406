/*
 * What calls of libhdf5 cost, for figures.sh: prints "name value unit" lines.
 *   figures FILE MIB DATASETS
 */
#include "hdf5.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of the process: what others on the machine do does not count. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void calls(hid_t file, hid_t set) {
  const int many = 100000;
  for (int round = 0; round < 2; round++) { /* the first warms up */
    double begun = now();
    for (int i = 0; i < many; i++) H5Tclose(H5Dget_type(set));
    double type = now() - begun;
    begun = now();
    for (int i = 0; i < many; i++) H5Lexists(file, "numbers", H5P_DEFAULT);
    double exists = now() - begun;
    if (round == 1) {
      printf("H5Dget_type+H5Tclose %.2f us\n", type / many * 1e6);
      printf("H5Lexists %.2f us\n", exists / many * 1e6);
    }
  }
}

static void transfers(hid_t file, const char *name, hid_t list, hid_t memory, hid_t space, hsize_t count, float *values) {
  hid_t set = H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  double begun = now();
  if (set < 0 || H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  double wrote = now() - begun;
  begun = now();
  if (H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  double read = now() - begun;
  printf("%s write %.0f MiB/s\n%s read %.0f MiB/s\n", name, (double)count / 262144 / wrote, name, (double)count / 262144 / read);
  hsize_t start = 0, stride = 2, half = count / 2;
  hid_t every = H5Scopy(space);
  H5Sselect_hyperslab(every, H5S_SELECT_SET, &start, &stride, &half, NULL);
  begun = now();
  if (H5Dread(set, H5T_NATIVE_FLOAT, memory, every, H5P_DEFAULT, values) < 0) exit(1);
  printf("%s every second read %.0f MiB/s\n", name, (double)half / 262144 / (now() - begun));
  H5Sclose(every);
  H5Dclose(set);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  hsize_t count = (hsize_t)atoi(argv[2]) * 262144, half = count / 2, chunk = 262144, one = 1;
  int datasets = atoi(argv[3]);
  float *values = malloc(count * sizeof *values);
  for (hsize_t i = 0; i < count; i++) values[i] = (float)(i % 1000);
  double started = now();
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("start %.3f s\n", now() - started);
  hid_t space = H5Screate_simple(1, &count, NULL), memory = H5Screate_simple(1, &half, NULL), small = H5Screate_simple(1, &one, NULL);
  hid_t set = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  calls(file, set);
  transfers(file, "contiguous", H5P_DEFAULT, memory, space, count, values);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_deflate(list, 6);
  transfers(file, "deflated", list, memory, space, count, values);
  double begun = now();
  for (int i = 0; i < datasets; i++) {
    char name[32];
    snprintf(name, sizeof name, "small%d", i);
    hid_t each = H5Dcreate2(file, name, H5T_NATIVE_INT, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(each, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &i);
    H5Dclose(each);
  }
  printf("small datasets %.0f /s\n", datasets / (now() - begun));
  begun = now();
  H5Dclose(set), H5Pclose(list), H5Sclose(small), H5Sclose(memory), H5Sclose(space);
  if (H5Fclose(file) < 0) return 1;
  printf("close %.3f s\n", now() - begun);
  return 0;
}
