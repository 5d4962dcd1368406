/**
 * CDL, the text form of netCDF files: {@link org.hyperslab.netcdf.cdl.CdlDump} writes it as {@code
 * ncdump} does. Both ends meet in {@link org.hyperslab.netcdf.cdl.CdlFile}, which is made of a
 * netCDF-4 file here, and of files of other formats by other modules.
 *
 * <p>Source: The NetCDF User's Guide, "The CDL Language"; manual pages of ncdump and ncgen.
 */
@NullMarked
package org.hyperslab.netcdf.cdl;

import org.jspecify.annotations.NullMarked;
