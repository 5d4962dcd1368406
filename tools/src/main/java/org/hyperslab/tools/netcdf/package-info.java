/** The commands of netCDF's text form: {@code ncdump}, {@code ncgen}. */
package org.hyperslab.tools.netcdf;
