package org.hyperslab.plugins.nativevol.data;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.header.FillValueMessage;

/**
 * The bytes of unwritten elements, file form.
 *
 * <p>Thread rule: immutable.
 */
final class FillPattern {

  private static final int BLOCK_BYTES = 64 << 10;

  private final byte[] element;
  private final boolean zeros;

  private FillPattern(byte[] element) {
    this.element = element;
    boolean allZero = true;
    for (byte each : element) {
      allZero &= each == 0;
    }
    this.zeros = allZero;
  }

  /** The pattern of a dataset. An undefined value, or one of a wrong size, counts as zeros. */
  static FillPattern of(DatasetDescription dataset) {
    FillValueMessage fill = dataset.fill();
    boolean usable =
        fill.kind() == FillValueMessage.Kind.VALUE
            && fill.value().size() == dataset.type().size();
    return new FillPattern(
        usable ? fill.value().toByteArray() : new byte[Math.max(1, dataset.type().size())]);
  }

  /** Whether every byte is zero. */
  boolean isZeros() {
    return zeros;
  }

  /** Fills a segment; {@code phase} is where in an element its first byte is. */
  void fill(MemorySegment target, long phase) {
    if (zeros) {
      target.fill((byte) 0);
      return;
    }
    long length = target.byteSize();
    int first = (int) (phase % element.length);
    long done = 0;
    while (done < Math.min(length, element.length)) {
      int from = (int) ((first + done) % element.length);
      long part = Math.min(element.length - from, length - done);
      MemorySegment.copy(MemorySegment.ofArray(element), from, target, done, part);
      done += part;
    }
    while (done < length) {
      long part = Math.min(done - done % element.length, length - done);
      MemorySegment.copy(target, 0, target, done, part);
      done += part;
    }
  }

  /** Writes the pattern over a range of storage. */
  void write(FlatBytes storage, long offset, long length) {
    int whole = Math.max(element.length, BLOCK_BYTES / element.length * element.length);
    MemorySegment block = MemorySegment.ofArray(new byte[(int) Math.min(whole, length)]);
    fill(block, offset);
    for (long done = 0; done < length; done += whole) {
      storage.write(offset + done, block.asSlice(0, Math.min(whole, length - done)));
    }
  }
}
