/* Files in memory: the core driver and file images. Prints which calls succeeded and what was read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "hdf5.h"

static int numbers[100];

static hid_t core(int kept) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(list, 1 << 16, kept);
  return list;
}

static void fill(hid_t file) {
  hsize_t dims[] = {100};
  hid_t space = H5Screate_simple(1, dims, NULL);
  hid_t set = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 100; i++) numbers[i] = 3 * i;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(set);
  H5Sclose(space);
}

static void check(const char *what, hid_t file) {
  int found[100] = {0};
  hid_t set = file < 0 ? -1 : H5Dopen2(file, "numbers", H5P_DEFAULT);
  int read = set >= 0 && H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0;
  char name[300] = "";
  if (file >= 0) H5Fget_name(file, name, sizeof name);
  const char *last = strrchr(name, '/');
  printf("%s: opened %d, read %d, same %d, named %s\n", what, file >= 0, read,
         memcmp(found, numbers, sizeof found) == 0, last == NULL ? name : last + 1);
  if (set >= 0) H5Dclose(set);
}

static void *image(const char *what, hid_t file, size_t *size) {
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  ssize_t length = H5Fget_file_image(file, NULL, 0);
  char *bytes = malloc(length > 0 ? (size_t)length : 1);
  ssize_t given = length > 0 ? H5Fget_file_image(file, bytes, (size_t)length) : -1;
  printf("%s: image %d, given %d, signed %d, too small %d\n", what, length > 0, given == length,
         given > 8 && memcmp(bytes, "\211HDF\r\n\032\n", 8) == 0, H5Fget_file_image(file, bytes, 100) >= 0);
  *size = (size_t)length;
  return bytes;
}

static hid_t from(const char *name, void *bytes, size_t size, int kept, unsigned flags) {
  hid_t list = core(kept);
  H5Pset_file_image(list, bytes, size);
  hid_t file = H5Fopen(name, flags, list);
  H5Pclose(list);
  return file;
}

/* Callbacks that never copy the image, as netCDF's, and whose memory free() does not know. */
static char only_image[1 << 16];

static void *image_allocated(size_t size, H5FD_file_image_op_t operation, void *data) {
  (void)operation, (void)data;
  return size <= sizeof only_image ? only_image : NULL;
}

static void *image_copied(void *to, const void *from, size_t size, H5FD_file_image_op_t operation, void *data) {
  (void)operation, (void)data;
  return to == from ? to : memcpy(to, from, size);
}

static herr_t image_freed(void *image, H5FD_file_image_op_t operation, void *data) {
  (void)image, (void)operation, (void)data;
  return 0;
}

static void shared_image(void *bytes, size_t size) {
  H5FD_file_image_callbacks_t callbacks = {image_allocated, image_copied, NULL, image_freed, NULL, NULL, NULL};
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(list, 1 << 16, 0);
  H5Pset_file_image_callbacks(list, &callbacks);
  H5Pset_file_image(list, bytes, size);
  hid_t file = H5Fopen("shared image", H5F_ACC_RDONLY, list);
  hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  printf("shared image: opened %d\n", root >= 0);
  H5Gclose(root);
  H5Fclose(file);
  H5Pclose(list);
}

/* The memory of a file that is created, as nc_create_mem has it: the program keeps it when the file is closed. */
static struct {
  char *bytes;
  size_t size;
  int freed;
} grown;

static void *grown_resized(void *old, size_t size, H5FD_file_image_op_t operation, void *data) {
  (void)operation, (void)data;
  grown.bytes = realloc(old, size);
  grown.size = size;
  return grown.bytes;
}

static herr_t grown_freed(void *image, H5FD_file_image_op_t operation, void *data) {
  (void)data;
  if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) grown.freed += image == grown.bytes;
  return 0;
}

static void grown_image(void) {
  H5FD_file_image_callbacks_t callbacks = {image_allocated, image_copied, grown_resized, grown_freed, NULL, NULL, NULL};
  hid_t list = core(0);
  H5Pset_file_image_callbacks(list, &callbacks);
  hid_t file = H5Fcreate("grown", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  fill(file);
  H5Fclose(file);
  H5Pclose(list);
  printf("grown: signed %d, freed %d, on disk %d\n", memcmp(grown.bytes, "\211HDF\r\n\032\n", 8) == 0, grown.freed,
         access("grown", F_OK) == 0);
  file = from("from grown.h5", grown.bytes, grown.size, 0, H5F_ACC_RDONLY);
  check("from grown", file);
  H5Fclose(file);
  free(grown.bytes);
}

int main(int argc, char **argv) {
  (void)argc;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (chdir(argv[1]) != 0) return 2;
  size_t size, other;
  hid_t latest = core(0), block = H5Pcreate(H5P_FILE_CREATE), list = core(0);

  hid_t file = H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  fill(file);
  void *bytes = image("plain", file, &size);
  H5Fclose(file);

  file = H5Fcreate("memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  fill(file);
  check("in memory", file);
  void *more = image("in memory", file, &other);
  H5Fclose(file);
  printf("left on disk %d\n", access("memory.h5", F_OK) == 0);
  check("gone", H5Fopen("memory.h5", H5F_ACC_RDONLY, list));
  free(more);

  H5Pset_libver_bounds(latest, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_userblock(block, 1024);
  file = H5Fcreate("latest.h5", H5F_ACC_TRUNC, block, latest);
  fill(file);
  more = image("latest", file, &other);
  H5Fclose(file);
  file = from("from latest.h5", more, other, 0, H5F_ACC_RDONLY);
  check("from latest", file);
  H5Fclose(file);
  free(more);

  file = from("opened.h5", bytes, size, 0, H5F_ACC_RDWR);
  check("from image", file);
  printf("made %d\n", H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
  H5Fclose(file);
  printf("left on disk %d\n", access("opened.h5", F_OK) == 0);
  file = from("kept.h5", bytes, size, 1, H5F_ACC_RDWR);
  check("kept", file);
  H5Fclose(file);
  printf("left on disk %d\n", access("kept.h5", F_OK) == 0);
  check("there already", from("kept.h5", bytes, size, 0, H5F_ACC_RDWR));

  file = H5Fopen("plain.h5", H5F_ACC_RDWR, list);
  check("loaded", file);
  H5Ldelete(file, "numbers", H5P_DEFAULT);
  check("changed", file);
  H5Fclose(file);
  file = H5Fopen("plain.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  check("unchanged", file);
  H5Fclose(file);

  hid_t both = core(1);
  file = H5Fcreate("both.h5", H5F_ACC_TRUNC, H5P_DEFAULT, both);
  fill(file);
  H5Fclose(file);
  file = H5Fopen("both.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  check("both", file);
  H5Fclose(file);
  printf("exclusive %d\n", H5Fcreate("both.h5", H5F_ACC_EXCL, H5P_DEFAULT, list) >= 0);

  /* A relative name leads to another file once the program has changed its folder. */
  file = H5Fopen("both.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  if (mkdir("other", 0777) != 0 || chdir("other") != 0) return 2;
  printf("there %d\n", H5Fopen("both.h5", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0);
  hid_t second = H5Fcreate("both.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("links %d %d\n", H5Lexists(file, "numbers", H5P_DEFAULT), H5Lexists(second, "numbers", H5P_DEFAULT));
  H5Lcreate_external("../plain.h5", "numbers", second, "numbers", H5P_DEFAULT, H5P_DEFAULT);
  check("linked", second);
  H5Fclose(second);
  H5Fclose(file);
  printf("deleted %d\n", H5Fdelete("both.h5", H5P_DEFAULT) >= 0 && access("both.h5", F_OK) != 0);
  H5Pclose(both);
  H5Pclose(list);
  H5Pclose(latest);
  H5Pclose(block);
  shared_image(bytes, size);
  grown_image();
  free(bytes);
  return 0;
}
