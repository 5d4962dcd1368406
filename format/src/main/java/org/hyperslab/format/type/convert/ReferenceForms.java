package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;

/**
 * Converts references to another kind, between the forms before and since HDF5 1.12, if the target
 * kind can refer to the same object.
 */
record ReferenceForms(
    ReferenceType source, ReferenceType target, int sourceStride, int targetStride)
    implements Kernel {

  @Override
  public void run(Workspace work, int from, int to, int count) {
    for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
      Reference value = read(work, s);
      if (target.kind() == ReferenceKind.OBJECT) {
        writeAddress(work.targetSegment, t, value);
      } else {
        MemorySegment payload =
            value == null ? null : MemorySegment.ofArray(value.toPayload(target.kind()));
        work.to.writeReference(work.targetSegment, t, payload, target.kind());
      }
    }
  }

  private Reference read(Workspace work, int at) {
    if (source.kind() == ReferenceKind.OBJECT) {
      return readAddress(work.sourceSegment, at);
    }
    MemorySegment payload = work.from.readReference(work.sourceSegment, at, source.kind());
    return payload == null
        ? null
        : Reference.fromPayload(source.kind(), payload.toArray(ValueLayout.JAVA_BYTE));
  }

  private Reference readAddress(MemorySegment elements, int at) {
    long address = 0;
    boolean defined = false;
    for (int i = source.size() - 1; i >= 0; i--) {
      int b = elements.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF;
      defined |= b != 0xFF;
      address = address << 8 | b;
    }
    return address == 0 || !defined ? null : new Reference.ToObject(address);
  }

  private void writeAddress(MemorySegment elements, int at, Reference value) {
    if (value != null && !(value instanceof Reference.ToObject)) {
      throw new InvalidUseException(
          "object reference: actual="
              + value
              + ", expected=a reference to an object of the same file, which is all that the "
              + "format before HDF5 1.12 can hold; use region references for regions, or "
              + "create the file with the upper bound V112");
    }
    long address = value == null ? 0 : value.token();
    for (int i = 0; i < target.size(); i++) {
      elements.set(ValueLayout.JAVA_BYTE, at + i, (byte) (address >>> (8 * i)));
    }
  }
}
