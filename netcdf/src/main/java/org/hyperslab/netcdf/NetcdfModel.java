package org.hyperslab.netcdf;

/** The netCDF data models for HDF5 files. */
public enum NetcdfModel {
  /**
   * The enhanced model: groups, unsigned and 64-bit integers, strings, user-defined types, and any
   * number of unlimited dimensions.
   */
  NETCDF4,
  /**
   * The classic model: one group, the types byte, char, short, int, float and double, and one
   * unlimited dimension, which comes first.
   */
  CLASSIC
}
