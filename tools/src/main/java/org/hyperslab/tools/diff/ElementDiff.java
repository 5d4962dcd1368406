package org.hyperslab.tools.diff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
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

/**
 * Compares the elements of two datasets or attributes of the same class and shape, and prints a
 * table of the places and values that differ.
 */
final class ElementDiff {

  private static final PrintfNumber SHORT = PrintfNumber.SHORTEST;
  private static final PrintfNumber TEN_DIGITS = PrintfNumber.of("%.10g");
  private static final PrintfNumber FIXED = PrintfNumber.of("%f");
  private static final double FLOAT_EPSILON = 0x1p-23;
  private static final double DOUBLE_EPSILON = 0x1p-52;

  /** Compares the targets of two references. */
  @FunctionalInterface
  interface ReferenceDiff {
    /** Returns the number of differences between the targets of two references. */
    long compare(Side first, Side second);
  }

  /** An element's bytes, its type in memory form and the heap behind it. */
  record Side(Datatype type, MemorySegment elements, long at, VlenHeap heap) {
    Side at(Datatype newType, long offset) {
      return new Side(newType, elements, at + offset, heap);
    }
  }

  private final DiffOutcome outcome;
  private final DiffOptions options;
  private final String firstName;
  private final String secondName;
  private final Dataspace space;
  private final ReferenceDiff references;
  private final Map<Datatype, NumberCodec> codecs = new IdentityHashMap<>();
  private boolean headerPrinted;
  private long position;
  private long found;

  ElementDiff(
      DiffOutcome outcome,
      String firstName,
      String secondName,
      Dataspace space,
      ReferenceDiff references) {
    this.outcome = outcome;
    this.options = outcome.options;
    this.firstName = firstName;
    this.secondName = secondName;
    this.space = space;
    this.references = references;
  }

  /** Returns the number of differences. */
  long found() {
    return found;
  }

  /**
   * Compares a piece.
   *
   * @param first the row-major position of its first element
   * @return whether to continue
   */
  boolean piece(Datatype a, DataBuffer left, Datatype b, DataBuffer right, long first, long count) {
    Side one = new Side(a, left.elements(), 0, left.heap());
    Side other = new Side(b, right.elements(), 0, right.heap());
    boolean skips = bytesTell(a, b);
    long i = skips ? unequal(one, other, 0, count) : 0;
    while (i < count) {
      position = first + i;
      element(one.at(a, i * a.size()), other.at(b, i * b.size()));
      if (found >= options.most) {
        return false;
      }
      i = skips ? unequal(one, other, i + 1, count) : i + 1;
    }
    return true;
  }

  /** Returns the first element from a position on whose bytes differ; the end if there is none. */
  private static long unequal(Side a, Side b, long from, long end) {
    long size = a.type.size();
    long same =
        MemorySegment.mismatch(
            a.elements, from * size, end * size, b.elements, from * size, end * size);
    return same < 0 ? end : from + same / size;
  }

  /** Returns whether two types are the same, and equal bytes are equal values. */
  static boolean bytesTell(Datatype a, Datatype b) {
    return a.equals(b) && plain(a);
  }

  /** Returns whether equal bytes are equal values. */
  private static boolean plain(Datatype type) {
    return !type.hasOutOfLineParts()
        && !(type instanceof ReferenceType)
        && !(type instanceof CompoundType)
        && !(type instanceof EnumType);
  }

  private void element(Side a, Side b) {
    switch (a.type()) {
      case IntegerType t -> integers(a, b);
      case FloatType t -> floats(a, b);
      case ComplexType t -> {
        ComplexType u = (ComplexType) b.type();
        element(a.at(t.base(), 0), b.at(u.base(), 0));
        element(a.at(t.base(), t.base().size()), b.at(u.base(), u.base().size()));
      }
      case StringType t -> strings(text(a), text(b));
      case VlenStringType t -> strings(text(a), text(b));
      case TimeType t -> bytes(a, b);
      case BitfieldType t -> bits(t, a, (BitfieldType) b.type(), b);
      case OpaqueType t -> bytes(a, b);
      case EnumType t -> enumerations(a, b);
      case ReferenceType t -> found += references.compare(a, b);
      case CompoundType t -> {
        CompoundType u = (CompoundType) b.type();
        for (int m = 0; m < t.members().size(); m++) {
          CompoundType.Member one = t.members().get(m);
          CompoundType.Member other = u.members().get(m);
          element(a.at(one.type(), one.offset()), b.at(other.type(), other.offset()));
        }
      }
      case ArrayType t -> {
        ArrayType u = (ArrayType) b.type();
        items(a, b, Math.min(t.elementCount(), u.elementCount()), t.base(), u.base());
      }
      case VlenType t -> sequences(a, b, t.base(), ((VlenType) b.type()).base());
    }
  }

  private void items(Side a, Side b, long count, Datatype one, Datatype other) {
    for (long i = 0; i < count; i++) {
      element(a.at(one, i * one.size()), b.at(other, i * other.size()));
    }
  }

  private void sequences(Side a, Side b, Datatype one, Datatype other) {
    MemorySegment left = a.heap.readSequence(a.elements, a.at, one.size());
    MemorySegment right = b.heap.readSequence(b.elements, b.at, other.size());
    long leftCount = left == null ? 0 : left.byteSize() / one.size();
    long rightCount = right == null ? 0 : right.byteSize() / other.size();
    items(
        new Side(one, left, 0, a.heap),
        new Side(other, right, 0, b.heap),
        Math.min(leftCount, rightCount),
        one,
        other);
    if (leftCount != rightCount) {
      differ(Long.toString(leftCount) + " items", rightCount + " items", "");
    }
  }

  private NumberCodec codec(Datatype type) {
    return codecs.computeIfAbsent(type, NumberCodec::of);
  }

  private void integers(Side a, Side b) {
    if (wide(a.type()) || wide(b.type())) {
      BigInteger left = codec(a.type()).getBigInteger(a.elements, a.at);
      BigInteger right = codec(b.type()).getBigInteger(b.elements, b.at);
      if (!left.equals(right)) {
        BigInteger difference = left.subtract(right).abs();
        number(left.toString(), right.toString(), difference.toString(), ratio(left, right));
      }
      return;
    }
    long left = codec(a.type()).getLong(a.elements, a.at);
    long right = codec(b.type()).getLong(b.elements, b.at);
    if (left != right) {
      integer(left, right);
    }
  }

  private static boolean wide(Datatype type) {
    return type.size() > 8 || (type instanceof IntegerType t && type.size() == 8 && !t.signed());
  }

  private static double ratio(BigInteger left, BigInteger right) {
    return left.signum() == 0
        ? Double.NaN
        : Math.abs(right.subtract(left).doubleValue() / left.doubleValue());
  }

  private void integer(long left, long right) {
    double ratio = left == 0 ? Double.NaN : Math.abs(((double) right - left) / left);
    number(
        Long.toString(left),
        Long.toString(right),
        Long.toUnsignedString(left > right ? left - right : right - left),
        ratio);
  }

  /** Counts and prints two numbers if they differ by the options' tolerances. */
  private void number(String left, String right, String difference, double ratio) {
    boolean beyondDelta =
        Double.isNaN(options.delta) || new BigDecimal(difference).doubleValue() > options.delta;
    if (Double.isNaN(options.relative)) {
      if (beyondDelta) {
        differ(left, right, difference);
      }
    } else if (Double.isNaN(ratio)) {
      differ(left, right, difference + pad(difference) + " not comparable");
    } else if (ratio > options.relative && beyondDelta) {
      String part = FIXED.text(ratio);
      differ(left, right, difference + pad(difference) + " " + part + spaces(part, 14));
    }
  }

  private static String pad(String text) {
    return spaces(text, 15);
  }

  private static String spaces(String text, int columns) {
    return " ".repeat(Math.max(0, columns - text.length()));
  }

  private void floats(Side a, Side b) {
    double left = codec(a.type()).getDouble(a.elements, a.at);
    double right = codec(b.type()).getDouble(b.elements, b.at);
    if (options.equalNans && (Double.isNaN(left) || Double.isNaN(right))) {
      if (!Double.isNaN(left) || !Double.isNaN(right)) {
        differ(SHORT.text(left), SHORT.text(right), SHORT.text(Double.NaN));
      }
      return;
    }
    boolean single = a.type().size() <= 4 && b.type().size() <= 4;
    double difference = single ? Math.abs((float) left - (float) right) : Math.abs(left - right);
    if (left == right || (options.exact() && epsilonApart(difference, single))) {
      return;
    }
    boolean beyondDelta = Double.isNaN(options.delta) || difference > options.delta;
    if (Double.isNaN(options.relative)) {
      if (beyondDelta) {
        differ(SHORT.text(left), SHORT.text(right), SHORT.text(difference));
      }
      return;
    }
    double ratio = single ? ((float) right - (float) left) / (float) left : (right - left) / left;
    String size = TEN_DIGITS.text(difference);
    if (left == 0) {
      differ(TEN_DIGITS.text(left), TEN_DIGITS.text(right), size + pad(size) + " not comparable");
    } else if (Math.abs(ratio) > options.relative && beyondDelta) {
      String part = TEN_DIGITS.text(Math.abs(ratio));
      String tail = size + pad(size) + " " + part + spaces(part, 14);
      differ(TEN_DIGITS.text(left), TEN_DIGITS.text(right), tail);
    }
  }

  private boolean epsilonApart(double difference, boolean single) {
    return options.systemEpsilon && difference < (single ? FLOAT_EPSILON : DOUBLE_EPSILON);
  }

  private static byte[] text(Side side) {
    MemorySegment segment =
        side.type instanceof VlenStringType
            ? side.heap.readSequence(side.elements, side.at, 1)
            : side.elements.asSlice(side.at, side.type.size());
    if (segment == null) {
      return new byte[0];
    }
    byte[] all = segment.toArray(ValueLayout.JAVA_BYTE);
    boolean ends =
        side.type instanceof VlenStringType
            || (side.type instanceof StringType t && t.padding() == StringPadding.NULLTERM);
    int length = 0;
    while (length < all.length && (!ends || all[length] != 0)) {
      length++;
    }
    return Arrays.copyOf(all, length);
  }

  /** Compares character by character; extra characters count as one difference. */
  private void strings(byte[] a, byte[] b) {
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i] != b[i]) {
        found++;
        if (options.printsDifferences() && found <= options.most) {
          place();
          outcome.line("            " + shown(a[i]) + "            " + shown(b[i]));
        }
      }
    }
    if (a.length != b.length) {
      differ(NameBytes.decode(a), NameBytes.decode(b), "length");
    }
  }

  private static String shown(byte one) {
    int index = "\b\f\n\r\t\"\\".indexOf(one);
    if (index >= 0) {
      return "\\" + "bfnrt\"\\".charAt(index);
    }
    return one >= ' ' && one <= '~'
        ? String.valueOf((char) one)
        : "\\" + Integer.toOctalString(0x200 | (one & 0xFF)).substring(1);
  }

  private void bits(BitfieldType one, Side a, BitfieldType other, Side b) {
    byte[] left = NativeTypes.bits(one, a.elements, a.at);
    byte[] right = NativeTypes.bits(other, b.elements, b.at);
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      if (left[i] != right[i]) {
        integer(left[i] & 0xFF, right[i] & 0xFF);
      }
    }
  }

  private void bytes(Side a, Side b) {
    for (long i = 0; i < Math.min(a.type.size(), b.type.size()); i++) {
      int left = a.elements.get(ValueLayout.JAVA_BYTE, a.at + i) & 0xFF;
      int right = b.elements.get(ValueLayout.JAVA_BYTE, b.at + i) & 0xFF;
      if (left != right) {
        integer(left, right);
      }
    }
  }

  private void enumerations(Side a, Side b) {
    long left = codec(((EnumType) a.type).base()).getLong(a.elements, a.at);
    long right = codec(((EnumType) b.type).base()).getLong(b.elements, b.at);
    var one = ((EnumType) a.type).nameOf(left);
    var other = ((EnumType) b.type).nameOf(right);
    if (one.isPresent() && one.equals(other)) {
      return;
    }
    if (left == right && one.isEmpty() && other.isEmpty()) {
      return;
    }
    String first = one.orElse("**INVALID VALUE**");
    String second = other.orElse("**INVALID VALUE**");
    found++;
    if (options.printsDifferences() && found <= options.most) {
      place();
      outcome.line("          " + first + spaces(first, 16) + " " + second + spaces(second, 17));
    }
  }

  private void differ(String left, String right, String difference) {
    found++;
    if (options.printsDifferences() && found <= options.most) {
      place();
      outcome.line(
          "          "
              + (left + pad(left) + " " + right + pad(right) + " " + difference + pad(difference)));
    }
  }

  /** Prints the position, after the table's head if it is the first. */
  private void place() {
    if (!headerPrinted) {
      headerPrinted = true;
      head();
    }
    if (space.rank() == 0) {
      outcome.print("      ");
      return;
    }
    StringBuilder text = new StringBuilder();
    long rest = position;
    for (int d = space.rank() - 1; d >= 0; d--) {
      text.insert(0, rest % space.dim(d) + " ");
      rest /= space.dim(d);
    }
    outcome.print("[ " + text + "]");
  }

  private void head() {
    String size = dimensions(space.dims());
    outcome.line("size:           " + size + "           " + size);
    String names =
        "position        " + firstName + pad(firstName) + " " + secondName + pad(secondName);
    boolean relative = !Double.isNaN(options.relative);
    outcome.line(names + (relative ? " difference      relative       " : " difference          "));
    outcome.line("-".repeat(relative ? 72 : 60));
  }

  /** Returns a shape in the form of the tables. */
  static String dimensions(long[] dims) {
    if (dims.length == 0) {
      return "H5S_SCALAR";
    }
    StringBuilder text = new StringBuilder("[");
    for (int d = 0; d < dims.length; d++) {
      text.append(d == 0 ? "" : "x");
      text.append(dims[d] == Dataspace.UNLIMITED ? "H5S_UNLIMITED" : Long.toString(dims[d]));
    }
    return text.append(']').toString();
  }
}
