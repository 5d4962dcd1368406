/*
 * The FLASH I/O checkpoint through the HDF5 library's parallel driver: the calls that the I/O kernel
 * of the FLASH code makes, dataset by dataset, with its values. For side-by-side runs.
 *
 *   mpicc -O2 flash_peer.c -I/usr/include/hdf5/openmpi -L/usr/lib/x86_64-linux-gnu/hdf5/openmpi -lhdf5
 *   mpirun -n 4 ./a.out FILE [repeats] [independent|collective] [VARIABLES BLOCKS]
 *
 * With a library without parallel support it is built without MPI, and is a job of one rank:
 *
 *   h5cc -O2 flash_peer.c && ./a.out FILE [repeats]
 *
 * Prints, for each repeat, the seconds from creating the file to having it closed, of the slowest
 * rank, and then the median. The unknowns' interiors are copied out of the guarded array within the
 * time, as the original does, one variable at a time; or, after all datasets were created, VARIABLES
 * of BLOCKS at a time, which share cache lines. The original leaves the transfer mode at independent
 * unless it is built for a platform that says otherwise.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif

enum { NB = 8, GUARD = 4, FULL = NB + 2 * GUARD, MAXBLOCKS = 100, NVAR = 24, CELLS = NB * NB * NB };

static const char *names[NVAR] = {"dens", "velx", "vely", "velz", "pres", "ener", "temp", "gamc",
  "game", "enuc", "gpot", "f1  ", "f2  ", "f3  ", "f4  ", "f5  ", "f6  ", "f7  ", "f8  ", "f9  ",
  "f10 ", "f11 ", "f12 ", "f13 "};

static int rank = 0, ranks = 1, local, total, offset;
static hid_t transfer;

/* What differs between a job of MPI and a process alone. */
#ifdef H5_HAVE_PARALLEL
static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static void share_file(hid_t access) { H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL); }

static void transfer_collectively(void) { H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE); }

static double seconds_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static double longest(double started) {
  double mine = MPI_Wtime() - started, most = mine;
  MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return most;
}

static void end(void) { MPI_Finalize(); }
#else
static void begin(int *argc, char ***argv) { (void)argc, (void)argv; }

static void share_file(hid_t access) { (void)access; }

static void transfer_collectively(void) {}

static double seconds_together(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double longest(double started) { return seconds_together() - started; }

static void end(void) {}
#endif

typedef struct {
  int total_blocks, steps, nxb, nyb, nzb;
  double time, timestep;
} parameters;

/* A dataset that every rank creates and rank 0 alone writes. */
static void header(hid_t file, const char *name, hid_t type, int rows, int columns, const void *data) {
  hsize_t dims[2] = {rows, columns};
  hid_t space = H5Screate_simple(columns > 0 ? 2 : 1, dims, NULL);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (rank == 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) exit(1);
  H5Sclose(space);
  H5Dclose(dataset);
}

static void text(hid_t file, const char *name, int width, const char *value) {
  char *blank = malloc(width);
  memset(blank, ' ', width);
  memcpy(blank, value, strlen(value));
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  header(file, name, type, 1, 0, blank);
  H5Tclose(type);
  free(blank);
}

/* A dataset of which every rank writes the rows of its blocks. */
static void rows(hid_t file, const char *name, hid_t type, int rank_of_space, const hsize_t *per_block,
                 hid_t plist, const void *data) {
  hsize_t dims[4], start[4] = {0}, count[4];
  dims[0] = total;
  count[0] = local;
  start[0] = offset;
  for (int i = 1; i < rank_of_space; i++) dims[i] = count[i] = per_block[i - 1];
  hid_t space = H5Screate_simple(rank_of_space, dims, NULL);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  hid_t memory = H5Screate_simple(rank_of_space, count, NULL);
  if (H5Dwrite(dataset, type, memory, space, plist, data) < 0) exit(1);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
}

static double unknown[MAXBLOCKS][FULL][FULL][FULL][NVAR];
static double interior[4 * MAXBLOCKS][NB][NB][NB];

static void copy_interior(int variable) {
  for (int b = 0; b < local; b++)
    for (int z = 0; z < NB; z++)
      for (int y = 0; y < NB; y++)
        for (int x = 0; x < NB; x++)
          interior[b][z][y][x] = unknown[b][z + GUARD][y + GUARD][x + GUARD][variable];
}

/* Creates all unknowns, then copies and writes some variables of some blocks at a time. */
static void unknowns_in_parts(hid_t file, int variables, int blocks) {
  hid_t datasets[NVAR];
  hsize_t dims[4] = {total, NB, NB, NB}, start[4] = {0}, count[4] = {0, NB, NB, NB};
  hid_t space = H5Screate_simple(4, dims, NULL);
  for (int i = 0; i < NVAR; i++)
    datasets[i] = H5Dcreate2(file, names[i], H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  double *parts = (double *)interior;
  for (int first = 0; first < NVAR; first += variables)
    for (int from = 0; from < local; from += blocks) {
      int some = from + blocks < local ? blocks : local - from;
      for (int b = 0; b < some; b++)
        for (int z = 0; z < NB; z++)
          for (int v = 0; v < variables; v++)
            for (int y = 0; y < NB; y++)
              for (int x = 0; x < NB; x++)
                parts[((((size_t)v * blocks + b) * NB + z) * NB + y) * NB + x] =
                    unknown[from + b][z + GUARD][y + GUARD][x + GUARD][first + v];
      start[0] = offset + from;
      count[0] = some;
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
      hid_t memory = H5Screate_simple(4, count, NULL);
      for (int v = 0; v < variables; v++)
        if (H5Dwrite(datasets[first + v], H5T_NATIVE_DOUBLE, memory, space, transfer,
                     parts + (size_t)v * blocks * CELLS) < 0) exit(1);
      H5Sclose(memory);
    }
  for (int i = 0; i < NVAR; i++) H5Dclose(datasets[i]);
  H5Sclose(space);
}

static int variables = 1, blocks = 0;

static void checkpoint(const char *path, const int *ones, const int *gid, const double *quarter,
                       const double *half, const double *zero) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  share_file(access);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  if (file < 0) exit(1); /* the library has said why */
  text(file, "file creation time", 40, "now");
  text(file, "FLASH version", 20, "FLASH I/O bench");
  parameters values = {total, 0, NB, NB, NB, 0, 0};
  hid_t compound = H5Tcreate(H5T_COMPOUND, sizeof(parameters));
  H5Tinsert(compound, "total blocks", HOFFSET(parameters, total_blocks), H5T_NATIVE_INT);
  H5Tinsert(compound, "time", HOFFSET(parameters, time), H5T_NATIVE_DOUBLE);
  H5Tinsert(compound, "timestep", HOFFSET(parameters, timestep), H5T_NATIVE_DOUBLE);
  H5Tinsert(compound, "number of steps", HOFFSET(parameters, steps), H5T_NATIVE_INT);
  H5Tinsert(compound, "nxb", HOFFSET(parameters, nxb), H5T_NATIVE_INT);
  H5Tinsert(compound, "nyb", HOFFSET(parameters, nyb), H5T_NATIVE_INT);
  H5Tinsert(compound, "nzb", HOFFSET(parameters, nzb), H5T_NATIVE_INT);
  header(file, "simulation parameters", compound, 1, 0, &values);
  H5Tclose(compound);
  char labels[NVAR][4];
  for (int i = 0; i < NVAR; i++) memcpy(labels[i], names[i], 4);
  hid_t label = H5Tcopy(H5T_C_S1);
  H5Tset_size(label, 4);
  header(file, "unknown names", label, NVAR, 1, labels);
  H5Tclose(label);
  rows(file, "refine level", H5T_NATIVE_INT, 1, NULL, H5P_DEFAULT, ones);
  rows(file, "node type", H5T_NATIVE_INT, 1, NULL, H5P_DEFAULT, ones);
  rows(file, "gid", H5T_NATIVE_INT, 2, (hsize_t[]){15}, H5P_DEFAULT, gid);
  rows(file, "coordinates", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){3}, H5P_DEFAULT, quarter);
  rows(file, "block size", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){3}, H5P_DEFAULT, half);
  rows(file, "bounding box", H5T_NATIVE_DOUBLE, 3, (hsize_t[]){3, 2}, H5P_DEFAULT, zero);
  if (blocks > 0)
    unknowns_in_parts(file, variables, blocks);
  else
    for (int i = 0; i < NVAR; i++) {
      copy_interior(i);
      rows(file, names[i], H5T_NATIVE_DOUBLE, 4, (hsize_t[]){NB, NB, NB}, transfer, interior);
    }
  if (H5Fclose(file) < 0) exit(1);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  const char *path = argc > 1 ? argv[1] : "flash_io_test_hdf5_chk_0000";
  int repeats = argc > 2 ? atoi(argv[2]) : 5;
  int collective = argc > 3 && strcmp(argv[3], "collective") == 0;
  local = 80 + rank % 3;
  for (int r = 0; r < ranks; r++) {
    total += 80 + r % 3;
    if (r < rank) offset += 80 + r % 3;
  }
  if (argc > 5) variables = atoi(argv[4]), blocks = atoi(argv[5]);
  if (variables < 1 || blocks < 0 || NVAR % variables || variables * blocks > MAXBLOCKS * 4) {
    fprintf(stderr, "VARIABLES: a divisor of 24; VARIABLES times BLOCKS: at most %d\n", MAXBLOCKS * 4);
    return 2;
  }
  transfer = H5Pcreate(H5P_DATASET_XFER);
  if (collective) transfer_collectively();
  for (int b = 0; b < local; b++)
    for (int z = 0; z < FULL; z++)
      for (int y = 0; y < FULL; y++)
        for (int x = 0; x < FULL; x++)
          for (int v = 0; v < NVAR; v++) unknown[b][z][y][x][v] = v + 1;
  int ones[MAXBLOCKS], gid[MAXBLOCKS * 15];
  double quarter[MAXBLOCKS * 3], half[MAXBLOCKS * 3], zero[MAXBLOCKS * 6];
  for (int i = 0; i < MAXBLOCKS; i++) ones[i] = 1;
  for (int i = 0; i < MAXBLOCKS * 15; i++) gid[i] = -1;
  for (int i = 0; i < MAXBLOCKS * 3; i++) quarter[i] = 0.25, half[i] = 0.5;
  for (int i = 0; i < MAXBLOCKS * 6; i++) zero[i] = 0;
  double *seconds = malloc(repeats * sizeof *seconds);
  for (int i = 0; i < repeats; i++) {
    if (rank == 0) remove(path);
    double start = seconds_together();
    checkpoint(path, ones, gid, quarter, half, zero);
    seconds[i] = longest(start);
    if (rank == 0) printf("C %s %d: %.4f s\n", collective ? "collective" : "independent", i, seconds[i]);
  }
  if (rank == 0) {
    qsort(seconds, repeats, sizeof *seconds, ascending);
    printf("C %s median: %.4f s\n", collective ? "collective" : "independent", seconds[repeats / 2]);
  }
  H5Pclose(transfer);
  end();
  return 0;
}
