/*
 * An N by N by N array of doubles, block-distributed over the ranks of MPI_COMM_WORLD: written to a
 * fresh file and read back, several rounds. Prints "label/write seconds MB/s" and "label/read ...",
 * each measured from barrier to barrier, the maximum over ranks.
 *
 * parallel LABEL MODE N ROUNDS FILE [GRID]
 *   MODE  all          collective, by a subarray view
 *         independent  the same view, MPI_File_write and MPI_File_read
 *         pwrite       no MPI-IO: each rank one contiguous part of the file (the bound)
 *         rows         no MPI-IO: a pwrite or pread for each row
 *   GRID  the process grid, such as 2x2x2; by default MPI_Dims_create's
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void check(int failed, const char *what) {
  if (failed) {
    fprintf(stderr, "rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void report(const char *label, const char *what, double start, double bytes) {
  double mine = MPI_Wtime() - start, most;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%s/%s %.5f %.0f\n", label, what, most, bytes / most / 1e6);
}

static void transfer(int fd, char *data, size_t bytes, off_t at, int writing) {
  while (bytes > 0) {
    ssize_t n = writing ? pwrite(fd, data, bytes, at) : pread(fd, data, bytes, at);
    check(n <= 0, writing ? "pwrite" : "pread");
    data += n, at += n, bytes -= n;
  }
}

static void posix_transfer(int fd, const char *mode, char *data, const int n[3], const int sub[3],
                           const int from[3], int writing) {
  size_t bytes = (size_t)sub[0] * sub[1] * sub[2] * sizeof(double);
  if (!strcmp(mode, "pwrite")) {
    transfer(fd, data, bytes, (off_t)rank * bytes, writing);
    return;
  }
  size_t row = sub[2] * sizeof(double);
  for (int i = 0; i < sub[0]; i++)
    for (int j = 0; j < sub[1]; j++) {
      off_t at = (((off_t)(from[0] + i) * n[1] + from[1] + j) * n[2] + from[2]) * sizeof(double);
      transfer(fd, data, row, at, writing);
      data += row;
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check(argc < 6, "usage: parallel LABEL MODE N ROUNDS FILE [GRID]: reading arguments");
  const char *label = argv[1], *mode = argv[2], *file = argv[5];
  int edge = atoi(argv[3]), rounds = atoi(argv[4]);
  int n[3] = {edge, edge, edge}, dims[3] = {0, 0, 0}, sub[3], from[3];
  if (argc > 6) sscanf(argv[6], "%dx%dx%d", &dims[0], &dims[1], &dims[2]);
  MPI_Dims_create(size, 3, dims);
  int at[3] = {rank / (dims[1] * dims[2]), rank / dims[2] % dims[1], rank % dims[2]};
  for (int i = 0; i < 3; i++) {
    from[i] = n[i] * at[i] / dims[i];
    sub[i] = n[i] * (at[i] + 1) / dims[i] - from[i];
  }
  size_t count = (size_t)sub[0] * sub[1] * sub[2];
  double total = (double)edge * edge * edge * sizeof(double);
  double *data = malloc(count * sizeof(double)), *back = malloc(count * sizeof(double));
  for (size_t i = 0; i < count; i++) data[i] = rank * 1e9 + i;
  memset(back, 1, count * sizeof(double));
  MPI_Datatype view;
  MPI_Type_create_subarray(3, n, sub, from, MPI_ORDER_C, MPI_DOUBLE, &view);
  MPI_Type_commit(&view);
  int posix = !strcmp(mode, "pwrite") || !strcmp(mode, "rows");
  int collective = !strcmp(mode, "all");
  for (int round = 0; round < rounds; round++) {
    if (rank == 0) {
      unlink(file);
      close(open(file, O_CREAT | O_RDWR, 0644));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int fd = -1;
    MPI_File fh = MPI_FILE_NULL;
    if (posix) {
      fd = open(file, O_RDWR);
      check(fd < 0, "open");
    } else {
      check(MPI_File_open(MPI_COMM_WORLD, file, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh),
            "MPI_File_open");
      check(MPI_File_set_view(fh, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL), "set_view");
    }
    for (int writing = 1; writing >= 0; writing--) {
      double *memory = writing ? data : back;
      MPI_Status status;
      if (!posix) MPI_File_seek(fh, 0, MPI_SEEK_SET);
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      if (posix)
        posix_transfer(fd, mode, (char *)memory, n, sub, from, writing);
      else if (writing)
        check((collective ? MPI_File_write_all : MPI_File_write)(fh, memory, (int)count, MPI_DOUBLE,
                                                                 &status), "write");
      else
        check((collective ? MPI_File_read_all : MPI_File_read)(fh, memory, (int)count, MPI_DOUBLE,
                                                               &status), "read");
      MPI_Barrier(MPI_COMM_WORLD);
      report(label, writing ? "write" : "read", start, total);
    }
    if (posix) close(fd);
    else MPI_File_close(&fh);
  }
  if (memcmp(data, back, count * sizeof(double)))
    fprintf(stderr, "rank %d: %s read back other bytes than it wrote\n", rank, label);
  if (rank == 0) unlink(file);
  MPI_Finalize();
  return 0;
}
