/** A Spark data source for HDF5 files, netCDF files and Zarr stores. */
package org.hyperslab.spark;
