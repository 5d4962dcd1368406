package org.hyperslab.testkit.differential;

import java.util.List;

/** Writes trees of lists, texts, numbers and null as JSON, in Python's form without blanks. */
final class Json {

  private Json() {}

  /** Returns the text of a tree. */
  static String text(Object tree) {
    StringBuilder out = new StringBuilder();
    write(tree, out);
    return out.toString();
  }

  private static void write(Object tree, StringBuilder out) {
    switch (tree) {
      case null -> out.append("null");
      case String text -> quote(text, out);
      case List<?> list -> {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
          out.append(i == 0 ? "" : ",");
          write(list.get(i), out);
        }
        out.append(']');
      }
      case Fields fields -> write(fields, out);
      default -> out.append(tree);
    }
  }

  private static void write(Fields fields, StringBuilder out) {
    out.append('{');
    for (int i = 0; i < fields.entries().size(); i += 2) {
      out.append(i == 0 ? "" : ",");
      quote((String) fields.entries().get(i), out);
      out.append(':');
      write(fields.entries().get(i + 1), out);
    }
    out.append('}');
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  /**
   * An object of JSON.
   *
   * @param entries names, each followed by its value
   */
  record Fields(List<Object> entries) {}
}
