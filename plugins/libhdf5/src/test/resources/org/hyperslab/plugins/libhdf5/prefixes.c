/* Datasets whose elements are in other files, which access lists find; prints what is read. */
#include <stdio.h>
#include "hdf5.h"

static char path[4096];

static hid_t access_list(const char *external, const char *virtual) {
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  if (external) H5Pset_efile_prefix(list, external);
  if (virtual) H5Pset_virtual_prefix(list, virtual);
  return list;
}

static void show(const char *what, hid_t set) {
  int values[16] = {0};
  hid_t space = H5Dget_space(set);
  hssize_t count = H5Sget_simple_extent_npoints(space);
  printf("%s", what);
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    printf(" unread");
  else
    for (int i = 0; i < count; i++) printf(" %d", values[i]);
  printf("\n");
  H5Sclose(space);
}

static void external(const char *folder) {
  char parts[4096], prefix[64] = "";
  int values[4] = {1, 2, 3, 4};
  hsize_t dims[1] = {4};
  snprintf(parts, sizeof parts, "%s/parts", folder);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, NULL), outside = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(outside, "raw.bin", 8, 16);
  hid_t list = access_list("${ORIGIN}/parts", NULL);
  hid_t set = H5Dcreate2(file, "external", H5T_STD_I32LE, space, H5P_DEFAULT, outside, list);
  printf("written %d\n", H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  hid_t other = access_list("${ORIGIN}", NULL);
  printf("other prefix %d\n", H5Dopen2(file, "external", other) >= 0);
  hid_t same = H5Dopen2(file, "external", list);
  show("again", same);
  H5Dclose(same);
  H5Dclose(set);
  set = H5Dopen2(file, "external", other);
  show("elsewhere", set);
  H5Dclose(set);
  hid_t absolute = access_list(parts, NULL);
  set = H5Dopen2(file, "external", absolute);
  show("external", set);
  hid_t used = H5Dget_access_plist(set);
  printf("prefix of its length %d\n", H5Pget_efile_prefix(used, prefix, sizeof prefix) > 5);
  H5Dclose(set);
  H5Pclose(used);
  H5Pclose(absolute);
  H5Pclose(other);
  H5Pclose(list);
  H5Pclose(outside);
  H5Sclose(space);
  H5Fclose(file);
}

static void source(const char *folder, int number, int first, hsize_t count) {
  char name[4200];
  int values[8];
  hsize_t most[1] = {H5S_UNLIMITED}, chunk[1] = {4};
  for (int i = 0; i < 8; i++) values[i] = first + i;
  snprintf(name, sizeof name, "%s/parts/source%d.h5", folder, number);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &count, most), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  hid_t set = H5Dcreate2(file, "x", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
}

static void look(const char *what, hid_t file, const char *name, hid_t list) {
  hid_t set = H5Dopen2(file, name, list);
  show(what, set);
  H5Dclose(set);
}

/* The extent follows a source that grows while the virtual dataset is open. */
static void growing(void) {
  hsize_t dims[1] = {2}, more[1] = {3}, most[1] = {H5S_UNLIMITED}, zero[1] = {0}, one[1] = {1}, now[1];
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, most), chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, dims);
  hid_t source = H5Dcreate2(file, "s", H5T_STD_I32LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, zero, NULL, most, one);
  H5Pset_virtual(list, space, ".", "s", space);
  hid_t set = H5Dcreate2(file, "v", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (int i = 0; i < 2; i++) {
    hid_t extent = H5Dget_space(set);
    H5Sget_simple_extent_dims(extent, now, NULL);
    printf("extent %d\n", (int)now[0]);
    H5Sclose(extent);
    H5Dset_extent(source, more);
  }
  show("grown", set);
  H5Dclose(set);
  H5Dclose(source);
  H5Pclose(list);
  H5Pclose(chunked);
  H5Sclose(space);
  H5Fclose(file);
}

/* Blocks of 3 and of 4 elements in two rows: the first missing source ends the extent within a block. */
static void uneven(hid_t file) {
  hsize_t dims[2] = {2, 4}, most[2] = {2, H5S_UNLIMITED}, four[1] = {4}, three[1] = {3}, zero[1] = {0}, one[1] = {1};
  hid_t made = H5Screate_simple(2, dims, most), part = H5Screate_simple(1, four, NULL);
  hid_t blocks = H5Pcreate(H5P_DATASET_CREATE), list = access_list(NULL, "${ORIGIN}/parts");
  for (hsize_t row = 0; row < 2; row++) {
    hsize_t start[2] = {row, 0}, count[2] = {1, H5S_UNLIMITED}, block[2] = {1, 3 + row};
    H5Sselect_hyperslab(made, H5S_SELECT_SET, start, block, count, block);
    H5Sselect_hyperslab(part, H5S_SELECT_SET, zero, NULL, one, row ? four : three);
    H5Pset_virtual(blocks, made, "source%b.h5", "x", part);
  }
  H5Dclose(H5Dcreate2(file, "uneven", H5T_STD_I32LE, made, H5P_DEFAULT, blocks, list));
  look("uneven", file, "uneven", list);
  H5Pset_virtual_view(list, H5D_VDS_FIRST_MISSING);
  look("uneven, first missing", file, "uneven", list);
  H5Pclose(list);
  H5Pclose(blocks);
  H5Sclose(part);
  H5Sclose(made);
}

/* Sources are named "source%b.h5"; source 2 is missing. */
static void virtual(const char *folder) {
  hsize_t four[1] = {4}, most[1] = {H5S_UNLIMITED}, zero[1] = {0};
  for (int i = 0; i < 4; i++)
    if (i != 2) source(folder, i, 5 + 10 * i, 4);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, four, NULL), fixed = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(fixed, space, "source0.h5", "x", space);
  hid_t endless = H5Screate_simple(1, four, most), blocks = H5Pcreate(H5P_DATASET_CREATE);
  H5Sselect_hyperslab(endless, H5S_SELECT_SET, zero, four, most, four);
  H5Pset_virtual(blocks, endless, "source%b.h5", "x", space);
  hid_t list = access_list(NULL, "${ORIGIN}/parts");
  hid_t set = H5Dcreate2(file, "fixed", H5T_STD_I32LE, space, H5P_DEFAULT, fixed, list);
  show("virtual", set);
  H5Dclose(set);
  set = H5Dcreate2(file, "blocks", H5T_STD_I32LE, endless, H5P_DEFAULT, blocks, list);
  H5Dclose(set);
  look("without prefix", file, "fixed", H5P_DEFAULT);
  look("with prefix", file, "fixed", list);
  look("no gap", file, "blocks", list);
  H5Pset_virtual_printf_gap(list, 1);
  look("a gap", file, "blocks", list);
  H5Pset_virtual_printf_gap(list, 0);
  H5Pset_virtual_view(list, H5D_VDS_FIRST_MISSING);
  look("first missing", file, "blocks", list);
  uneven(file);
  H5Pclose(list);
  H5Pclose(fixed);
  H5Pclose(blocks);
  H5Sclose(space);
  H5Sclose(endless);
  H5Fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  snprintf(path, sizeof path, "%s/external.h5", argv[1]);
  external(argv[1]);
  snprintf(path, sizeof path, "%s/virtual.h5", argv[1]);
  virtual(argv[1]);
  snprintf(path, sizeof path, "%s/growing.h5", argv[1]);
  growing();
  return 0;
}
