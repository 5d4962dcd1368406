package org.hyperslab.netcdf;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.scales.ScaleConventions;

/**
 * Defines the names and options with which netCDF-4 stores its model in an HDF5 file, and the rule
 * for valid names.
 *
 * <p>Source: netCDF-4 File Format Specification; libdispatch/dstring.c (NC_check_name).
 */
final class NetcdfNames {

  static final String FILL_VALUE = "_FillValue";

  /** The temporary link name of a scale that is being replaced. */
  static final String REPLACED = "_nc4_replaced_scale";

  static final AttributeStorage ATTRIBUTES = AttributeStorage.DEFAULT.withCreationOrder();
  static final GroupOptions GROUP =
      GroupOptions.DEFAULT.withCreationOrder().withAttributes(ATTRIBUTES);

  private static final int MAX_BYTES = 256;

  private NetcdfNames() {}

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
        || !NameBytes.isUtf8(name)
        || name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
        || name.endsWith(" ")
        || ScaleConventions.isReserved(name)) {
      return false;
    }
    char first = name.charAt(0);
    boolean begins = first == '_' || first > 0x7f || Character.isLetterOrDigit(first);
    return begins && name.chars().noneMatch(c -> c == '/' || c < ' ' || c == 0x7f);
  }
}
