package org.hyperslab.web.grove;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hyperslab.Memory;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.json.ReferenceTexts;
import org.hyperslab.web.limit.RequestBudget;

/**
 * Writes elements of one or two dimensions as comma-separated values (RFC 4180), one line for each
 * row. Bytes of texts that are not UTF-8 are spelled ({@link NameBytes#spelling}), and references
 * are paths ({@link ReferenceTexts}).
 */
final class CsvText {

  /** The characters for which memory is taken at a time. */
  private static final int HELD_CHARS = 1 << 16;

  private static final int MAX_CHARS = 128 << 20;

  private final ReferenceTexts references;
  private final StringBuilder text = new StringBuilder();

  private CsvText(ReferenceTexts references) {
    this.references = references;
  }

  static String of(Memory memory, long[] shape, ReferenceTexts references, RequestBudget budget) {
    return new CsvText(references).rows(memory, shape, budget);
  }

  private String rows(Memory memory, long[] shape, RequestBudget budget) {
    if (shape.length > 2) {
      throw new UnsupportedFeatureException(
          "CSV: actual="
              + shape.length
              + " dimensions, expected=at most 2; choose them with a "
              + "selection");
    }
    ElementCodec codec = ElementCodec.of(memory.type().inMemory());
    if (memory.type() instanceof CompoundType compound && !ElementCodec.isComplexPair(compound)) {
      names(compound);
    }
    long columns = shape.length == 2 ? shape[1] : 1;
    long held = 0;
    long count = memory.space().elementCount();
    for (long i = 0; i < count; i++) {
      Object value =
          codec.decode(memory.data().elements(), i * codec.type().size(), memory.data().heap());
      append(value);
      text.append((i + 1) % columns == 0 ? "\r\n" : ",");
      if (text.length() > held) {
        budget.hold(HELD_CHARS);
        held += HELD_CHARS;
      }
      if (text.length() > MAX_CHARS) {
        throw new UnsupportedFeatureException(
            "CSV: actual=more than "
                + MAX_CHARS
                + " characters, expected=fewer; select fewer "
                + "elements");
      }
    }
    return text.toString();
  }

  private void names(CompoundType compound) {
    String separator = "";
    for (CompoundType.Member member : compound.members()) {
      text.append(separator);
      cell(member.name());
      separator = ",";
    }
    text.append("\r\n");
  }

  private void append(Object value) {
    if (value instanceof Map<?, ?> members) {
      String separator = "";
      for (Object member : members.values()) {
        text.append(separator);
        append(member);
        separator = ",";
      }
    } else if (value instanceof byte[] bytes) {
      text.append(HexFormat.of().formatHex(bytes));
    } else if (value instanceof List<?> list) {
      cell(listed(list).toString());
    } else if (value instanceof Reference reference) {
      cell(references.of(reference));
    } else if (value instanceof Complex number) {
      cell(literal(number));
    } else if (value != null) {
      cell(value.toString());
    }
  }

  /** Returns a list in which references are texts. */
  private List<Object> listed(List<?> list) {
    List<Object> texts = new ArrayList<>();
    for (Object each : list) {
      texts.add(
          switch (each) {
            case List<?> inner -> listed(inner);
            case Reference reference -> references.of(reference);
            case null -> "";
            default -> each;
          });
    }
    return texts;
  }

  /** Returns a number as Python and NumPy read it, such as 1.0-2.0j. */
  private static String literal(Complex number) {
    String sign = Math.copySign(1, number.imaginary()) < 0 ? "-" : "+";
    return part(number.real()) + sign + part(Math.abs(number.imaginary())) + "j";
  }

  private static String part(double number) {
    return Double.isNaN(number) ? "nan" : Double.toString(number).replace("Infinity", "inf");
  }

  private void cell(String content) {
    String value = NameBytes.spelling(content);
    boolean plain = value.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    text.append(plain ? value : '"' + value.replace("\"", "\"\"") + '"');
  }
}
