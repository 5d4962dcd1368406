/* Four threads, one after the other in the library, make groups of their own. */
#include "hdf5.h"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static hid_t file;
static int failures;

static void *work(void *number) {
  char name[32];
  for (int i = 0; i < 10; i++) {
    snprintf(name, sizeof name, "group %d of %d", i, *(int *)number);
    pthread_mutex_lock(&one);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0 || H5Gclose(group) < 0) failures++;
    pthread_mutex_unlock(&one);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  int numbers[4] = {0, 1, 2, 3};
  H5G_info_t info;
  if (argc != 2) return 2;
  file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  if (H5Gget_info(file, &info) < 0) failures++;
  printf("4 threads, %d failures, %d links\n", failures, (int)info.nlinks);
  return H5Fclose(file) < 0;
}
