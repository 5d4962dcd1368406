package org.hyperslab.format.type.convert;

import java.nio.ByteOrder;
import java.util.Optional;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;

/**
 * The layout of a number that a Java primitive can hold: full-width integers of 1, 2, 4 and 8
 * bytes, IEEE half, single and double, bfloat16, in either byte order.
 *
 * @param kind the kind of number
 * @param order the byte order
 */
record PrimitiveLayout(Kind kind, ByteOrder order) {

  /** The Java type in which a kind of number is carried through a conversion. */
  enum Carrier {
    /** An int: all integers that fit in it. */
    INT,
    /** A long: unsigned 32-bit and signed 64-bit integers. */
    LONG,
    /** A long read as unsigned. */
    UNSIGNED_LONG,
    /** A float: half, bfloat16 and single. */
    FLOAT,
    /** A number of type double. */
    DOUBLE
  }

  /** The kinds of numbers. */
  enum Kind {
    I8(1, Carrier.INT, Byte.MIN_VALUE, Byte.MAX_VALUE),
    U8(1, Carrier.INT, 0, 0xFF),
    I16(2, Carrier.INT, Short.MIN_VALUE, Short.MAX_VALUE),
    U16(2, Carrier.INT, 0, 0xFFFF),
    I32(4, Carrier.INT, Integer.MIN_VALUE, Integer.MAX_VALUE),
    U32(4, Carrier.LONG, 0, 0xFFFF_FFFFL),
    I64(8, Carrier.LONG, Long.MIN_VALUE, Long.MAX_VALUE),
    U64(8, Carrier.UNSIGNED_LONG, 0, -1),
    F16(2, Carrier.FLOAT, 0, 0),
    BF16(2, Carrier.FLOAT, 0, 0),
    F32(4, Carrier.FLOAT, 0, 0),
    F64(8, Carrier.DOUBLE, 0, 0);

    final int size;
    final Carrier carrier;
    final long least;
    final long greatest;

    Kind(int size, Carrier carrier, long least, long greatest) {
      this.size = size;
      this.carrier = carrier;
      this.least = least;
      this.greatest = greatest;
    }
  }

  /** Returns the layout of a type, if it has one. */
  static Optional<PrimitiveLayout> of(Datatype type) {
    return switch (type) {
      case IntegerType t -> integer(t);
      case FloatType t -> floating(t);
      default -> Optional.empty();
    };
  }

  private static Optional<PrimitiveLayout> integer(IntegerType type) {
    if (!type.fillsElement()) {
      return Optional.empty();
    }
    Kind kind =
        switch (type.size()) {
          case 1 -> type.signed() ? Kind.I8 : Kind.U8;
          case 2 -> type.signed() ? Kind.I16 : Kind.U16;
          case 4 -> type.signed() ? Kind.I32 : Kind.U32;
          case 8 -> type.signed() ? Kind.I64 : Kind.U64;
          default -> null;
        };
    return Optional.ofNullable(kind).map(k -> new PrimitiveLayout(k, order(type.order())));
  }

  private static Optional<PrimitiveLayout> floating(FloatType type) {
    if (type.order() == Endian.VAX) {
      return Optional.empty();
    }
    FloatType little = type.withOrder(Endian.LITTLE);
    Kind kind = null;
    if (little.equals(Datatypes.F64LE)) {
      kind = Kind.F64;
    } else if (little.equals(Datatypes.F32LE)) {
      kind = Kind.F32;
    } else if (little.equals(Datatypes.F16LE)) {
      kind = Kind.F16;
    } else if (little.equals(Datatypes.BF16LE)) {
      kind = Kind.BF16;
    }
    return Optional.ofNullable(kind).map(k -> new PrimitiveLayout(k, order(type.order())));
  }

  private static ByteOrder order(Endian order) {
    return order == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
