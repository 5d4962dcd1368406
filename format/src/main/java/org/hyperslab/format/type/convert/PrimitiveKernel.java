package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.format.type.convert.PrimitiveLayout.Carrier;
import org.hyperslab.format.type.convert.PrimitiveLayout.Kind;
import org.hyperslab.format.type.convert.Workspace.Lanes;

/**
 * Converts between numbers that have a Java primitive type: loads them into a lane, casts lane to
 * lane, and stores them, a thousand elements at a time.
 */
final class PrimitiveKernel implements Kernel {

  private final Kind from;
  private final Kind to;
  private final PrimitiveLoader loader;
  private final PrimitiveLoader storer;
  private final int sourceStride;
  private final int targetStride;
  private final boolean packed;

  private PrimitiveKernel(
      PrimitiveLayout source, PrimitiveLayout target, int sourceStride, int targetStride) {
    this.from = source.kind();
    this.to = target.kind();
    this.loader = new PrimitiveLoader(source);
    this.storer = new PrimitiveLoader(target);
    this.sourceStride = sourceStride;
    this.targetStride = targetStride;
    this.packed = sourceStride == from.size && targetStride == to.size;
  }

  /**
   * Returns the kernel for a pair of layouts; empty where casts through the carriers would round
   * twice, that is, from integers of 32 bits or more and from doubles to half and bfloat16.
   */
  static Optional<PrimitiveKernel> of(
      PrimitiveLayout source, PrimitiveLayout target, int sourceStride, int targetStride) {
    boolean half = target.kind() == Kind.F16 || target.kind() == Kind.BF16;
    boolean exactInFloat =
        source.kind().carrier == Carrier.FLOAT
            || (source.kind().carrier == Carrier.INT && source.kind().size <= 2);
    if (half && !exactInFloat) {
      return Optional.empty();
    }
    return Optional.of(new PrimitiveKernel(source, target, sourceStride, targetStride));
  }

  @Override
  public void run(Workspace work, int fromAt, int toAt, int count) {
    if (packed) {
      runPacked(work, work.sourceSegment, fromAt, work.targetSegment, toAt, count);
      return;
    }
    Lanes lanes = work.lanes();
    for (int done = 0; done < count; done += Workspace.LANE) {
      int n = Math.min(Workspace.LANE, count - done);
      loader.loadStrided(work.source, fromAt + done * sourceStride, sourceStride, lanes, n);
      cast(lanes, n);
      storer.storeStrided(lanes, work.target, toAt + done * targetStride, targetStride, n);
    }
  }

  /** Converts contiguous elements, in any memory. */
  void runPacked(
      Workspace work,
      MemorySegment source,
      long sourceAt,
      MemorySegment target,
      long targetAt,
      long count) {
    if (from == to) {
      loader.copySwapped(source, sourceAt, target, targetAt, count);
      return;
    }
    Lanes lanes = work.lanes();
    for (long done = 0; done < count; done += Workspace.LANE) {
      int n = (int) Math.min(Workspace.LANE, count - done);
      loader.loadPacked(source, sourceAt + done * from.size, lanes, n);
      cast(lanes, n);
      storer.storePacked(lanes, target, targetAt + done * to.size, n);
    }
  }

  /**
   * Converts contiguous elements up to the first one outside the target's range, and returns its
   * index, or -1.
   */
  long runInside(Workspace work, MemorySegment source, MemorySegment target, long count) {
    Lanes lanes = work.lanes();
    for (long done = 0; done < count; done += Workspace.LANE) {
      int n = (int) Math.min(Workspace.LANE, count - done);
      loader.loadPacked(source, done * from.size, lanes, n);
      int outside = NumberRange.firstOutside(from, to, lanes, n);
      if (outside >= 0) {
        return done + outside;
      }
      castInside(lanes, n);
      storer.storePacked(lanes, target, done * to.size, n);
    }
    return -1;
  }

  /** Casts numbers that are inside the range of the target and need no clipping. */
  private void castInside(Lanes lanes, int n) {
    if (from.carrier == Carrier.LONG && to.carrier == Carrier.INT) {
      Casts.toInts(lanes.longs, lanes.ints, n);
    } else if (from.carrier == Carrier.DOUBLE && to.carrier == Carrier.FLOAT) {
      Casts.toFloats(lanes.doubles, lanes.floats, n);
    } else {
      cast(lanes, n);
    }
  }

  private void cast(Lanes lanes, int n) {
    switch (from.carrier) {
      case INT -> castInts(lanes, n);
      case LONG -> castLongs(lanes, n);
      case UNSIGNED_LONG -> castUnsigned(lanes, n);
      case FLOAT -> castFloats(lanes, n);
      case DOUBLE -> castDoubles(lanes, n);
    }
  }

  private boolean clips() {
    return from.least < to.least || from.greatest > to.greatest;
  }

  private void castInts(Lanes lanes, int n) {
    switch (to.carrier) {
      case INT -> {
        if (clips()) {
          Casts.clip(lanes.ints, lanes.ints, n, (int) to.least, (int) to.greatest);
        }
      }
      case LONG -> {
        if (to == Kind.U32) {
          Casts.intsToUnsigned(lanes.ints, lanes.longs, n);
        } else {
          Casts.intsToLongs(lanes.ints, lanes.longs, n);
        }
      }
      case UNSIGNED_LONG -> Casts.intsToUnsigned(lanes.ints, lanes.longs, n);
      case FLOAT -> Casts.intsToFloats(lanes.ints, lanes.floats, n);
      case DOUBLE -> Casts.intsToDoubles(lanes.ints, lanes.doubles, n);
    }
  }

  private void castLongs(Lanes lanes, int n) {
    switch (to.carrier) {
      case INT -> Casts.longsToInts(lanes.longs, lanes.ints, n, to.least, to.greatest);
      case LONG -> {
        if (clips()) {
          Casts.clip(lanes.longs, lanes.longs, n, to.least, to.greatest);
        }
      }
      case UNSIGNED_LONG -> Casts.clip(lanes.longs, lanes.longs, n, 0, Long.MAX_VALUE);
      case FLOAT -> Casts.longsToFloats(lanes.longs, lanes.floats, n);
      case DOUBLE -> Casts.longsToDoubles(lanes.longs, lanes.doubles, n);
    }
  }

  private void castUnsigned(Lanes lanes, int n) {
    switch (to.carrier) {
      case INT -> Casts.unsignedToInts(lanes.longs, lanes.ints, n, to.greatest);
      case LONG -> Casts.unsignedToLongs(lanes.longs, lanes.longs, n, to.greatest);
      case UNSIGNED_LONG -> {
        // the same numbers in another byte order
      }
      case FLOAT -> Casts.unsignedToFloats(lanes.longs, lanes.floats, n);
      case DOUBLE -> Casts.unsignedToDoubles(lanes.longs, lanes.doubles, n);
    }
  }

  private void castFloats(Lanes lanes, int n) {
    switch (to.carrier) {
      case INT -> {
        Casts.floatsToInts(lanes.floats, lanes.ints, n);
        if (to != Kind.I32) {
          Casts.clip(lanes.ints, lanes.ints, n, (int) to.least, (int) to.greatest);
        }
      }
      case LONG -> {
        Casts.floatsToLongs(lanes.floats, lanes.longs, n);
        if (to != Kind.I64) {
          Casts.clip(lanes.longs, lanes.longs, n, to.least, to.greatest);
        }
      }
      case UNSIGNED_LONG -> {
        Casts.floatsToDoubles(lanes.floats, lanes.doubles, n);
        Casts.doublesToUnsigned(lanes.doubles, lanes.longs, n);
      }
      case FLOAT -> {
        // stored narrower or in another byte order
      }
      case DOUBLE -> Casts.floatsToDoubles(lanes.floats, lanes.doubles, n);
    }
  }

  private void castDoubles(Lanes lanes, int n) {
    switch (to.carrier) {
      case INT -> {
        Casts.doublesToInts(lanes.doubles, lanes.ints, n);
        if (to != Kind.I32) {
          Casts.clip(lanes.ints, lanes.ints, n, (int) to.least, (int) to.greatest);
        }
      }
      case LONG -> {
        Casts.doublesToLongs(lanes.doubles, lanes.longs, n);
        if (to != Kind.I64) {
          Casts.clip(lanes.longs, lanes.longs, n, to.least, to.greatest);
        }
      }
      case UNSIGNED_LONG -> Casts.doublesToUnsigned(lanes.doubles, lanes.longs, n);
      case FLOAT -> Casts.doublesToFloats(lanes.doubles, lanes.floats, n);
      case DOUBLE -> {
        // the same numbers in another byte order
      }
    }
  }
}
