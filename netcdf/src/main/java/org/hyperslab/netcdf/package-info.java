/**
 * netCDF-4 files for people who think in dimensions and variables. {@link
 * org.hyperslab.netcdf.NetcdfFile} creates and opens them, on this machine, by many ranks, or on a
 * staging server.
 *
 * <p>Source: netCDF-4 File Format Specification (Unidata), and what netCDF-C 4.9 writes.
 */
package org.hyperslab.netcdf;
