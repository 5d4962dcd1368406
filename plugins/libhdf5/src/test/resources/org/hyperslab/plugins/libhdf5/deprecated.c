/* Calls what libhdf5 answers for its native connector alone, and prints what it gets. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hid_t file;

static herr_t link_visited(hid_t at, const char *name, const H5L_info1_t *info, void *data) {
  (void)at;
  printf("  %s: link %d, order %d %d, charset %d", name, info->type, info->corder_valid,
         info->corder_valid ? (int)info->corder : -1, info->cset);
  if (info->type == H5L_TYPE_HARD) {
    hid_t object = H5Oopen_by_addr(file, info->u.address);
    char path[64] = "";
    H5Iget_name(object, path, sizeof path);
    printf(", leads to type %d", H5Iget_type(object));
    H5Oclose(object);
  } else {
    printf(", value of %d bytes", (int)info->u.val_size);
  }
  printf("\n");
  return --*(int *)data == 0;
}

static void print_object(const char *what, herr_t result, const H5O_info1_t *info) {
  printf("%s: %d type %d, %u links, %d attributes, time %d, header %d\n", what, result, info->type, info->rc,
         (int)info->num_attrs, info->mtime != 0, info->hdr.space.total != 0);
}

static herr_t object_visited(hid_t at, const char *name, const H5O_info1_t *info, void *data) {
  (void)at;
  char text[64];
  snprintf(text, sizeof text, "  visited %s", name);
  print_object(text, 0, info);
  return --*(int *)data == 0;
}

static void links(hid_t group) {
  for (int stop = 2; stop <= 99; stop += 97) {
    int left = stop;
    hsize_t at = 0;
    herr_t result = H5Literate1(group, H5_INDEX_NAME, H5_ITER_INC, &at, link_visited, &left);
    printf("iterate: %d, next %d\n", result, (int)at);
  }
  int left = 99;
  printf("by order: %d\n", H5Literate_by_name1(file, "/tracked", H5_INDEX_CRT_ORDER, H5_ITER_DEC, NULL, link_visited, &left, H5P_DEFAULT));
  printf("visit: %d\n", H5Lvisit1(group, H5_INDEX_NAME, H5_ITER_INC, link_visited, &left));
  printf("visit by name: %d\n", H5Lvisit_by_name1(file, "tracked", H5_INDEX_NAME, H5_ITER_DEC, link_visited, &left, H5P_DEFAULT));
  H5L_info1_t info;
  herr_t result = H5Lget_info1(group, "soft", &info, H5P_DEFAULT);
  printf("soft: %d, %d\n", result, info.type);
  result = H5Lget_info_by_idx1(file, "/tracked", H5_INDEX_NAME, H5_ITER_INC, 0, &info, H5P_DEFAULT);
  printf("first: %d, %d\n", result, info.type);
  printf("missing: %d\n", H5Lget_info1(group, "none", &info, H5P_DEFAULT));
}

static void objects(hid_t group, hid_t dataset) {
  H5O_info1_t info;
  print_object("info1", H5Oget_info1(dataset, &info), &info);
  print_object("info2", H5Oget_info2(group, &info, H5O_INFO_ALL), &info);
  print_object("by name", H5Oget_info_by_name1(file, "tracked/b", &info, H5P_DEFAULT), &info);
  print_object("by name2", H5Oget_info_by_name2(file, "type", &info, H5O_INFO_ALL, H5P_DEFAULT), &info);
  print_object("by index", H5Oget_info_by_idx1(file, "tracked", H5_INDEX_NAME, H5_ITER_INC, 1, &info, H5P_DEFAULT), &info);
  print_object("by index2", H5Oget_info_by_idx2(file, "tracked", H5_INDEX_NAME, H5_ITER_DEC, 1, &info, H5O_INFO_ALL, H5P_DEFAULT), &info);
  printf("wrong fields: %d\n", H5Oget_info2(group, &info, 0x1000));
  printf("missing: %d\n", H5Oget_info_by_name1(file, "none", &info, H5P_DEFAULT));
  int left = 99;
  printf("visit1: %d\n", H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, object_visited, &left));
  printf("visit2: %d\n", H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, object_visited, &left, H5O_INFO_ALL));
  left = 2;
  printf("by name1: %d\n", H5Ovisit_by_name1(file, "tracked", H5_INDEX_NAME, H5_ITER_INC, object_visited, &left, H5P_DEFAULT));
  left = 99;
  printf("by name2: %d\n", H5Ovisit_by_name2(file, "tracked", H5_INDEX_NAME, H5_ITER_DEC, object_visited, &left, H5O_INFO_ALL, H5P_DEFAULT));
}

static void references(hid_t dataset) {
  hobj_ref_t made[2] = {0, 0}, found[2] = {0, 0};
  hsize_t count = 2;
  printf("create: %d %d\n", H5Rcreate(&made[0], file, "tracked/b", H5R_OBJECT, -1), H5Rcreate(&made[1], file, "/tracked", H5R_OBJECT, -1));
  printf("missing: %d\n", H5Rcreate(&found[0], file, "none", H5R_OBJECT, -1));
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t stored = H5Dcreate2(file, "references", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("write: %d\n", H5Dwrite(stored, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, made));
  herr_t result = H5Dread(stored, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, found);
  printf("read: %d, same %d\n", result, memcmp(made, found, sizeof made) == 0);
  for (int i = 0; i < 2; i++) {
    char name[32] = "", part[4] = "";
    H5O_type_t type = H5O_TYPE_UNKNOWN;
    hid_t one = H5Rdereference1(dataset, H5R_OBJECT, &found[i]);
    hid_t two = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &found[i]);
    result = H5Rget_obj_type2(file, H5R_OBJECT, &found[i], &type);
    printf("reference %d: kinds %d %d, %d, type %d %d", i, H5Iget_type(one), H5Iget_type(two),
           (int)H5Rget_obj_type1(file, H5R_OBJECT, &found[i]), result, (int)type);
    int length = (int)H5Rget_name(file, H5R_OBJECT, &found[i], name, sizeof name);
    printf(", name %d %s", length, name);
    length = (int)H5Rget_name(file, H5R_OBJECT, &found[i], part, sizeof part);
    printf(", %d %s\n", length, part);
    H5Oclose(one), H5Oclose(two);
  }
  hobj_ref_t none = 0;
  printf("null: %d\n", (int)H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &none));
  H5Dclose(stored), H5Sclose(space);
}

int main(int count, char **words) {
  if (count < 2) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = H5Fcreate(words[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t tracking = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(tracking, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t group = H5Gcreate2(file, "tracked", H5P_DEFAULT, tracking, H5P_DEFAULT);
  hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(group, "b", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t attribute = H5Acreate2(dataset, "units", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Aclose(attribute);
  H5Gclose(H5Gcreate2(group, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Lcreate_soft("/none", group, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/x", group, "external", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(group, "b", group, "other", H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  links(group);
  objects(group, dataset);
  references(dataset);
  H5Tclose(type), H5Dclose(dataset), H5Sclose(scalar), H5Gclose(group), H5Pclose(tracking);
  printf("closed %d\n", H5Fclose(file));
  return 0;
}
