package org.hyperslab.convert.numpy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.interchange.numpy.PythonLiteral;

/**
 * Reads and writes the attribute that keeps NumPy's description of a type if it cannot be derived
 * from the HDF5 type: text (U), times (M8, m8) and titles of fields.
 */
final class NumpyAttribute {

  static final String NAME = "numpy_dtype";

  private NumpyAttribute() {}

  /** Returns the attribute for a type, if it needs one. */
  static List<AttributeValue> keep(String descr, Object parsed, Datatype type, String file) {
    Optional<String> natural = Descr.natural(type);
    boolean same =
        natural.isPresent() && PythonLiteral.parse(natural.get(), file).equals(normal(parsed));
    return same ? List.of() : List.of(AttributeValue.ofText(NAME, descr));
  }

  /**
   * Returns a description with the byte order of this machine, and of one byte, written as NumPy
   * does.
   */
  private static Object normal(Object descr) {
    return switch (descr) {
      case String code when code.startsWith("=") -> "<" + code.substring(1);
      case List<?> list -> {
        List<Object> all = new ArrayList<>();
        list.forEach(each -> all.add(normal(each)));
        yield all;
      }
      default -> descr;
    };
  }

  /** Returns the description in a variable's attribute, if it matches the variable's type. */
  static Optional<String> of(Variable variable) {
    Optional<String> text = variable.attribute(NAME).flatMap(AttributeValue::text);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Object parsed = PythonLiteral.parse(text.get(), variable.path());
      boolean fits = NumpyType.of(parsed, variable.path()).type().equals(variable.type());
      return fits ? text : Optional.empty();
    } catch (CorruptFileException | UnsupportedFeatureException _) {
      return Optional.empty(); // an unrelated attribute with that name
    }
  }
}
