/* Forks with a file open. The child opens and makes files of its own; the parent goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "hdf5.h"

static hid_t list;

/* Writes ten numbers into a new file, which is left open. */
static hid_t made(const char *name) {
  hsize_t extent = 10;
  int numbers[10];
  for (int i = 0; i < 10; i++) numbers[i] = i;
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list), space = H5Screate_simple(1, &extent, NULL);
  hid_t data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(data);
  H5Sclose(space);
  return file;
}

static int sum(const char *name, hid_t access) {
  int numbers[10] = {0}, total = 0;
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, access), data = H5Dopen2(file, "d", H5P_DEFAULT);
  H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  for (int i = 0; i < 10; i++) total += numbers[i];
  H5Dclose(data);
  H5Fclose(file);
  return total;
}

int main(void) {
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Fclose(made("closed.h5"));
  hid_t file = made("open.h5");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    printf("child: accessible %d", H5Fis_accessible("closed.h5", H5P_DEFAULT) > 0);
    printf(", read %d", sum("closed.h5", H5P_DEFAULT));
    printf(", made %d\n", H5Fclose(made("childs.h5")) >= 0);
    fflush(stdout);
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child exited %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  printf("parent: read %d", sum("childs.h5", list));
  hid_t group = H5Gcreate2(file, "late", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf(", goes on %d\n", H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
  return 0;
}
