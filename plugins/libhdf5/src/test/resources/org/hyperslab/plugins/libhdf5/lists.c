/* Opens and copies with access lists that lead elsewhere; prints which calls succeeded. */
#include <stdio.h>
#include "hdf5.h"

static hid_t file, space;

static herr_t follow(const char *pf, const char *pg, const char *cf, const char *cg, unsigned *flags,
                     hid_t fapl, void *data) {
  (void)pf, (void)pg, (void)cf, (void)cg, (void)flags, (void)fapl, (void)data;
  return 0;
}

static H5O_mcdt_search_ret_t search(void *data) {
  (void)data;
  return H5O_MCDT_SEARCH_CONT;
}

static void open_group(const char *what, hid_t list) {
  hid_t group = H5Gopen2(file, "g", list);
  int exists = H5Lexists(file, "g", list) >= 0;
  int object = H5Oexists_by_name(file, "g", list) >= 0;
  printf("%s %d %d %d\n", what, group >= 0, exists, object);
  if (group >= 0) H5Gclose(group);
}

static void open_set(const char *what, const char *name, hid_t list) {
  hid_t set = H5Dopen2(file, name, list);
  printf("%s %s %d\n", what, name, set >= 0);
  if (set >= 0) H5Dclose(set);
}

static void copy(const char *what, const char *to, hid_t list) {
  printf("%s %d\n", what, H5Ocopy(file, "g", file, to, list, H5P_DEFAULT) >= 0);
}

static void links(void) {
  hid_t list = H5Pcreate(H5P_GROUP_ACCESS), files = H5Pcreate(H5P_FILE_ACCESS);
  open_group("fresh", list);
  H5Pset_elink_prefix(list, "");
  open_group("empty prefix", list);
  H5Pset_elink_prefix(list, "/elsewhere");
  open_group("prefix", list);
  H5Pclose(list);
  list = H5Pcreate(H5P_GROUP_ACCESS);
  H5Pset_elink_acc_flags(list, H5F_ACC_RDONLY);
  open_group("flags", list);
  H5Pset_elink_acc_flags(list, H5F_ACC_DEFAULT);
  open_group("default flags", list);
  H5Pset_elink_cb(list, follow, NULL);
  open_group("callback", list);
  H5Pclose(list);
  list = H5Pcreate(H5P_GROUP_ACCESS);
  H5Pset_elink_fapl(list, files);
  open_group("default file list", list);
  H5Pset_fapl_core(files, 1024, 0);
  H5Pset_elink_fapl(list, files);
  open_group("file list", list);
  H5Pclose(list);
  H5Pclose(files);
}

static void datasets(void) {
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS), plain = H5Pcreate(H5P_DATASET_CREATE);
  hid_t outside = H5Pcreate(H5P_DATASET_CREATE), virtual = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(outside, "raw.bin", 0, H5F_UNLIMITED);
  H5Pset_virtual(virtual, space, "source.h5", "x", space);
  const char *names[] = {"plain", "external", "virtual"};
  hid_t lists[] = {plain, outside, virtual};
  for (int i = 0; i < 3; i++)
    H5Dclose(H5Dcreate2(file, names[i], H5T_NATIVE_INT, space, H5P_DEFAULT, lists[i], H5P_DEFAULT));
  H5Pset_efile_prefix(list, "/elsewhere");
  for (int i = 0; i < 3; i++) open_set("external file prefix", names[i], list);
  hid_t made = H5Dcreate2(file, "made", H5T_NATIVE_INT, space, H5P_DEFAULT, outside, list);
  printf("made %d\n", made >= 0);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_virtual_prefix(list, "/elsewhere");
  for (int i = 0; i < 3; i++) open_set("virtual prefix", names[i], list);
  H5Pset_virtual_prefix(list, ".");
  open_set("virtual prefix .", names[2], list);
  H5Pset_virtual_view(list, H5D_VDS_FIRST_MISSING);
  open_set("view", names[0], list);
  open_set("view", names[2], list);
  H5Pset_virtual_view(list, H5D_VDS_LAST_AVAILABLE);
  open_set("default view", names[2], list);
  H5Pset_virtual_printf_gap(list, 1);
  open_set("gap", names[2], list);
  H5Pclose(list);
  H5Pclose(plain);
  H5Pclose(outside);
  H5Pclose(virtual);
}

static herr_t appended(hid_t set, hsize_t *dims, void *data) {
  (void)set, (void)dims, (void)data;
  return 0;
}

static void limits(void) {
  hsize_t boundary[1] = {2};
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_nlinks(list, 100);
  open_set("many links", "plain", list);
  H5Pset_nlinks(list, 3);
  open_set("few links", "plain", list);
  H5Pset_nlinks(list, 16);
  H5Pset_append_flush(list, 1, boundary, appended, NULL);
  open_set("append flush", "plain", list);
  H5Pclose(list);
}

static void copies(void) {
  hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  H5Padd_merge_committed_dtype_path(list, "/t");
  copy("path without merging", "a", list);
  H5Pset_copy_object(list, H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG);
  copy("path", "b", list);
  H5Pfree_merge_committed_dtype_paths(list);
  copy("merging", "c", list);
  H5Pset_mcdt_search_cb(list, search, NULL);
  copy("search", "d", list);
  H5Pclose(list);
}

static void filters_of_groups(void) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_deflate(list, 6);
  hid_t group = H5Gcreate2(file, "deflated", H5P_DEFAULT, list, H5P_DEFAULT);
  printf("optional filter of a group %d\n", group >= 0);
  H5Gclose(group);
  H5Pset_fletcher32(list);
  printf("mandatory filter of a group %d\n", H5Gcreate2(file, "sums", H5P_DEFAULT, list, H5P_DEFAULT) >= 0);
  H5Pclose(list);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  hsize_t dims[1] = {4};
  file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(1, dims, NULL);
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  links();
  datasets();
  limits();
  copies();
  filters_of_groups();
  H5Sclose(space);
  return H5Fclose(file) < 0;
}
