/* Writes and reads through filters of the program's own, and one of a plugin; prints what they saw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hdf5.h"

#define SHIFT 511 /* adds its first parameter to each byte, appends a byte */
#define PICKY 500 /* refuses types of 8 bytes */
#define PLUGIN 510

static int encoded, decoded, broken;

static size_t shift(unsigned flags, size_t count, const unsigned *values, size_t bytes, size_t *size, void **buffer) {
  unsigned char *in = *buffer;
  if (broken || count < 2) return 0;
  if (flags & H5Z_FLAG_REVERSE) {
    decoded++;
    for (size_t i = 0; i + 1 < bytes; i++) in[i] = (unsigned char)(in[i] - values[0]);
    return in[bytes - 1] == 42 ? bytes - 1 : 0;
  }
  encoded++;
  unsigned char *out = malloc(bytes + 1);
  for (size_t i = 0; i < bytes; i++) out[i] = (unsigned char)(in[i] + values[0]);
  out[bytes] = 42;
  free(in);
  *buffer = out;
  *size = bytes + 1;
  return bytes + 1;
}

/* Stores the size of an element and the length of a chunk as parameters. */
static herr_t local(hid_t list, hid_t type, hid_t space) {
  unsigned flags, values[3] = {0, 0, 0};
  size_t count = 1;
  if (H5Pget_filter_by_id2(list, SHIFT, &flags, &count, values, 0, NULL, NULL) < 0) return -1;
  values[1] = (unsigned)H5Tget_size(type);
  values[2] = (unsigned)H5Sget_simple_extent_npoints(space);
  return H5Pmodify_filter(list, SHIFT, flags, 3, values);
}

static htri_t small(hid_t list, hid_t type, hid_t space) {
  (void)list, (void)space;
  return H5Tget_size(type) < 8;
}

static size_t same(unsigned flags, size_t count, const unsigned *values, size_t bytes, size_t *size, void **buffer) {
  (void)flags, (void)count, (void)values, (void)size, (void)buffer;
  return bytes;
}

static const H5Z_class2_t shifting = {H5Z_CLASS_T_VERS, SHIFT, 1, 1, "shift", NULL, local, shift};
static const H5Z_class2_t picky = {H5Z_CLASS_T_VERS, PICKY, 1, 1, "picky", small, NULL, same};

static hid_t filtered(hid_t file, const char *name, hid_t type, H5Z_filter_t filter, int deflated) {
  hsize_t dims[] = {1000}, chunk[] = {100};
  unsigned values[] = {7};
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  if (deflated) H5Pset_deflate(list, 4);
  H5Pset_filter(list, filter, H5Z_FLAG_MANDATORY, 1, values);
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list), H5Sclose(space);
  return set;
}

static void parameters(hid_t set) {
  hid_t list = H5Dget_create_plist(set);
  for (int i = 0; i < H5Pget_nfilters(list); i++) {
    unsigned flags, values[8];
    size_t count = 8;
    char name[50] = "";
    int id = (int)H5Pget_filter2(list, (unsigned)i, &flags, &count, values, sizeof name, name, NULL);
    printf(" filter %d %s:", id, name);
    for (size_t j = 0; j < count; j++) printf(" %u", values[j]);
  }
  printf("\n");
  H5Pclose(list);
}

static void use(hid_t file, const char *name, H5Z_filter_t filter, int deflated) {
  int out[1000], in[1000] = {0};
  for (int i = 0; i < 1000; i++) out[i] = i * i;
  hid_t set = filtered(file, name, H5T_NATIVE_INT, filter, deflated);
  printf("%s made %d", name, set >= 0);
  if (set < 0) {
    printf("\n");
    return;
  }
  printf(", written %d", H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
  H5Dclose(set);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  set = H5Dopen2(file, name, H5P_DEFAULT);
  printf(", read %d", H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, in) >= 0);
  printf(", same %d,", memcmp(in, out, sizeof in) == 0);
  parameters(set);
  H5Dclose(set);
}

int main(int argc, char **argv) {
  (void)argc;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("registered %d %d\n", H5Zregister(&shifting) >= 0, H5Zregister(&picky) >= 0);
  use(file, "shifted", SHIFT, 0);
  use(file, "deflated", SHIFT, 1);
  use(file, "plugin", PLUGIN, 0);
  printf("calls %d %d\n", encoded > 0, decoded > 0);
  hid_t wide = filtered(file, "wide", H5T_NATIVE_DOUBLE, PICKY, 0);
  hid_t narrow = filtered(file, "narrow", H5T_NATIVE_SHORT, PICKY, 0);
  printf("picky %d %d\n", wide >= 0, narrow >= 0);
  H5Dclose(narrow);
  H5Fclose(file);

  file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
  broken = 1;
  int in[1000];
  hid_t set = H5Dopen2(file, "shifted", H5P_DEFAULT);
  printf("broken %d\n", H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, in) >= 0);
  H5Dclose(set);
  H5Fclose(file);
  broken = 0;
  /* What the other library wrote. */
  if (argc > 2) {
    file = H5Fopen(argv[2], H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int i = 0; i < 3; i++) {
      set = H5Dopen2(file, (const char *[]){"shifted", "deflated", "plugin"}[i], H5P_DEFAULT);
      int read = H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, in) >= 0, right = read;
      for (int j = 0; j < 1000; j++) right &= in[j] == j * j;
      printf("of the other %d %d\n", read, right);
      H5Dclose(set);
    }
    H5Fclose(file);
  }
  return 0;
}
