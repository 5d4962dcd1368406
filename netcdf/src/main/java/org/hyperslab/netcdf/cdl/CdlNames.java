package org.hyperslab.netcdf.cdl;

import java.util.Set;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.jspecify.annotations.Nullable;

/** Names of types and objects, as CDL writes them. */
final class CdlNames {

  private static final String ESCAPED = " !\"#$&'()*,:;<=>?[]\\^`{|}~";

  /** After these names a space separates a colon from what looks like a section. */
  private static final Set<String> SECTIONS =
      Set.of("variables", "dimensions", "data", "group", "types");

  private CdlNames() {}

  /** Returns a name with a backslash before each character that means something else in CDL. */
  static String escaped(String name) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || c == 0x7f) {
        out.append("\\%%%02x".formatted((int) c));
        continue;
      }
      boolean isDigitFirst = i == 0 && c >= '0' && c <= '9';
      if (isDigitFirst || ESCAPED.indexOf(c) >= 0) {
        out.append('\\');
      }
      out.append(c);
    }
    return out.toString();
  }

  static boolean isSection(String name) {
    return SECTIONS.contains(name);
  }

  /** Returns the name of a type that is not user-defined; null for others. */
  static @Nullable String primitive(Datatype type) {
    return switch (type) {
      case IntegerType number -> integer(number);
      case FloatType number -> number.size() == 4 ? "float" : "double";
      case StringType text -> text.size() == 1 ? "char" : "string";
      case VlenStringType _ -> "string";
      default -> null;
    };
  }

  private static String integer(IntegerType type) {
    String signed =
        switch (type.size()) {
          case 1 -> "byte";
          case 2 -> "short";
          case 4 -> "int";
          default -> "int64";
        };
    return type.signed() ? signed : "u" + signed;
  }
}
