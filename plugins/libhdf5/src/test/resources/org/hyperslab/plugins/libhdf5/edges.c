/*
 * What HDF5's own tests found that the bridge did otherwise than libhdf5's native connector. What it
 * prints, and what h5dump prints of its files, is the same with both.
 *   edges FILE OTHER
 */
#include "hdf5.h"
#include <stdio.h>
#include <string.h>

#define OK(call) do { if ((call) < 0) printf("line %d failed\n", __LINE__); } while (0)
#define REFUSED(call) do { H5E_BEGIN_TRY { if ((call) >= 0) printf("line %d not refused\n", __LINE__); } H5E_END_TRY } while (0)

static void attribute(hid_t object, const char *name) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t made = H5Acreate2(object, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  OK(made);
  H5Aclose(made), H5Sclose(space);
}

static herr_t on_attribute(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)object, (void)data;
  printf(" %s %d", name, info->corder_valid ? (int)info->corder : -1);
  return 0;
}

/* Attributes of a committed type in the order of their creation. */
static void committed_types(hid_t file) {
  unsigned order = 0, most = 0, least = 0;
  hid_t list = H5Pcreate(H5P_DATATYPE_CREATE), type = H5Tcopy(H5T_NATIVE_SHORT);
  OK(H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  OK(H5Pset_attr_phase_change(list, 7, 5));
  OK(H5Tcommit2(file, "type", type, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list), H5Tclose(type);
  type = H5Topen2(file, "type", H5P_DEFAULT);
  for (const char *each = "dbaehgcf"; *each; each++) attribute(type, (char[]){*each, 0});
  printf("in order of creation:");
  OK(H5Aiterate2(type, H5_INDEX_CRT_ORDER, H5_ITER_DEC, NULL, on_attribute, NULL));
  list = H5Tget_create_plist(type);
  OK(H5Pget_attr_creation_order(list, &order));
  OK(H5Pget_attr_phase_change(list, &most, &least));
  printf("\norder %u, %u, %u\n", order, most, least);
  H5Pclose(list), H5Tclose(type);
}

/* libhdf5 numbers attributes whose order it does not track. h5repack asks for them so. */
static void untracked_attributes(hid_t file) {
  char name[8];
  hid_t group = H5Gcreate2(file, "untracked", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  attribute(group, "a"), attribute(group, "b");
  for (int i = 0; i < 2; i++) {
    hid_t opened = H5Aopen_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    OK(H5Aget_name(opened, sizeof name, name));
    printf("attribute %d is %s\n", i, name);
    H5Aclose(opened);
  }
  H5Gclose(group);
}

static unsigned references(hid_t object) {
  H5O_info2_t info;
  OK(H5Oget_info3(object, &info, H5O_INFO_BASIC));
  return info.rc;
}

/* An object lives as long as it is counted, with a link or without. */
static void counted_references(hid_t file) {
  H5O_info2_t info;
  hid_t group = H5Gcreate2(file, "counted", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Oincr_refcount(group));
  printf("references %u", references(group));
  OK(H5Ldelete(file, "counted", H5P_DEFAULT));
  printf(", %u", references(group));
  OK(H5Oget_info3(group, &info, H5O_INFO_BASIC));
  H5Gclose(group);
  group = H5Oopen_by_token(file, info.token);
  OK(group);
  OK(H5Odecr_refcount(group));
  printf(", %u\n", references(group));
  H5Gclose(group);
  REFUSED(H5Oopen_by_token(file, info.token));
}

static void tell_link(hid_t group, const char *name) {
  H5L_info2_t info;
  char value[64] = "";
  OK(H5Lget_info2(group, name, &info, H5P_DEFAULT));
  OK(H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT));
  printf("link %s of class %d and %d bytes: %c%s\n", name, (int)info.type, (int)info.u.val_size, value[0] ? value[0] : '-',
         value + 1);
}

static void links(hid_t file, hid_t other) {
  hid_t group = H5Gcreate2(other, "links", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Lcreate_ud(file, "no external link", H5L_TYPE_EXTERNAL, "udata", 5, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcreate_soft("/type", file, "soft", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcreate_external("f.h5", "/type", file, "external", H5P_DEFAULT, H5P_DEFAULT));
  printf("no external link: %d\n", (int)H5Lexists(file, "no external link", H5P_DEFAULT));
  REFUSED(H5Oopen(file, "no external link", H5P_DEFAULT));
  OK(H5Ldelete(file, "no external link", H5P_DEFAULT));
  OK(H5Lcopy(file, "soft", group, "copied soft", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcopy(file, "external", group, "copied external", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lmove(file, "external", group, "moved external", H5P_DEFAULT, H5P_DEFAULT));
  REFUSED(H5Lcopy(file, "type", group, "hard", H5P_DEFAULT, H5P_DEFAULT));
  tell_link(group, "copied soft");
  tell_link(group, "copied external");
  tell_link(group, "moved external");
  printf("left behind: %d\n", (int)H5Lexists(file, "external", H5P_DEFAULT));
  H5Gclose(group);
}

/* A space that was never given an extent is good for nothing. */
static void spaces_without_extent(hid_t file) {
  int value = 1;
  hsize_t one = 1;
  hid_t none = H5Screate(H5S_SIMPLE), space = H5Screate_simple(1, &one, NULL);
  hid_t set = H5Dcreate2(file, "one", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(set);
  REFUSED(H5Dcreate2(file, "none", H5T_NATIVE_INT, none, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  REFUSED(H5Acreate2(file, "none", H5T_NATIVE_INT, none, H5P_DEFAULT, H5P_DEFAULT));
  REFUSED(H5Dwrite(set, H5T_NATIVE_INT, none, H5S_ALL, H5P_DEFAULT, &value));
  REFUSED(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, none, H5P_DEFAULT, &value));
  OK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  H5Dclose(set), H5Sclose(space), H5Sclose(none);
}

static void chunks(hid_t file, hid_t latest) {
  hsize_t dims[2] = {8, 8}, chunk[2] = {4, 4}, none[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, count = 0;
  hsize_t *most[3] = {NULL, dims, none};
  H5D_chunk_index_t kind = 0;
  hid_t contiguous = H5Dopen2(file, "one", H5P_DEFAULT), list = H5Pcreate(H5P_DATASET_CREATE);
  OK(H5Pset_chunk(list, 2, chunk));
  for (int i = 0; i < 3; i++) {
    char name[] = {'c', (char)('0' + i), 0};
    hid_t space = H5Screate_simple(2, dims, most[i]);
    hid_t set = H5Dcreate2(latest, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    OK(H5Dget_chunk_index_type(set, &kind));
    printf("chunk index %d\n", (int)kind);
    H5Dclose(set), H5Sclose(space);
  }
  REFUSED(H5Dget_chunk_index_type(contiguous, &kind));
  REFUSED(H5Dget_num_chunks(contiguous, H5S_ALL, &count));
  H5Pclose(list), H5Dclose(contiguous);
}

/* The identifier of the file is the very one that the object was opened through. */
static void file_of(hid_t file, const char *path) {
  hid_t again = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t one = H5Gopen2(file, "/", H5P_DEFAULT), other = H5Gopen2(again, "/", H5P_DEFAULT);
  printf("identifiers of files: %d %d\n", H5Iget_file_id(one) == file, H5Iget_file_id(other) == again);
  printf("references: %d %d\n", H5Iget_ref(file), H5Iget_ref(again));
  H5Idec_ref(file), H5Idec_ref(again);
  H5Gclose(one), H5Gclose(other), H5Fclose(again);
}

static herr_t on_bytes(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)object, (void)info, (void)data;
  printf("attribute of byte %02x\n", name[0] & 0xff);
  return 0;
}

/* Names are bytes, whatever they say. */
static void names(hid_t file) {
  char name[16] = "";
  hid_t group = H5Gcreate2(file, "caf\xe9", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(group);
  OK(H5Gclose(H5Gcreate2(file, "caf\xea", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  attribute(group, "\xfe");
  OK(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, on_bytes, NULL));
  OK(H5Iget_name(group, name, sizeof name));
  printf("name %02x %d", name[4] & 0xff, (int)strlen(name));
  OK(H5Aget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, 0, name, sizeof name, H5P_DEFAULT));
  printf(", attribute %02x %d\n", name[0] & 0xff, (int)strlen(name));
  OK(H5Ldelete(file, "caf\xea", H5P_DEFAULT));
  H5Gclose(group);
}

static herr_t on_name(hid_t group, const char *name, void *data) {
  printf(" %s%s", H5Iget_type(group) == H5I_GROUP ? "" : "?", name);
  return --*(int *)data == 0 ? 5 : 0;
}

/* The functions of HDF5 1.6. */
static void old_functions(hid_t other) {
  int at = 1, most = 2;
  H5G_stat_t info;
  hid_t group = H5Gopen2(other, "links", H5P_DEFAULT);
  OK(H5Gclose(H5Gcreate2(group, "zz", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  printf("names:");
  int result = H5Giterate(other, "links", &at, on_name, &most);
  printf(", result %d at %d\n", result, at);
  OK(H5Gget_objinfo(other, "links", 1, &info));
  printf("kind %d, links %u\n", (int)info.type, info.nlink);
  OK(H5Gget_objinfo(group, ".", 0, &info));
  printf("kind %d, links %u\n", (int)info.type, info.nlink);
  OK(H5Gget_objinfo(group, "copied soft", 0, &info));
  printf("kind %d, %d bytes\n", (int)info.type, (int)info.linklen);
  OK(H5Gget_objinfo(group, "copied external", 0, &info));
  printf("kind %d, %d bytes\n", (int)info.type, (int)info.linklen);
  OK(H5Gget_objinfo(group, "copied external", 0, NULL));
  REFUSED(H5Gget_objinfo(group, "copied soft", 1, &info));
  REFUSED(H5Gget_objinfo(group, "none", 0, NULL));
  unsigned start = 1;
  attribute(group, "a"), attribute(group, "b"), attribute(group, "c"), attribute(group, "d");
  printf("attributes:");
  result = H5Aiterate1(group, &start, on_name, &(int){2});
  printf(", result %d at %u", result, start);
  result = H5Aiterate1(group, NULL, on_name, &(int){99});
  printf(", all %d\n", result);
  start = 9;
  REFUSED(H5Aiterate1(group, &start, on_name, &most));
  H5Gclose(group);
}

static void files(const char *path) {
  hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
  REFUSED(H5Fis_accessible("there is none.h5", H5P_DEFAULT));
  OK(H5Pset_userblock(creation, 512));
  OK(H5Pset_alignment(access, 1, 3));
  REFUSED(H5Fcreate(path, H5F_ACC_TRUNC, creation, access));
  OK(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1));
  OK(H5Pset_file_space_page_size(creation, 512));
  hid_t paged = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  OK(paged);
  H5Fclose(paged);
  H5Pclose(creation), H5Pclose(access);
}

/* Sequences of references have elements of the program's size. */
static void sequences_of_references(hid_t file) {
  hsize_t one = 1;
  char name[16] = "";
  H5R_ref_t reference;
  hvl_t value = {1, &reference}, read = {0, NULL};
  hid_t type = H5Tvlen_create(H5T_STD_REF), space = H5Screate_simple(1, &one, NULL);
  hid_t set = H5Dcreate2(file, "references", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Rcreate_object(file, "/untracked", H5P_DEFAULT, &reference));
  OK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  H5Tclose(type);
  type = H5Dget_type(set);
  OK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read));
  OK(H5Rget_obj_name(read.p, H5P_DEFAULT, name, sizeof name));
  printf("%d reference of %d bytes to %s\n", (int)read.len, (int)H5Tget_size(H5Tget_super(type)), name);
  H5Rdestroy(&reference), H5Rdestroy(read.p);
  H5Tclose(type), H5Sclose(space), H5Dclose(set);
}

/* A selection may be moved as a whole, in the file and in memory. */
static void offsets(hid_t file) {
  hsize_t dims = 8, start = 1, count = 3, points[2] = {1, 4}, two = 2;
  hssize_t by = 2, back = -1, none = 0;
  int out[8] = {0, 1, 2, 3, 4, 5, 6, 7}, in[8] = {0};
  hid_t space = H5Screate_simple(1, &dims, NULL), memory = H5Screate_simple(1, &dims, NULL);
  hid_t set = H5Dcreate2(file, "moved", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  REFUSED(H5Dset_extent(set, &dims));
  OK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out));
  OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  OK(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &start, NULL, &count, NULL));
  OK(H5Soffset_simple(space, &by));
  OK(H5Soffset_simple(memory, &back));
  OK(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, in));
  printf("moved: %d %d %d %d\n", in[0], in[1], in[2], in[3]);
  OK(H5Dwrite(set, H5T_NATIVE_INT, space, memory, H5P_DEFAULT, out));
  OK(H5Sselect_elements(space, H5S_SELECT_SET, 2, points));
  OK(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &start, NULL, &two, NULL));
  OK(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, in));
  printf("points: %d %d\n", in[0], in[1]);
  OK(H5Soffset_simple(space, &none));
  OK(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, in));
  printf("back: %d %d\n", in[0], in[1]);
  by = 7;
  OK(H5Soffset_simple(space, &by));
  REFUSED(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, in));
  H5Dclose(set), H5Sclose(space), H5Sclose(memory);
}

/* What the format of 1.10 cannot hold is refused. */
static void references_of_old_files(hid_t latest) {
  hid_t space = H5Screate(H5S_SCALAR), type = H5Tvlen_create(H5T_STD_REF);
  REFUSED(H5Dcreate2(latest, "r", H5T_STD_REF, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  REFUSED(H5Dcreate2(latest, "s", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  REFUSED(H5Acreate2(latest, "r", H5T_STD_REF, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space), H5Tclose(type);
}

static void times_of_groups(hid_t file) {
  hbool_t times = 0;
  hid_t group = H5Gcreate2(file, "times", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Gget_create_plist(group);
  OK(H5Pget_obj_track_times(list, &times));
  printf("times %d\n", (int)times);
  H5Pclose(list), H5Gclose(group);
}

/* H5Pequal does not compare the last dimension of chunks, nor whether cut chunks are filtered. */
static void chunk_shapes(hid_t file) {
  hsize_t dims[] = {6, 30}, chunk[] = {3, 10};
  hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  for (int i = 0; i < 4; i++) {
    char name[20];
    unsigned options = i == 2 ? H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS : 0;
    snprintf(name, sizeof name, "shaped%d", i);
    chunk[1] = i == 3 ? 15 : 10 + (hsize_t)(i == 1);
    OK(H5Pset_chunk(list, 2, chunk));
    OK(H5Pset_chunk_opts(list, options));
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    hid_t found = H5Dget_create_plist(set);
    hsize_t there[2] = {0, 0};
    H5Pget_chunk(found, 2, there);
    OK(H5Pget_chunk_opts(found, &options));
    printf("chunks of %d x %d, options %u\n", (int)there[0], (int)there[1], options);
    H5Pclose(found), H5Dclose(set);
  }
  H5Pclose(list), H5Sclose(space);
}

/* libhdf5 accepts a point whose index is the extent: the first element of the next row. */
static void points_at_the_end_of_rows(hid_t file) {
  hsize_t dims[] = {3, 4}, points[] = {0, 4, 2, 3, 1, 4}, three = 3;
  hsize_t beyond[] = {0, 5};
  int out[12], in[3] = {0}, part[3] = {70, 71, 72};
  for (int i = 0; i < 12; i++) out[i] = i;
  hid_t space = H5Screate_simple(2, dims, NULL), memory = H5Screate_simple(1, &three, NULL);
  hid_t set = H5Dcreate2(file, "rows", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  OK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out));
  OK(H5Sselect_elements(space, H5S_SELECT_SET, 3, points));
  OK(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, in));
  printf("rows: %d %d %d\n", in[0], in[1], in[2]);
  OK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, part));
  OK(H5Dread(set, H5T_NATIVE_INT, space, space, H5P_DEFAULT, out));
  printf("rows in memory: %d %d %d\n", out[4], out[11], out[8]);
  OK(H5Sselect_elements(space, H5S_SELECT_SET, 1, beyond));
  OK(H5Sselect_elements(memory, H5S_SELECT_SET, 1, points));
  REFUSED(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, in));
  H5Dclose(set), H5Sclose(space), H5Sclose(memory);
}

int main(int argc, char **argv) {
  (void)argc;
  files(argv[1]);
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t latest = H5Pcreate(H5P_FILE_ACCESS);
  OK(H5Pset_libver_bounds(latest, H5F_LIBVER_V110, H5F_LIBVER_V110));
  hid_t other = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, latest);
  H5Pclose(latest);
  committed_types(file);
  untracked_attributes(file);
  counted_references(file);
  links(file, other);
  spaces_without_extent(file);
  chunks(file, other);
  file_of(file, argv[1]);
  names(file);
  old_functions(other);
  sequences_of_references(file);
  offsets(file);
  points_at_the_end_of_rows(file);
  references_of_old_files(other);
  times_of_groups(file);
  chunk_shapes(other);
  OK(H5Fclose(other));
  OK(H5Fclose(file));
  return 0;
}
