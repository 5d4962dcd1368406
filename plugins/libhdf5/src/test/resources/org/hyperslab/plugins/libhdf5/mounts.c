/* Mounts files on groups of others; prints what paths lead to. */
#include <stdio.h>
#include <string.h>
#include "hdf5.h"

static herr_t link_name(hid_t group, const char *name, const H5L_info2_t *info, void *data) {
  (void)group, (void)data;
  printf(" %s:%d", name, (int)info->type);
  return 0;
}

static herr_t object_name(hid_t object, const char *name, const H5O_info2_t *info, void *data) {
  (void)object, (void)data;
  printf(" %s:%d", name, (int)info->type);
  return 0;
}

static void walk(const char *what, hid_t at) {
  printf("%s: links", what);
  H5Literate2(at, H5_INDEX_NAME, H5_ITER_INC, NULL, link_name, NULL);
  printf("; visited");
  H5Lvisit2(at, H5_INDEX_NAME, H5_ITER_INC, link_name, NULL);
  printf("; objects");
  H5Ovisit3(at, H5_INDEX_NAME, H5_ITER_INC, object_name, NULL, H5O_INFO_BASIC);
  printf("\n");
}

static hid_t group(hid_t at, const char *name) {
  return H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static void named(const char *what, hid_t object) {
  char name[200] = "";
  ssize_t length = object < 0 ? -1 : H5Iget_name(object, name, sizeof name);
  printf("%s: %d %s\n", what, (int)length, name);
}

static void number(hid_t at, const char *path, int value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(at, path, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
  named(path, set);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
}

static void read_number(hid_t at, const char *path) {
  int value = -1;
  hid_t set = H5Dopen2(at, path, H5P_DEFAULT);
  if (set >= 0) {
    H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    H5Dclose(set);
  }
  printf("%s: %d\n", path, value);
}

int main(int argc, char **argv) {
  (void)argc;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t parent = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t child = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t grandchild = H5Fcreate(argv[3], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t point = group(parent, "point"), hidden = group(point, "hidden");
  hid_t before = group(child, "inner");
  H5Lcreate_soft("/point/inner/third", parent, "soft", H5P_DEFAULT, H5P_DEFAULT);
  number(grandchild, "third", 3);
  number(parent, "first", 1);

  printf("mounted %d\n", H5Fmount(parent, "point", child, H5P_DEFAULT) >= 0);
  named("opened before the mount", before);
  printf("again %d\n", H5Fmount(parent, "point", grandchild, H5P_DEFAULT) >= 0);
  read_number(parent, "point/third");
  named("hidden by the other mount", before);
  H5Gclose(before);
  printf("taken off %d\n", H5Funmount(parent, "point") >= 0);
  printf("twice %d\n", H5Fmount(parent, "/", child, H5P_DEFAULT) >= 0);
  printf("in itself %d\n", H5Fmount(child, "inner", parent, H5P_DEFAULT) >= 0);
  printf("on a dataset %d\n", H5Fmount(parent, "first", grandchild, H5P_DEFAULT) >= 0);
  printf("nested %d\n", H5Fmount(parent, "point/inner", grandchild, H5P_DEFAULT) >= 0);

  number(parent, "point/second", 2);
  read_number(parent, "/point/inner/third");
  read_number(parent, "soft");
  read_number(child, "first");
  walk("parent", parent);
  walk("child", child);
  named("hidden", hidden);
  printf("hidden %d, there %d\n", H5Lexists(parent, "point/hidden", H5P_DEFAULT),
         H5Oexists_by_name(parent, "point/inner/third", H5P_DEFAULT));
  hid_t inner = H5Gopen2(parent, "point/inner", H5P_DEFAULT);
  named("inner", inner);
  read_number(inner, "/first");
  H5G_info_t info;
  H5Gget_info(point, &info);
  printf("point: %d links, mounted %d\n", (int)info.nlinks, (int)info.mounted);
  H5Gget_info_by_name(parent, "point", &info, H5P_DEFAULT);
  printf("what is mounted: %d links, mounted %d\n", (int)info.nlinks, (int)info.mounted);
  printf("hard %d\n", H5Lcreate_hard(parent, "first", parent, "point/first", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  printf("copied %d\n", H5Ocopy(parent, "first", inner, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  printf("moved %d\n", H5Lmove(parent, "point/inner/copy", parent, "point/copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  printf("moved %d\n", H5Lmove(parent, "point/inner/copy", inner, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  printf("commented %d\n", H5Oset_comment_by_name(parent, "point/inner", "of the third file", H5P_DEFAULT) >= 0);
  char comment[40] = "";
  H5Oget_comment_by_name(grandchild, "/point/inner", comment, sizeof comment, H5P_DEFAULT);
  printf("comment %s\n", comment);

  printf("taken off %d\n", H5Funmount(parent, "point/inner") >= 0);
  named("inner", inner);
  printf("taken off again %d\n", H5Funmount(parent, "point/inner") >= 0);
  read_number(parent, "soft");
  read_number(grandchild, "moved");
  H5Gclose(inner);
  /* The file of the group is open as long as something is in the file on it. */
  hid_t second = H5Dopen2(parent, "point/second", H5P_DEFAULT);
  H5Gclose(hidden), H5Gclose(point);
  printf("closed %d %d\n", H5Fclose(parent) >= 0, H5Fclose(child) >= 0);
  read_number(second, "/first");
  hid_t first = H5Oopen(second, "/first", H5P_DEFAULT);
  named("first", first);
  if (first >= 0) H5Oclose(first);
  H5Dclose(second);
  H5Fclose(grandchild);
  parent = H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT);
  printf("links %d %d\n", H5Lexists(parent, "point/second", H5P_DEFAULT), H5Lexists(parent, "point/hidden", H5P_DEFAULT));
  H5Fclose(parent);
  return 0;
}
