/* Loads the plugin as a program does that contains libhdf5 and does not show its functions: static PLUGIN. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
  void *plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  const void *(*info)(void) = plugin == NULL ? NULL : (const void *(*)(void))dlsym(plugin, "H5PLget_plugin_info");
  if (info == NULL) return 2;
  printf("connector %d\n", info() != NULL);
  return 0;
}
