package org.hyperslab.format.filter.library;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.coder.ByteTranspose;
import org.hyperslab.format.filter.coder.LongTranspose;

/**
 * Filter 2, shuffle: stores byte j of all elements together. Client data: the element size in
 * bytes. Bytes after the last whole element stay unchanged at the end.
 *
 * <p>Source: H5Zshuffle.c.
 */
public final class ShuffleFilter implements Filter {

  /** The registered filter number. */
  public static final int ID = 2;

  /**
   * The number of bytes that are moved at a time between memory that is not an array and the
   * kernels.
   */
  private static final int TILE_BYTES = 1 << 15;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Creates the filter, which has no state. */
  public ShuffleFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "shuffle";
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    int size = context.element().sizeBytes();
    if (size < 1) {
      throw new InvalidUseException(
          "shuffle: actual=element of " + size + " bytes, expected=at " + "least 1 byte");
    }
    return new int[] {size};
  }

  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes;
  }

  @Override
  public long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return transpose(source, elementSize(clientData), out, true);
  }

  @Override
  public long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return transpose(source, elementSize(clientData), out, false);
  }

  private static int elementSize(int[] clientData) throws MalformedDataException {
    if (clientData.length < 1 || clientData[0] < 1) {
      throw new MalformedDataException(
          "element size: actual="
              + (clientData.length < 1 ? "none" : Integer.toUnsignedString(clientData[0]))
              + ", expected=1 to 2147483647");
    }
    return clientData[0];
  }

  private static long transpose(MemorySegment source, int size, FilterOutput out, boolean split)
      throws MalformedDataException {
    long length = source.byteSize();
    long count = length / size;
    if (size == 1 || count <= 1) {
      out.pass(source);
      return length;
    }
    MemorySegment target = out.segment(length);
    byte[] from = source.heapBase().orElse(null) instanceof byte[] array ? array : null;
    byte[] to = target.heapBase().orElse(null) instanceof byte[] array ? array : null;
    if (from != null && to != null) {
      int n = (int) count;
      if (split) {
        ByteTranspose.split(from, (int) source.address(), to, (int) target.address(), n, n, size);
      } else {
        ByteTranspose.join(from, (int) source.address(), to, (int) target.address(), n, n, size);
      }
    } else if (LongTranspose.takes(size)) {
      inWords(source, target, size, out, split);
    } else {
      tiled(source, target, size, out, split);
    }
    long whole = count * size;
    MemorySegment.copy(source, whole, target, whole, length - whole);
    return length;
  }

  /** Two tiles of array memory that fit in a core's nearest caches. */
  private static final class Tiles {
    byte[] elements = new byte[0];
    byte[] planes = new byte[0];

    void ensure(int bytes) {
      if (elements.length < bytes) {
        elements = new byte[bytes];
        planes = new byte[bytes];
      }
    }
  }

  /** Two tiles of words. */
  private static final class Words {
    final long[] elements = new long[TILE_BYTES / Long.BYTES];
    final long[] planes = new long[TILE_BYTES / Long.BYTES];
  }

  private static void inWords(
      MemorySegment source, MemorySegment target, int size, FilterOutput out, boolean split) {
    long count = source.byteSize() / size;
    Words tiles = out.scratch().state(Words.class, Words::new);
    long whole = count & ~7;
    int step = TILE_BYTES / size;
    for (long first = 0; first < whole; first += step) {
      int words = (int) Math.min(step, whole - first) / Long.BYTES;
      if (split) {
        MemorySegment.copy(source, WORD, first * size, tiles.elements, 0, words * size);
        LongTranspose.split(tiles.elements, tiles.planes, words, size);
        for (int j = 0; j < size; j++) {
          MemorySegment.copy(tiles.planes, j * words, target, WORD, j * count + first, words);
        }
      } else {
        for (int j = 0; j < size; j++) {
          MemorySegment.copy(source, WORD, j * count + first, tiles.planes, j * words, words);
        }
        LongTranspose.join(tiles.planes, tiles.elements, words, size);
        MemorySegment.copy(tiles.elements, 0, target, WORD, first * size, words * size);
      }
    }
    for (long i = whole; i < count; i++) {
      for (int j = 0; j < size; j++) {
        long element = i * size + j;
        long plane = j * count + i;
        byte moved = source.get(ValueLayout.JAVA_BYTE, split ? element : plane);
        target.set(ValueLayout.JAVA_BYTE, split ? plane : element, moved);
      }
    }
  }

  private static void tiled(
      MemorySegment source, MemorySegment target, int size, FilterOutput out, boolean split) {
    long count = source.byteSize() / size;
    int step = (int) Math.min(count, Math.max(8, TILE_BYTES / size));
    Tiles tiles = out.scratch().state(Tiles.class, Tiles::new);
    tiles.ensure(Math.multiplyExact(step, size));
    for (long first = 0; first < count; first += step) {
      int n = (int) Math.min(step, count - first);
      if (split) {
        MemorySegment.copy(
            source, ValueLayout.JAVA_BYTE, first * size, tiles.elements, 0, n * size);
        ByteTranspose.split(tiles.elements, 0, tiles.planes, 0, n, n, size);
        for (int j = 0; j < size; j++) {
          long plane = j * count + first;
          MemorySegment.copy(tiles.planes, j * n, target, ValueLayout.JAVA_BYTE, plane, n);
        }
      } else {
        for (int j = 0; j < size; j++) {
          long plane = j * count + first;
          MemorySegment.copy(source, ValueLayout.JAVA_BYTE, plane, tiles.planes, j * n, n);
        }
        ByteTranspose.join(tiles.planes, 0, tiles.elements, 0, n, n, size);
        MemorySegment.copy(
            tiles.elements, 0, target, ValueLayout.JAVA_BYTE, first * size, n * size);
      }
    }
  }
}
