/*
 * One rank of a program of collective HDF5 calls in which ranks may diverge: the interpreter for
 * benchmarks/divergence, with a parallel libhdf5. Arguments: the program, the file to create.
 *
 * A program has a line for each rank: words CALL or CALL:ARGUMENT. After the first call that fails a
 * rank closes the file and ends, as careful programs do. Prints "rank R: N failed calls" at the end.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 16, MOST = 4096 };

static int rank, ranks;
static hid_t file, collective;

static hid_t made(const char *name, int chunked, hsize_t elements) {
  hsize_t most = H5S_UNLIMITED, chunk = COUNT;
  hid_t space = H5Screate_simple(1, &elements, chunked ? &most : NULL);
  hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) H5Pset_chunk(how, 1, &chunk);
  hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Pclose(how);
  H5Sclose(space);
  return dataset;
}

static int move(int writes, hid_t dataset) {
  int numbers[COUNT];
  hsize_t start = (hsize_t)rank * COUNT, count = COUNT;
  memset(numbers, rank, sizeof numbers);
  hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(dataset);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
  int failed = writes ? H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, collective, numbers) < 0
                      : H5Dread(dataset, H5T_NATIVE_INT, memory, space, collective, numbers) < 0;
  H5Sclose(space);
  H5Sclose(memory);
  return failed;
}

static int attribute(hid_t dataset, const char *name) {
  int value = 1;
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t made = H5Acreate2(dataset, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  int failed = made < 0 || H5Awrite(made, H5T_NATIVE_INT, &value) < 0;
  if (made >= 0) H5Aclose(made);
  H5Sclose(space);
  return failed;
}

/* Carries out a call; returns whether it failed. */
static int call(const char *what, const char *argument, const hid_t *d) {
  hid_t dataset = d[argument != NULL && *argument == 'e'];
  if (!strcmp(what, "write")) return move(1, dataset);
  if (!strcmp(what, "read")) return move(0, dataset);
  if (!strcmp(what, "flush")) return H5Fflush(file, H5F_SCOPE_GLOBAL) < 0;
  if (!strcmp(what, "extent")) {
    hsize_t elements = (hsize_t)atol(argument);
    return H5Dset_extent(d[2], &elements) < 0;
  }
  if (!strcmp(what, "attribute")) return attribute(d[0], argument);
  if (!strcmp(what, "group")) {
    hid_t group = H5Gcreate2(file, argument, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group < 0 || H5Gclose(group) < 0;
  }
  if (!strcmp(what, "dataset")) {
    char name[64];
    snprintf(name, sizeof name, "n%s", argument);
    hid_t more = made(name, 1, COUNT);
    return more < 0 || H5Dclose(more) < 0;
  }
  if (!strcmp(what, "late")) return usleep((useconds_t)atol(argument) * 1000);
  fprintf(stderr, "no such call: %s\n", what);
  exit(2);
}

int main(int arguments, char **argument) {
  char line[MOST] = "";
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  FILE *program = fopen(argument[1], "r");
  for (int i = 0; program && i <= rank; i++)
    if (!fgets(line, sizeof line, program)) return 2;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  collective = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(collective, H5FD_MPIO_COLLECTIVE);
  file = H5Fcreate(argument[2], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t d[] = {made("d", 0, ranks * COUNT), made("e", 0, ranks * COUNT), made("c", 1, COUNT)};
  int failed = 0, leaves = 0;
  for (char *word = strtok(line, " \n"); word && !failed && !leaves; word = strtok(NULL, " \n")) {
    char *colon = strchr(word, ':');
    if (colon) *colon = 0;
    leaves = !strcmp(word, "leave");
    if (!leaves) failed = call(word, colon ? colon + 1 : NULL, d);
  }
  if (!leaves) {
    for (int i = 0; i < 3; i++) failed += H5Dclose(d[i]) < 0;
    failed += H5Fclose(file) < 0;
  }
  printf("rank %d: %d failed calls\n", rank, failed);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
