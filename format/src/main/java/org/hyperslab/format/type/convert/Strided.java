package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Copies elements between a regular pattern and consecutive places: the kernel for selections of
 * single elements or short runs. Bytes between the elements may be read, but are never written.
 *
 * <p>Elements that are close together are fetched as a block and extracted from it, so that the
 * inner loop works on plain arrays for any kind of memory.
 *
 * <p>Thread rule: confined to one thread, because of its scratch memory.
 */
final class Strided {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The number of bytes fetched at a time. */
  private static final int BLOCK_BYTES = 16 << 10;

  /** The least distance, in element sizes, of elements that are fetched one by one. */
  private static final int CLOSE = 8;

  private final byte[] spread = new byte[BLOCK_BYTES];
  private final byte[] dense = new byte[BLOCK_BYTES];

  /** Creates a copier with its scratch memory. */
  public Strided() {}

  /**
   * Collects {@code count} elements that are {@code stride} bytes apart.
   *
   * @param from the place of the first element
   * @param stride the distance from one element to the next in bytes, at least {@code size}
   * @param to the place for the collected elements
   * @param size the size of an element in bytes
   * @param count the number of elements
   */
  public void gather(Place from, long stride, Place to, int size, long count) {
    if (stride == size) {
      MemorySegment.copy(from.segment, from.offset, to.segment, to.offset, count * size);
      return;
    }
    boolean picked =
        (size == 1 || size == 2 || size == 4 || size == 8) && stride <= (long) CLOSE * size;
    if (!picked) {
      oneByOne(from, stride, to, size, new Count(size, count));
      return;
    }
    int block = BLOCK_BYTES / (int) stride;
    for (long done = 0; done < count; done += block) {
      int n = (int) Math.min(block, count - done);
      long at = from.offset + done * stride;
      int bytes = (n - 1) * (int) stride + size;
      MemorySegment.copy(from.segment, ValueLayout.JAVA_BYTE, at, spread, 0, bytes);
      pick((int) stride, size, n);
      long target = to.offset + done * size;
      MemorySegment.copy(dense, 0, to.segment, ValueLayout.JAVA_BYTE, target, n * size);
    }
  }

  /** Distributes consecutive elements to places {@code stride} bytes apart. */
  public void scatter(Place from, Place to, long stride, int size, long count) {
    if (stride == size) {
      MemorySegment.copy(from.segment, from.offset, to.segment, to.offset, count * size);
    } else if (to.segment.isNative()) {
      scatterNative(from, to, stride, size, count);
    } else {
      scatterHeap(from, to, stride, size, count);
    }
  }

  /**
   * The place of the first element.
   *
   * @param segment the memory
   * @param offset the byte offset
   */
  public record Place(MemorySegment segment, long offset) {}

  /** A number of elements, and the stride on the other side. */
  private record Count(long stride, long elements) {}

  private static void oneByOne(Place from, long stride, Place to, int size, Count count) {
    for (long i = 0; i < count.elements; i++) {
      MemorySegment.copy(
          from.segment, from.offset + i * stride, to.segment, to.offset + i * count.stride, size);
    }
  }

  private void pick(int stride, int size, int n) {
    byte[] s = spread;
    byte[] t = dense;
    switch (size) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          t[i] = s[i * stride];
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          SHORT.set(t, 2 * i, (short) SHORT.get(s, i * stride));
        }
      }
      case 4 -> {
        for (int i = 0; i < n; i++) {
          INT.set(t, 4 * i, (int) INT.get(s, i * stride));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          LONG.set(t, 8 * i, (long) LONG.get(s, i * stride));
        }
      }
    }
  }

  /**
   * Distributes elements in native memory. Separate from {@link #scatterHeap} so that each method
   * is compiled for one kind of memory.
   */
  private void scatterNative(Place from, Place to, long stride, int size, long count) {
    if (size != 4 && size != 8) {
      oneByOne(from, size, to, size, new Count(stride, count));
      return;
    }
    int block = BLOCK_BYTES / size;
    for (long done = 0; done < count; done += block) {
      int n = (int) Math.min(block, count - done);
      long at = from.offset + done * size;
      MemorySegment.copy(from.segment, ValueLayout.JAVA_BYTE, at, dense, 0, n * size);
      long target = to.offset + done * stride;
      if (size == 8) {
        for (int i = 0; i < n; i++) {
          long v = (long) LONG.get(dense, 8 * i);
          to.segment.set(ValueLayout.JAVA_LONG_UNALIGNED, target + i * stride, v);
        }
      } else {
        for (int i = 0; i < n; i++) {
          int v = (int) INT.get(dense, 4 * i);
          to.segment.set(ValueLayout.JAVA_INT_UNALIGNED, target + i * stride, v);
        }
      }
    }
  }

  private void scatterHeap(Place from, Place to, long stride, int size, long count) {
    if (size != 4 && size != 8) {
      oneByOne(from, size, to, size, new Count(stride, count));
      return;
    }
    int block = BLOCK_BYTES / size;
    for (long done = 0; done < count; done += block) {
      int n = (int) Math.min(block, count - done);
      long at = from.offset + done * size;
      MemorySegment.copy(from.segment, ValueLayout.JAVA_BYTE, at, dense, 0, n * size);
      long target = to.offset + done * stride;
      if (size == 8) {
        for (int i = 0; i < n; i++) {
          long v = (long) LONG.get(dense, 8 * i);
          to.segment.set(ValueLayout.JAVA_LONG_UNALIGNED, target + i * stride, v);
        }
      } else {
        for (int i = 0; i < n; i++) {
          int v = (int) INT.get(dense, 4 * i);
          to.segment.set(ValueLayout.JAVA_INT_UNALIGNED, target + i * stride, v);
        }
      }
    }
  }
}
