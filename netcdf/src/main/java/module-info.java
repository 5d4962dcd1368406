/** netCDF-4 files by dimensions and variables, over any connector. */
module org.hyperslab.netcdf {
  requires transitive org.hyperslab.vol;

  exports org.hyperslab.netcdf;
}
