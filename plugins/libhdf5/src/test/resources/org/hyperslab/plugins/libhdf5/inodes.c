/* Files that are renamed, removed, linked and made again while they are open; prints what is found in them. */
#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

static hid_t make(const char *name, const char *group) {
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file >= 0) H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return file;
}

static void print(const char *what, hid_t file) {
  printf("%s: %d", what, file >= 0);
  if (file >= 0) printf(" first %d, second %d", H5Lexists(file, "first", H5P_DEFAULT), H5Lexists(file, "second", H5P_DEFAULT));
  printf("\n");
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t first = make("a.h5", "first");
  unlink("a.h5");
  hid_t second = make("a.h5", "second");
  print("removed", first);
  print("made again", second);
  H5Gclose(H5Gcreate2(first, "late", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  printf("closed %d %d\n", H5Fclose(first), H5Fclose(second));
  second = H5Fopen("a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  print("opened", second);
  printf("late %d\n", H5Lexists(second, "late", H5P_DEFAULT));
  H5Fclose(second);

  first = make("b.h5", "first");
  rename("b.h5", "c.h5");
  hid_t same = H5Fopen("c.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  print("renamed", same);
  H5Gclose(H5Gcreate2(same, "second", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  print("by its other name", first);
  hid_t over = H5Fcreate("c.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("over an open file %d\n", over >= 0);
  second = make("b.h5", "second");
  print("at the old name", second);
  H5Fclose(same), H5Fclose(first), H5Fclose(second);

  first = make("d.h5", "first");
  if (link("d.h5", "e.h5") == 0) {
    same = H5Fopen("e.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    print("another link", same);
    H5Fclose(same);
  }
  H5Fclose(first);
  return 0;
}
