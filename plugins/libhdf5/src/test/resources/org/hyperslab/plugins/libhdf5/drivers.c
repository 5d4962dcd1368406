/* Drivers that store a file as one file, and one that the program has registered. Prints which calls succeeded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hdf5.h"
#include "H5FDdevelop.h"

/* The only file of the registered driver: bytes in memory, which stay after it is closed. */
typedef struct memory_t {
  H5FD_t pub;
  haddr_t end;
} memory_t;

static unsigned char bytes[1 << 20];
static haddr_t stored;

static H5FD_t *open_memory(const char *name, unsigned flags, hid_t list, haddr_t most) {
  (void)name, (void)list, (void)most;
  if (flags & H5F_ACC_TRUNC) stored = 0;
  return calloc(1, sizeof(memory_t));
}

static herr_t close_memory(H5FD_t *file) {
  free(file);
  return 0;
}

static herr_t query(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  *flags = 0;
  return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const memory_t *)file)->end;
}

static herr_t set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((memory_t *)file)->end = end;
  return 0;
}

static haddr_t get_length(const H5FD_t *file, H5FD_mem_t type) {
  (void)file, (void)type;
  return stored;
}

static herr_t read_memory(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, void *to) {
  (void)file, (void)type, (void)list;
  memcpy(to, bytes + at, size);
  return 0;
}

static herr_t write_memory(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, const void *from) {
  (void)file, (void)type, (void)list;
  memcpy(bytes + at, from, size);
  if (at + size > stored) stored = at + size;
  return 0;
}

static const H5FD_class_t memory = {
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600,
    .name = "memory",
    .maxaddr = sizeof bytes,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = open_memory,
    .close = close_memory,
    .query = query,
    .get_eoa = get_end,
    .set_eoa = set_end,
    .get_eof = get_length,
    .read = read_memory,
    .write = write_memory,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

static void check(const char *driver, hid_t list) {
  char name[100];
  snprintf(name, sizeof name, "%s.h5", driver);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  hid_t group = file < 0 ? -1 : H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("%s: created %d, group %d", driver, file >= 0, group >= 0);
  if (group >= 0) H5Gclose(group);
  if (file >= 0) H5Fclose(file);
  file = H5Fopen(name, H5F_ACC_RDWR, list);
  printf(", opened %d, holds %d", file >= 0, file >= 0 && H5Lexists(file, "g", H5P_DEFAULT) > 0);
  if (file >= 0) H5Fclose(file);
  printf(", accessible %d\n", H5Fis_accessible(name, list) > 0);
  H5Pclose(list);
}

int main(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_sec2(list);
  check("sec2", list);
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_stdio(list);
  check("stdio", list);
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_log(list, NULL, 0, 0);
  check("log", list);
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(list, 1 << 16, 1);
  check("core", list);
  hid_t driver = H5FDregister(&memory);
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(list, driver, NULL);
  check("memory", list);
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(list, driver, NULL);
  printf("deleted %d\n", H5Fdelete("sec2.h5", list) >= 0);
  H5Pclose(list);
  H5FDunregister(driver);
  return 0;
}
