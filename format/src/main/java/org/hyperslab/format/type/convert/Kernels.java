package org.hyperslab.format.type.convert;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;

/** The kernels without out-of-line values, except {@link PrimitiveKernel}. */
final class Kernels {

  private Kernels() {}

  /** Copies {@code bytes} bytes of each element. */
  record Copy(int bytes, int sourceStride, int targetStride) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      byte[] source = work.source;
      byte[] target = work.target;
      if (bytes == sourceStride && bytes == targetStride) {
        System.arraycopy(source, from, target, to, bytes * count);
        return;
      }
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        System.arraycopy(source, s, target, t, bytes);
      }
    }
  }

  /** Sets {@code bytes} bytes of each element to zero. */
  record Zero(int bytes, int targetStride) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, t = to; i < count; i++, t += targetStride) {
        Arrays.fill(work.target, t, t + bytes, (byte) 0);
      }
    }
  }

  /** Converts any number layout to any other. */
  record AnyNumber(NumberFormat source, NumberFormat target, int sourceStride, int targetStride)
      implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      WideNumber real = work.real;
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        source.read(work.source, s, real);
        target.write(real, work.target, t);
      }
    }
  }

  /** Converts bits to bits: copies the low bits that both have, and sets those above to zero. */
  record Bits(
      NumberFormat source, NumberFormat target, int bits, int sourceStride, int targetStride)
      implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      WideNumber real = work.real;
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        source.read(work.source, s, real);
        real.keep(bits);
        target.write(real, work.target, t);
      }
    }
  }

  /**
   * Converts strings of fixed size: copies the characters up to the end marked by the source's
   * padding.
   */
  record Text(StringType source, StringType target, int sourceStride, int targetStride)
      implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        int length = Math.min(length(work.source, s, source), target.size());
        System.arraycopy(work.source, s, work.target, t, length);
        pad(work.target, t, length, target);
      }
    }

    /** Returns the number of bytes of the string's characters. */
    static int length(byte[] bytes, int at, StringType type) {
      int length = 0;
      if (type.padding() == StringPadding.SPACEPAD) {
        length = type.size();
        while (length > 0 && bytes[at + length - 1] == ' ') {
          length--;
        }
        return length;
      }
      while (length < type.size() && bytes[at + length] != 0) {
        length++;
      }
      return length;
    }

    /**
     * Fills the bytes after {@code length} characters; a NULLTERM string gets its NUL even if a
     * character must be dropped.
     */
    static void pad(byte[] bytes, int at, int length, StringType type) {
      byte filler = type.padding() == StringPadding.SPACEPAD ? (byte) ' ' : 0;
      Arrays.fill(bytes, at + length, at + type.size(), filler);
      if (type.padding() == StringPadding.NULLTERM) {
        bytes[at + type.size() - 1] = 0;
      }
    }
  }

  /**
   * Converts enumerations by name, from source values in ascending order to the corresponding
   * elements.
   *
   * <p>A value without a name becomes all one bits, as in the C library.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Names(
      NumberFormat source, long[] values, byte[][] elements, int sourceStride, int targetStride)
      implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      WideNumber real = work.real;
      int size = elements[elements.length - 1].length;
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        source.read(work.source, s, real);
        long value = real.negative ? -real.low : real.low;
        int index = Arrays.binarySearch(values, value);
        byte[] element = elements[index < 0 ? values.length : index];
        System.arraycopy(element, 0, work.target, t, size);
      }
    }
  }

  /**
   * Converts members, or the parts of a complex number: runs each kernel at its offsets.
   *
   * @param parts the kernels to run, with the strides of the whole element
   */
  record Members(List<Part> parts) implements Kernel {
    /** A kernel at its offsets in the source and destination element. */
    record Part(Kernel kernel, int sourceOffset, int targetOffset) {}

    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (Part part : parts) {
        part.kernel.run(work, from + part.sourceOffset, to + part.targetOffset, count);
      }
    }
  }

  /**
   * Converts arrays with few parts inside elements: part by part, the same part of every element.
   */
  record ShortArray(Kernel part, int length, int sourceSize, int targetSize) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0; i < length; i++) {
        part.run(work, from + i * sourceSize, to + i * targetSize, count);
      }
    }
  }

  /** Converts arrays with many parts inside elements: array by array. */
  record LongArray(Kernel packed, int length, int sourceStride, int targetStride)
      implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      for (int i = 0, s = from, t = to; i < count; i++, s += sourceStride, t += targetStride) {
        packed.run(work, s, t, length);
      }
    }
  }

  /** Converts contiguous arrays: one run over all parts. */
  record FlatArray(Kernel packed, int length) implements Kernel {
    @Override
    public void run(Workspace work, int from, int to, int count) {
      packed.run(work, from, to, Math.multiplyExact(count, length));
    }
  }
}
