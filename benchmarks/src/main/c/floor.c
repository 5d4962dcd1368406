/*
 * What the kernel alone can do of the work of parallel.c: no MPI-IO, no HDF5, no checks of anything.
 * An N by N by N array of doubles, block-distributed over the ranks of one machine, is written to a
 * fresh file and read back in several ways, by turns. Prints, as parallel.c does, "floor-WAY/write
 * seconds MB/s" and "floor-WAY/read ...", each measured from barrier to barrier, the maximum over
 * ranks.
 *
 * floor N ROUNDS FILE [GRID [WINDOW_KIB [AGGREGATORS]]]
 *
 *   contiguous  each rank one contiguous part of the file: the bound, with the file in another order
 *   gathered    some ranks (2) copy a window (256 KiB) from all ranks' memory by process_vm_readv
 *               and write it; read the other way round
 *   skipped     reads only: each rank its rows by preadv, what lies between them to a scrap of memory
 *   mapped      reads only: each rank its rows from a mapping of the file. Not for a library: a file
 *               that another process cuts meanwhile ends the reader with SIGBUS
 *   rows        a pread for each row
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PIECES = 1024, SKIPPED_ROWS = PIECES / 2 };

/* A rank's block: the first index and the extent in each dimension. */
typedef struct {
  int from[3], size[3];
} block;

static int rank, ranks, n, dims[3], file;
static long row_bytes;
static block mine;
static size_t my_bytes;
static char *data, *back, *window;
static int *pids;
static char **memory; /* of each rank: what it writes, what it reads into */

static void require(int well, const char *what) {
  if (well) return;
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static block block_of(int r) {
  int at[3] = {r / (dims[1] * dims[2]), r / dims[2] % dims[1], r % dims[2]};
  block b;
  for (int i = 0; i < 3; i++) {
    b.from[i] = (long)n * at[i] / dims[i];
    b.size[i] = (long)n * (at[i] + 1) / dims[i] - b.from[i];
  }
  return b;
}

/* Where row number `row` of the file begins in a rank's memory; -1 if it has none of it. */
static long place(const block *b, long row) {
  long plane = row / n - b->from[0], line = row % n - b->from[1];
  if (plane < 0 || plane >= b->size[0] || line < 0 || line >= b->size[1]) return -1;
  return (plane * b->size[1] + line) * b->size[2] * 8;
}

static void transfer(int writing, char *at, size_t bytes, off_t offset) {
  while (bytes > 0) {
    ssize_t done = writing ? pwrite(file, at, bytes, offset) : pread(file, at, bytes, offset);
    require(done > 0, "transfer");
    at += done, offset += done, bytes -= done;
  }
}

static void contiguous(int writing) {
  transfer(writing, writing ? data : back, my_bytes, (off_t)rank * my_bytes);
}

/* Copies what rank r has of rows first .. end between its memory and the window. */
static void exchange(int writing, int r, long first, long end) {
  block b = block_of(r);
  size_t length = (size_t)b.size[2] * 8, bytes = 0;
  char *theirs = memory[2 * r + !writing], *start = NULL;
  struct iovec pieces[PIECES];
  int count = 0;
  for (long row = first; row <= end; row++) {
    long at = row < end ? place(&b, row) : -1;
    if (at >= 0) {
      char *here = window + (row - first) * row_bytes + (long)b.from[2] * 8;
      if (r == rank) {
        memcpy(writing ? here : theirs + at, writing ? theirs + at : here, length);
        continue;
      }
      if (count == 0) start = theirs + at;
      pieces[count++] = (struct iovec){here, length};
      bytes += length;
    }
    if (count == PIECES || (row == end && count > 0)) {
      struct iovec remote = {start, bytes};
      ssize_t done = writing ? process_vm_readv(pids[r], pieces, count, &remote, 1, 0)
                             : process_vm_writev(pids[r], pieces, count, &remote, 1, 0);
      require(done == (ssize_t)bytes, "process_vm");
      count = 0, bytes = 0;
    }
  }
}

static void gathered(int writing, long window_rows, int aggregators) {
  for (int a = 0; a < aggregators; a++) {
    if (rank != (long)a * ranks / aggregators) continue;
    long last = (long)n * n * (a + 1) / aggregators;
    for (long row = (long)n * n * a / aggregators; row < last; row += window_rows) {
      long end = row + window_rows < last ? row + window_rows : last;
      if (!writing) transfer(0, window, (end - row) * row_bytes, row * row_bytes);
      for (int r = 0; r < ranks; r++) exchange(writing, r, row, end);
      if (writing) transfer(1, window, (end - row) * row_bytes, row * row_bytes);
    }
  }
}

static void skipped(void) {
  static char scrap[1 << 16];
  size_t length = (size_t)mine.size[2] * 8, gap = row_bytes - length;
  require(gap <= sizeof scrap, "gap");
  for (long plane = mine.from[0]; plane < mine.from[0] + mine.size[0]; plane++)
    for (long line = 0; line < mine.size[1]; line += SKIPPED_ROWS) {
      long row = plane * n + mine.from[1] + line, count = mine.size[1] - line;
      if (count > SKIPPED_ROWS) count = SKIPPED_ROWS;
      struct iovec pieces[PIECES];
      int used = 0;
      for (long k = 0; k < count; k++) {
        pieces[used++] = (struct iovec){back + place(&mine, row + k), length};
        if (gap > 0 && k + 1 < count) pieces[used++] = (struct iovec){scrap, gap};
      }
      ssize_t bytes = count * row_bytes - gap;
      off_t at = row * row_bytes + (long)mine.from[2] * 8;
      require(preadv(file, pieces, used, at) == bytes, "preadv");
    }
}

static void by_rows(const char *mapping) {
  size_t length = (size_t)mine.size[2] * 8;
  for (long plane = mine.from[0]; plane < mine.from[0] + mine.size[0]; plane++)
    for (long line = mine.from[1]; line < mine.from[1] + mine.size[1]; line++) {
      long row = plane * n + line;
      off_t at = row * row_bytes + (long)mine.from[2] * 8;
      char *to = back + place(&mine, row);
      if (mapping) memcpy(to, mapping + at, length);
      else transfer(0, to, length, at);
    }
}

static void mapped(void) {
  size_t bytes = (size_t)n * n * row_bytes;
  char *mapping = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
  require(mapping != MAP_FAILED, "mmap");
  by_rows(mapping);
  munmap(mapping, bytes);
}

static void measure(const char *way, int writing, long window_rows, int aggregators) {
  if (!writing && strcmp(way, "contiguous")) memset(back, 0, my_bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime(), seconds, most;
  if (!strcmp(way, "contiguous")) contiguous(writing);
  else if (!strcmp(way, "gathered")) gathered(writing, window_rows, aggregators);
  else if (!strcmp(way, "skipped")) skipped();
  else if (!strcmp(way, "mapped")) mapped();
  else by_rows(NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = MPI_Wtime() - start;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  double megabytes = (double)n * n * row_bytes / 1e6;
  if (rank == 0)
    printf("floor-%s/%s %.5f %.0f\n", way, writing ? "write" : "read", most, megabytes / most);
  if (!writing) require(!memcmp(data, back, my_bytes), "read back other bytes than were written");
}

static void fresh(const char *name) {
  if (file >= 0) close(file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    unlink(name);
    close(open(name, O_CREAT | O_RDWR, 0644));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  file = open(name, O_RDWR);
  require(file >= 0, "open");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  require(argc >= 4, "usage: floor N ROUNDS FILE [GRID [WINDOW_KIB [AGGREGATORS]]]");
  n = atoi(argv[1]);
  int rounds = atoi(argv[2]);
  if (argc > 4) sscanf(argv[4], "%dx%dx%d", &dims[0], &dims[1], &dims[2]);
  long window_bytes = (argc > 5 ? atol(argv[5]) : 256) << 10;
  int aggregators = argc > 6 ? atoi(argv[6]) : 2;
  MPI_Dims_create(ranks, 3, dims);
  mine = block_of(rank);
  row_bytes = (long)n * 8;
  my_bytes = (size_t)mine.size[0] * mine.size[1] * mine.size[2] * 8;
  data = malloc(my_bytes), back = malloc(my_bytes), window = malloc(window_bytes);
  for (size_t i = 0; i < my_bytes / 8; i++) ((double *)data)[i] = rank * 1e9 + i;
  memset(back, 1, my_bytes), memset(window, 1, window_bytes);
  pids = malloc(ranks * sizeof *pids), memory = malloc(2 * ranks * sizeof *memory);
  int pid = getpid();
  char *places[2] = {data, back};
  MPI_Allgather(&pid, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather(places, sizeof places, MPI_BYTE, memory, sizeof places, MPI_BYTE, MPI_COMM_WORLD);
  file = -1;
  for (int round = 0; round < rounds; round++) {
    fresh(argv[3]);
    measure("contiguous", 1, 0, 0);
    measure("contiguous", 0, 0, 0);
    fresh(argv[3]);
    measure("gathered", 1, window_bytes / row_bytes, aggregators);
    measure("gathered", 0, window_bytes / row_bytes, aggregators);
    measure("skipped", 0, 0, 0);
    measure("mapped", 0, 0, 0);
    measure("rows", 0, 0, 0);
  }
  if (rank == 0) unlink(argv[3]);
  MPI_Finalize();
  return 0;
}
