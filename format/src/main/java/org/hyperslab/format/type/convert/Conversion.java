package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;

/**
 * A {@link Converter} with the scratch memory and the heaps to run it. Open one and use it for many
 * runs of elements: no call allocates memory, except for out-of-line values.
 *
 * <p>Source and destination may be the same memory if elements have the same size and place on both
 * sides; otherwise they must not overlap.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Conversion {

  /**
   * Elements at equal distances.
   *
   * @param segment the memory
   * @param offset the byte offset of the first element
   * @param stride the distance from one element to the next in bytes, at least the size of an
   *     element
   */
  public record Elements(MemorySegment segment, long offset, long stride) {
    private Strided.Place place() {
      return new Strided.Place(segment, offset);
    }
  }

  /**
   * The size in bytes of the blocks in which elements are gathered; larger elements are converted
   * in place.
   */
  private static final int BLOCK_BYTES = 16 << 10;

  private final Converter converter;
  private final Workspace work;
  private MemorySegment gathered = MemorySegment.NULL;
  private MemorySegment scattered = MemorySegment.NULL;
  private Strided strided;

  Conversion(Converter converter, Workspace work) {
    this.converter = converter;
    this.work = work;
  }

  /** {@return the plan of the conversion} */
  public Converter converter() {
    return converter;
  }

  /**
   * Converts contiguous elements.
   *
   * @param from the source memory
   * @param fromOffset the byte offset of the first source element
   * @param to the destination memory; see {@link Converter#needsBackground()}
   * @param toOffset the byte offset of the first destination element
   * @param count the number of elements
   */
  public void convert(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long count) {
    if (count < 0) {
      throw new InvalidUseException("elements to convert: actual=" + count + ", expected>=0");
    }
    converter.convert(work, from, fromOffset, to, toOffset, count);
  }

  /**
   * Converts contiguous numbers up to the first one outside a range, and returns its index, or -1.
   */
  long convertInside(NumberRange range, MemorySegment from, MemorySegment to, long count) {
    return converter.convertInside(work, range, from, to, count);
  }

  /**
   * Converts elements at equal distances on both sides.
   *
   * @param from the elements to read
   * @param to the elements to write
   * @param count the number of elements
   */
  public void convert(Elements from, Elements to, long count) {
    int fromSize = converter.source().size();
    int toSize = converter.destination().size();
    if (count == 1 || (from.stride() == fromSize && to.stride() == toSize)) {
      convert(from.segment(), from.offset(), to.segment(), to.offset(), count);
      return;
    }
    if (converter.isNoOp() && to.stride() == toSize) {
      strided().gather(from.place(), from.stride(), to.place(), fromSize, count);
    } else if (converter.isNoOp() && from.stride() == fromSize) {
      strided().scatter(from.place(), to.place(), to.stride(), toSize, count);
    } else if (Math.max(fromSize, toSize) > BLOCK_BYTES / 2) {
      for (long i = 0; i < count; i++) {
        long source = from.offset() + i * from.stride();
        convert(from.segment(), source, to.segment(), to.offset() + i * to.stride(), 1);
      }
    } else {
      convertInBlocks(from, to, count);
    }
  }

  private void convertInBlocks(Elements from, Elements to, long count) {
    int fromSize = converter.source().size();
    int toSize = converter.destination().size();
    int block = BLOCK_BYTES / Math.max(fromSize, toSize);
    reserve((long) block * fromSize, (long) block * toSize);
    Strided.Place gatheredPlace = new Strided.Place(gathered, 0);
    Strided.Place scatteredPlace = new Strided.Place(scattered, 0);
    for (long done = 0; done < count; done += block) {
      long n = Math.min(block, count - done);
      Strided.Place source =
          new Strided.Place(from.segment(), from.offset() + done * from.stride());
      Strided.Place target = new Strided.Place(to.segment(), to.offset() + done * to.stride());
      strided().gather(source, from.stride(), gatheredPlace, fromSize, n);
      if (converter.needsBackground()) {
        strided().gather(target, to.stride(), scatteredPlace, toSize, n);
      }
      convert(gathered, 0, scattered, 0, n);
      strided().scatter(scatteredPlace, target, to.stride(), toSize, n);
    }
  }

  private Strided strided() {
    if (strided == null) {
      strided = new Strided();
    }
    return strided;
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
