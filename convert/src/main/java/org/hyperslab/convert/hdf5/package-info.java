/**
 * HDF5 files as source and target, through the public API and so any connector, with the dimension
 * scales that netCDF-4 stores.
 */
@NullMarked
package org.hyperslab.convert.hdf5;

import org.jspecify.annotations.NullMarked;
