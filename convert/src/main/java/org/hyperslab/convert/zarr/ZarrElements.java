package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.convert.bytes.StoreInput;
import org.hyperslab.convert.model.BloscChunks;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.convert.model.ChunkSink;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.zarr.codec.ChunkEncoding;
import org.hyperslab.convert.zarr.codec.StageCodec;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;

/**
 * Reads the elements of an array.
 *
 * @param store the store
 * @param prefix the prefix of the array's keys
 * @param array its metadata
 * @param mostBytes the maximum size of a chunk in bytes
 */
record ZarrElements(StoreInput store, String prefix, ArrayMetadata array, long mostBytes)
    implements ElementReader, BloscChunks {

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    long[] chunk = array.chunk();
    int rank = chunk.length;
    long[] first = new long[rank];
    long[] chunks = new long[rank];
    for (int d = 0; d < rank; d++) {
      first[d] = start[d] / chunk[d];
      chunks[d] = (start[d] + count[d] - 1) / chunk[d] - first[d] + 1;
    }
    if (Arrays.equals(count, chunk) && isChunk(start) && decoded(first, target.elements())) {
      toUtf8(count, target);
      return;
    }
    long[] one = new long[rank];
    Arrays.fill(one, 1);
    for (Box each : Boxes.cut(chunks, one)) {
      long[] number = each.start();
      for (int d = 0; d < rank; d++) {
        number[d] += first[d];
      }
      copy(decoded(number), number, start, count, target.elements());
    }
    toUtf8(count, target);
  }

  /** Returns whether a chunk begins at an element. */
  private boolean isChunk(long[] start) {
    for (int d = 0; d < start.length; d++) {
      if (start[d] % array.chunk()[d] != 0) {
        return false;
      }
    }
    return true;
  }

  private void toUtf8(long[] count, DataBuffer target) {
    int size = array.type().type().size();
    array
        .type()
        .text()
        .ifPresent(text -> {
          for (long i = 0; i < Dataspace.product(count); i++) {
            text.toUtf8(target.elements(), i * size, store.name());
          }
        });
  }

  /** Puts the elements of a chunk where they belong; returns false if that takes several steps. */
  private boolean decoded(long[] number, MemorySegment target) {
    String key = prefix + array.keys().name(number);
    Optional<StageCodec> filter = array.codec().onlyFilter();
    if (filter.isEmpty() || !store.has(key)) {
      return false;
    }
    String file = store.name() + "/" + key;
    long length = ChunkEncoding.length(array.chunk(), array.type().type().size(), file);
    filter.get().decode(stored(key, file), target.asSlice(0, length), file);
    return true;
  }

  private byte[] stored(String key, String file) {
    try (StoreInput.Value value = store.value(key)) {
      requireRoom(value.bytes().size(), file);
      return value.bytes().read(0, (int) value.bytes().size());
    }
  }

  @Override
  public boolean passBlosc(Box box, ChunkSink sink) {
    boolean isWhole = Arrays.equals(box.count(), array.chunk()) && array.type().text().isEmpty();
    if (!isWhole || !sink.takesBlosc() || !array.codec().isBlosc()) {
      return false;
    }
    long[] number = box.start().clone();
    Arrays.setAll(number, d -> number[d] / array.chunk()[d]);
    String key = prefix + array.keys().name(number);
    String file = store.name() + "/" + key;
    return store.has(key) && sink.acceptBlosc(stored(key, file), box, file);
  }

  /** Returns the elements of a chunk, in NumPy's form. */
  private byte[] decoded(long[] number) {
    String key = prefix + array.keys().name(number);
    String file = store.name() + "/" + key;
    int length = ChunkEncoding.length(array.chunk(), array.type().type().size(), file);
    requireRoom(length, file);
    byte[] fill = fill();
    if (!store.has(key)) {
      return ChunkEncoding.filled(fill, length);
    }
    return array.codec().decode(stored(key, file), array.chunk(), fill, file);
  }

  private void requireRoom(long bytes, String file) {
    if (bytes > Math.min(mostBytes, Integer.MAX_VALUE - 8)) {
      throw new UnsupportedFeatureException(
          "chunk of Zarr: actual="
              + bytes
              + " bytes, expected<="
              + mostBytes
              + "; --memory raises the limit, at="
              + file);
    }
  }

  private byte[] fill() {
    byte[] fill = array.fill().map(byte[]::clone).orElse(new byte[array.type().type().size()]);
    array.type().text().ifPresent(text -> text.toUcs4(MemorySegment.ofArray(fill), 0, prefix));
    return fill;
  }

  private void copy(
      byte[] elements, long[] number, long[] start, long[] count, MemorySegment target) {
    long[] chunk = array.chunk();
    int size = array.type().type().size();
    Boxes.Common both = Boxes.Common.of(chunk, number, new Boxes.Box(start, count));
    MemorySegment part = MemorySegment.ofArray(elements);
    if (!Arrays.equals(both.count(), chunk)) {
      MemorySegment cropped =
          MemorySegment.ofArray(new byte[(int) (Dataspace.product(both.count()) * size)]);
      Boxes.runs(
          chunk,
          both.inChunk(),
          both.count(),
          (inArray, at, run) ->
              MemorySegment.copy(part, inArray * size, cropped, at * size, run * size));
      Boxes.runs(
          count,
          both.inBox(),
          both.count(),
          (to, at, run) -> MemorySegment.copy(cropped, at * size, target, to * size, run * size));
    } else {
      Boxes.runs(
          count,
          both.inBox(),
          both.count(),
          (to, at, run) -> MemorySegment.copy(part, at * size, target, to * size, run * size));
    }
  }

  @Override
  public long[] block(long[] dims, long most) {
    return Boxes.ofUnits(dims, array.chunk(), most);
  }

  @Override
  public Optional<List<Box>> stored() {
    return Optional.of(stored(store, prefix, array));
  }

  @Override
  public OptionalLong encodedBytes() {
    return encodedBytes(store, prefix, array);
  }

  /** Returns the size of the stored chunks in bytes. */
  static OptionalLong encodedBytes(StoreInput store, String prefix, ArrayMetadata array) {
    int rank = array.shape().length;
    return OptionalLong.of(
        store.keys(prefix).stream()
            .filter(key -> array.keys().numbers(key.substring(prefix.length()), rank).isPresent())
            .mapToLong(store::encodedBytes)
            .sum());
  }

  /** Returns the boxes of the stored chunks. */
  static List<Box> stored(StoreInput store, String prefix, ArrayMetadata array) {
    long[] dims = array.shape();
    List<Box> boxes = new ArrayList<>();
    for (String key : store.keys(prefix)) {
      array
          .keys()
          .numbers(key.substring(prefix.length()), dims.length)
          .flatMap(number -> box(number, dims, array.chunk()))
          .ifPresent(boxes::add);
    }
    return boxes;
  }

  private static Optional<Box> box(long[] number, long[] dims, long[] chunk) {
    long[] start = new long[dims.length];
    long[] count = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      if (number[d] > dims[d] / chunk[d]) {
        return Optional.empty();
      }
      start[d] = number[d] * chunk[d];
      count[d] = Math.min(chunk[d], dims[d] - start[d]);
      if (count[d] <= 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new Box(start, count));
  }
}
