package org.hyperslab.convert.numpy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.interchange.numpy.PythonLiteral;

/**
 * A user's description of the content of a file without a header: {@code
 * type=<f8,shape=100x200,order=C,offset=0}.
 *
 * @param type NumPy's type, parsed
 * @param shape the lengths; empty for one element
 * @param fortran whether the first dimension varies fastest
 * @param offset bytes before the first element
 */
record RawDescription(Object type, long[] shape, boolean fortran, long offset) {

  private static final List<String> NAMES = List.of("type", "shape", "order", "offset");

  /**
   * Parses a description.
   *
   * @throws InvalidUseException if it is malformed
   */
  static RawDescription parse(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : text.split(",(?=(?:type|shape|order|offset)=)")) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals).strip();
      if (!NAMES.contains(name) || values.put(name, part.substring(equals + 1).strip()) != null) {
        throw wrong(part);
      }
    }
    String type = values.getOrDefault("type", "");
    String order = values.getOrDefault("order", "C");
    if (type.isEmpty() || (!order.equals("C") && !order.equals("F"))) {
      throw wrong(text);
    }
    Object parsed = type.startsWith("[") ? PythonLiteral.parse(type, "description") : type;
    long[] shape = shape(values.getOrDefault("shape", ""), text);
    long offset = number(values.getOrDefault("offset", "0"), text);
    return new RawDescription(parsed, shape, order.equals("F"), offset);
  }

  private static long[] shape(String shape, String text) {
    if (shape.isEmpty()) {
      return new long[0];
    }
    String[] lengths = shape.split("x", -1);
    long[] dims = new long[lengths.length];
    for (int d = 0; d < dims.length; d++) {
      dims[d] = number(lengths[d], text);
    }
    return dims;
  }

  private static long number(String digits, String text) {
    if (!digits.matches("[0-9]{1,18}")) {
      throw wrong(text);
    }
    return Long.parseLong(digits);
  }

  private static InvalidUseException wrong(String text) {
    return new InvalidUseException(
        "description of a raw file: actual=\""
            + text
            + "\", expected=type=<f8,shape=100x200,order=C or F,offset=BYTES");
  }
}
