package org.hyperslab.netcdf;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.GroupOptions;

/**
 * Names and texts by which netCDF-4 keeps its model in an HDF5 file, and the rule for names.
 *
 * <p>Source: netCDF-4 File Format Specification; libdispatch/dstring.c (NC_check_name).
 */
final class NetcdfNames {

  static final String CLASS = "CLASS";
  static final String SCALE = "DIMENSION_SCALE";
  static final String NAME = "NAME";
  static final String DIMENSION_LIST = "DIMENSION_LIST";
  static final String REFERENCE_LIST = "REFERENCE_LIST";
  static final String DIMENSION_ID = "_Netcdf4Dimid";
  static final String COORDINATES = "_Netcdf4Coordinates";
  static final String STRICT = "_nc3_strict";
  static final String PROPERTIES = "_NCProperties";
  static final String FILL_VALUE = "_FillValue";
  static final String NOT_COORDINATE = "_nc4_non_coord_";
  static final String NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable.";

  /** The link of a scale while another dataset takes its place. */
  static final String REPLACED = "_nc4_replaced_scale";

  /** Attributes that say how the model is kept, and nothing about the data. */
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

  static final AttributeStorage ATTRIBUTES = AttributeStorage.DEFAULT.withCreationOrder();
  static final GroupOptions GROUP =
      GroupOptions.DEFAULT.withCreationOrder().withAttributes(ATTRIBUTES);

  private static final int MOST_BYTES = 256;

  private NetcdfNames() {}

  /** Returns the text that {@code NAME} of a dimension without a variable has. */
  static String noVariable(long length) {
    return NO_VARIABLE + String.format(Locale.ROOT, "%10d", length);
  }

  /** Returns a name in the form in which files keep it, Unicode's normalization form C. */
  static String checked(String name, String what) {
    if (name == null) {
      throw new InvalidUseException(what + ": actual=null, expected=a name");
    }
    String normal = Normalizer.normalize(name, Normalizer.Form.NFC);
    if (!isValid(normal)) {
      throw new InvalidUseException(
          what
              + ": actual=\""
              + name
              + "\", expected=1 to 256 bytes of UTF-8 that begin with a letter, digit, _ or a"
              + " character beyond ASCII, without / or control characters, and do not end with a"
              + " space");
    }
    return normal;
  }

  private static boolean isValid(String name) {
    if (name.isEmpty()
        || name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES
        || name.endsWith(" ")
        || name.startsWith(NOT_COORDINATE)) {
      return false;
    }
    char first = name.charAt(0);
    boolean begins = first == '_' || first > 0x7f || Character.isLetterOrDigit(first);
    return begins && name.chars().noneMatch(c -> c == '/' || c < ' ' || c == 0x7f);
  }
}
