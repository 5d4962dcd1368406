/*
 * The C library's side of the benchmarks: one scenario a run, timed inside the process around the calls
 * that matter, first touch of memory and creation of files left out. The Java side
 * (org.hyperslab.benchmarks.peer) does the same with the same data, so that both can alternate.
 *
 *   peer SCENARIO FILE        prints lines "SCENARIO/part SECONDS"
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ELEMENTS (1ULL << 27) /* 1 GiB of doubles */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void result(const char *scenario, const char *part, double seconds) {
  printf("%s/%s %.6f\n", scenario, part, seconds);
  fflush(stdout);
}

static void check(int64_t status, const char *what) {
  if (status < 0) {
    fprintf(stderr, "peer: %s failed\n", what);
    exit(1);
  }
}

static double *touched(uint64_t n) {
  double *data = malloc(n * sizeof(double));
  if (!data) {
    fprintf(stderr, "peer: no memory for %llu doubles\n", (unsigned long long)n);
    exit(1);
  }
  for (uint64_t i = 0; i < n; i++) data[i] = (double)(i & 0xFFFF);
  return data;
}

static void contiguous(const char *file) {
  double *data = touched(ELEMENTS);
  hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[1] = {ELEMENTS};
  hid_t s = H5Screate_simple(1, dims, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "first write");
  for (int round = 0; round < 3; round++) {
    double t = now();
    check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write");
    result("contiguous", "write", now() - t);
    t = now();
    check(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "read");
    result("contiguous", "read", now() - t);
  }
  H5Dclose(d);
  H5Fclose(f);
}

/* run elements taken of every period elements, in the file, in memory, or in both. */
static void selection(const char *name, const char *file, hsize_t run, hsize_t period) {
  double *data = touched(ELEMENTS);
  hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[1] = {ELEMENTS}, start[1] = {0}, stride[1] = {period};
  hsize_t count[1] = {ELEMENTS / period}, block[1] = {run}, packed[1] = {count[0] * run};
  hid_t whole = H5Screate_simple(1, dims, NULL), dense = H5Screate_simple(1, packed, NULL);
  hid_t strided = H5Scopy(whole);
  check(H5Sselect_hyperslab(strided, H5S_SELECT_SET, start, stride, count, block), "select");
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, whole, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "first write");
  hid_t half = H5Scopy(whole);
  hsize_t one[1] = {1};
  check(H5Sselect_hyperslab(half, H5S_SELECT_SET, start, NULL, one, packed), "select half");
  struct { const char *what; hid_t memory, file; } cases[] = {
      {"file", dense, strided}, {"memory", strided, half}, {"both", strided, strided}};
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) {
      char part[32];
      double t = now();
      check(H5Dwrite(d, H5T_NATIVE_DOUBLE, cases[i].memory, cases[i].file, H5P_DEFAULT, data), "write");
      snprintf(part, sizeof part, "%s-write", cases[i].what);
      result(name, part, now() - t);
      t = now();
      check(H5Dread(d, H5T_NATIVE_DOUBLE, cases[i].memory, cases[i].file, H5P_DEFAULT, data), "read");
      snprintf(part, sizeof part, "%s-read", cases[i].what);
      result(name, part, now() - t);
    }
  }
  H5Dclose(d);
  H5Fclose(f);
}

/* Doubles as a simulation has them: smooth, with noise in the low bits. */
static void smooth(double *data, uint64_t n) {
  uint64_t state = 42;
  for (uint64_t i = 0; i < n; i++) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    data[i] = (double)(i / 64) * 0.25 + (double)(state >> 56) * 0x1p-20;
  }
}

static hid_t deflated(hid_t f, hsize_t rows, hsize_t columns, hsize_t cr, hsize_t cc, size_t cache) {
  hsize_t dims[2] = {rows, columns}, chunk[2] = {cr, cc};
  hid_t s = H5Screate_simple(2, dims, NULL), p = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(p, 2, chunk);
  H5Pset_shuffle(p);
  H5Pset_deflate(p, 4);
  hid_t a = H5Pcreate(H5P_DATASET_ACCESS);
  if (cache) H5Pset_chunk_cache(a, 12421, cache, 1.0);
  return H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, p, a);
}

static void deflate(const char *file) {
  hsize_t rows = 4096, columns = 8192; /* 256 MiB in chunks of 1 MiB */
  double *data = malloc(rows * columns * 8);
  smooth(data, rows * columns);
  for (int round = 0; round < 2; round++) {
    hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t d = deflated(f, rows, columns, 256, 512, 0);
    double t = now();
    check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write");
    check(H5Dflush(d), "flush");
    result("deflate", "write", now() - t);
    H5Dclose(d);
    H5Fclose(f);
    f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    d = H5Dopen2(f, "d", H5P_DEFAULT);
    t = now();
    check(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "read");
    result("deflate", "read", now() - t);
    H5Dclose(d);
    H5Fclose(f);
  }
}

static void rows(const char *file) {
  hsize_t rows = 4096, columns = 4096;
  double *data = malloc(rows * columns * 8);
  smooth(data, rows * columns);
  hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t d = deflated(f, rows, columns, 256, 256, 0);
  check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write");
  H5Dclose(d);
  H5Fclose(f);
  for (int round = 0; round < 24; round++) {
    f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t a = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(a, 12421, 64 << 20, 1.0); /* tuned by hand: a row of chunks is 8 MiB */
    d = H5Dopen2(f, "d", a);
    hid_t s = H5Dget_space(d);
    hsize_t n[1] = {columns}, start[2] = {0, 0}, count[2] = {1, columns};
    hid_t m = H5Screate_simple(1, n, NULL);
    double t = now();
    for (hsize_t r = 0; r < 1000; r++) {
      start[0] = r;
      H5Sselect_hyperslab(s, H5S_SELECT_SET, start, NULL, count, NULL);
      check(H5Dread(d, H5T_NATIVE_DOUBLE, m, s, H5P_DEFAULT, data), "read");
    }
    result("rows", "read", now() - t);
    H5Dclose(d);
    H5Fclose(f);
  }
}

static herr_t opened(hid_t g, const char *name, const H5L_info_t *info, void *count) {
  (void)info;
  hid_t d = H5Dopen2(g, name, H5P_DEFAULT);
  check(d, "open");
  H5Dclose(d);
  ++*(long *)count;
  return 0;
}

static void creates(const char *file) {
  hid_t a = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(a, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  for (int round = 0; round < 2; round++) {
    hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, a);
    hid_t g = H5Gcreate2(f, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t dims[1] = {4};
    hid_t s = H5Screate_simple(1, dims, NULL);
    char name[32];
    double t = now();
    for (int i = 0; i < 100000; i++) {
      snprintf(name, sizeof name, "dataset%06d", i);
      hid_t d = H5Dcreate2(g, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      check(d, "create");
      H5Dclose(d);
    }
    H5Gclose(g);
    H5Fclose(f);
    result("creates", "create", now() - t);
    f = H5Fopen(file, H5F_ACC_RDONLY, a);
    g = H5Gopen2(f, "g", H5P_DEFAULT);
    long count = 0;
    t = now();
    check(H5Literate(g, H5_INDEX_NAME, H5_ITER_INC, NULL, opened, &count), "iterate");
    result("creates", "list-open", now() - t);
    H5Gclose(g);
    H5Fclose(f);
  }
}

static uint64_t seed = 7;
static uint64_t below(uint64_t bound) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (seed >> 33) % bound;
}

static void unions(const char *part, int rank, int n) {
  hsize_t dims[3] = {4096, 4096, 4096}, start[3], count[3] = {1, 1, 1}, block[3];
  if (rank == 1) dims[0] = 1 << 24;
  hid_t s = H5Screate_simple(rank, dims, NULL);
  H5Sselect_none(s);
  seed = 7;
  double t = now();
  for (int i = 0; i < n; i++) {
    for (int d = 0; d < rank; d++) {
      start[d] = rank == 1 ? (hsize_t)i * 4 : below(4000);
      block[d] = rank == 1 ? 2 : 1 + below(64);
    }
    check(H5Sselect_hyperslab(s, H5S_SELECT_OR, start, NULL, count, block), "or");
  }
  result("union", part, now() - t);
  printf("# %s elements %lld\n", part, (long long)H5Sget_select_npoints(s));
  H5Sclose(s);
}

static void iterate(void) {
#if H5_VERSION_GE(1, 12, 0)
  hsize_t dims[1] = {1 << 26}, start[1] = {0}, stride[1] = {2}, count[1] = {1 << 25};
  hid_t s = H5Screate_simple(1, dims, NULL);
  check(H5Sselect_hyperslab(s, H5S_SELECT_SET, start, stride, count, NULL), "select");
  static hsize_t off[1024];
  static size_t len[1024];
  for (int round = 0; round < 3; round++) {
    double t = now();
    hid_t it = H5Ssel_iter_create(s, 8, 0);
    size_t nseq = 1, nbytes;
    uint64_t sum = 0;
    while (1) {
      check(H5Ssel_iter_get_seq_list(it, 1024, (size_t)1 << 40, &nseq, &nbytes, off, len), "seq");
      if (!nseq) break;
      for (size_t i = 0; i < nseq; i++) sum += off[i] ^ len[i];
    }
    result("iterate", "runs", now() - t);
    printf("# sum %llu\n", (unsigned long long)sum);
    H5Ssel_iter_close(it);
  }
#else
  fprintf(stderr, "peer: iterate needs HDF5 1.12 or later\n");
  exit(3);
#endif
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: peer SCENARIO FILE\n");
    return 2;
  }
  const char *name = argv[1], *file = argv[2];
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  if (!strcmp(name, "contiguous")) contiguous(file);
  else if (!strcmp(name, "runs256")) selection(name, file, 32, 64);
  else if (!strcmp(name, "elements")) selection(name, file, 1, 2);
  else if (!strcmp(name, "deflate")) deflate(file);
  else if (!strcmp(name, "rows")) rows(file);
  else if (!strcmp(name, "creates")) creates(file);
  else if (!strcmp(name, "union1d")) unions("1d-32768", 1, 32768);
  else if (!strcmp(name, "union2d")) unions("2d-8192", 2, 8192);
  else if (!strcmp(name, "union3d")) unions("3d-4096", 3, 4096);
  else if (!strcmp(name, "iterate")) iterate();
  else {
    fprintf(stderr, "peer: no scenario %s\n", name);
    return 2;
  }
  return 0;
}
