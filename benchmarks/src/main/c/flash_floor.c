/*
 * What the FLASH checkpoint (flash_peer.c) cannot do without: each rank takes the interior cells of
 * 24 variables out of its guarded blocks and writes them with pwrite where they belong in one file.
 * No HDF5, no MPI-IO, no metadata. Prints the least and the median milliseconds from barrier to
 * barrier for taking alone, writing alone, and both, several variables at a time.
 *
 * flash_floor FILE REPEATS
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NB = 8, GUARD = 4, FULL = NB + 2 * GUARD, CELLS = NB * NB * NB, VARIABLES = 24, HEAD = 8192 };

static int rank, ranks, local;
static long before, total;
static double *unknowns, *interiors;

static void require(int well, const char *what) {
  if (well) return;
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void take(int first, int count) {
  for (int b = 0; b < local; b++)
    for (int z = 0; z < NB; z++)
      for (int y = 0; y < NB; y++) {
        size_t cell = (((size_t)b * FULL + z + GUARD) * FULL + y + GUARD) * FULL + GUARD;
        const double *from = unknowns + cell * VARIABLES + first;
        double *to = interiors + (((size_t)b * NB + z) * NB + y) * NB;
        for (int v = 0; v < count; v++)
          for (int x = 0; x < NB; x++) to[(size_t)v * local * CELLS + x] = from[x * VARIABLES + v];
      }
}

static void put(int file, int first, int count) {
  ssize_t bytes = (ssize_t)local * CELLS * 8;
  for (int v = 0; v < count; v++) {
    off_t at = HEAD + ((first + v) * total + before) * CELLS * 8;
    require(pwrite(file, (char *)interiors + v * bytes, bytes, at) == bytes, "pwrite");
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double timed(const char *name, int takes, int puts, int together) {
  if (rank == 0) {
    unlink(name);
    close(open(name, O_CREAT | O_RDWR, 0644));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime(), most;
  int file = open(name, O_RDWR);
  require(file >= 0, "open");
  for (int first = 0; first < VARIABLES; first += together) {
    if (takes) take(first, together);
    if (puts) put(file, first, together);
  }
  close(file);
  MPI_Barrier(MPI_COMM_WORLD); /* a rank may have left the first one late */
  double mine = MPI_Wtime() - start;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return 1e3 * most;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  require(argc > 2, "usage: flash_floor FILE REPEATS");
  int repeats = atoi(argv[2]);
  for (int r = 0; r < ranks; r++) {
    total += 80 + r % 3;
    before += r < rank ? 80 + r % 3 : 0;
  }
  local = 80 + rank % 3;
  size_t cells = (size_t)VARIABLES * FULL * FULL * FULL * local;
  unknowns = malloc(cells * 8), interiors = malloc((size_t)VARIABLES * CELLS * local * 8);
  for (size_t i = 0; i < cells; i++) unknowns[i] = 1 + i % VARIABLES;
  for (size_t i = 0; i < (size_t)VARIABLES * CELLS * local; i++) interiors[i] = 1;
  static const struct {
    const char *name;
    int takes, puts, together;
  } ways[] = {{"taking, 8 at a time", 1, 0, 8},   {"writing, 8 at a time", 0, 1, 8},
              {"both, 8 at a time", 1, 1, 8}, {"both, 24 at a time", 1, 1, 24}};
  enum { WAYS = sizeof ways / sizeof *ways };
  double *times[WAYS];
  for (int w = 0; w < WAYS; w++) times[w] = malloc(repeats * sizeof(double));
  for (int i = 0; i < repeats; i++)
    for (int w = 0; w < WAYS; w++)
      times[w][i] = timed(argv[1], ways[w].takes, ways[w].puts, ways[w].together);
  for (int w = 0; w < WAYS && rank == 0; w++) {
    qsort(times[w], repeats, sizeof(double), ascending);
    printf("%s: least %.1f, median %.1f ms\n", ways[w].name, times[w][0], times[w][repeats / 2]);
  }
  if (rank == 0) unlink(argv[1]);
  MPI_Finalize();
  return 0;
}
