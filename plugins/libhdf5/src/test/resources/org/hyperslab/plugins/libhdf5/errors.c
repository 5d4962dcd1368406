/* Opens a file that is not there; libhdf5 prints its error stack. */
#include "hdf5.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  return H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) < 0 ? 3 : 0;
}
