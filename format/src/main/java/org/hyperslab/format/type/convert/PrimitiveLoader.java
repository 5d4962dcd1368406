package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.hyperslab.format.type.convert.Workspace.Lanes;

/**
 * Loads at most {@link Workspace#LANE} numbers of one layout into the lane of its carrier, and
 * stores them. Contiguous elements are moved by bulk copies, which also swap bytes; other elements
 * one by one.
 *
 * <p>Thread rule: immutable.
 */
final class PrimitiveLoader {

  private static final VarHandle SHORT_LE =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final PrimitiveLayout.Kind kind;
  private final boolean swap;
  private final ValueLayout.OfShort shortLayout;
  private final ValueLayout.OfInt intLayout;
  private final ValueLayout.OfLong longLayout;
  private final ValueLayout.OfFloat floatLayout;
  private final ValueLayout.OfDouble doubleLayout;

  PrimitiveLoader(PrimitiveLayout layout) {
    this.kind = layout.kind();
    this.swap = layout.order() == ByteOrder.BIG_ENDIAN;
    this.shortLayout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(layout.order());
    this.intLayout = ValueLayout.JAVA_INT_UNALIGNED.withOrder(layout.order());
    this.longLayout = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(layout.order());
    this.floatLayout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(layout.order());
    this.doubleLayout = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(layout.order());
  }

  /** Copies contiguous elements into the other byte order. */
  void copySwapped(
      MemorySegment source, long sourceAt, MemorySegment target, long targetAt, long count) {
    ByteOrder order = swap ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    switch (kind.size) {
      case 1 -> MemorySegment.copy(source, sourceAt, target, targetAt, count);
      case 2 ->
          MemorySegment.copy(
              source, shortLayout, sourceAt, target, shortLayout.withOrder(order), targetAt, count);
      case 4 ->
          MemorySegment.copy(
              source, intLayout, sourceAt, target, intLayout.withOrder(order), targetAt, count);
      case 8 ->
          MemorySegment.copy(
              source, longLayout, sourceAt, target, longLayout.withOrder(order), targetAt, count);
      default -> throw new IllegalStateException(kind.name());
    }
  }

  /** Loads {@code n} contiguous elements. */
  void loadPacked(MemorySegment source, long at, Lanes lanes, int n) {
    switch (kind) {
      case I8, U8 -> MemorySegment.copy(source, ValueLayout.JAVA_BYTE, at, lanes.bytes, 0, n);
      case I16, U16, F16, BF16 -> MemorySegment.copy(source, shortLayout, at, lanes.shorts, 0, n);
      case I32, U32 -> MemorySegment.copy(source, intLayout, at, lanes.ints, 0, n);
      case I64, U64 -> MemorySegment.copy(source, longLayout, at, lanes.longs, 0, n);
      case F32 -> MemorySegment.copy(source, floatLayout, at, lanes.floats, 0, n);
      case F64 -> MemorySegment.copy(source, doubleLayout, at, lanes.doubles, 0, n);
    }
    widen(lanes, n);
  }

  /** Stores {@code n} contiguous elements. */
  void storePacked(Lanes lanes, MemorySegment target, long at, int n) {
    narrow(lanes, n);
    switch (kind) {
      case I8, U8 -> MemorySegment.copy(lanes.bytes, 0, target, ValueLayout.JAVA_BYTE, at, n);
      case I16, U16, F16, BF16 -> MemorySegment.copy(lanes.shorts, 0, target, shortLayout, at, n);
      case I32, U32 -> MemorySegment.copy(lanes.ints, 0, target, intLayout, at, n);
      case I64, U64 -> MemorySegment.copy(lanes.longs, 0, target, longLayout, at, n);
      case F32 -> MemorySegment.copy(lanes.floats, 0, target, floatLayout, at, n);
      case F64 -> MemorySegment.copy(lanes.doubles, 0, target, doubleLayout, at, n);
    }
  }

  /** Loads {@code n} elements that are {@code stride} bytes apart. */
  void loadStrided(byte[] source, int at, int stride, Lanes lanes, int n) {
    switch (kind) {
      case I8, U8 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          lanes.bytes[i] = source[p];
        }
      }
      case I16, U16, F16, BF16 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          short v = (short) SHORT_LE.get(source, p);
          lanes.shorts[i] = swap ? Short.reverseBytes(v) : v;
        }
      }
      case I32, U32 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          int v = (int) INT_LE.get(source, p);
          lanes.ints[i] = swap ? Integer.reverseBytes(v) : v;
        }
      }
      case F32 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          int v = (int) INT_LE.get(source, p);
          lanes.floats[i] = Float.intBitsToFloat(swap ? Integer.reverseBytes(v) : v);
        }
      }
      case I64, U64 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          long v = (long) LONG_LE.get(source, p);
          lanes.longs[i] = swap ? Long.reverseBytes(v) : v;
        }
      }
      case F64 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          long v = (long) LONG_LE.get(source, p);
          lanes.doubles[i] = Double.longBitsToDouble(swap ? Long.reverseBytes(v) : v);
        }
      }
    }
    widen(lanes, n);
  }

  /** Stores {@code n} elements {@code stride} bytes apart. */
  void storeStrided(Lanes lanes, byte[] target, int at, int stride, int n) {
    narrow(lanes, n);
    switch (kind) {
      case I8, U8 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          target[p] = lanes.bytes[i];
        }
      }
      case I16, U16, F16, BF16 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          short v = lanes.shorts[i];
          SHORT_LE.set(target, p, swap ? Short.reverseBytes(v) : v);
        }
      }
      case I32, U32 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          int v = lanes.ints[i];
          INT_LE.set(target, p, swap ? Integer.reverseBytes(v) : v);
        }
      }
      case F32 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          int v = Float.floatToRawIntBits(lanes.floats[i]);
          INT_LE.set(target, p, swap ? Integer.reverseBytes(v) : v);
        }
      }
      case I64, U64 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          long v = lanes.longs[i];
          LONG_LE.set(target, p, swap ? Long.reverseBytes(v) : v);
        }
      }
      case F64 -> {
        for (int i = 0, p = at; i < n; i++, p += stride) {
          long v = Double.doubleToRawLongBits(lanes.doubles[i]);
          LONG_LE.set(target, p, swap ? Long.reverseBytes(v) : v);
        }
      }
    }
  }

  /** Widens from the lane of the stored width to the lane of the carrier, if they differ. */
  private void widen(Lanes lanes, int n) {
    switch (kind) {
      case I8 -> Casts.signedBytes(lanes.bytes, lanes.ints, n);
      case U8 -> Casts.unsignedBytes(lanes.bytes, lanes.ints, n);
      case I16 -> Casts.signedShorts(lanes.shorts, lanes.ints, n);
      case U16 -> Casts.unsignedShorts(lanes.shorts, lanes.ints, n);
      case U32 -> Casts.unsignedInts(lanes.ints, lanes.longs, n);
      case F16 -> Casts.halves(lanes.shorts, lanes.floats, n);
      case BF16 -> Casts.brains(lanes.shorts, lanes.floats, n);
      case I32, I64, U64, F32, F64 -> {
        // the carrier is the stored width
      }
    }
  }

  /** Narrows from the lane of the carrier to the lane of the stored width, if they differ. */
  private void narrow(Lanes lanes, int n) {
    switch (kind) {
      case I8, U8 -> Casts.toBytes(lanes.ints, lanes.bytes, n);
      case I16, U16 -> Casts.toShorts(lanes.ints, lanes.shorts, n);
      case U32 -> Casts.toInts(lanes.longs, lanes.ints, n);
      case F16 -> Casts.toHalves(lanes.floats, lanes.shorts, n);
      case BF16 -> Casts.toBrains(lanes.floats, lanes.shorts, n);
      case I32, I64, U64, F32, F64 -> {
        // the carrier is the stored width
      }
    }
  }
}
