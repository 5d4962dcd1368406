/**
 * netCDF's classic files, CDF-1, CDF-2 and CDF-5.
 *
 * <p>Source: the netCDF classic format specification, and PnetCDF's specification of CDF-5.
 */
@NullMarked
package org.hyperslab.convert.classic;

import org.jspecify.annotations.NullMarked;
