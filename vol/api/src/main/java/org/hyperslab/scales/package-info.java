/**
 * Dimensions that variables share, as netCDF-4 keeps them in an HDF5 file: the one place that knows
 * how. {@link org.hyperslab.scales.DimensionTable} reads them, {@link
 * org.hyperslab.scales.ScaleConventions} names and writes them.
 *
 * <p>Source: netCDF-4 File Format Specification (Unidata); hl/src/H5DS.c.
 */
@NullMarked
package org.hyperslab.scales;

import org.jspecify.annotations.NullMarked;
