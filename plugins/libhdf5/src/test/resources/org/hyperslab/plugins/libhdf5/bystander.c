/* Fails to open files on libhdf5's own connector; or, with an argument, asks one that it registers by name. */
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static herr_t keep_deepest(unsigned n, const H5E_error2_t *error, void *data) {
  (void)n;
  snprintf(data, 4096, "%s", error->desc == NULL ? "" : error->desc);
  return 0;
}

static void print_failure(const char *what, const char *name) {
  char text[4096] = "";
  H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_deepest, text);
  char *found = strstr(text, "errno = ");
  printf("%s: errno %d, %d errors\n", what, found == NULL ? 0 : atoi(found + 8), (int)H5Eget_num(H5E_DEFAULT));
}

static int has_jvm(void) {
  char line[4096];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) found |= strstr(line, "libjvm.so") != NULL;
  return found;
}

static void write_text(const char *name, const char *text, size_t bytes) {
  FILE *out = fopen(name, "w");
  fwrite(text, 1, bytes, out);
  fclose(out);
}

int main(int argc, char **argv) {
  (void)argv;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Fclose(H5Fcreate("locked.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  write_text("text.h5", "text", 4);
  write_text("damaged.h5", "\211HDF\r\n\032\n and then nothing of it", 30);
  if (argc > 1) {
    hid_t connector = H5VLregister_connector_by_name("hyperslab", H5P_DEFAULT), list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_vol(list, connector, NULL);
    printf("accessible %d", H5Fis_accessible("locked.h5", list));
    printf(", %d\n", H5Fis_accessible("text.h5", list));
    printf("JVM %d\n", has_jvm());
    H5Pclose(list), H5VLclose(connector);
    return 0;
  }
  int locked = open("locked.h5", O_RDWR);
  flock(locked, LOCK_EX);
  print_failure("not there", "none.h5");
  print_failure("text", "text.h5");
  print_failure("damaged", "damaged.h5");
  print_failure("locked", "locked.h5");
  close(locked);
  hid_t file = H5Fopen("locked.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  printf("opened %d\nJVM %d\n", file >= 0, has_jvm());
  H5Fclose(file);
  return 0;
}
