/** netCDF-4 files as target, over the module of netCDF. */
@NullMarked
package org.hyperslab.convert.netcdf4;

import org.jspecify.annotations.NullMarked;
