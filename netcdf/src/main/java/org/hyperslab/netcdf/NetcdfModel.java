package org.hyperslab.netcdf;

/** The data models of netCDF that are kept in HDF5 files. */
public enum NetcdfModel {
  /**
   * Groups, unsigned and 64-bit integers, strings, user types, any number of unlimited dimensions.
   */
  NETCDF4,
  /**
   * The model of netCDF classic files in an HDF5 file: one group, the types byte, char, short, int,
   * float and double, one unlimited dimension, which comes first.
   */
  CLASSIC
}
