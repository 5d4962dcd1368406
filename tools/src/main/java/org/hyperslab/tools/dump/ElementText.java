package org.hyperslab.tools.dump;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.Map;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.convert.NumberCodec;
import org.hyperslab.tools.walk.NativeTypes;

/** Formats single elements of any datatype, given in memory form. */
final class ElementText {

  private static final String CONTINUED = "\n           ";
  private static final long LONGEST_TEXT = Runtime.getRuntime().maxMemory() / 8;
  private static final HexFormat BYTES = HexFormat.ofDelimiter(":");

  private final DumpOptions options;
  private final ReferenceNames references;
  private final VlenHeap heap;
  private Map<Datatype, NumberCodec> codecs;
  private Datatype lastNumber;
  private NumberCodec lastCodec;
  private DumpOptions.PackedBits bits;
  private boolean characters;
  private boolean afterArray;
  private StringBuilder out;
  private int level;

  ElementText(DumpOptions options, ReferenceNames references, VlenHeap heap) {
    this.options = options;
    this.references = references;
    this.heap = heap;
  }

  /** Prints only some bits of integers from now on. */
  void packed(DumpOptions.PackedBits newBits) {
    bits = newBits;
  }

  /** Prints one-byte integers as characters from now on. */
  void asCharacters() {
    characters = true;
  }

  /**
   * Formats an element.
   *
   * @param type its type, in memory form
   * @param at its byte offset
   * @param newLevel indentation of lines within it, in steps of three columns
   */
  String of(Datatype type, MemorySegment elements, long at, int newLevel) {
    StringBuilder text = new StringBuilder();
    appendTo(text, type, elements, at, newLevel);
    return text.toString();
  }

  /** Appends the text of an element, formatted as by {@link #of}. */
  void appendTo(StringBuilder text, Datatype type, MemorySegment elements, long at, int newLevel) {
    out = text;
    level = newLevel;
    append(type, elements, at);
  }

  private void append(Datatype type, MemorySegment elements, long at) {
    if (out.length() > LONGEST_TEXT) {
      throw new UnsupportedFeatureException(
          "text of an element: actual=more than "
              + LONGEST_TEXT
              + " characters, expected=no more, which grows with the memory of the JVM (-Xmx)");
    }
    switch (type) {
      case IntegerType t -> integer(t, elements, at);
      case FloatType t when t.size() <= 8 ->
          options.floats.appendTo(out, codec(t).getDouble(elements, at));
      case FloatType t -> out.append(number(t, elements, at));
      case ComplexType t -> complex(t, elements, at);
      case StringType t -> string(fixed(t, elements, at));
      case VlenStringType t -> {
        MemorySegment text = heap.readSequence(elements, at, 1);
        if (text == null) {
          out.append("NULL");
        } else {
          string(untilZero(text.toArray(ValueLayout.JAVA_BYTE)));
        }
      }
      case TimeType t -> bytes(elements, at, t.size(), t.order());
      case BitfieldType t -> bytes(NativeTypes.bits(t, elements, at));
      case OpaqueType t -> bytes(elements, at, t.size(), Endian.LITTLE);
      case EnumType t -> enumeration(t, elements, at);
      case ReferenceType t -> out.append(references.inline(t, elements, at, heap));
      case CompoundType t -> compound(t, elements, at);
      case ArrayType t -> array(t, elements, at);
      case VlenType t -> sequence(t, elements, at);
    }
  }

  private NumberCodec codec(Datatype type) {
    if (lastNumber == null) { // the only one there will be, unless elements have several members
      lastCodec = NumberCodec.of(type);
    } else if (type != lastNumber) {
      if (codecs == null) {
        codecs = new IdentityHashMap<>();
        codecs.put(lastNumber, lastCodec);
      }
      lastCodec = codecs.computeIfAbsent(type, NumberCodec::of);
    }
    lastNumber = type;
    return lastCodec;
  }

  private void integer(IntegerType t, MemorySegment elements, long at) {
    if (t.size() > 8) {
      out.append(codec(t).getBigInteger(elements, at));
      return;
    }
    long value =
        t.signed() || t.size() < 8
            ? codec(t).getLong(elements, at)
            : codec(t).getBigInteger(elements, at).longValue();
    if (characters && t.size() == 1) {
      character((byte) value);
      return;
    }
    if (bits == null && (t.signed() || value >= 0)) {
      out.append(value);
      return;
    }
    if (bits != null) {
      boolean within = bits.offset() + bits.length() <= 8 * t.size();
      value = within ? bits.apply(value) : 0;
    }
    out.append(t.signed() ? Long.toString(value) : Long.toUnsignedString(value));
  }

  private String number(FloatType t, MemorySegment elements, long at) {
    if (t.size() <= 8) {
      return options.floats.text(codec(t).getDouble(elements, at));
    }
    return codec(t)
        .getExact(elements, at)
        .map(options.longFloats::text)
        .orElseGet(() -> options.longFloats.text(codec(t).getDouble(elements, at)));
  }

  private void complex(ComplexType t, MemorySegment elements, long at) {
    String imaginary = number(t.base(), elements, at + t.base().size());
    out.append(number(t.base(), elements, at));
    out.append(imaginary.startsWith("-") ? "" : "+").append(imaginary).append('i');
  }

  private static byte[] fixed(StringType t, MemorySegment elements, long at) {
    byte[] text = elements.asSlice(at, t.size()).toArray(ValueLayout.JAVA_BYTE);
    return t.padding() == StringPadding.NULLTERM ? untilZero(text) : text;
  }

  static byte[] untilZero(byte[] text) {
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return Arrays.copyOf(text, length);
  }

  private void string(byte[] text) {
    out.append('"');
    for (byte one : text) {
      character(one);
    }
    out.append('"');
  }

  private void character(byte one) {
    switch (one) {
      case '"' -> out.append(options.escape ? "\\\"" : "\"");
      case '\\' -> out.append(options.escape ? "\\\\" : "\\");
      case '\b' -> out.append(options.escape ? "\\b" : "\b");
      case '\f' -> out.append(options.escape ? "\\f" : "\f");
      case '\n' -> out.append(options.escape ? "\\n" : CONTINUED);
      case '\r' -> out.append(options.escape ? "\\r" : "\r" + CONTINUED.substring(1));
      case '\t' -> out.append(options.escape ? "\\t" : "\t");
      default -> {
        if (one >= ' ' && one <= '~') {
          out.append((char) one);
        } else {
          // The C library prints the character sign-extended to an int.
          String octal = Integer.toOctalString(one);
          out.append('\\').append("0".repeat(Math.max(0, 3 - octal.length()))).append(octal);
        }
      }
    }
  }

  private void bytes(MemorySegment elements, long at, int size, Endian order) {
    byte[] raw = elements.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE);
    if (order == Endian.BIG) {
      for (int i = 0; i < size / 2; i++) {
        byte swap = raw[i];
        raw[i] = raw[size - 1 - i];
        raw[size - 1 - i] = swap;
      }
    }
    bytes(raw);
  }

  private void bytes(byte[] text) {
    out.append(text.length == 1 ? "0x" : "").append(BYTES.formatHex(text));
  }

  private void enumeration(EnumType t, MemorySegment elements, long at) {
    long value = codec(t.base()).getLong(elements, at);
    var name = t.nameOf(value);
    if (name.isPresent()) {
      out.append(escaped(name.get()));
    } else {
      bytes(elements, at, t.size(), t.base().order());
    }
  }

  private static String escaped(String name) {
    StringBuilder text = new StringBuilder();
    for (byte one : NameBytes.encode(name)) {
      int index = "'\"\\?\u0007\b\f\n\r\t\u000b".indexOf(one);
      if (index >= 0) {
        text.append('\\').append("'\"\\?abfnrtv".charAt(index));
      } else if (one >= ' ' && one <= '~') {
        text.append((char) one);
      } else {
        text.append('\\').append(octal(one & 0xFF));
      }
    }
    return text.toString();
  }

  private static String octal(int value) {
    String digits = Integer.toOctalString(value);
    return "0".repeat(3 - digits.length()) + digits;
  }

  private void newLine() {
    out.append('\n').append("   ".repeat(level));
  }

  private void compound(CompoundType t, MemorySegment elements, long at) {
    out.append('{');
    level++;
    boolean first = true;
    for (CompoundType.Member member : t.members()) {
      out.append(first ? "" : ",");
      first = false;
      newLine();
      append(member.type(), elements, at + member.offset());
    }
    level--;
    newLine();
    out.append('}');
  }

  private void array(ArrayType t, MemorySegment elements, long at) {
    int row = t.dimensions().getLast();
    int size = t.base().size();
    out.append("[ ");
    level++;
    for (int i = 0; i < t.elementCount(); i++) {
      if (i > 0) {
        out.append(',');
        if (i % row == 0) {
          newLine();
        } else if (afterArray) {
          out.append("\n ").append("   ".repeat(level));
        } else {
          out.append(' ');
        }
      }
      afterArray = false;
      append(t.base(), elements, at + (long) i * size);
    }
    level--;
    out.append(" ]");
    afterArray = true;
  }

  private void sequence(VlenType t, MemorySegment elements, long at) {
    Datatype base = t.base();
    MemorySegment items = heap.readSequence(elements, at, base.size());
    long count = items == null ? 0 : items.byteSize() / base.size();
    out.append('(');
    for (long i = 0; i < count; i++) {
      out.append(i > 0 ? ", " : "");
      level++;
      append(base, items, i * base.size());
      level--;
    }
    out.append(')');
  }
}
