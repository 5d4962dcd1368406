package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;

/**
 * A {@link Converter} with the scratch and the heaps to run it. Open one and use it for many runs
 * of elements: no call allocates, but for what out-of-line values need.
 *
 * <p>Source and destination may be the same memory if elements have the same size on both sides and
 * each one's place is the same; otherwise they must not overlap.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Conversion {

  /**
   * Elements at equal distances.
   *
   * @param segment the memory
   * @param offset byte offset of the first element
   * @param stride bytes from one element to the next; at least the size of an element
   */
  public record Elements(MemorySegment segment, long offset, long stride) {}

  private final Converter converter;
  private final Workspace work;
  private MemorySegment gathered = MemorySegment.NULL;
  private MemorySegment scattered = MemorySegment.NULL;

  Conversion(Converter converter, Workspace work) {
    this.converter = converter;
    this.work = work;
  }

  /** The plan. */
  public Converter converter() {
    return converter;
  }

  /**
   * Converts elements that stand one behind the other.
   *
   * @param from the source memory
   * @param fromOffset byte offset of the first source element
   * @param to the destination memory; see {@link Converter#needsBackground()}
   * @param toOffset byte offset of the first destination element
   * @param count elements
   */
  public void convert(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long count) {
    if (count < 0) {
      throw new InvalidUseException("elements to convert: actual=" + count + ", expected>=0");
    }
    converter.convert(work, from, fromOffset, to, toOffset, count);
  }

  /** Converts elements at equal distances on either side. */
  public void convert(Elements from, Elements to, long count) {
    int fromSize = converter.source().size();
    int toSize = converter.destination().size();
    if (from.stride() == fromSize && to.stride() == toSize) {
      convert(from.segment(), from.offset(), to.segment(), to.offset(), count);
      return;
    }
    int block = Math.max(1, (16 << 10) / Math.max(fromSize, toSize));
    reserve((long) block * fromSize, (long) block * toSize);
    for (long done = 0; done < count; done += block) {
      long n = Math.min(block, count - done);
      long fromAt = from.offset() + done * from.stride();
      long toAt = to.offset() + done * to.stride();
      Strided.gather(from.segment(), fromAt, from.stride(), gathered, fromSize, n);
      if (converter.needsBackground()) {
        Strided.gather(to.segment(), toAt, to.stride(), scattered, toSize, n);
      }
      convert(gathered, 0, scattered, 0, n);
      Strided.scatter(scattered, to.segment(), toAt, to.stride(), toSize, n);
    }
  }

  private void reserve(long gatherBytes, long scatterBytes) {
    if (gathered.byteSize() < gatherBytes) {
      gathered = MemorySegment.ofArray(new byte[Math.toIntExact(gatherBytes)]);
    }
    if (scattered.byteSize() < scatterBytes) {
      scattered = MemorySegment.ofArray(new byte[Math.toIntExact(scatterBytes)]);
    }
  }
}
