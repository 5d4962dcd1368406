/*
 * The C library's side of the benchmark of single calls: one scenario a run, timed inside the process.
 * The Java side (org.hyperslab.benchmarks.data.CallsPeer) does the same with the same data.
 *
 *   calls SCENARIO FOLDER      prints nanoseconds for each call, elapsed and of processor time, a line for each round
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char file[4096];


static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double elapsed, processor, started;

/* Whether there is another round: five at least, and as many as two seconds of processor time take. */
static int more(int round) {
  if (round == 0) started = now(CLOCK_THREAD_CPUTIME_ID);
  return round < 5 || now(CLOCK_THREAD_CPUTIME_ID) - started < 2e9;
}

static void begin(void) {
  elapsed = now(CLOCK_MONOTONIC);
  processor = now(CLOCK_THREAD_CPUTIME_ID);
}

static void end(double calls, double sum) {
  printf("%.1f %.1f %.0f\n", (now(CLOCK_MONOTONIC) - elapsed) / calls, (now(CLOCK_THREAD_CPUTIME_ID) - processor) / calls,
         sum);
}

static void check(int64_t status, const char *what) {
  if (status < 0) {
    fprintf(stderr, "calls: %s failed\n", what);
    exit(1);
  }
}

static hid_t create(int latest) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  if (latest) H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  check(f, "create");
  H5Pclose(fapl);
  return f;
}

/* Contiguous doubles; reads boxes of the given shape in the first 64 KB, in a fixed order. */
static void boxes(hsize_t columns, int calls) {
  hid_t f = create(0);
  hsize_t dims[2] = {1000, 1000}, start[2], count[2] = {1, columns};
  hid_t s = H5Screate_simple(2, dims, NULL), m = H5Screate_simple(2, count, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  double *all = calloc(1000000, 8), row[1000], sum = 0;
  check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), "write");
  H5Dclose(d);
  H5Fclose(f);
  f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  d = H5Dopen2(f, "d", H5P_DEFAULT);
  for (int round = 0; more(round); round++) {
    begin();
    for (int i = 0; i < calls; i++) {
      start[0] = (unsigned)i * 7919u % 8;
      start[1] = (unsigned)i * 104729u % (1001 - columns);
      H5Sselect_hyperslab(s, H5S_SELECT_SET, start, NULL, count, NULL);
      check(H5Dread(d, H5T_NATIVE_DOUBLE, m, s, H5P_DEFAULT, row), "read");
      sum += row[0];
    }
    end(calls, (double)sum);
  }
  H5Dclose(d);
  H5Fclose(f);
}

static void strings(const char *what, int n) {
  hid_t f = create(0), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  hsize_t dims[1] = {(hsize_t)n}, one[1] = {1}, start[1];
  hid_t s = H5Screate_simple(1, dims, NULL), m = H5Screate_simple(1, one, NULL);
  hid_t d = H5Dcreate2(f, "d", type, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  char *text = malloc((size_t)n * 24), **all = malloc((size_t)n * sizeof *all), *got;
  for (int i = 0; i < n; i++) snprintf(all[i] = text + 24 * i, 24, "string number %d", i % 9000);
  check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), "write");
  long length = 0;
  for (int round = 0; more(round); round++) {
    begin();
    if (!strcmp(what, "strings-write")) {
      H5Dclose(d);
      H5Fclose(f);
      begin();
      f = create(0);
      d = H5Dcreate2(f, "d", type, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), "write");
      H5Fflush(f, H5F_SCOPE_LOCAL);
    } else if (!strcmp(what, "strings-read")) {
      char **back = malloc((size_t)n * sizeof *back);
      check(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, back), "read");
      for (int i = 0; i < n; i++) length += (long)strlen(back[i]);
      H5Treclaim(type, s, H5P_DEFAULT, back);
      free(back);
    } else {
      for (int i = 0; i < n; i++) {
        start[0] = (hsize_t)((unsigned)i * 7919u % (unsigned)n);
        H5Sselect_hyperslab(s, H5S_SELECT_SET, start, NULL, one, NULL);
        if (!strcmp(what, "string-write")) {
          check(H5Dwrite(d, type, m, s, H5P_DEFAULT, &all[i]), "write");
        } else {
          check(H5Dread(d, type, m, s, H5P_DEFAULT, &got), "read");
          length += (long)strlen(got);
          H5Treclaim(type, m, H5P_DEFAULT, &got);
        }
      }
      H5Sselect_all(s);
    }
    end(n, (double)length);
  }
  H5Dclose(d);
  H5Fclose(f);
}

static void strided(int rank) {
  static const int lengths[] = {0, 0, 0, 160, 0, 20, 12, 9, 6};
  hsize_t dims[8], start[8], stride[8], count[8], n = 1, picked = 1;
  for (int k = 0; k < rank; k++) {
    dims[k] = (hsize_t)lengths[rank];
    start[k] = 0;
    stride[k] = 2;
    count[k] = dims[k] / 2;
    n *= dims[k];
    picked *= count[k];
  }
  hid_t f = create(0), s = H5Screate_simple(rank, dims, NULL), m = H5Screate_simple(1, &picked, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  double *all = calloc(n, 8), sum = 0;
  for (hsize_t i = 0; i < n; i++) all[i] = (double)i;
  check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), "write");
  int calls = (int)(200000 / picked) + 1;
  for (int round = 0; more(round); round++) {
    begin();
    for (int i = 0; i < calls; i++) {
      H5Sselect_hyperslab(s, H5S_SELECT_SET, start, stride, count, NULL);
      check(H5Dread(d, H5T_NATIVE_DOUBLE, m, s, H5P_DEFAULT, all), "read");
      sum += all[picked - 1];
    }
    end(calls * (double)picked, (double)sum);
  }
  H5Dclose(d);
  H5Fclose(f);
}

static void tree(int levels) {
  for (int round = 0; more(round); round++) {
    begin();
    hid_t f = create(0), parent = H5Gopen2(f, "/", H5P_DEFAULT);
    for (int i = 0; i < levels; i++) {
      hid_t child = H5Gcreate2(parent, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      check(child, "group");
      H5Gclose(parent);
      parent = child;
    }
    H5Gclose(parent);
    H5Fclose(f);
    end(levels, 0);
  }
}

static void compounds(int n, int members) {
  char name[32];
  for (int round = 0; more(round); round++) {
    begin();
    hid_t f = create(0), s = H5Screate(H5S_SCALAR);
    for (int i = 0; i < n; i++) {
      hid_t type = H5Tcreate(H5T_COMPOUND, 8 * (size_t)members);
      for (int k = 0; k < members; k++) {
        snprintf(name, sizeof name, "member%d", k);
        H5Tinsert(type, name, 8 * (size_t)k, H5T_NATIVE_DOUBLE);
      }
      snprintf(name, sizeof name, "d%d", i);
      hid_t d = H5Dcreate2(f, name, type, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      check(d, "dataset");
      H5Dclose(d);
      H5Tclose(type);
    }
    H5Fclose(f);
    end(n, 0);
  }
}

static int seen(hid_t group, const char *name, const H5L_info2_t *info, void *data) {
  (void)group;
  (void)info;
  *(long *)data += (long)strlen(name);
  return 0;
}

static int met(hid_t object, const char *name, const H5O_info2_t *info, void *data) {
  (void)object;
  *(long *)data += (long)strlen(name) + (long)info->type;
  return 0;
}

static void listing(const char *what, int n) {
  char name[32];
  hid_t f = create(0);
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "group%d", i);
    H5Gclose(H5Gcreate2(f, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Fclose(f);
  for (int round = 0; more(round); round++) {
    long sum = 0;
    begin();
    f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (!strcmp(what, "names")) {
      check(H5Literate2(f, H5_INDEX_NAME, H5_ITER_INC, NULL, seen, &sum), "iterate");
    } else {
      check(H5Ovisit3(f, H5_INDEX_NAME, H5_ITER_INC, met, &sum, H5O_INFO_BASIC), "visit");
    }
    H5Fclose(f);
    end(n, (double)sum);
  }
}

/* One element in a random chunk of 256 x 256 chunks for each call. */
static void scattered(int latest) {
  hsize_t dims[2] = {4096, 4096}, chunk[2] = {16, 16}, one[2] = {1, 1}, start[2];
  hid_t s = H5Screate_simple(2, dims, NULL), m = H5Screate_simple(2, one, NULL);
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(dcpl, 2, chunk);
  int n = 65536;
  for (int round = 0; more(round); round++) {
    begin();
    double value = 1;
    hid_t f = create(latest);
    hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    for (unsigned i = 0; i < (unsigned)n; i++) {
      unsigned place = i * 40503u % 65536u;
      start[0] = place / 256 * 16 + i % 16;
      start[1] = place % 256 * 16 + i / 16 % 16;
      H5Sselect_hyperslab(s, H5S_SELECT_SET, start, NULL, one, NULL);
      check(H5Dwrite(d, H5T_NATIVE_DOUBLE, m, s, H5P_DEFAULT, &value), "write");
    }
    H5Dclose(d);
    H5Fclose(f);
    end(n, 0);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: calls SCENARIO FOLDER\n");
    return 2;
  }
  const char *what = argv[1];
  snprintf(file, sizeof file, "%s/c.h5", argv[2]);
  if (!strcmp(what, "element")) boxes(1, 20000);
  else if (!strcmp(what, "row")) boxes(1000, 10000);
  else if (!strncmp(what, "strings-", 8)) strings(what, 50000);
  else if (!strncmp(what, "string-", 7)) strings(what, 10000);
  else if (!strncmp(what, "strided-", 8)) strided(atoi(what + 8));
  else if (!strcmp(what, "tree")) tree(2000);
  else if (!strcmp(what, "compounds")) compounds(300, 100);
  else if (!strcmp(what, "names") || !strcmp(what, "visit")) listing(what, 32000);
  else if (!strcmp(what, "scattered")) scattered(0);
  else if (!strcmp(what, "scattered-v110")) scattered(1);
  else return 2;
  return 0;
}
