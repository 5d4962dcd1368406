package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.StringType;

/**
 * The kernels for out-of-line values: each reads a slot's value, converts it, and stores it again.
 */
final class HeapKernels {

  private HeapKernels() {}

  /** Converts strings of any length to strings of any length. */
  record VlenText(int sourceStride, int targetStride) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        MemorySegment text = work.from.readSequence(work.sourceSegment, s, 1);
        work.to.writeSequence(work.targetSegment, t, text, 1);
      }
    }
  }

  /**
   * Converts strings of fixed size to strings of any length, which hold the characters without
   * padding.
   */
  record FixedToVlenText(StringType source, int sourceStride, int targetStride) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        int length = Kernels.Text.length(work.source, s, source);
        work.to.writeSequence(work.targetSegment, t, work.sourceSegment.asSlice(s, length), 1);
      }
    }
  }

  /**
   * Converts strings of any length to strings of fixed size, cut or padded; a null string becomes
   * empty.
   */
  record VlenToFixedText(StringType target, int sourceStride, int targetStride) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        MemorySegment text = work.from.readSequence(work.sourceSegment, s, 1);
        int length = 0;
        if (text != null) {
          length = (int) Math.min(text.byteSize(), target.size());
          MemorySegment.copy(text, 0, work.targetSegment, t, length);
          int nul = 0;
          while (nul < length && work.target[t + nul] != 0) {
            nul++;
          }
          length = nul;
        }
        Kernels.Text.pad(work.target, t, length, target);
      }
    }
  }

  /**
   * The bytes reserved for each element in a sequence, which may be more than it needs.
   *
   * @param source the number of bytes for an element in the source
   * @param target the number of bytes for an element in the target
   */
  record Rooms(int source, int target) {}

  /** Converts sequences, whose elements have a plan of their own; they may be sequences, too. */
  record Sequence(Converter elements, Rooms rooms, int sourceStride, int targetStride)
      implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        MemorySegment sequence = work.from.readSequence(work.sourceSegment, s, rooms.source);
        boolean same = elements.isNoOp() && rooms.source == rooms.target;
        if (sequence == null || same) {
          work.to.writeSequence(work.targetSegment, t, sequence, rooms.target);
          continue;
        }
        long length = sequence.byteSize() / rooms.source;
        if (length > (Integer.MAX_VALUE - 8) / rooms.target) {
          throw new InvalidUseException(
              "sequence: actual="
                  + length
                  + " elements of "
                  + rooms.target
                  + " bytes, expected=less than 2 GiB");
        }
        MemorySegment staged = work.stage((int) length * rooms.target);
        if (rooms.target > elements.destination().size()) {
          staged.fill((byte) 0);
        }
        elements.convert(work.nested(), sequence, 0, staged, 0, length);
        work.to.writeSequence(work.targetSegment, t, staged, rooms.target);
      }
    }
  }

  /** Converts references with a heap value to references of the same kind. */
  record Reference(ReferenceKind kind, int sourceStride, int targetStride) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        MemorySegment payload = work.from.readReference(work.sourceSegment, s, kind);
        work.to.writeReference(work.targetSegment, t, payload, kind);
      }
    }
  }
}
