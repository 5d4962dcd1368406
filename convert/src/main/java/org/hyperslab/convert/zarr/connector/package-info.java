/** A connector that reads Zarr hierarchies as HDF5 files, without converting them. */
@NullMarked
package org.hyperslab.convert.zarr.connector;

import org.jspecify.annotations.NullMarked;
