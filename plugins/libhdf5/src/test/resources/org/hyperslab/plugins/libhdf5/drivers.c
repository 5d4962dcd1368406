/* Drivers of libhdf5, and one that the program has registered. Prints which calls succeeded.
 *   drivers [split]        writes and reads, with the split driver, too
 *   drivers read [split]   reads the files of several members that another run has written
 */
#include <pthread.h>
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

static unsigned char bytes[1 << 22];
static haddr_t stored;

/* How many calls succeed before one fails; less than 0 for all. */
static int good_reads = -1, good_writes = -1;

/* The thread of the program, and how often another one called. */
static pthread_t own;
static int strangers;

static int fails(int *good) {
  if (!pthread_equal(own, pthread_self())) strangers++;
  if (*good == 0) return 1;
  if (*good > 0) --*good;
  return 0;
}

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
  if (fails(&good_reads)) return -1;
  memcpy(to, bytes + at, size);
  return 0;
}

static herr_t write_memory(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, const void *from) {
  (void)file, (void)type, (void)list;
  if (fails(&good_writes)) return -1;
  memcpy(bytes + at, from, size);
  if (at + size > stored) stored = at + size;
  return 0;
}

/* As the core driver: what was not written is zero. */
static herr_t truncate_memory(H5FD_t *file, hid_t list, hbool_t closing) {
  (void)list, (void)closing;
  haddr_t end = ((memory_t *)file)->end;
  if (end < stored) memset(bytes + end, 0, stored - end);
  stored = end;
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
    .truncate = truncate_memory,
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

#define CHUNKS 100
#define PER_CHUNK 1000

static int numbers[CHUNKS * PER_CHUNK];

/* Many filtered chunks, which a connector may store and load in threads of its own. */
static int write_chunks(hid_t file) {
  hsize_t extent = CHUNKS * PER_CHUNK, chunk = PER_CHUNK;
  for (int i = 0; i < CHUNKS * PER_CHUNK; i++) numbers[i] = i * 3;
  hid_t space = H5Screate_simple(1, &extent, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_deflate(list, 1);
  hid_t data = H5Dcreate2(file, "chunks", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  int written = H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
  H5Dclose(data);
  H5Pclose(list);
  H5Sclose(space);
  return written;
}

static int read_chunks(hid_t file) {
  memset(numbers, 0, sizeof numbers);
  hid_t data = H5Dopen2(file, "chunks", H5P_DEFAULT);
  int right = H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
  for (int i = 0; i < CHUNKS * PER_CHUNK; i++) right = right && numbers[i] == i * 3;
  H5Dclose(data);
  return right;
}

/* Writes, opens again, and lets calls fail. */
static void fill(const char *name, hid_t list) {
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  printf("%s: chunks written %d, flushed %d", name, write_chunks(file), H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
  printf(", read %d", read_chunks(file));
  printf(", closed %d", H5Fclose(file) >= 0);
  file = H5Fopen(name, H5F_ACC_RDONLY, list);
  printf(", again %d", read_chunks(file));
  H5Fclose(file);
  file = H5Fopen(name, H5F_ACC_RDWR, list);
  hid_t group = H5Gcreate2(file, "late", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  H5Fclose(file);
  file = H5Fopen(name, H5F_ACC_RDONLY, list);
  printf(", edited %d\n", H5Lexists(file, "late", H5P_DEFAULT) > 0);
  H5Fclose(file);
}

static void failing(hid_t list) {
  hid_t file = H5Fopen("memory", H5F_ACC_RDONLY, list);
  good_reads = 0;
  printf("bad reads: read %d", read_chunks(file));
  good_reads = -1;
  printf(", later %d", read_chunks(file));
  printf(", closed %d\n", H5Fclose(file) >= 0);
  good_reads = 0;
  printf("bad reads: opened %d\n", H5Fopen("memory", H5F_ACC_RDONLY, list) >= 0);
  good_reads = -1;
  file = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  good_writes = 1;
  int written = write_chunks(file), flushed = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
  printf("bad writes: noticed %d\n", !written || !flushed);
  good_writes = -1;
  H5Fclose(file);
}

/* Two names for one BytesIO are two files; a file that is open is not created again. */
static void twice(const char *driver, const char *name, hid_t list) {
  hid_t first = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  hid_t second = H5Fopen(name, H5F_ACC_RDWR, list);
  hid_t group = H5Gcreate2(first, "seen", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("%s twice: %d, the same %d", driver, second >= 0, H5Lexists(second, "seen", H5P_DEFAULT) > 0);
  printf(", created again %d\n", H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list) >= 0);
  H5Gclose(group);
  H5Fclose(second);
  H5Fclose(first);
}

static hid_t family(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_family(list, 50000, H5P_DEFAULT);
  return list;
}

static hid_t split(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_split(list, ".meta", H5P_DEFAULT, ".raw", H5P_DEFAULT);
  return list;
}

/* A driver that writes all to a second file, too, which holds the same then. */
static hid_t splitter(void) {
  static H5FD_splitter_vfd_config_t how = {.magic = H5FD_SPLITTER_MAGIC, .version = H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION};
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  how.rw_fapl_id = how.wo_fapl_id = H5P_DEFAULT;
  strcpy(how.wo_path, "second.h5");
  H5Pset_fapl_splitter(list, &how);
  return list;
}

static void copied(const char *name) {
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  printf("%s: read %d, edited %d\n", name, file >= 0 && read_chunks(file), file >= 0 && H5Lexists(file, "late", H5P_DEFAULT) > 0);
  H5Fclose(file);
}

/* What another run has written. */
static int read_members(int with_split) {
  hid_t lists[] = {family(), split()};
  const char *names[] = {"f%02d", "s"};
  for (int i = 0; i < 1 + with_split; i++) {
    hid_t file = H5Fopen(names[i], H5F_ACC_RDONLY, lists[i]);
    printf("%s: read %d\n", names[i], file >= 0 && read_chunks(file));
    H5Fclose(file);
  }
  return 0;
}

int main(int count, char **arguments) {
  own = pthread_self();
  if (count > 1 && strcmp(arguments[1], "read") == 0) return read_members(count > 2);
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
  check("memory", H5Pcopy(list));
  fill("memory", list);
  failing(list);
  H5Pclose(list);
  H5FDunregister(driver);
  fill("first.h5", splitter());
  copied("first.h5");
  copied("second.h5");
  fill("f%02d", list = family());
  twice("family", "t%02d", list);
  printf("deleted %d", H5Fdelete("t%02d", list) >= 0);
  printf(", opened %d\n", H5Fopen("t%02d", H5F_ACC_RDONLY, list) >= 0);
  if (count > 1 && strcmp(arguments[1], "split") == 0) fill("s", split());
  printf("strangers %d\n", strangers);
  return 0;
}
