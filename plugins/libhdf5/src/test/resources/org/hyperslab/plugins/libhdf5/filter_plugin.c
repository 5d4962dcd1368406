/* A filter plugin of HDF5: inverts each byte. */
#include "hdf5.h"
#include "H5PLextern.h"

static size_t invert(unsigned flags, size_t count, const unsigned *values, size_t bytes, size_t *size, void **buffer) {
  (void)flags, (void)count, (void)values, (void)size;
  for (size_t i = 0; i < bytes; i++) ((unsigned char *)*buffer)[i] ^= 0xFF;
  return bytes;
}

static const H5Z_class2_t inverting = {H5Z_CLASS_T_VERS, 510, 1, 1, "inverting", NULL, NULL, invert};

H5PL_type_t H5PLget_plugin_type(void) { return H5PL_TYPE_FILTER; }
const void *H5PLget_plugin_info(void) { return &inverting; }
