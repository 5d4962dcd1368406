/** Reads and writes netCDF-4 files in terms of dimensions and variables, through any connector. */
module org.hyperslab.netcdf {
  requires transitive org.hyperslab.api;
  requires static org.jspecify;

  exports org.hyperslab.netcdf;
  exports org.hyperslab.netcdf.cdl;
  exports org.hyperslab.netcdf.time;
}
