/*
 * Opens, writes, reads and closes a file again and again, for soak.sh.
 *   soak FOLDER SECONDS PAUSE    PAUSE: microseconds between two files
 * Each cycle makes a file with groups, attributes, datasets of every layout, strings of variable
 * length, links and a copy, reads all of it in another opening, fails on purpose three times, and
 * deletes it. Says how many cycles there were, and ends with 1 if something was not as written or
 * an identifier was left.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 20000 };

static int numbers[N], back[N];
static long cycles;

static void must(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "soak: cycle %ld: %s failed\n", cycles, what);
  exit(1);
}

static void array(hid_t at, const char *name, int layout) {
  hsize_t dims = N, most = layout == 2 ? H5S_UNLIMITED : N, chunk = 1500;
  hid_t space = H5Screate_simple(1, &dims, &most), list = H5Pcreate(H5P_DATASET_CREATE);
  if (layout > 0) H5Pset_chunk(list, 1, &chunk);
  if (layout == 3) H5Pset_deflate(list, 1);
  hid_t set = H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  must(set >= 0 && H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0, name);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

static void text(hid_t at) {
  const char *words[3] = {"one", "", "a longer string of variable length"};
  hsize_t three = 3;
  hid_t space = H5Screate_simple(1, &three, NULL), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  hid_t set = H5Dcreate2(at, "words", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  must(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words) >= 0, "words");
  hid_t attribute = H5Acreate2(set, "words", type, space, H5P_DEFAULT, H5P_DEFAULT);
  must(H5Awrite(attribute, type, words) >= 0 && H5Aclose(attribute) >= 0, "attribute");
  H5Dclose(set);
  H5Tclose(type);
  H5Sclose(space);
}

static void write_file(const char *name) {
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  must(file >= 0, "creating");
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  array(file, "contiguous", 0);
  array(group, "chunked", 1);
  array(group, "growing", 2);
  array(group, "deflated", 3);
  text(group);
  must(H5Lcreate_soft("/group", file, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0, "soft link");
  must(H5Ocopy(file, "group", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0, "copying");
  must(H5Gclose(group) >= 0 && H5Fclose(file) >= 0, "closing");
}

static void same(hid_t file, const char *name) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  memset(back, 0, sizeof back);
  must(set >= 0 && H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0, name);
  must(memcmp(numbers, back, sizeof back) == 0, "comparing");
  hsize_t start = 7, stride = 3, count = N / 4;
  hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL);
  must(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, back) >= 0 && back[100] == numbers[307], "selection");
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
}

static herr_t seen(hid_t file, const char *name, const H5O_info2_t *info, void *count) {
  (void)file, (void)name, (void)info;
  ++*(int *)count;
  return 0;
}

static void read_file(const char *name) {
  hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  must(file >= 0, "opening");
  same(file, "contiguous");
  same(file, "soft/chunked");
  same(file, "copy/growing");
  same(file, "copy/deflated");
  char *words[3];
  hid_t set = H5Dopen2(file, "copy/words", H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
  must(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words) >= 0 && strcmp(words[0], "one") == 0, "reading words");
  H5Treclaim(type, space, H5P_DEFAULT, words);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  int count = 0;
  must(H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_NATIVE, seen, &count, H5O_INFO_BASIC) >= 0 && count == 12, "visiting");
  H5E_BEGIN_TRY {
    must(H5Dopen2(file, "nothing", H5P_DEFAULT) < 0 && H5Gopen2(file, "contiguous", H5P_DEFAULT) < 0, "failing");
    must(H5Fopen("/nowhere/at/all.h5", H5F_ACC_RDONLY, H5P_DEFAULT) < 0, "failing to open");
  }
  H5E_END_TRY
  must(H5Ldelete(file, "copy", H5P_DEFAULT) >= 0, "deleting");
  must(H5Fget_obj_count(file, H5F_OBJ_ALL) == 1 && H5Fclose(file) >= 0, "closing again");
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  char name[1000];
  snprintf(name, sizeof name, "%s/soak.h5", argv[1]);
  for (int i = 0; i < N; i++) numbers[i] = i * 7;
  for (time_t end = time(NULL) + atol(argv[2]); time(NULL) < end; cycles++) {
    write_file(name);
    read_file(name);
    must(H5Fdelete(name, H5P_DEFAULT) >= 0, "deleting the file");
    must(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "leaving nothing open");
    if (cycles % 100 == 0) {
      printf("%ld\n", cycles);
      fflush(stdout);
    }
    usleep((useconds_t)atol(argv[3]));
  }
  printf("%ld cycles\n", cycles);
  return H5close() < 0;
}
