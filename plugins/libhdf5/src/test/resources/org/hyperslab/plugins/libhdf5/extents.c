/* The extent of a virtual dataset with an unlimited source: which one transfers use, and when it follows the source. */
#include <stdio.h>
#include "hdf5.h"

enum { ROOM = 64, NONE = -77 };

static hid_t file = -1, set = -1, access_list;
static const char *path;

static void open_set(unsigned flags) {
  if (set >= 0) H5Dclose(set);
  if (file >= 0) H5Fclose(file);
  file = H5Fopen(path, flags, access_list);
  set = H5Dopen2(file, "v", H5P_DEFAULT);
}

/* Reads all without asking for the extent: prints how many elements are stored into memory. */
static void show(const char *when, hid_t from) {
  int values[ROOM], count = 0;
  for (int i = 0; i < ROOM; i++) values[i] = NONE;
  herr_t result = H5Dread(from, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  while (count < ROOM && values[count] != NONE) count++;
  printf("%s: %s %d, last %d\n", when, result < 0 ? "failed" : "read", count, count ? values[count - 1] : 0);
}

static void ask(hid_t from) {
  hsize_t now[1];
  hid_t space = H5Dget_space(from);
  H5Sget_simple_extent_dims(space, now, NULL);
  printf("extent %d\n", (int)now[0]);
  H5Sclose(space);
}

static void grow(const char *name, hsize_t length) {
  int values[ROOM];
  for (int i = 0; i < ROOM; i++) values[i] = i + 1;
  hid_t source = H5Dopen2(file, name, H5P_DEFAULT);
  H5Dset_extent(source, &length);
  H5Dwrite(source, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(source);
}

static void set_extent(hsize_t length) {
  printf("set %d: %d\n", (int)length, H5Dset_extent(set, &length) >= 0);
}

/* A virtual dataset without mappings is one all the same, and has no block of mappings. */
static void without_sources(void) {
  hsize_t two[1] = {2};
  hid_t space = H5Screate_simple(1, two, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(list, H5D_VIRTUAL);
  hid_t empty = H5Dcreate2(file, "empty", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  hid_t used = H5Dget_create_plist(empty);
  H5O_native_info_t info;
  H5Oget_native_info(empty, &info, H5O_NATIVE_INFO_ALL);
  printf("layout %d, mappings of %d bytes\n", (int)H5Pget_layout(used), (int)info.meta_size.obj.heap_size);
  show("without sources", empty);
  H5Pclose(used);
  H5Dclose(empty);
  H5Pclose(list);
  H5Sclose(space);
}

int main(int argc, char **argv) {
  hsize_t zero[1] = {0}, one[1] = {1}, five[1] = {5}, endless[1] = {H5S_UNLIMITED};
  path = argv[1];
  access_list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access_list, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  if (argc > 2) {
    open_set(H5F_ACC_RDONLY);
    show(argv[2], set);
    return 0;
  }
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access_list);
  hid_t space = H5Screate_simple(1, five, endless), chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, five);
  H5Dclose(H5Dcreate2(file, "s", H5T_STD_I32LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
  grow("s", 10);
  hid_t all = H5Scopy(space), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Sselect_hyperslab(all, H5S_SELECT_SET, zero, NULL, one, endless);
  H5Pset_virtual(list, all, ".", "s", all);
  set = H5Dcreate2(file, "v", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  show("created", set);
  without_sources();

  open_set(H5F_ACC_RDONLY);
  show("opened for reading", set);
  ask(set);
  show("asked", set);
  H5Dclose(set);
  set = H5Dopen2(file, "v", H5P_DEFAULT);
  show("opened again", set);

  open_set(H5F_ACC_RDWR);
  show("opened for editing", set);
  ask(set);
  show("asked", set);
  open_set(H5F_ACC_RDWR);
  show("opened after it was asked for", set);

  set_extent(6);
  show("smaller", set);
  hid_t again = H5Dopen2(file, "v", H5P_DEFAULT);
  show("through another identifier", again);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  show("flushed", set);
  ask(again);
  show("asked", set);
  H5Dclose(again);
  set_extent(6);
  open_set(H5F_ACC_RDWR);
  show("opened after it was set", set);
  H5Drefresh(set);
  show("refreshed", set);
  H5Pclose(H5Dget_create_plist(set));
  H5Tclose(H5Dget_type(set));
  H5D_space_status_t status;
  H5Dget_space_status(set, &status);
  show("described", set);

  grow("s", 12);
  show("grown", set);
  ask(set);
  show("asked", set);
  grow("s", 14);
  show("grown", set);
  set_extent(20);
  show("larger", set);
  ask(set);
  show("asked", set);
  set_extent(7);
  H5Dclose(set);
  H5Fclose(file);
  H5Pclose(list);
  H5Sclose(all);
  H5Pclose(chunked);
  H5Sclose(space);
  H5Pclose(access_list);
  return 0;
}
