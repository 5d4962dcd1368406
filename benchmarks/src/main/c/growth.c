/*
 * The C library's side of the benchmarks of growth: one scenario at one size a run, timed inside the process.
 * The Java side (org.hyperslab.benchmarks.data.GrowthPeer) does the same with the same data.
 *
 *   growth make N FOLDER           N source files of one row each, and FOLDER/view.h5 that maps them
 *   growth views N FOLDER          opens the view and reads its rows one by one, three times
 *   growth append-FILTER-ROWS N FILE   appends N rows of 64 doubles to chunks of ROWS rows; FILTER: none, deflate
 *   growth scalars N FILE          appends N doubles one by one to chunks of 1,024
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 64
#define ROUNDS 8

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int64_t status, const char *what) {
  if (status < 0) {
    fprintf(stderr, "growth: %s failed\n", what);
    exit(1);
  }
}

static void fill(double *row, hsize_t r) {
  for (int i = 0; i < WIDTH; i++) row[i] = (double)(r % 1000) + i;
}

static void make(hsize_t n, const char *folder) {
  char name[4096];
  double row[WIDTH];
  hsize_t dims[2] = {n, WIDTH}, one[2] = {1, WIDTH}, start[2] = {0, 0};
  hid_t space = H5Screate_simple(2, dims, NULL), source = H5Screate_simple(2, one, NULL);
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  for (hsize_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "%s/s%llu.h5", folder, (unsigned long long)i);
    hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, source, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    fill(row, i);
    check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row), "source");
    H5Dclose(d);
    H5Fclose(f);
    snprintf(name, sizeof name, "s%llu.h5", (unsigned long long)i);
    start[0] = i;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
    check(H5Pset_virtual(dcpl, space, name, "d", source), "mapping");
  }
  snprintf(name, sizeof name, "%s/view.h5", folder);
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  H5Sselect_all(space);
  hid_t d = H5Dcreate2(f, "v", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  check(d, "view");
  H5Dclose(d);
  H5Fclose(f);
}

static void views(hsize_t n, const char *folder) {
  char name[4096];
  double row[WIDTH];
  snprintf(name, sizeof name, "%s/view.h5", folder);
  for (int round = 0; round < ROUNDS; round++) {
    double t = now(), sum = 0;
    hid_t f = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t d = H5Dopen2(f, "v", H5P_DEFAULT), s = H5Dget_space(d);
    hsize_t one[2] = {1, WIDTH}, start[2] = {0, 0};
    hid_t m = H5Screate_simple(2, one, NULL);
    for (hsize_t i = 0; i < n; i++) {
      start[0] = i;
      H5Sselect_hyperslab(s, H5S_SELECT_SET, start, NULL, one, NULL);
      check(H5Dread(d, H5T_NATIVE_DOUBLE, m, s, H5P_DEFAULT, row), "read");
      sum += row[0];
    }
    H5Dclose(d);
    H5Fclose(f);
    printf("%.6f %.0f\n", now() - t, sum);
  }
}

static void append(hsize_t n, int rank, hsize_t rows, int deflate, const char *file) {
  double row[WIDTH];
  for (int round = 0; round < ROUNDS; round++) {
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    double t = now();
    hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hsize_t dims[2] = {0, WIDTH}, most[2] = {H5S_UNLIMITED, WIDTH}, chunk[2] = {rows, WIDTH};
    hsize_t one[2] = {1, WIDTH}, start[2] = {0, 0};
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, rank, chunk);
    if (deflate) H5Pset_deflate(dcpl, 4);
    hid_t s = H5Screate_simple(rank, dims, most), m = H5Screate_simple(rank, one, NULL);
    hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    for (hsize_t i = 0; i < n; i++) {
      fill(row, i);
      dims[0] = i + 1;
      check(H5Dset_extent(d, dims), "extent");
      hid_t now_space = H5Dget_space(d);
      start[0] = i;
      H5Sselect_hyperslab(now_space, H5S_SELECT_SET, start, NULL, one, NULL);
      check(H5Dwrite(d, H5T_NATIVE_DOUBLE, m, now_space, H5P_DEFAULT, row), "write");
      H5Sclose(now_space);
    }
    H5Dclose(d);
    H5Fclose(f);
    printf("%.6f\n", now() - t);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: growth SCENARIO N FILE\n");
    return 2;
  }
  hsize_t n = strtoull(argv[2], NULL, 10);
  if (!strcmp(argv[1], "make")) make(n, argv[3]);
  else if (!strcmp(argv[1], "views")) views(n, argv[3]);
  else if (!strcmp(argv[1], "scalars")) append(n, 1, 1024, 0, argv[3]);
  else append(n, 2, strtoull(strrchr(argv[1], '-') + 1, NULL, 10), strstr(argv[1], "deflate") != NULL, argv[3]);
  return 0;
}
