/**
 * Converts files of other formats to HDF5 and back: {@link org.hyperslab.convert.FileConverter}.
 * Content that a target cannot hold is an error, or is left out and listed; it is never changed
 * silently.
 *
 * <p>All formats share one model of groups, variables, dimensions and attributes; elements are read
 * in blocks. Each format has a source, which builds the model of a file, and most have a target,
 * which writes a file from the model:
 *
 * <ul>
 *   <li>{@code Hdf5*}: HDF5 files, through the public API and so any connector.
 *   <li>{@code Netcdf*}, {@code Classic*}: netCDF's classic files, CDF-1, CDF-2 and CDF-5. Source:
 *       the netCDF classic format specification, and PnetCDF's specification of CDF-5.
 *   <li>{@code Numpy*}, {@code Npy*}: NumPy arrays ({@code .npy}, versions 1 to 3) and archives of
 *       arrays ({@code .npz}). Source: NumPy Enhancement Proposal 1 and numpy.lib.format's
 *       documentation.
 *   <li>{@code Table*}, {@code Row*}: values separated by commas or tabs. Source: RFC 4180; numbers
 *       as Python's csv and float write them.
 *   <li>{@code Zarr*}: Zarr hierarchies, versions 2 and 3, in folders and zip archives. Source:
 *       Zarr storage specification version 2; Zarr core specification version 3.
 * </ul>
 */
package org.hyperslab.convert;
