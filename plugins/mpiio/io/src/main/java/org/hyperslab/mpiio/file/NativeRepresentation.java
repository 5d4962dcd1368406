package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import org.hyperslab.mpiio.datatype.ElementaryType;

/** The data representation that stores the bytes as they are in memory. */
record NativeRepresentation(String name) implements DataRepresentation {

  @Override
  public long fileBytes(ElementaryType type) {
    return type.bytes();
  }

  @Override
  public boolean verbatim() {
    return true;
  }

  @Override
  public void toFile(ElementaryType type, long count, MemorySegment memory, MemorySegment file) {
    file.copyFrom(memory);
  }

  @Override
  public void fromFile(ElementaryType type, long count, MemorySegment file, MemorySegment memory) {
    memory.copyFrom(file);
  }
}
