/*
 * A program of the C library that prints what it is told. What it prints, and what h5dump prints of
 * its file, is the same with libhdf5's own native connector and through the bridge.
 *   program FILE
 */
#include "hdf5.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) do { if ((call) < 0) printf("line %d failed\n", __LINE__); } while (0)

typedef struct {
  int number;
  char *name;
  hvl_t parts;
  double weights[2];
} item;

static hid_t item_type(void) {
  hsize_t two = 2;
  hid_t string = H5Tcopy(H5T_C_S1), parts = H5Tvlen_create(H5T_NATIVE_SHORT);
  hid_t weights = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two);
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(item));
  OK(H5Tset_size(string, H5T_VARIABLE));
  OK(H5Tinsert(type, "number", HOFFSET(item, number), H5T_NATIVE_INT));
  OK(H5Tinsert(type, "name", HOFFSET(item, name), string));
  OK(H5Tinsert(type, "parts", HOFFSET(item, parts), parts));
  OK(H5Tinsert(type, "weights", HOFFSET(item, weights), weights));
  H5Tclose(string), H5Tclose(parts), H5Tclose(weights);
  return type;
}

static herr_t on_link(hid_t group, const char *name, const H5L_info2_t *info, void *data) {
  (void)data;
  printf("link %s kind %d order %d in a group %d\n", name, (int)info->type,
         info->corder_valid ? (int)info->corder : -1, H5Iget_type(group) == H5I_GROUP);
  return 0;
}

static herr_t on_object(hid_t start, const char *name, const H5O_info2_t *info, void *data) {
  (void)start, (void)data;
  printf("object %s kind %d links %u attributes %d\n", name, (int)info->type, info->rc, (int)info->num_attrs);
  return 0;
}

static herr_t on_attribute(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)object, (void)data;
  printf("attribute %s of %d bytes\n", name, (int)info->data_size);
  return strcmp(name, "last") == 0 ? 7 : 0;
}

static void items(hid_t file) {
  short s[3] = {1, -2, 3};
  item out[3] = {{1, "one", {3, s}, {1.5, 2.5}}, {2, "", {0, NULL}, {0, -1}}, {3, "drei \xc3\xa4", {1, s}, {7, 8}}};
  item in[3];
  hsize_t three = 3;
  hid_t type = item_type(), space = H5Screate_simple(1, &three, NULL);
  hid_t set = H5Dcreate2(file, "items", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out));
  memset(in, 0, sizeof in);
  OK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, in));
  for (int i = 0; i < 3; i++) {
    printf("item %d \"%s\" %d parts %g %g\n", in[i].number, in[i].name, (int)in[i].parts.len, in[i].weights[0], in[i].weights[1]);
  }
  OK(H5Treclaim(type, space, H5P_DEFAULT, in));
  H5Dclose(set), H5Sclose(space), H5Tclose(type);
}

static void chunks(hid_t file) {
  hsize_t dims[2] = {6, 8}, most[2] = {H5S_UNLIMITED, 8}, chunk[2] = {4, 4}, grown[2] = {9, 8};
  hsize_t start[2] = {1, 0}, stride[2] = {2, 3}, count[2] = {2, 3}, one = 1;
  double out[48], in[6], fill = -1;
  for (int i = 0; i < 48; i++) out[i] = i;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, most);
  OK(H5Pset_chunk(list, 2, chunk));
  OK(H5Pset_shuffle(list));
  OK(H5Pset_deflate(list, 6));
  OK(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill));
  OK(H5Pset_obj_track_times(list, 0));
  hid_t set = H5Dcreate2(file, "deep/er/chunks", H5T_IEEE_F32BE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("without the groups: %d\n", set < 0);
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  OK(H5Pset_create_intermediate_group(links, 1));
  set = H5Dcreate2(file, "deep/er/chunks", H5T_IEEE_F32BE, space, links, list, H5P_DEFAULT);
  OK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out));
  OK(H5Dset_extent(set, grown));
  hid_t file_space = H5Dget_space(set);
  OK(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, stride, count, NULL));
  one = 6;
  hid_t memory = H5Screate_simple(1, &one, NULL);
  OK(H5Dread(set, H5T_NATIVE_DOUBLE, memory, file_space, H5P_DEFAULT, in));
  for (int i = 0; i < 6; i++) printf("%g ", in[i]);
  printf("of %d\n", (int)H5Sget_simple_extent_npoints(file_space));
  hid_t given = H5Dget_create_plist(set), type = H5Dget_type(set);
  printf("lists equal %d, filters %d, type equal %d\n", H5Pequal(given, list), H5Pget_nfilters(given), H5Tequal(type, H5T_IEEE_F32BE));
  hsize_t number = 0;
  OK(H5Dget_num_chunks(set, H5S_ALL, &number));
  printf("%d chunks\n", (int)number);
  H5Pclose(given), H5Tclose(type), H5Sclose(memory), H5Sclose(file_space), H5Sclose(space);
  H5Pclose(list), H5Pclose(links), H5Dclose(set);
}

static void attributes(hid_t file) {
  hsize_t two = 2;
  const char *words[2] = {"a", "longer"};
  char *read[2];
  int last = 42;
  hid_t string = H5Tcopy(H5T_C_S1), pair = H5Screate_simple(1, &two, NULL), scalar = H5Screate(H5S_SCALAR);
  OK(H5Tset_size(string, H5T_VARIABLE));
  hid_t a = H5Acreate2(file, "a words", string, pair, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Awrite(a, string, words));
  OK(H5Aread(a, string, read));
  printf("words %s %s\n", read[0], read[1]);
  OK(H5Treclaim(string, pair, H5P_DEFAULT, read));
  hid_t b = H5Acreate_by_name(file, "items", "of items", H5T_STD_U16LE, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Awrite(b, H5T_NATIVE_INT, &last));
  H5Aclose(b);
  b = H5Acreate2(file, "middle", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Aclose(b);
  OK(H5Arename(file, "middle", "last"));
  b = H5Acreate2(file, "zero", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  printf("iteration %d\n", (int)H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, NULL, on_attribute, NULL));
  printf("exists %d %d\n", (int)H5Aexists(file, "last"), (int)H5Aexists(file, "middle"));
  H5Aclose(a), H5Aclose(b), H5Tclose(string), H5Sclose(pair), H5Sclose(scalar);
}

static void references(hid_t file) {
  H5R_ref_t out[3], in[3];
  hsize_t three = 3, start = 1, count = 2;
  char name[64] = "";
  hid_t space = H5Screate_simple(1, &three, NULL);
  OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  OK(H5Rcreate_object(file, "deep/er", H5P_DEFAULT, &out[0]));
  OK(H5Rcreate_region(file, "items", space, H5P_DEFAULT, &out[1]));
  OK(H5Rcreate_attr(file, "items", "of items", H5P_DEFAULT, &out[2]));
  OK(H5Sselect_all(space));
  hid_t set = H5Dcreate2(file, "references", H5T_STD_REF, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, out));
  memset(in, 0, sizeof in);
  OK(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, in));
  for (int i = 0; i < 3; i++) {
    hid_t object = H5Ropen_object(&in[i], H5P_DEFAULT, H5P_DEFAULT);
    OK(H5Iget_name(object, name, sizeof name));
    printf("reference of type %d to %s\n", (int)H5Rget_type(&in[i]), name);
    H5Oclose(object);
  }
  hid_t region = H5Ropen_region(&in[1], H5P_DEFAULT, H5P_DEFAULT);
  printf("region of %d\n", (int)H5Sget_select_npoints(region));
  OK(H5Rget_attr_name(&in[2], name, sizeof name));
  printf("attribute %s\n", name);
  for (int i = 0; i < 3; i++) {
    OK(H5Rdestroy(&out[i]));
    OK(H5Rdestroy(&in[i]));
  }
  H5Sclose(region), H5Sclose(space), H5Dclose(set);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
  OK(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V112));
  OK(H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, create, access);
  if (file < 0) return 1;
  items(file);
  chunks(file);
  attributes(file);
  references(file);
  signed char value = 5;
  hid_t type = H5Tenum_create(H5T_STD_I8LE);
  OK(H5Tenum_insert(type, "FIVE", &value));
  OK(H5Tcommit2(file, "enumeration", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(file, "of committed", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Tclose(type);
  type = H5Dget_type(set);
  printf("committed %d\n", (int)H5Tcommitted(type));
  H5Tclose(type), H5Dclose(set), H5Sclose(scalar);
  OK(H5Lcreate_soft("/items", file, "soft", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcreate_hard(file, "references", file, "deep/hard", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcreate_external("other.h5", "/there", file, "external", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Ocopy(file, "deep", file, "copy", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lmove(file, "copy/hard", file, "moved", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Oset_comment_by_name(file, "copy", "said of it", H5P_DEFAULT));
  OK(H5Literate2(file, H5_INDEX_CRT_ORDER, H5_ITER_DEC, NULL, on_link, NULL));
  OK(H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, on_object, NULL, H5O_INFO_ALL));
  printf("missing %d, exists %d\n", H5Oopen(file, "nothing", H5P_DEFAULT) < 0, (int)H5Lexists(file, "soft", H5P_DEFAULT));
  printf("open %d\n", (int)H5Fget_obj_count(file, H5F_OBJ_ALL));
  H5Pclose(access), H5Pclose(create);
  printf("closed %d\n", (int)H5Fclose(file));
  return 0;
}
