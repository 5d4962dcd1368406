/*
 * Forks with a file open. The child tries to use the file, the connector and a new file, and exits,
 * which lets libhdf5 end; the parent goes on.
 */
#include "hdf5.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int made(hid_t file, const char *name) {
  hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group >= 0 && H5Gclose(group) >= 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  printf("before %d\n", made(file, "before"));
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int uses = made(file, "child");
    int opens = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) >= 0;
    printf("child: uses %d, opens %d\n", uses, opens);
    fflush(stdout);
    exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child exited %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  printf("after %d\n", made(file, "after"));
  printf("closed %d\n", H5Fclose(file) >= 0);
  return 0;
}
