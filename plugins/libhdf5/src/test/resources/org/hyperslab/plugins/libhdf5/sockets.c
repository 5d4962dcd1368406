/* Tells whether the JVM of this process listens at a socket in /tmp, while a file is open. */
#include "hdf5.h"
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char socket[64];
  hid_t file = argc != 2 ? -1 : H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return 3;
  snprintf(socket, sizeof socket, "/tmp/.java_pid%ld", (long)getpid());
  printf("socket %d\n", access(socket, F_OK) == 0);
  return H5Fclose(file) < 0;
}
