/* Follows external links and chains of soft links with access lists; prints what the calls do. */
#include <stdio.h>
#include <string.h>
#include "hdf5.h"

static hid_t file;

static const char *base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* Opens an object in several ways, and says where it is. */
static void reach(const char *what, const char *path, hid_t list) {
  char name[64] = "", in[256] = "";
  hid_t object = H5Oopen(file, path, list);
  int exists = H5Lexists(file, path, list), there = H5Oexists_by_name(file, path, list);
  H5O_info2_t info;
  int described = H5Oget_info_by_name3(file, path, &info, H5O_INFO_BASIC, list) >= 0;
  printf("%s, %s: %d %d %d %d", what, path, object >= 0, exists, there, described);
  if (object >= 0) {
    /* After soft links, libhdf5's name is that of the link, even if the object is in another file. */
    if (H5Iget_name(object, name, sizeof name) > 0 && strncmp(path, "here", 4) == 0) printf(" %s", name);
    /* The connector that follows a link by itself does not tell the name of the file. */
    int told = strncmp(path, "here/n", 6) != 0 && strncmp(path, "here/r", 6) != 0;
    if (told && H5Fget_name(object, in, sizeof in) > 0) printf(" in %s", base(in));
    H5Oclose(object);
  }
  printf("\n");
}

static void make_target(const char *path) {
  int values[3] = {1, 2, 3};
  hsize_t three = 3;
  hid_t target = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &three, NULL);
  hid_t group = H5Gcreate2(target, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t set = H5Dcreate2(group, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Lcreate_soft("g/d", target, "alias", H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(set), H5Gclose(group), H5Sclose(space), H5Fclose(target);
}

static herr_t tell(const char *parent, const char *group, const char *child, const char *object, unsigned *flags,
                   hid_t list, void *data) {
  printf("callback %s %s %s %s %u %d %s\n", base(parent), group, child, object, *flags & H5F_ACC_RDWR,
         H5Iget_type(list) == H5I_GENPROP_LST, (const char *)data);
  *flags = H5F_ACC_RDONLY;
  return strcmp((const char *)data, "refuse") == 0 ? -1 : 0;
}

static void make_group(const char *what, const char *path, hid_t list) {
  hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, list);
  printf("%s, made %s: %d\n", what, path, group >= 0);
  if (group >= 0) H5Gclose(group);
}

static void read_set(const char *what, const char *path, hid_t list) {
  int values[3] = {0, 0, 0};
  hid_t set = H5Dopen2(file, path, list);
  if (set >= 0) H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), H5Dclose(set);
  printf("%s, %s: %d %d %d\n", what, path, values[0], values[1], values[2]);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2; /* a folder, and one below it */
  char path[512];
  snprintf(path, sizeof path, "%s/target.h5", argv[2]);
  make_target(path);
  snprintf(path, sizeof path, "%s/near.h5", argv[1]);
  make_target(path);
  snprintf(path, sizeof path, "%s/parent.h5", argv[1]);
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "here", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Lcreate_external("target.h5", "g", file, "here/e", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("target.h5", "/alias", file, "alias", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("near.h5", "g", file, "here/n", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("near.h5", "/", file, "here/r", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("none.h5", "/", file, "lost", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/here/e/d", file, "through", H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 20; i++) {
    char to[16], from[16];
    snprintf(from, sizeof from, "s%d", i);
    snprintf(to, sizeof to, i == 0 ? "here" : "s%d", i - 1);
    H5Lcreate_soft(to, file, from, H5P_DEFAULT, H5P_DEFAULT);
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

  hid_t prefix = H5Pcreate(H5P_LINK_ACCESS);
  reach("plain", "here/e", H5P_DEFAULT);
  reach("plain", "here/n", H5P_DEFAULT);
  reach("plain", "here/n/d", H5P_DEFAULT);
  reach("plain", "here/r", H5P_DEFAULT);
  H5Pset_elink_prefix(prefix, argv[2]);
  reach("prefix", "here/e", prefix);
  reach("prefix", "here/e/d", prefix);
  reach("prefix", "/here", prefix);
  reach("prefix", "alias", prefix);
  reach("prefix", "through", prefix);
  reach("prefix", "lost", prefix);

  hid_t sets = H5Pcreate(H5P_DATASET_ACCESS), groups = H5Pcreate(H5P_GROUP_ACCESS);
  H5Pset_elink_prefix(sets, argv[2]);
  H5Pset_elink_prefix(groups, argv[2]);
  read_set("plain", "through", H5P_DEFAULT);
  read_set("prefix", "through", sets);
  make_group("prefix", "here/e/made", groups);
  H5Pset_elink_acc_flags(groups, H5F_ACC_RDONLY);
  make_group("read only", "here/e/refused", groups);
  H5Pset_elink_acc_flags(sets, H5F_ACC_RDONLY);
  read_set("read only", "here/e/d", sets);

  hid_t called = H5Pcreate(H5P_LINK_ACCESS);
  H5Pset_elink_prefix(called, argv[2]);
  H5Pset_elink_cb(called, tell, "data");
  H5Oclose(H5Oopen(file, "here/e/d", called));
  H5Pset_elink_cb(called, tell, "refuse");
  printf("refused %d\n", H5Oopen(file, "here/e/d", called) < 0);

  hid_t files = H5Pcreate(H5P_FILE_ACCESS), listed = H5Pcreate(H5P_LINK_ACCESS);
  H5Pset_libver_bounds(files, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  H5Pset_fclose_degree(files, H5F_CLOSE_STRONG);
  H5Pset_elink_fapl(listed, files);
  H5Pset_elink_prefix(listed, argv[2]);
  reach("file list", "here", listed);
  reach("file list", "here/e/d", listed);

  hid_t few = H5Pcreate(H5P_LINK_ACCESS);
  reach("links", "s15", H5P_DEFAULT);
  reach("links", "s16", H5P_DEFAULT);
  H5Pset_nlinks(few, 3);
  reach("few links", "s2", few);
  reach("few links", "s3", few);
  H5Pset_nlinks(few, 40);
  reach("many links", "s19", few);

  hid_t kept = H5Oopen(file, "here/e/d", prefix), of = H5Iget_file_id(kept);
  printf("objects of the file kept open: %d\n", (int)H5Fget_obj_count(of, H5F_OBJ_DATASET));
  H5Fclose(of), H5Oclose(kept);
  H5Pclose(prefix), H5Pclose(sets), H5Pclose(groups), H5Pclose(called), H5Pclose(files), H5Pclose(listed);
  H5Pclose(few);
  printf("closed %d\n", (int)H5Fclose(file));
  snprintf(path, sizeof path, "%s/target.h5", argv[2]);
  hid_t again = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("target closed %d\n", again >= 0);
  H5Fclose(again);
  return 0;
}
