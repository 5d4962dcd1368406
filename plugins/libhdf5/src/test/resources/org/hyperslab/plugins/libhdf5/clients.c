/* What h5py, PyTables and netCDF use of files beyond the other programs here; prints the results. */
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

static herr_t keep_deepest(unsigned n, const H5E_error2_t *error, void *data) {
  (void)n;
  snprintf(data, 4096, "%s", error->desc == NULL ? "" : error->desc);
  return 0;
}

/* Prints the error number in the deepest message on the stack, in which h5py looks for it. */
static void print_errno(const char *what) {
  char text[4096] = "";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_deepest, text);
  char *found = strstr(text, "errno = ");
  printf("%s: errno %d\n", what, found == NULL ? 0 : atoi(found + 8));
}

static void errors(void) {
  H5Fopen("none.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  print_errno("open what is not there");
  H5Fopen("none.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  print_errno("edit what is not there");
  H5Fcreate("none/f.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  print_errno("create in no folder");
  H5Fcreate("there.h5", H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  print_errno("create what exists");
  H5Fcreate(".", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  print_errno("create over a folder");
  H5Fopen(".", H5F_ACC_RDONLY, H5P_DEFAULT);
  print_errno("open a folder");
}

static hid_t chunked(hsize_t chunk) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  return list;
}

static void datasets(hid_t file) {
  hsize_t size = 8, offset = 4, inside = 6, address_size = 0;
  int fill = 4, values[8] = {7, 7, 7, 7, 7, 7, 7, 7}, part[4] = {1, 2, 3, 4};
  unsigned mask = 9;
  haddr_t address = 0;
  hid_t space = H5Screate_simple(1, &size, NULL), list = chunked(4);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  unsigned parameters[2] = {5, 6};
  H5Pset_filter(list, 300, H5Z_FLAG_OPTIONAL, 2, parameters);
  hid_t dataset = H5Dcreate2(file, "never", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  hid_t its = H5Dget_create_plist(dataset);
  printf("filters %d\n", H5Pget_nfilters(its));
  H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("filled %d\n", values[0] == fill);
  values[0] = values[7] = 7;
  H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dget_chunk_info_by_coord(dataset, &inside, &mask, &address, &address_size);
  printf("mask %u, bytes %d\n", mask, (int)address_size);
  memset(values, 0, sizeof values);
  printf("read %d", H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  printf(": %d %d\n", values[0], values[7]);
  H5Pclose(its), H5Dclose(dataset), H5Pclose(list);

  list = chunked(4);
  dataset = H5Dcreate2(file, "plain", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("chunk with a mask %d\n", H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, &offset, sizeof part, part));
  H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("values %d %d\n", values[3], values[4]);
  H5Dclose(dataset), H5Pclose(list), H5Sclose(space);
}

static size_t invert(unsigned flags, size_t n, const unsigned *values, size_t bytes, size_t *room, void **buffer) {
  (void)flags, (void)n, (void)values, (void)room;
  for (size_t i = 0; i < bytes; i++) ((unsigned char *)*buffer)[i] ^= 0xFF;
  return bytes;
}

static herr_t set_local(hid_t list, hid_t type, hid_t space) {
  (void)space;
  unsigned values[2] = {(unsigned)H5Tget_size(type), 17};
  return H5Pmodify_filter(list, 32026, H5Z_FLAG_OPTIONAL, 2, values);
}

/* A filter as PyTables registers it, of a number whose chunks the connector itself can only decode. */
static void own_filter(hid_t file) {
  H5Z_class2_t blosc2 = {H5Z_CLASS_T_VERS, 32026, 1, 1, "own", NULL, set_local, invert};
  hsize_t size = 8, bytes = 0;
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, read[8] = {0};
  unsigned flags, parameters[4] = {0}, mask = 9;
  size_t count = 4;
  haddr_t address;
  H5Zregister(&blosc2);
  hid_t space = H5Screate_simple(1, &size, NULL), list = chunked(8);
  H5Pset_filter(list, 32026, H5Z_FLAG_OPTIONAL, 0, NULL);
  hid_t dataset = H5Dcreate2(file, "own", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), its = H5Dget_create_plist(dataset);
  H5Pget_filter2(its, 0, &flags, &count, parameters, 0, NULL, NULL);
  printf("own filter: %d parameters, %u %u", (int)count, parameters[0], parameters[1]);
  H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dget_chunk_info(dataset, H5S_ALL, 0, NULL, &mask, &address, &bytes);
  printf(", read %d", H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read));
  printf(": %d, mask %u, bytes %d\n", read[7], mask, (int)bytes);
  H5Pclose(its), H5Dclose(dataset), H5Pclose(list), H5Sclose(space);
}

static void links(hid_t file) {
  H5L_info2_t info;
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_char_encoding(list, H5T_CSET_UTF8);
  H5Gclose(H5Gcreate2(file, "plain name", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "\xc3\xa9t\xc3\xa9", list, H5P_DEFAULT, H5P_DEFAULT));
  H5Lget_info2(file, "\xc3\xa9t\xc3\xa9", &info, H5P_DEFAULT);
  printf("character set %d", info.cset);
  H5Lget_info2(file, "plain name", &info, H5P_DEFAULT);
  printf(", %d\n", info.cset);
  H5Pclose(list);
  H5Lcreate_external("there.h5", "/inner", file, "away", H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gopen2(file, "away", H5P_DEFAULT), its = H5Iget_file_id(group);
  char name[256] = "";
  H5Fget_name(its, name, sizeof name);
  printf("file behind a link: %s, ", strrchr(name, '/') + 1);
  H5Iget_name(group, name, sizeof name);
  printf("%s\n", name);
  H5Fclose(its), H5Gclose(group);
  group = H5Oopen(file, "away", H5P_DEFAULT), its = H5Iget_file_id(group);
  H5Fget_name(its, name, sizeof name);
  printf("and again: %s, objects %d\n", strrchr(name, '/') + 1, (int)H5Fget_obj_count(its, H5F_OBJ_ALL | H5F_OBJ_LOCAL));
  H5Fclose(its), H5Oclose(group);
}

static void caches(hid_t file) {
  H5AC_cache_config_t cache;
  double rate = 5;
  int *descriptor = NULL;
  unsigned version = 9, one, two, three;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  printf("cache %d", H5Fget_mdc_config(file, &cache));
  cache.set_initial_size = 1, cache.initial_size = 1 << 20;
  printf(" %d", H5Fset_mdc_config(file, &cache));
  printf(" %d", H5Fget_mdc_config(file, &cache));
  printf(", initial %d\n", (int)cache.initial_size);
  printf("reset %d", H5Freset_mdc_hit_rate_stats(file));
  printf(", rate %d %g\n", H5Fget_mdc_hit_rate(file, &rate), rate);
  printf("handle %d", H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&descriptor));
  printf(", synchronised %d\n", descriptor == NULL ? -1 : fsync(*descriptor));
  hid_t list = H5Fget_create_plist(file);
  H5Pget_version(list, &version, &one, &two, &three);
  printf("version %u\n", version);
  H5Pclose(list);
}

/* Creates a file with a page buffer, and prints the size that it got. */
static void pages(H5F_fspace_strategy_t strategy, size_t size) {
  hid_t create = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
  unsigned metadata = 0, raw = 0;
  size_t got = 99;
  H5Pset_file_space_strategy(create, strategy, 0, 1);
  H5Pset_file_space_page_size(create, PAGE);
  hid_t file = H5Fcreate("pages.h5", H5F_ACC_TRUNC, create, H5P_DEFAULT);
  H5Fclose(file);
  H5Pset_page_buffer_size(access, size, 10, 20);
  file = H5Fopen("pages.h5", H5F_ACC_RDONLY, access);
  hid_t its = H5Fget_access_plist(file);
  H5Pget_page_buffer_size(its, &got, &metadata, &raw);
  printf("page buffer %d\n", (int)got);
  H5Pclose(its), H5Fclose(file);
  file = H5Fcreate("pages.h5", H5F_ACC_TRUNC, create, access);
  printf("created %d\n", file >= 0);
  if (file >= 0) H5Fclose(file);
  H5Pclose(create), H5Pclose(access);
}

static void locking(void) {
  hid_t strict = H5Pcreate(H5P_FILE_ACCESS), none = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(strict, 1, 0);
  H5Pset_file_locking(none, 0, 0);
  hid_t file = H5Fcreate("locked.h5", H5F_ACC_TRUNC, H5P_DEFAULT, strict);
  hid_t same = H5Fopen("locked.h5", H5F_ACC_RDONLY, strict), other = H5Fopen("locked.h5", H5F_ACC_RDONLY, none);
  printf("same locking %d, other %d\n", same >= 0, other >= 0);
  H5Fclose(same), H5Fclose(file), H5Pclose(strict), H5Pclose(none);
}

static void swmr(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = chunked(4);
  hsize_t none = 0, most = H5S_UNLIMITED, size = 8;
  unsigned intent = 0;
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, read[8] = {0};
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate("swmr.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), space = H5Screate_simple(1, &none, &most);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t dataset = H5Dcreate2(group, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Fget_intent(file, &intent);
  printf("intent %x", intent);
  printf(", start %d", H5Fstart_swmr_write(file));
  H5Fget_intent(file, &intent);
  printf(", intent %x\n", intent);
  printf("start again %d\n", H5Fstart_swmr_write(file));
  H5Dset_extent(dataset, &size);
  printf("write %d", H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  printf(" %d %d", H5Dflush(dataset), H5Drefresh(dataset));
  H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read);
  printf(": %d %d\n", read[0], read[7]);
  H5Dclose(dataset), H5Gclose(group), H5Fclose(file), H5Sclose(space);
  file = H5Fopen("swmr.h5", H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
  H5Fget_intent(file, &intent);
  printf("reader's intent %x\n", intent);
  H5Fclose(file), H5Pclose(list), H5Pclose(access);
}

static void placement(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  hsize_t size = 2000;
  H5Pset_alignment(access, 1000, PAGE);
  hid_t file = H5Fcreate("aligned.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), space = H5Screate_simple(1, &size, NULL);
  char values[2000] = {1};
  for (int i = 0; i < 3; i++) {
    char name[2] = {(char)('a' + i), 0};
    hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_CHAR, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    printf("aligned %d\n", H5Dget_offset(dataset) % PAGE == 0);
    H5Dclose(dataset);
  }
  H5Fclose(file), H5Sclose(space), H5Pclose(access);
}

static herr_t print_name(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)object, (void)info, (void)data;
  printf(" %s", name);
  return 0;
}

/* netCDF asks for attributes in the order of their creation, also if that is not tracked. */
static void attribute_orders(hid_t file) {
  const char *names[] = {"zeta", "alpha", "mu", "beta", "nu", "gamma", "pi", "delta", "xi", "chi"};
  hid_t space = H5Screate(H5S_SCALAR), list = H5Pcreate(H5P_GROUP_CREATE);
  for (unsigned tracked = 0; tracked < 2; tracked++) {
    if (tracked) H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED);
    hid_t group = H5Gcreate2(file, tracked ? "tracked" : "untracked", H5P_DEFAULT, list, H5P_DEFAULT);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
      H5Aclose(H5Acreate2(group, names[i], H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
    for (int order = H5_ITER_INC; order <= H5_ITER_DEC; order++) {
      hid_t first = H5Aopen_by_idx(group, ".", H5_INDEX_CRT_ORDER, order, 2, H5P_DEFAULT, H5P_DEFAULT);
      char name[100] = "";
      H5Aget_name(first, sizeof name, name);
      printf("tracked %u, order %d, third %s, all", tracked, order, name);
      H5Aiterate2(group, H5_INDEX_CRT_ORDER, order, NULL, print_name, NULL);
      printf("\n");
      H5Aclose(first);
    }
    H5Gclose(group);
  }
  H5Pclose(list), H5Sclose(space);
}

static void prefixes(hid_t file) {
  hsize_t size = 4;
  char folder[256], prefix[256] = "";
  hid_t create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t space = H5Screate_simple(1, &size, NULL);
  H5Pset_external(create, "elements.raw", 0, H5F_UNLIMITED);
  H5Pset_efile_prefix(access, "${ORIGIN}/sub");
  hid_t dataset = H5Dcreate2(file, "outside", H5T_NATIVE_CHAR, space, H5P_DEFAULT, create, access);
  hid_t its = H5Dget_access_plist(dataset);
  H5Pget_efile_prefix(its, prefix, sizeof prefix);
  size_t length = getcwd(folder, sizeof folder) == NULL ? 0 : strlen(folder);
  printf("prefix %d %s\n", strncmp(prefix, folder, length) == 0, prefix + length);
  H5Pclose(its), H5Dclose(dataset), H5Sclose(space), H5Pclose(create), H5Pclose(access);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t there = H5Fcreate("there.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(there, "inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(there);
  errors();
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate("f.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  caches(file);
  H5Fclose(file), H5Pclose(access);
  file = H5Fcreate("f.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  datasets(file);
  own_filter(file);
  links(file);
  caches(file);
  prefixes(file);
  attribute_orders(file);
  printf("closed %d\n", H5Fclose(file));
  pages(H5F_FSPACE_STRATEGY_PAGE, 3 * PAGE - 1);
  pages(H5F_FSPACE_STRATEGY_PAGE, PAGE - 1);
  pages(H5F_FSPACE_STRATEGY_FSM_AGGR, 2 * PAGE);
  locking();
  swmr();
  placement();
  return 0;
}
