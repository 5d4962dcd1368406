/*
 * A parallel program of HDF5: groups, links, attributes and datasets of every kind, written and read
 * by all ranks of MPI_COMM_WORLD.
 *   job FILE write     makes the file; its contents do not depend on the number of ranks
 *   job FILE each      reads it, each rank something else
 *   job FILE single    makes a file in which one rank at a time opens, reads and writes what it likes
 *   job FILE lonely    rank 0 alone makes a collective call; only for connectors that notice
 *   job FILE read      reads all of it, with any number of ranks, and says what is not as written
 * Rank 0 prints one line for each step, with the number of ranks for which it failed.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 96, COLUMNS = 60, LATER = 120 };

static int rank, ranks;
static hid_t file, together, alone;

static void step(const char *what, int good) {
  int failed = !good, all;
  MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%s: %d\n", what, all);
}

static int value(int row, int column) { return 1000 * row + column; }

/* The rows that this rank has. */
static hsize_t first(int rows, int of) { return (hsize_t)rows * of / ranks; }

/* Fills the rows from first to first + count - 1, or compares with what should be there. */
static int rows_are(int *data, int from, int count, int fill) {
  int good = 1;
  for (int r = 0; r < count; r++)
    for (int c = 0; c < COLUMNS; c++) {
      if (fill) data[r * COLUMNS + c] = value(from + r, c);
      good &= data[r * COLUMNS + c] == value(from + r, c);
    }
  return good;
}

static hid_t access_list(MPI_Comm comm) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "65536");
  MPI_Info_set(info, "nobody_knows_this", "yes");
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(list, comm, info);
  MPI_Info_free(&info);
  return list;
}

/* Each rank moves its rows of a dataset. */
static int move_rows(hid_t dataset, int rows, int writes, hid_t how) {
  int from = (int)first(rows, rank), count = (int)first(rows, rank + 1) - from;
  int *data = calloc((size_t)count * COLUMNS + 1, sizeof *data);
  hsize_t start[2] = {from, 0}, size[2] = {count, COLUMNS};
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(2, size, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
  if (writes) rows_are(data, from, count, 1);
  int good = (writes ? H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, how, data)
                     : H5Dread(dataset, H5T_NATIVE_INT, memory, space, how, data)) >= 0;
  good = good && rows_are(data, from, count, 0);
  H5Sclose(memory);
  H5Sclose(space);
  free(data);
  return good;
}

/* Each rank moves every so many columns, which interleave with those of the others. */
static int move_columns(hid_t dataset, int writes, hid_t how) {
  int mine = rank >= COLUMNS ? 0 : (COLUMNS - rank - 1) / ranks + 1, good = 1;
  int *data = calloc((size_t)mine * ROWS + 1, sizeof *data);
  hsize_t start[2] = {0, rank}, stride[2] = {1, ranks}, count[2] = {ROWS, mine}, total = (hsize_t)ROWS * mine;
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &total, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  for (int i = 0; writes && i < ROWS * mine; i++) data[i] = value(i / mine, rank + i % mine * ranks);
  good = (writes ? H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, how, data)
                 : H5Dread(dataset, H5T_NATIVE_INT, memory, space, how, data)) >= 0;
  for (int i = 0; i < ROWS * mine; i++) good &= data[i] == value(i / mine, rank + i % mine * ranks);
  H5Sclose(memory);
  H5Sclose(space);
  free(data);
  return good;
}

/* Rank 0 moves some points; the others take part with nothing. */
static int move_points(hid_t dataset, int writes) {
  hsize_t points[5] = {3, 17, 4, 99, 50}, total = 5;
  double data[5] = {0};
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &total, NULL);
  if (rank == 0) {
    H5Sselect_elements(space, H5S_SELECT_SET, 5, points);
    for (int i = 0; writes && i < 5; i++) data[i] = points[i] + 0.5;
  } else {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  int good = (writes ? H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, together, data)
                     : H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, together, data)) >= 0;
  for (int i = 0; rank == 0 && i < 5; i++) good &= data[i] == points[i] + 0.5;
  H5Sclose(memory);
  H5Sclose(space);
  return good;
}

static hid_t new_dataset(const char *name, hsize_t rows, hsize_t most, const hsize_t *chunk, int deflated) {
  hsize_t dims[2] = {rows, COLUMNS}, maximum[2] = {most, COLUMNS};
  hid_t space = H5Screate_simple(2, dims, maximum), list = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk) H5Pset_chunk(list, 2, chunk);
  if (deflated) H5Pset_deflate(list, 6);
  /* libhdf5 writes filtered chunks only together, and converts only alone. */
  hid_t type = deflated ? H5T_STD_I32LE : H5T_STD_I32BE;
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list);
  H5Sclose(space);
  return dataset;
}

static int attributes_written(hid_t at) {
  hsize_t three = 3;
  int numbers[3] = {7, 8, 9};
  const char *text = "written by all ranks";
  hid_t simple = H5Screate_simple(1, &three, NULL), scalar = H5Screate(H5S_SCALAR), string = H5Tcopy(H5T_C_S1);
  H5Tset_size(string, H5T_VARIABLE);
  hid_t a = H5Acreate2(at, "numbers", H5T_STD_I64LE, simple, H5P_DEFAULT, H5P_DEFAULT);
  hid_t b = H5Acreate2(at, "text", string, scalar, H5P_DEFAULT, H5P_DEFAULT);
  int good = H5Awrite(a, H5T_NATIVE_INT, numbers) >= 0 && H5Awrite(b, string, &text) >= 0;
  good &= H5Aclose(a) >= 0 && H5Aclose(b) >= 0;
  H5Tclose(string);
  H5Sclose(scalar);
  H5Sclose(simple);
  return good;
}

static int attributes_read(hid_t at) {
  int numbers[3] = {0};
  char *text = NULL;
  hid_t a = H5Aopen(at, "numbers", H5P_DEFAULT), b = H5Aopen(at, "text", H5P_DEFAULT), string = H5Aget_type(b);
  int good = H5Aread(a, H5T_NATIVE_INT, numbers) >= 0 && H5Aread(b, string, &text) >= 0;
  good = good && numbers[0] == 7 && numbers[2] == 9 && strcmp(text, "written by all ranks") == 0;
  H5free_memory(text);
  H5Tclose(string);
  return good & (H5Aclose(a) >= 0 && H5Aclose(b) >= 0);
}

static void write_all(const char *name) {
  hsize_t chunk[2] = {10, 25}, large[2] = {32, 60}, hundred = 100;
  hid_t list = access_list(MPI_COMM_WORLD), dataset;
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  H5Pclose(list);
  step("created", file >= 0);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t deep = H5Gcreate2(group, "deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  step("groups", group >= 0 && deep >= 0);
  step("attributes", attributes_written(file) && attributes_written(deep));
  step("rows together", move_rows(dataset = new_dataset("rows", ROWS, ROWS, NULL, 0), ROWS, 1, together));
  step("attributes of a dataset", attributes_written(dataset));
  H5Dclose(dataset);
  step("rows alone", move_rows(dataset = new_dataset("group/alone", ROWS, ROWS, NULL, 0), ROWS, 1, alone));
  H5Dclose(dataset);
  step("columns together", move_columns(dataset = new_dataset("group/columns", ROWS, ROWS, NULL, 0), 1, together));
  H5Dclose(dataset);
  step("columns alone", move_columns(dataset = new_dataset("group/deep/columns", ROWS, ROWS, NULL, 0), 1, alone));
  H5Dclose(dataset);
  step("chunks together", move_rows(dataset = new_dataset("chunks", ROWS, ROWS, chunk, 0), ROWS, 1, together));
  H5Dclose(dataset);
  step("chunks alone", move_columns(dataset = new_dataset("group/chunks", ROWS, ROWS, chunk, 0), 1, alone));
  H5Dclose(dataset);
  step("deflated", move_rows(dataset = new_dataset("deflated", ROWS, ROWS, chunk, 1), ROWS, 1, together));
  H5Dclose(dataset);
  dataset = new_dataset("longer", ROWS, H5S_UNLIMITED, large, 0);
  hsize_t longer[2] = {LATER, COLUMNS};
  step("extended", H5Dset_extent(dataset, longer) >= 0);
  step("rows of an extended", move_rows(dataset, LATER, 1, together));
  H5Dclose(dataset);
  hid_t space = H5Screate_simple(1, &hundred, NULL), filled = H5Pcreate(H5P_DATASET_CREATE);
  double nothing = -1;
  H5Pset_fill_value(filled, H5T_NATIVE_DOUBLE, &nothing);
  dataset = H5Dcreate2(group, "points", H5T_IEEE_F64LE, space, H5P_DEFAULT, filled, H5P_DEFAULT);
  H5Pclose(filled);
  step("points", move_points(dataset, 1));
  step("flushed", H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  H5Dclose(dataset);
  H5Sclose(space);
  step("links", H5Lcreate_soft("/rows", group, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
       H5Lcreate_hard(file, "chunks", deep, "hard", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
       H5Lmove(file, "longer", group, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  hid_t gone = H5Gcreate2(file, "gone", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  step("deleted", H5Gclose(gone) >= 0 && H5Ldelete(file, "gone", H5P_DEFAULT) >= 0);
  hid_t type = H5Tcreate(H5T_COMPOUND, 12);
  H5Tinsert(type, "i", 0, H5T_NATIVE_INT);
  H5Tinsert(type, "d", 4, H5T_NATIVE_DOUBLE);
  step("type", H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Tclose(type);
  H5Gclose(deep);
  H5Gclose(group);
  step("closed", H5Fclose(file) >= 0);
}

static int rows_of(const char *name, int rows, hid_t how) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  int good = dataset >= 0 && move_rows(dataset, rows, 0, how);
  return good & (H5Dclose(dataset) >= 0);
}

static int columns_of(const char *name, hid_t how) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  int good = dataset >= 0 && move_columns(dataset, 0, how);
  return good & (H5Dclose(dataset) >= 0);
}

static void read_all(const char *name) {
  hid_t list = access_list(MPI_COMM_WORLD);
  file = H5Fopen(name, H5F_ACC_RDONLY, list);
  H5Pclose(list);
  step("opened", file >= 0);
  step("rows together", rows_of("rows", ROWS, together) && rows_of("group/soft", ROWS, together));
  step("rows alone", rows_of("group/alone", ROWS, alone));
  step("columns together", columns_of("group/columns", together));
  step("columns alone", columns_of("group/deep/columns", alone));
  step("chunks together", rows_of("chunks", ROWS, together) && columns_of("group/deep/hard", together));
  step("chunks alone", rows_of("group/chunks", ROWS, alone));
  step("deflated together", rows_of("deflated", ROWS, together));
  step("deflated alone", columns_of("deflated", alone));
  step("moved", rows_of("group/moved", LATER, together));
  hid_t group = H5Gopen2(file, "group/deep", H5P_DEFAULT), dataset = H5Dopen2(file, "rows", H5P_DEFAULT);
  step("attributes", attributes_read(file) && attributes_read(group) && attributes_read(dataset));
  H5Dclose(dataset);
  H5Gclose(group);
  dataset = H5Dopen2(file, "group/points", H5P_DEFAULT);
  step("points", move_points(dataset, 0));
  H5Dclose(dataset);
  step("gone", H5Lexists(file, "gone", H5P_DEFAULT) == 0 && H5Lexists(file, "type", H5P_DEFAULT) == 1);
  step("closed", H5Fclose(file) >= 0);
}

/* Each rank opens what no other opens at that time, and as often as it likes. */
static void read_each(const char *name) {
  const char *names[3] = {"rows", "group/alone", "deflated"};
  hid_t list = access_list(MPI_COMM_WORLD);
  file = H5Fopen(name, H5F_ACC_RDONLY, list);
  H5Pclose(list);
  int good = file >= 0;
  for (int i = 0; i <= rank; i++) good &= rows_of(names[rank % 3], ROWS, alone);
  if (rank == 0) good &= attributes_read(file);
  step("each for itself", good);
  step("together", rows_of("chunks", ROWS, together));
  step("closed", H5Fclose(file) >= 0);
}

/* What one rank does by itself: reads metadata of any kind, and writes its number to a place of its own. */
static int alone_in(hid_t at, const char *of) {
  int mine = 10 + rank, found = -1;
  hsize_t place = rank, one = 1, dims[1];
  hid_t dataset = H5Dopen2(at, of, H5P_DEFAULT), space = H5Dget_space(dataset), memory = H5Screate_simple(1, &one, NULL);
  H5O_info2_t info;
  H5G_info_t group;
  int good = dataset >= 0 && H5Sget_simple_extent_dims(space, dims, NULL) == 1 && dims[0] == 100;
  good = good && attributes_read(dataset) && H5Oget_info3(dataset, &info, H5O_INFO_ALL) >= 0 && info.num_attrs == 2;
  good = good && H5Gget_info(at, &group) >= 0 && H5Lexists(at, of, H5P_DEFAULT) == 1 && H5Lexists(at, "none", H5P_DEFAULT) == 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &place, NULL, &one, NULL);
  good = good && H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &mine) >= 0;
  mine = 0;
  good = good && H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &mine) >= 0 && mine == 10 + rank;
  H5Sclose(memory);
  H5Sclose(space);
  return good & (H5Dclose(dataset) >= 0);
}

static void single(const char *name) {
  hsize_t hundred = 100, chunk = 7;
  hid_t list = access_list(MPI_COMM_WORLD), chunked = H5Pcreate(H5P_DATASET_CREATE), dataset;
  hbool_t atomic = 1;
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &hundred, NULL);
  H5Pset_chunk(chunked, 1, &chunk);
  step("created", attributes_written(dataset = H5Dcreate2(file, "e", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  H5Dclose(dataset);
  step("chunked", attributes_written(dataset = H5Dcreate2(group, "c", H5T_STD_I32LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT)));
  H5Dclose(dataset);
  step("one rank", rank == 0 ? alone_in(file, "e") && alone_in(group, "c") : 1);
  step("another rank", rank == ranks - 1 ? alone_in(file, "e") && alone_in(group, "c") && alone_in(file, "e") : 1);
  step("not atomic", H5Fget_mpi_atomicity(file, &atomic) >= 0 && !atomic);
  step("atomic", H5Fset_mpi_atomicity(file, 1) >= 0 && H5Fget_mpi_atomicity(file, &atomic) >= 0 && atomic);
  step("each rank", alone_in(file, "e") && alone_in(file, "group/c"));
  step("no longer atomic", H5Fset_mpi_atomicity(file, 0) >= 0 && H5Fget_mpi_atomicity(file, &atomic) >= 0 && !atomic);
  hid_t after = H5Gcreate2(group, "after", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  step("together again", after >= 0 && H5Gclose(after) >= 0);
  H5Gclose(group);
  step("closed", H5Fclose(file) >= 0);
  file = H5Fopen(name, H5F_ACC_RDWR, list);
  step("one rank of an existing file", rank == 1 ? alone_in(file, "e") && alone_in(file, "group/c") : 1);
  step("closed again", H5Fclose(file) >= 0);
  H5Pset_all_coll_metadata_ops(list, 1);
  file = H5Fopen(name, H5F_ACC_RDWR, list);
  step("reading together", attributes_read(dataset = H5Dopen2(file, "e", H5P_DEFAULT)));
  H5Dclose(dataset);
  step("closed at last", H5Fclose(file) >= 0);
  H5Sclose(space);
  H5Pclose(chunked);
  H5Pclose(list);
}

/* All ranks promise to read metadata together, but only rank 0 reads; libhdf5 itself may wait for ever then. */
static void promised(const char *name) {
  hid_t list = access_list(MPI_COMM_WORLD);
  H5Pset_all_coll_metadata_ops(list, 1);
  file = H5Fopen(name, H5F_ACC_RDWR, list);
  step("one rank in spite of a promise", rank == 0 ? alone_in(file, "e") && alone_in(file, "group/c") : 1);
  step("closed", H5Fclose(file) >= 0);
  H5Pclose(list);
}

/* A file of each rank's own, and one of rank 0 without MPI. */
static void own_files(const char *name) {
  char own[1000];
  snprintf(own, sizeof own, "%s.%d", name, rank);
  hid_t list = access_list(MPI_COMM_SELF);
  hid_t mine = H5Fcreate(own, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  H5Pclose(list);
  hid_t group = H5Gcreate2(mine, "mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  step("own files", group >= 0 && H5Gclose(group) >= 0 && H5Fclose(mine) >= 0);
  int good = 1;
  if (rank == 0) {
    hid_t serial = H5Fopen(own, H5F_ACC_RDWR, H5P_DEFAULT);
    good = H5Lexists(serial, "mine", H5P_DEFAULT) == 1 && H5Fclose(serial) >= 0;
  }
  step("a file without MPI", good);
  remove(own);
}

/* Rank 0 makes a collective call that no other rank makes. */
static void lonely(const char *name) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "hyperslab_deadline", "0.5");
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(list, MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  H5Pclose(list);
  step("created", file >= 0);
  step("flushed", H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  hid_t group = rank == 0 ? H5Gcreate2(file, "alone", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  step("a call of one rank alone fails", group < 0);
  H5Fclose(file);
  step("closing ends", 1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) return 2;
  together = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(together, H5FD_MPIO_COLLECTIVE);
  alone = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(alone, H5FD_MPIO_INDEPENDENT);
  if (strcmp(argv[2], "write") == 0) {
    write_all(argv[1]);
    own_files(argv[1]);
  } else if (strcmp(argv[2], "lonely") == 0) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    lonely(argv[1]);
  } else if (strcmp(argv[2], "single") == 0) {
    single(argv[1]);
  } else if (strcmp(argv[2], "promised") == 0) {
    promised(argv[1]);
  } else if (strcmp(argv[2], "each") == 0) {
    read_each(argv[1]);
  } else {
    read_all(argv[1]);
  }
  H5Pclose(together);
  H5Pclose(alone);
  step("library closed", H5close() >= 0);
  MPI_Finalize();
  return 0;
}
