package org.hyperslab.plugins.nativevol.object;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.VlenAccess;

final class NoHeap implements VlenAccess {

  private static UnsupportedFeatureException none() {
    return new UnsupportedFeatureException("global heap: actual=not yet, expected=supported");
  }

  @Override
  public MemorySegment readSequence(MemorySegment slots, long at, int elementSize) {
    throw none();
  }

  @Override
  public void writeSequence(
      MemorySegment slots, long at, MemorySegment elements, int elementSize) {
    throw none();
  }

  @Override
  public MemorySegment readReference(MemorySegment slots, long at, ReferenceKind kind) {
    throw none();
  }

  @Override
  public void writeReference(
      MemorySegment slots, long at, MemorySegment payload, ReferenceKind kind) {
    throw none();
  }
}
