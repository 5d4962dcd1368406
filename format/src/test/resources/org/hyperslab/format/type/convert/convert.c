/*
 * Converts single elements by H5Tconvert: each line of the file named has two types and the bytes
 * of an element in hexadecimal digits; the bytes that come out are printed, a line for each.
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static hid_t order(hid_t type, int big) {
  H5Tset_order(type, big ? H5T_ORDER_BE : H5T_ORDER_LE);
  return type;
}

static hid_t half(int big) {
  hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(type, 15, 10, 5, 0, 10);
  H5Tset_ebias(type, 15);
  H5Tset_precision(type, 16);
  H5Tset_size(type, 2);
  return order(type, big);
}

static hid_t brain(int big) {
  hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(type, 15, 7, 8, 0, 7);
  H5Tset_precision(type, 16);
  H5Tset_size(type, 2);
  return order(type, big);
}

static hid_t colours(int lacking) {
  hid_t type = H5Tenum_create(H5T_STD_I16LE);
  const char *names[] = {"RED", "GREEN", "BLUE"};
  for (short i = 0; i < 3; i++) {
    short value = lacking ? 10 * i : i;
    if (!lacking || i != 1) {
      H5Tenum_insert(type, names[i], &value);
    }
  }
  return type;
}

static hid_t number(const char *name) {
  int big = strstr(name, "be") != NULL;
  size_t size = 0;
  sscanf(name + 1, "%zu", &size);
  if (name[0] == 'f') {
    return order(H5Tcopy(size == 64 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE), big);
  }
  hid_t type = H5Tcopy(name[0] == 'i' ? H5T_STD_I32LE : H5T_STD_U32LE);
  H5Tset_precision(type, size);
  H5Tset_size(type, size <= 8 ? 1 : size <= 16 ? 2 : size <= 32 ? 4 : 8);
  return order(type, big);
}

static hid_t type_of(const char *name) {
  int big = strstr(name, "be") != NULL;
  if (!strncmp(name, "f16", 3)) return half(big);
  if (!strncmp(name, "bf16", 4)) return brain(big);
  if (!strcmp(name, "colours")) return colours(0);
  if (!strcmp(name, "colours-without-green")) return colours(1);
  return number(name);
}

int main(int count, char **arguments) {
  char from[64], to[64], hex[64];
  FILE *questions = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (questions == NULL) {
    return 1;
  }
  H5Eset_auto(H5E_DEFAULT, NULL, NULL);
  while (fscanf(questions, "%63s %63s %63s", from, to, hex) == 3) {
    unsigned char bytes[32] = {0};
    hid_t source = type_of(from), target = type_of(to);
    for (size_t i = 0; i < strlen(hex) / 2; i++) {
      unsigned byte;
      sscanf(hex + 2 * i, "%2x", &byte);
      bytes[i] = (unsigned char) byte;
    }
    if (H5Tconvert(source, target, 1, bytes, NULL, H5P_DEFAULT) < 0) {
      puts("refused");
      continue;
    }
    for (size_t i = 0; i < H5Tget_size(target); i++) {
      printf("%02x", bytes[i]);
    }
    puts("");
  }
  return 0;
}
