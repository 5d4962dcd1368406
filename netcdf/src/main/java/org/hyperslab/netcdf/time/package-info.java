/**
 * Times as netCDF files have them: a number, units such as {@code days since 2000-01-01}, and one
 * of the calendars of the CF conventions. {@link org.hyperslab.netcdf.time.CfTime} converts them to
 * dates and back.
 *
 * <p>Source: CF conventions, section "Time Coordinate".
 */
@NullMarked
package org.hyperslab.netcdf.time;

import org.jspecify.annotations.NullMarked;
