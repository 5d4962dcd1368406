/**
 * Reads and writes netCDF-4 files in terms of dimensions and variables. {@link
 * org.hyperslab.netcdf.NetcdfFile} creates and opens files on this machine, on many ranks, or on a
 * staging server.
 *
 * <p>Source: netCDF-4 File Format Specification (Unidata), and what netCDF-C 4.9 writes.
 */
@NullMarked
package org.hyperslab.netcdf;

import org.jspecify.annotations.NullMarked;
