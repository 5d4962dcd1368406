package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/** Bytes in an array. */
record ArrayBytes(byte[] bytes) implements RawBytes {
  @Override
  public void read(long offset, MemorySegment target) {
    target.copyFrom(MemorySegment.ofArray(bytes).asSlice(offset, target.byteSize()));
  }

  @Override
  public void write(long offset, MemorySegment source) {
    MemorySegment.ofArray(bytes).asSlice(offset, source.byteSize()).copyFrom(source);
  }
}
