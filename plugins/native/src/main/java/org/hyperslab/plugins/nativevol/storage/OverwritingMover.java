package org.hyperslab.plugins.nativevol.storage;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.plugins.nativevol.heap.HeapAccess;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;

/**
 * Moves elements with out-of-line parts over existing ones, and frees the heap objects of those.
 * This is done in steps of {@value #PIECE} elements, so that new values reuse the room of old ones.
 * A heap object is freed only after the element that referred to it has been replaced.
 *
 * <p>Thread rule: confined to one thread, under the file's write lock.
 */
final class OverwritingMover implements ElementMover {

  private static final int PIECE = 16;

  private final ElementMover inner;
  private final HeapAccess heap;
  private final Datatype type;
  private final MemorySegment fill;
  private final MemorySegment old;
  private final MemorySegment now;

  /**
   * Creates a mover for one transfer.
   *
   * @param inner converts and stores elements
   * @param dataset the dataset to write
   */
  OverwritingMover(ElementMover inner, HeapAccess heap, DatasetDescription dataset) {
    this.inner = inner;
    this.heap = heap;
    this.type = dataset.type();
    this.fill = dataset.fillElement();
    this.old = MemorySegment.ofArray(new byte[PIECE * type.size()]);
    this.now = MemorySegment.ofArray(new byte[PIECE * type.size()]);
  }

  @Override
  public int sourceSize() {
    return inner.sourceSize();
  }

  @Override
  public int targetSize() {
    return inner.targetSize();
  }

  @Override
  public boolean copies() {
    return false;
  }

  @Override
  public boolean needsBackground() {
    return true;
  }

  @Override
  public boolean parallel() {
    return false;
  }

  @Override
  public boolean frees() {
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
    if (runLength == 1) {
      movePieces(source, from, target, to, repeats);
      return;
    }
    for (long k = 0; k < repeats; k++) {
      movePieces(
          source,
          new Steps(from.offset() + k * from.stride(), sourceSize()),
          target,
          new Steps(to.offset() + k * to.stride(), targetSize()),
          runLength);
    }
  }

  /** Moves single elements at equal distances. */
  private void movePieces(
      MemorySegment source, Steps from, MemorySegment target, Steps to, long count) {
    if (to.stride() == targetSize()) {
      // The preceding element is included, since elements appended in order are neighbours in
      // the heap.
      long before = Math.min(1, to.offset() / targetSize());
      long start = to.offset() - before * targetSize();
      heap.consider(type, target.asSlice(start, (before + count) * targetSize()), before + count);
    }
    for (long done = 0; done < count; done += PIECE) {
      int piece = (int) Math.min(PIECE, count - done);
      Steps first = new Steps(from.offset() + done * from.stride(), from.stride());
      Steps place = new Steps(to.offset() + done * to.stride(), to.stride());
      gather(target, place, piece, old);
      inner.move(source, first, target, place, 1, piece);
      gather(target, place, piece, now);
      heap.releaseReplaced(type, old, now, fill, piece);
    }
  }

  private void gather(MemorySegment target, Steps steps, int count, MemorySegment into) {
    int size = targetSize();
    if (steps.stride() == size) {
      MemorySegment.copy(target, steps.offset(), into, 0, (long) count * size);
      return;
    }
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(target, steps.offset() + i * steps.stride(), into, (long) i * size, size);
    }
  }
}
