/*
 * What calls of libhdf5 cost, for figures.sh.
 *   figures FILE MIB DATASETS   prints a line for each figure, of words separated by tabs:
 *                               name, unit, amount, seconds, seconds of processor time
 *   figures start FILE          creates and closes a file, the process to be timed as a whole
 */
#include "hdf5.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STARTS 5

typedef struct {
  double wall, processor;
} times;

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static times now(void) {
  times t = {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
  return t;
}

static void print(const char *name, const char *unit, double amount, times begun) {
  times end = now();
  printf("%s\t%s\t%.6f\t%.9f\t%.9f\n", name, unit, amount, end.wall - begun.wall, end.processor - begun.processor);
}

static double of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

/* Times processes that do nothing but create and close a file. */
static void starts(char *self, char *file) {
  double wall = 0, processor = 0, resident = 0;
  for (int i = 0; i <= STARTS; i++) { /* the first finds no file in memory */
    double begun = seconds(CLOCK_MONOTONIC);
    pid_t child = fork();
    if (child == 0) {
      execl(self, self, "start", file, (char *)NULL);
      _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || status != 0) exit(1);
    if (i == 0) continue;
    wall += seconds(CLOCK_MONOTONIC) - begun;
    processor += of(usage.ru_utime) + of(usage.ru_stime);
    resident += (double)usage.ru_maxrss / 1024;
  }
  printf("process that creates a file\tms\t%d\t%.9f\t%.9f\n", STARTS, wall, processor);
  printf("resident memory of that process\tMiB\t%d\t%.9f\t%.9f\n", STARTS, resident, resident);
}

static void calls(hid_t file, hid_t set) {
  const int many = 100000;
  for (int round = 0; round < 2; round++) { /* the first warms up */
    times begun = now();
    for (int i = 0; i < many; i++) H5Tclose(H5Dget_type(set));
    if (round == 1) print("H5Dget_type and H5Tclose", "us", many, begun);
    begun = now();
    for (int i = 0; i < many; i++) H5Lexists(file, "numbers", H5P_DEFAULT);
    if (round == 1) print("H5Lexists", "us", many, begun);
  }
}

static void transfers(hid_t file, const char *name, hid_t list, hsize_t count, float *values) {
  char title[64];
  double mib = (double)count / 262144;
  hsize_t start = 0, stride = 2, half = count / 2;
  hid_t space = H5Screate_simple(1, &count, NULL), memory = H5Screate_simple(1, &half, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  times begun = now();
  if (set < 0 || H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  snprintf(title, sizeof title, "%s: write", name);
  print(title, "MiB/s", mib, begun);
  begun = now();
  if (H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  snprintf(title, sizeof title, "%s: read", name);
  print(title, "MiB/s", mib, begun);
  hid_t every = H5Scopy(space);
  H5Sselect_hyperslab(every, H5S_SELECT_SET, &start, &stride, &half, NULL);
  begun = now();
  if (H5Dread(set, H5T_NATIVE_FLOAT, memory, every, H5P_DEFAULT, values) < 0) exit(1);
  snprintf(title, sizeof title, "%s: read every second element", name);
  print(title, "MiB/s", mib / 2, begun);
  H5Sclose(every), H5Sclose(memory), H5Sclose(space), H5Dclose(set);
}

/* Takes as much memory as the large datasets will, and gives it back: a virtual machine may have
 * to get it from its host, which would be timed with the first write. */
static void take_memory(const char *path, const float *values, hsize_t count) {
  FILE *file = fopen(path, "w");
  if (file == NULL) exit(1);
  for (int i = 0; i < 2; i++)
    if (fwrite(values, sizeof *values, count, file) != count) exit(1);
  if (fclose(file) != 0 || remove(path) != 0) exit(1);
}

static void small_datasets(const char *path, hid_t space, int datasets) {
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  times begun = now();
  for (int i = 0; i < datasets; i++) {
    char name[32];
    snprintf(name, sizeof name, "small%d", i);
    hid_t each = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (each < 0 || H5Dwrite(each, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &i) < 0) exit(1);
    H5Dclose(each);
  }
  print("small datasets", "/s", datasets, begun);
  if (H5Fclose(file) < 0) exit(1);
  print("small datasets, file closed", "/s", datasets, begun);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "start") == 0) {
    hid_t file = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    return file < 0 || H5Fclose(file) < 0;
  }
  if (argc != 4) return 2;
  hsize_t count = (hsize_t)atoi(argv[2]) * 262144, chunk = 262144, one = 1;
  starts(argv[0], argv[1]);
  float *values = malloc(count * sizeof *values);
  for (hsize_t i = 0; i < count; i++) values[i] = (float)(i % 1000);
  hid_t space = H5Screate_simple(1, &one, NULL);
  small_datasets(argv[1], space, atoi(argv[3])); /* first, as in a program that does nothing else */
  take_memory(argv[1], values, count);
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t set = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  calls(file, set);
  transfers(file, "contiguous", H5P_DEFAULT, count, values);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_deflate(list, 6);
  transfers(file, "deflated chunks", list, count, values);
  H5Dclose(set), H5Pclose(list), H5Sclose(space);
  return H5Fclose(file) < 0;
}
