package org.hyperslab.convert;

import java.util.Set;

/**
 * Names and texts by which netCDF-4 keeps dimensions in an HDF5 file.
 *
 * <p>Source: netCDF-4 file format specification; hl/src/H5DS.c.
 */
final class ScaleNames {

  static final String CLASS = "CLASS";
  static final String SCALE = "DIMENSION_SCALE";
  static final String NAME = "NAME";
  static final String DIMENSION_LIST = "DIMENSION_LIST";
  static final String REFERENCE_LIST = "REFERENCE_LIST";
  static final String DIMENSION_ID = "_Netcdf4Dimid";
  static final String COORDINATES = "_Netcdf4Coordinates";
  static final String STRICT = "_nc3_strict";
  static final String PROPERTIES = "_NCProperties";
  static final String NOT_COORDINATE = "_nc4_non_coord_";
  static final String NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable.";

  /** Attributes that say how dimensions are kept, and nothing about the data. */
  static final Set<String> HIDDEN =
      Set.of(
          CLASS,
          NAME,
          DIMENSION_LIST,
          REFERENCE_LIST,
          DIMENSION_ID,
          COORDINATES,
          STRICT,
          PROPERTIES);

  private ScaleNames() {}
}
