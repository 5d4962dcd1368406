/** A connector that reads Zarr hierarchies as HDF5 files, without converting them. */
package org.hyperslab.convert.zarr.connector;
