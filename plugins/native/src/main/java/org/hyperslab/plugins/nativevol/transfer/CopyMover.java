package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy;
import org.hyperslab.format.memory.StridedCopy.Steps;

/**
 * Moves elements whose types in the file and in memory are the same.
 *
 * @param elementSize the size of an element in bytes
 */
public record CopyMover(int elementSize) implements ElementMover {

  @Override
  public int sourceSize() {
    return elementSize;
  }

  @Override
  public int targetSize() {
    return elementSize;
  }

  @Override
  public boolean copies() {
    return true;
  }

  @Override
  public boolean needsBackground() {
    return false;
  }

  @Override
  public boolean parallel() {
    return true;
  }

  @Override
  public ElementMover fork() {
    return this;
  }

  @Override
  public void move(
      MemorySegment source,
      Steps from,
      MemorySegment target,
      Steps to,
      long runLength,
      long repeats) {
    StridedCopy.copy(source, from, target, to, runLength * elementSize, repeats);
  }
}
