package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.format.type.convert.Conversion;
import org.hyperslab.format.type.convert.Converter;

/** Moves elements whose types in the file and in memory differ. */
public final class ConvertingMover implements ElementMover {

  private final Converter converter;
  private final VlenAccess from;
  private final VlenAccess to;
  private final Conversion conversion;

  private ConvertingMover(Converter converter, VlenAccess from, VlenAccess to) {
    this.converter = converter;
    this.from = from;
    this.to = to;
    this.conversion = converter.open(from, to);
  }

  /**
   * {@return a mover that uses a converter}
   *
   * @param converter converts between the types
   * @param from reads out-of-line values of the source
   * @param to stores out-of-line values of the target
   */
  public static ElementMover of(Converter converter, VlenAccess from, VlenAccess to) {
    return converter.isNoOp()
        ? new CopyMover(converter.source().size())
        : new ConvertingMover(converter, from, to);
  }

  @Override
  public int sourceSize() {
    return converter.source().size();
  }

  @Override
  public int targetSize() {
    return converter.destination().size();
  }

  @Override
  public boolean copies() {
    return false;
  }

  @Override
  public boolean needsBackground() {
    return converter.needsBackground();
  }

  /**
   * Returns false for elements with out-of-line parts, because a heap permits one writer at a time.
   */
  @Override
  public boolean parallel() {
    return !converter.hasOutOfLineParts();
  }

  @Override
  public ElementMover fork() {
    return new ConvertingMover(converter, from, to);
  }

  @Override
  public void move(
      MemorySegment source,
      Steps from,
      MemorySegment target,
      Steps to,
      long runLength,
      long repeats) {
    if (runLength == 1
        || (packed(from, sourceSize(), runLength) && packed(to, targetSize(), runLength))) {
      conversion.convert(
          new Conversion.Elements(source, from.offset(), stride(from, sourceSize(), runLength)),
          new Conversion.Elements(target, to.offset(), stride(to, targetSize(), runLength)),
          runLength * repeats);
      return;
    }
    for (long k = 0; k < repeats; k++) {
      conversion.convert(
          new Conversion.Elements(source, from.offset() + k * from.stride(), sourceSize()),
          new Conversion.Elements(target, to.offset() + k * to.stride(), targetSize()),
          runLength);
    }
  }

  private static boolean packed(Steps steps, int size, long runLength) {
    return steps.stride() == size * runLength;
  }

  private static long stride(Steps steps, int size, long runLength) {
    return runLength == 1 ? steps.stride() : size;
  }
}
