/** netCDF-4 files as target, over the module of netCDF. */
package org.hyperslab.convert.netcdf4;
