package org.hyperslab.tools.listing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.IdentityHashMap;
import java.util.Map;
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
import org.hyperslab.tools.number.PrintfNumber;
import org.hyperslab.tools.walk.NativeTypes;

/** Formats one element of any datatype in memory form as {@code h5ls -d} does. */
final class ValueText {

  /** Marks a place at which an element's text may be broken. */
  static final char BREAK = '\u0001';

  private static final int MAX_REPEATED = 8;
  private static final PrintfNumber SHORT = PrintfNumber.SHORTEST;
  private static final PrintfNumber LONG = PrintfNumber.of("%1.15g");

  /** Describes the target of a reference. */
  @FunctionalInterface
  interface ReferenceText {
    /** Returns the text of a reference. */
    String of(ReferenceType type, MemorySegment elements, long at, VlenHeap heap);
  }

  private final ListingOptions options;
  private final VlenHeap heap;
  private final ReferenceText references;
  private final boolean fullPrecision;
  private final Map<Datatype, NumberCodec> codecs = new IdentityHashMap<>();
  private final StringBuilder out = new StringBuilder();

  /**
   * Creates a formatter.
   *
   * @param fullPrecision whether numbers of double precision get 15 digits instead of 6
   */
  ValueText(
      ListingOptions options, VlenHeap heap, ReferenceText references, boolean fullPrecision) {
    this.options = options;
    this.heap = heap;
    this.references = references;
    this.fullPrecision = fullPrecision;
  }

  /** Returns an element's text. */
  String of(Datatype type, MemorySegment elements, long at) {
    out.setLength(0);
    if (options.hexadecimal) {
      bytes(elements, at, type.size(), Endian.LITTLE);
    } else if (options.characters && type instanceof IntegerType && type.size() == 1) {
      character(elements.get(ValueLayout.JAVA_BYTE, at));
    } else {
      append(type, elements, at);
    }
    return out.toString();
  }

  private void append(Datatype type, MemorySegment elements, long at) {
    switch (type) {
      case IntegerType t -> integer(t, elements, at);
      case FloatType t -> out.append(number(t, elements, at));
      case ComplexType t -> {
        String imaginary = number(t.base(), elements, at + t.base().size());
        out.append(number(t.base(), elements, at));
        out.append(imaginary.startsWith("-") ? "" : "+").append(imaginary).append('i');
      }
      case StringType t ->
          string(
              elements.asSlice(at, t.size()).toArray(ValueLayout.JAVA_BYTE),
              t.padding() == StringPadding.NULLTERM);
      case VlenStringType t -> {
        MemorySegment text = heap.readSequence(elements, at, 1);
        if (text == null) {
          out.append("NULL");
        } else {
          string(text.toArray(ValueLayout.JAVA_BYTE), true);
        }
      }
      case TimeType t -> bytes(elements, at, t.size(), t.order());
      case BitfieldType t -> {
        byte[] bits = NativeTypes.bits(t, elements, at);
        bytes(MemorySegment.ofArray(bits), 0, bits.length, Endian.LITTLE);
      }
      case OpaqueType t -> bytes(elements, at, t.size(), Endian.LITTLE);
      case EnumType t -> enumeration(t, elements, at);
      case ReferenceType t -> out.append(references.of(t, elements, at, heap));
      case CompoundType t -> compound(t, elements, at);
      case ArrayType t -> items(t.base(), elements, at, t.elementCount(), "[]");
      case VlenType t -> {
        MemorySegment items = heap.readSequence(elements, at, t.base().size());
        long count = items == null ? 0 : items.byteSize() / t.base().size();
        items(t.base(), items, 0, count, "()");
      }
    }
  }

  private NumberCodec codec(Datatype type) {
    return codecs.computeIfAbsent(type, NumberCodec::of);
  }

  private void integer(IntegerType t, MemorySegment elements, long at) {
    if (t.size() > 8 || (t.size() == 8 && !t.signed())) {
      out.append(codec(t).getBigInteger(elements, at));
    } else {
      out.append(codec(t).getLong(elements, at));
    }
  }

  private String number(FloatType t, MemorySegment elements, long at) {
    if (t.size() > 8) {
      return codec(t)
          .getExact(elements, at)
          .map(SHORT::text)
          .orElseGet(() -> SHORT.text(codec(t).getDouble(elements, at)));
    }
    return (fullPrecision && t.size() > 4 ? LONG : SHORT).text(codec(t).getDouble(elements, at));
  }

  /** Appends characters; a run of more than eight equal ones is abbreviated with its count. */
  private void string(byte[] text, boolean untilZero) {
    char quote = 0;
    int i = 0;
    for (; i < text.length && (text[i] != 0 || !untilZero); i++) {
      int same = 1;
      while (i + same < text.length && text[i + same] == text[i]) {
        same++;
      }
      if (same > MAX_REPEATED) {
        out.append(quote == 0 ? "" : String.valueOf(quote)).append(i == 0 ? "'" : " '");
        character(text[i]);
        out.append("' repeats ").append(same - 1).append(" times");
        quote = 0;
        i += same - 1;
        continue;
      }
      if (quote == 0) {
        quote = '"';
        out.append(i == 0 ? "\"" : " \"");
      }
      character(text[i]);
    }
    out.append(quote == 0 ? "" : String.valueOf(quote)).append(i == 0 ? "\"\"" : "");
  }

  private void character(byte one) {
    if (options.simple) {
      // As in a URI, so that words have no blanks; sign-extended to an int by the C library.
      String hex = Integer.toHexString(one);
      boolean plain = one > ' ' && one <= '~';
      out.append(plain ? Character.toString(one) : "%" + (hex.length() < 2 ? "0" : "") + hex);
      return;
    }
    int index = "\"\\\b\f\n\r\t".indexOf(one);
    if (index >= 0) {
      out.append('\\').append("\"\\bfnrt".charAt(index));
    } else if (one >= ' ' && one <= '~') {
      out.append((char) one);
    } else {
      // The C library prints the character sign-extended to an int.
      String octal = Integer.toOctalString(one);
      out.append('\\').append("0".repeat(Math.max(0, 3 - octal.length()))).append(octal);
    }
  }

  private void bytes(MemorySegment elements, long at, int size, Endian order) {
    out.append(size == 1 ? "0x" : "");
    for (int i = 0; i < size; i++) {
      int place = order == Endian.BIG ? size - 1 - i : i;
      int one = elements.get(ValueLayout.JAVA_BYTE, at + place) & 0xFF;
      out.append(i == 0 ? "" : ":");
      out.append(Character.forDigit(one >> 4, 16)).append(Character.forDigit(one & 15, 16));
    }
  }

  private void enumeration(EnumType t, MemorySegment elements, long at) {
    var name = t.nameOf(codec(t.base()).getLong(elements, at));
    if (name.isEmpty()) {
      bytes(elements, at, t.size(), t.base().order());
      return;
    }
    for (byte one : NameBytes.encode(name.get())) {
      int index = "'?\u0007\u000b".indexOf(one);
      if (index >= 0) {
        out.append('\\').append("'?av".charAt(index));
      } else {
        character(one);
      }
    }
  }

  private void compound(CompoundType t, MemorySegment elements, long at) {
    boolean bare = options.simple && !options.labels;
    out.append(bare ? "" : "{");
    boolean first = true;
    for (CompoundType.Member member : t.members()) {
      out.append(first ? "" : options.simple ? " " : ", " + BREAK);
      first = false;
      if (options.labels) {
        out.append(member.name()).append('=');
      }
      append(member.type(), elements, at + member.offset());
    }
    out.append(bare ? "" : "}");
  }

  private void items(Datatype base, MemorySegment items, long at, long count, String brackets) {
    boolean bare = options.simple && brackets.equals("[]");
    out.append(bare ? "" : brackets.substring(0, 1));
    for (long i = 0; i < count; i++) {
      out.append(i == 0 ? "" : bare ? "  " : "," + BREAK);
      append(base, items, at + i * base.size());
    }
    out.append(bare ? "" : brackets.substring(1));
  }
}
