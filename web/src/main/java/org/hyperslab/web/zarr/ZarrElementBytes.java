package org.hyperslab.web.zarr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.ElementCodec;

/** Converts single elements to the types of arrays, exactly. */
final class ZarrElementBytes {

  private ZarrElementBytes() {}

  /**
   * {@return the bytes of an element in another type; empty if that type does not represent it
   * exactly}
   *
   * @param from the type of the element, in memory form
   * @param value the element
   * @param to a type without parts in a heap
   */
  static Optional<byte[]> of(Datatype from, DataBuffer value, Datatype to) {
    if (to.hasOutOfLineParts() || from.hasOutOfLineParts()) {
      return Optional.empty();
    }
    if (from.equals(to)) {
      return Optional.of(value.elements().asSlice(0, to.size()).toArray(ValueLayout.JAVA_BYTE));
    }
    byte[] element = new byte[to.size()];
    MemorySegment segment = MemorySegment.ofArray(element);
    try {
      ElementCodec codec = ElementCodec.of(to);
      Object given = ElementCodec.of(from).decode(value.elements(), 0, value.heap());
      codec.encode(given, segment, 0, VlenHeap.none());
      Object found = codec.decode(segment, 0, VlenHeap.none());
      return equal(given, found) ? Optional.of(element) : Optional.empty();
    } catch (InvalidUseException outOfRange) {
      return Optional.empty();
    }
  }

  private static boolean equal(Object one, Object other) {
    if (!(one instanceof Number first) || !(other instanceof Number second)) {
      return one.equals(other);
    }
    double real = first.doubleValue();
    return Double.isFinite(real)
        ? Double.isFinite(second.doubleValue()) && decimal(first).compareTo(decimal(second)) == 0
        : Double.compare(real, second.doubleValue()) == 0;
  }

  private static BigDecimal decimal(Number number) {
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(number.doubleValue())
        : new BigDecimal(number.toString());
  }
}
