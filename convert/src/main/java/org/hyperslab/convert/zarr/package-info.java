/**
 * Zarr hierarchies, versions 2 and 3, in folders and zip archives, as source and target.
 *
 * <p>Source: Zarr storage specification version 2; Zarr core specification version 3.
 */
@NullMarked
package org.hyperslab.convert.zarr;

import org.jspecify.annotations.NullMarked;
