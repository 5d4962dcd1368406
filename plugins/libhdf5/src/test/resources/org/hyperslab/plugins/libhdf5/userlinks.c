/* Links of classes that the program registers: prints what the functions of a class are called with, and where links lead. */
#include <stdio.h>
#include <string.h>
#include "hdf5.h"

#define PATH_CLASS 70
#define FILE_CLASS 71

static const char *where(hid_t object) {
  static char name[64];
  return H5Iget_name(object, name, sizeof name) > 0 ? name : "?";
}

static herr_t create(const char *name, hid_t group, const void *data, size_t size, hid_t list) {
  (void)list;
  printf("create %s in %s %d: %s\n", name, where(group), H5Iget_type(group) == H5I_GROUP, (const char *)data);
  return size == 7 && strcmp(data, "refuse") == 0 ? -1 : 0;
}

static herr_t moved(const char *name, hid_t group, const void *data, size_t size) {
  (void)size;
  printf("move %s in %s: %s\n", name, where(group), (const char *)data);
  return strcmp(name, "refused") == 0 ? -1 : 0;
}

static herr_t copied(const char *name, hid_t group, const void *data, size_t size) {
  (void)size;
  printf("copy %s in %s: %s\n", name, where(group), (const char *)data);
  return strcmp(name, "refused") == 0 ? -1 : 0;
}

static hid_t by_path(const char *name, hid_t group, const void *data, size_t size, hid_t list, hid_t transfer) {
  (void)size;
  printf("follow %s from %s %d %d\n", name, where(group), H5Iget_type(list) == H5I_GENPROP_LST,
         H5Iget_type(transfer) == H5I_GENPROP_LST);
  return H5Oopen(group, data, list);
}

static hid_t by_file(const char *name, hid_t group, const void *data, size_t size, hid_t list, hid_t transfer) {
  (void)name, (void)group, (void)size, (void)list, (void)transfer;
  hid_t file = H5Fopen(data, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  H5Fclose(file);
  return root;
}

static herr_t deleted(const char *name, hid_t file, const void *data, size_t size) {
  (void)file, (void)size;
  printf("delete %s: %s\n", name, (const char *)data);
  return strcmp(data, "none") == 0 ? -1 : 0;
}

static ssize_t query(const char *name, const void *data, size_t size, void *buffer, size_t room) {
  (void)name, (void)size;
  if (buffer != NULL) snprintf(buffer, room, "<%s>", (const char *)data);
  return (ssize_t)strlen(data) + 3;
}

static const H5L_class_t path_class = {H5L_LINK_CLASS_T_VERS, PATH_CLASS, "path", create, moved, copied, by_path, deleted, query};
static const H5L_class_t file_class = {H5L_LINK_CLASS_T_VERS, FILE_CLASS, "file", NULL, NULL, NULL, by_file, NULL, NULL};

static hid_t file;

static void reach(const char *path) {
  hid_t object = H5Oopen(file, path, H5P_DEFAULT);
  printf("%s: %d %d\n", path, object >= 0, (int)H5Lexists(file, path, H5P_DEFAULT));
  if (object >= 0) H5Oclose(object);
}

static void value(const char *path) {
  char text[32] = "";
  H5L_info2_t info = {0};
  herr_t told = H5Lget_info2(file, path, &info, H5P_DEFAULT), got = H5Lget_val(file, path, text, sizeof text, H5P_DEFAULT);
  printf("value of %s: %d %d, %d %d, %s\n", path, (int)told, (int)info.type, (int)info.u.val_size, (int)got, text);
}

static void make(const char *path, H5L_type_t class, const char *data) {
  herr_t made = H5Lcreate_ud(file, path, class, data, strlen(data) + 1, H5P_DEFAULT, H5P_DEFAULT);
  printf("made %s: %d\n", path, (int)made);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2; /* two files */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t other = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(other, "there", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(other);
  printf("registered %d %d\n", (int)H5Lregister(&path_class), (int)H5Lregister(&file_class));
  file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "group/below", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  make("group/up", PATH_CLASS, "/group");
  make("away", FILE_CLASS, argv[2]);
  make("nowhere", PATH_CLASS, "none");
  make("circle", PATH_CLASS, "/circle");
  make("refused", PATH_CLASS, "refuse");
  reach("group/up");
  reach("group/up/below");
  reach("group/up/up/below");
  reach("away");
  reach("away/there");
  reach("away/none");
  reach("nowhere");
  reach("nowhere/below");
  value("group/up");
  value("away");
  hid_t inside = H5Gcreate2(file, "away/made", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  char name[512] = "";
  H5Fget_name(inside, name, sizeof name);
  printf("made behind a link: %d, in the other file: %d\n", inside >= 0, strcmp(name, argv[2]) == 0);
  H5Gclose(inside);
  printf("moved %d\n", (int)H5Lmove(file, "group/up", file, "group/below/up", H5P_DEFAULT, H5P_DEFAULT));
  printf("copied %d\n", (int)H5Lcopy(file, "group/below/up", file, "copy", H5P_DEFAULT, H5P_DEFAULT));
  reach("copy/below");
  printf("refused %d\n", (int)H5Lmove(file, "copy", file, "group/refused", H5P_DEFAULT, H5P_DEFAULT));
  printf("left %d\n", H5Lexists(file, "copy", H5P_DEFAULT)); /* libhdf5 leaves the new link as well */
  make("unknown", 99, "class");
  printf("deleted %d\n", (int)H5Ldelete(file, "copy", H5P_DEFAULT));
  printf("deleted %d\n", (int)H5Ldelete(file, "nowhere", H5P_DEFAULT));
  printf("closed %d\n", (int)H5Fclose(file));
  file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
  reach("away/made");
  reach("group/below/up/below");
  printf("unregistered %d\n", (int)H5Lunregister(FILE_CLASS));
  reach("away/made");
  printf("closed %d\n", (int)H5Fclose(file));
  return 0;
}
