package org.hyperslab.convert.zarr.codec;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.model.BoxBytes;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;

/**
 * The encoding of a chunk: its dimensions are transposed, its elements are filtered and written in
 * row-major order or as inner chunks with an index (a shard), and the bytes are compressed.
 *
 * @param orders for each transposition, the chunk dimension that becomes each encoded dimension
 * @param filters the filters of elements, in the order of application on encoding; only decoding is
 *     supported
 * @param shard the encoding of inner chunks; empty if there are none
 * @param bytes the codecs of the bytes, in the order of application on encoding
 */
public record ChunkEncoding(
    List<int[]> orders,
    List<ElementFilter> filters,
    Optional<Shard> shard,
    List<BytesCodec> bytes) {

  private static final int ENTRY_BYTES = 16;

  /** Creates an encoding without filters of elements. */
  public ChunkEncoding(List<int[]> orders, Optional<Shard> shard, List<BytesCodec> bytes) {
    this(orders, List.of(), shard, bytes);
  }

  /**
   * The inner chunks of a shard.
   *
   * @param chunk their shape
   * @param codec the encoding of each inner chunk
   * @param index the codecs of the index, which holds a little-endian offset and length for each
   *     inner chunk
   * @param atStart whether the index precedes the inner chunks
   */
  public record Shard(long[] chunk, ChunkEncoding codec, List<BytesCodec> index, boolean atStart) {}

  /**
   * Decodes a chunk.
   *
   * @param encoded the stored bytes
   * @param shape the chunk's shape
   * @param fill one element, for inner chunks that are not stored
   * @return the elements in row-major order
   */
  public byte[] decode(byte[] encoded, long[] shape, byte[] fill, String file) {
    long[] stored = shape;
    for (int[] order : orders) {
      stored = permuted(stored, order);
    }
    byte[] elements =
        shard.isPresent()
            ? decodeShard(encoded, stored, fill, file)
            : decodeElements(encoded, stored, fill.length, file);
    for (int i = orders.size() - 1; i >= 0; i--) {
      long[] before = shape;
      for (int[] order : orders.subList(0, i)) {
        before = permuted(before, order);
      }
      elements = restore(elements, before, orders.get(i), fill.length);
    }
    return elements;
  }

  /**
   * Returns the filter, if one filter and nothing else was applied to the elements, so that they
   * can be decoded to where they belong.
   */
  public Optional<StageCodec> onlyFilter() {
    boolean plain = orders.isEmpty() && filters.isEmpty() && shard.isEmpty();
    return plain && bytes.size() == 1 && bytes.getFirst() instanceof BytesCodec.Filtered filtered
        ? Optional.of(filtered.codec())
        : Optional.empty();
  }

  /** Returns whether a chunk is a container of Blosc and nothing else. */
  public boolean isBlosc() {
    return onlyFilter().isPresent()
        && bytes.getFirst() instanceof BytesCodec.Filtered filtered
        && filtered.name().equals("blosc");
  }

  private byte[] decodeElements(byte[] encoded, long[] shape, int elementBytes, String file) {
    int length = length(shape, elementBytes, file);
    if (filters.isEmpty()) {
      return BytesCodec.decode(bytes, encoded, length, file);
    }
    int count = length / elementBytes;
    long filtered = filters.getLast().encodedLength(count);
    if (filtered > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFeatureException(
          "chunk of Zarr: actual=" + filtered + " bytes, expected<=2 GiB, at=" + file);
    }
    byte[] unpacked = BytesCodec.decode(bytes, encoded, (int) filtered, file);
    return ElementFilter.decode(filters, unpacked, count, file);
  }

  /**
   * Encodes a chunk. Inner chunks of a shard that contain only the fill value are not stored.
   *
   * @param elements the elements in row-major order
   * @param shape the chunk's shape
   * @param fill one element
   * @param file the name of the output, for messages
   * @return the bytes to store
   */
  public byte[] encode(byte[] elements, long[] shape, byte[] fill, String file) {
    byte[] ordered = elements;
    long[] stored = shape;
    for (int[] order : orders) {
      ordered = transposed(ordered, stored, order, fill.length);
      stored = permuted(stored, order);
    }
    return shard.isPresent()
        ? encodeShard(ordered, stored, fill, file)
        : BytesCodec.encode(bytes, ordered);
  }

  private static byte[] transposed(byte[] elements, long[] shape, int[] order, int elementBytes) {
    long[] strides = new long[shape.length];
    long stride = 1;
    for (int d = shape.length - 1; d >= 0; d--) {
      strides[order[d]] = stride;
      stride *= shape[order[d]];
    }
    byte[] transposed = new byte[elements.length];
    BoxBytes.scatter(
        MemorySegment.ofArray(elements),
        shape,
        MemorySegment.ofArray(transposed),
        strides,
        elementBytes);
    return transposed;
  }

  private byte[] encodeShard(byte[] elements, long[] shape, byte[] fill, String file) {
    Shard inner = shard.orElseThrow();
    int size = fill.length;
    byte[] empty = filled(fill, length(inner.chunk, size, file));
    byte[] chunk = new byte[empty.length];
    long chunks = Dataspace.product(shape) / Dataspace.product(inner.chunk);
    ByteBuffer index =
        ByteBuffer.allocate(length(new long[] {chunks}, ENTRY_BYTES, file))
            .order(ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    for (Boxes.Box box : Boxes.cut(shape, inner.chunk)) {
      Boxes.runs(
          shape,
          box.start(),
          box.count(),
          (inArray, inBox, run) ->
              System.arraycopy(
                  elements,
                  (int) (inArray * size),
                  chunk,
                  (int) (inBox * size),
                  (int) (run * size)));
      if (Arrays.equals(chunk, empty)) {
        index.putLong(-1).putLong(-1);
      } else {
        byte[] encoded = inner.codec.encode(chunk.clone(), inner.chunk, fill, file);
        index.putLong(stored.size()).putLong(encoded.length);
        stored.writeBytes(encoded);
      }
    }
    stored.writeBytes(BytesCodec.encode(inner.index, index.array()));
    return stored.toByteArray();
  }

  /** Returns the size of a chunk in bytes; fails if it is 2 GiB or more. */
  public static int length(long[] shape, int elementBytes, String file) {
    try {
      return Math.toIntExact(Math.multiplyExact(Dataspace.product(shape), (long) elementBytes));
    } catch (ArithmeticException tooLarge) {
      throw new UnsupportedFeatureException(
          "chunk of Zarr: actual=shape " + Arrays.toString(shape) + ", expected<=2 GiB, at=" + file,
          tooLarge);
    }
  }

  private static long[] permuted(long[] shape, int[] order) {
    return Arrays.stream(order).mapToLong(axis -> shape[axis]).toArray();
  }

  /** Reverses one transposition, given the shape before it. */
  private static byte[] restore(byte[] elements, long[] shape, int[] order, int elementBytes) {
    long[] strides = new long[shape.length];
    long stride = 1;
    for (int d = shape.length - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= shape[d];
    }
    byte[] restored = new byte[elements.length];
    BoxBytes.scatter(
        MemorySegment.ofArray(elements),
        permuted(shape, order),
        MemorySegment.ofArray(restored),
        permuted(strides, order),
        elementBytes);
    return restored;
  }

  private byte[] decodeShard(byte[] encoded, long[] shape, byte[] fill, String file) {
    Shard inner = shard.orElseThrow();
    if (!bytes.isEmpty()) {
      throw new UnsupportedFeatureException(
          "shard of Zarr: actual=compressed as a whole, expected=inner chunks only, at=" + file);
    }
    long[] grid = new long[shape.length];
    for (int d = 0; d < shape.length; d++) {
      grid[d] = shape[d] / inner.chunk[d];
    }
    int indexBytes = length(grid, ENTRY_BYTES, file);
    int storedIndexBytes = indexBytes;
    for (BytesCodec codec : inner.index) {
      storedIndexBytes = codec.encodedLength(storedIndexBytes);
      if (storedIndexBytes < 0) {
        throw new UnsupportedFeatureException(
            "shard index: actual=compressed, expected=crc32c only, at=" + file);
      }
    }
    if (storedIndexBytes > encoded.length) {
      throw corrupt(file, "actual=" + encoded.length + " bytes, expected>=" + storedIndexBytes);
    }
    int from = inner.atStart ? 0 : encoded.length - storedIndexBytes;
    byte[] index =
        BytesCodec.decode(
            inner.index,
            Arrays.copyOfRange(encoded, from, from + storedIndexBytes),
            indexBytes,
            file);
    return decodeInner(encoded, ByteBuffer.wrap(index), shape, fill, file);
  }

  private byte[] decodeInner(
      byte[] encoded, ByteBuffer index, long[] shape, byte[] fill, String file) {
    Shard inner = shard.orElseThrow();
    index.order(ByteOrder.LITTLE_ENDIAN);
    byte[] elements = new byte[length(shape, fill.length, file)];
    for (Boxes.Box box : Boxes.cut(shape, inner.chunk)) {
      long offset = index.getLong();
      long length = index.getLong();
      byte[] chunk;
      if (offset == -1 && length == -1) {
        chunk = filled(fill, length(inner.chunk, fill.length, file));
      } else {
        if (offset < 0 || length < 0 || offset > encoded.length - length) {
          throw corrupt(
              file, "actual=inner chunk at " + offset + " of " + length + ", expected=inside");
        }
        byte[] part = Arrays.copyOfRange(encoded, (int) offset, (int) (offset + length));
        chunk = inner.codec.decode(part, inner.chunk, fill, file);
      }
      int size = fill.length;
      Boxes.runs(
          shape,
          box.start(),
          box.count(),
          (inArray, inBox, run) ->
              System.arraycopy(
                  chunk,
                  (int) (inBox * size),
                  elements,
                  (int) (inArray * size),
                  (int) (run * size)));
    }
    return elements;
  }

  private static CorruptFileException corrupt(String file, String problem) {
    return new CorruptFileException(file, "shard of Zarr", CorruptFileException.NO_OFFSET, problem);
  }

  /** Returns a buffer of a length, filled with one element. */
  public static byte[] filled(byte[] fill, int length) {
    byte[] elements = new byte[length];
    if (!isZero(fill)) {
      for (int at = 0; at < length; at += fill.length) {
        System.arraycopy(fill, 0, elements, at, fill.length);
      }
    }
    return elements;
  }

  private static boolean isZero(byte[] fill) {
    for (byte b : fill) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }
}
