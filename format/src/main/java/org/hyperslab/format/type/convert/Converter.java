package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.format.type.VlenHeap;

/**
 * A compiled plan that converts elements of one datatype to another.
 *
 * <p>These pairs of types can be converted: integers and floats of any layout (integers saturate;
 * floats are truncated and clipped to integers, NaN becomes 0; all other conversions round to
 * nearest even, and overflow becomes infinity); enumerations by name (all one bits if the name is
 * missing), and to and from numbers by value; strings of any padding, size and kind, fixed and
 * variable, whose bytes are kept regardless of the character set and cut as in the C library;
 * bitfields; times in other byte orders; compounds by member name; arrays of the same dimensions;
 * sequences; complex numbers, also from real numbers, to real numbers (the real part), and to and
 * from a pair of floats (an array of two, or a compound of r… and i…); references of the same kind.
 * Conversions between fixed and variable strings, and from integers to enumerations, go beyond the
 * C library.
 *
 * <p>Differences from the C library are listed in docs/conversions.md.
 *
 * <p>Types with out-of-line parts are given in the form of the slots that the {@link VlenAccess} on
 * each side reads and writes: the memory form for a {@link VlenHeap}.
 *
 * <p>Thread rule: immutable. {@link #open} gives each thread the scratch memory that it needs.
 */
public final class Converter {

  /**
   * The size in bytes of the blocks that a conversion processes; larger elements are processed one
   * by one.
   */
  private static final int BLOCK_BYTES = 32 << 10;

  /** The size in bytes of the blocks of numbers that are checked before they are converted. */
  private static final long CHECKED_BYTES = 128 << 10;

  private final Datatype source;
  private final Datatype destination;
  private final boolean noOp;
  private final boolean background;
  private final Kernel kernel;

  /**
   * The number of the plan's elements in one element: more than 1 for arrays, which are converted
   * flat.
   */
  private final int multiple;

  private final int sourceSize;
  private final int targetSize;

  private Converter(Datatype source, Datatype destination, Flat flat, Kernel kernel) {
    this.source = source;
    this.destination = destination;
    this.noOp = PlanCompiler.identical(source, destination);
    this.background = PlanCompiler.leavesBackground(source, destination);
    this.kernel = kernel;
    this.multiple = flat.parts;
    this.sourceSize = flat.source.size();
    this.targetSize = flat.destination.size();
  }

  /** A pair of types whose outer arrays are replaced by a number of parts. */
  private record Flat(Datatype source, Datatype destination, int parts) {
    static Flat of(Datatype source, Datatype destination) {
      Flat flat = new Flat(source, destination, 1);
      while (flat.source instanceof ArrayType f
          && flat.destination instanceof ArrayType t
          && f.dimensions().equals(t.dimensions())) {
        flat = new Flat(f.base(), t.base(), flat.parts * f.elementCount());
      }
      return flat;
    }
  }

  /**
   * {@return the plan for a pair of types}
   *
   * @param source the type to convert from
   * @param destination the type to convert to
   * @throws InvalidUseException if there is no conversion between them
   * @throws org.hyperslab.error.UnsupportedFeatureException for numbers of more than 128
   *     significant bits, unless both types are the same
   */
  public static Converter between(Datatype source, Datatype destination) {
    return find(source, destination).orElseThrow(() -> noConversion(source, destination, ""));
  }

  /** Returns the plan for a pair of types; empty if the types as a whole cannot be converted. */
  static Optional<Converter> find(Datatype source, Datatype destination) {
    Flat flat = Flat.of(source, destination);
    Kernel kernel = PlanCompiler.packed(flat.source, flat.destination);
    return kernel == null
        ? Optional.empty()
        : Optional.of(new Converter(source, destination, flat, kernel));
  }

  static InvalidUseException noConversion(Datatype source, Datatype destination, String where) {
    return new InvalidUseException(
        "no conversion"
            + where
            + ": actual source="
            + source.describe()
            + ", destination="
            + destination.describe()
            + "; choose a memory type of the same class");
  }

  /** {@return the type of source elements} */
  public Datatype source() {
    return source;
  }

  /** {@return the type of destination elements} */
  public Datatype destination() {
    return destination;
  }

  /**
   * {@return whether elements can be copied unchanged} Never true for types with out-of-line parts,
   * whose slots have no meaning elsewhere.
   */
  public boolean isNoOp() {
    return noOp;
  }

  /**
   * {@return whether bytes of destination elements are not written: gaps, and compound members that
   * the source does not have} The caller fills the destination before; otherwise these bytes are
   * undefined.
   */
  public boolean needsBackground() {
    return background;
  }

  /**
   * {@return whether values outside the elements are read or written, so that {@link #open} needs
   * both heaps}
   */
  public boolean hasOutOfLineParts() {
    return source.hasOutOfLineParts() || destination.hasOutOfLineParts();
  }

  /** {@return a conversion of types without out-of-line parts} */
  public Conversion open() {
    if (hasOutOfLineParts()) {
      throw new InvalidUseException(
          "conversion of "
              + source.describe()
              + " to "
              + destination.describe()
              + ": actual no heaps, expected open(from, to)");
    }
    return open(VlenHeap.none(), VlenHeap.none());
  }

  /**
   * {@return a conversion between elements whose out-of-line values are read from and written to
   * the given heaps}
   *
   * @param from reads out-of-line values of the source
   * @param to stores out-of-line values of the target
   */
  public Conversion open(VlenAccess from, VlenAccess to) {
    return new Conversion(this, new Workspace(from, to));
  }

  /** Converts elements that are contiguous on both sides. */
  void convert(
      Workspace work, MemorySegment from, long fromAt, MemorySegment to, long toAt, long count) {
    long parts = Math.multiplyExact(count, (long) multiple);
    if (noOp) {
      MemorySegment.copy(from, fromAt, to, toAt, Math.multiplyExact(parts, (long) sourceSize));
    } else if (kernel instanceof PrimitiveKernel primitive) {
      primitive.runPacked(work, from, fromAt, to, toAt, parts);
    } else {
      int block = (int) Math.min(parts, blockElements());
      work.ensureBlocks(block * sourceSize, block * targetSize);
      for (long done = 0; done < parts; done += block) {
        int n = (int) Math.min(block, parts - done);
        block(work, from, fromAt + done * sourceSize, to, toAt + done * targetSize, n);
      }
    }
  }

  /**
   * Converts contiguous numbers up to the first one outside a range, and returns its index, or -1.
   */
  long convertInside(
      Workspace work, NumberRange range, MemorySegment from, MemorySegment to, long count) {
    if (kernel instanceof PrimitiveKernel primitive) {
      return primitive.runInside(work, from, to, count);
    }
    long block = CHECKED_BYTES / Math.max(sourceSize, targetSize);
    for (long done = 0; done < count; done += block) {
      long n = Math.min(block, count - done);
      long outside = range.firstOutside(from, done * sourceSize, n);
      if (outside >= 0) {
        return done + outside;
      }
      convert(work, from, done * sourceSize, to, done * targetSize, n);
    }
    return -1;
  }

  private int blockElements() {
    return Math.max(1, BLOCK_BYTES / Math.max(sourceSize, targetSize));
  }

  private void block(
      Workspace work, MemorySegment from, long fromAt, MemorySegment to, long toAt, int n) {
    MemorySegment.copy(from, fromAt, work.sourceSegment, 0, (long) n * sourceSize);
    if (background) {
      MemorySegment.copy(to, toAt, work.targetSegment, 0, (long) n * targetSize);
    }
    kernel.run(work, 0, 0, n);
    MemorySegment.copy(work.targetSegment, 0, to, toAt, (long) n * targetSize);
  }
}
