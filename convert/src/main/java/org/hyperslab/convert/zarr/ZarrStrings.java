package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.convert.bytes.StoreInput;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.numpy.NumpyType;
import org.hyperslab.convert.zarr.codec.BytesCodec;
import org.hyperslab.convert.zarr.codec.ChunkEncoding;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenHeap;

/**
 * Reads an array of variable-length strings or byte sequences.
 *
 * @param store the store
 * @param prefix the prefix of the array's keys
 * @param array its metadata
 * @param mostBytes the maximum size of a chunk in bytes
 */
record ZarrStrings(StoreInput store, String prefix, ArrayMetadata array, long mostBytes)
    implements ElementReader {

  static ZarrStrings of(StoreInput store, String prefix, ArrayMetadata array, long mostBytes) {
    ChunkEncoding codec = array.codec();
    if (codec.shard().isPresent() || !codec.orders().isEmpty()) {
      throw new UnsupportedFeatureException(
          "strings of Zarr: actual=in shards or transposed, expected=chunks in row-major order, at="
              + store.name()
              + "/"
              + prefix);
    }
    return new ZarrStrings(store, prefix, array, mostBytes);
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    int rank = start.length;
    long[] chunk = array.chunk();
    long[] first = new long[rank];
    long[] chunks = new long[rank];
    long[] one = new long[rank];
    Arrays.fill(one, 1);
    for (int d = 0; d < rank; d++) {
      first[d] = start[d] / chunk[d];
      chunks[d] = (start[d] + count[d] - 1) / chunk[d] - first[d] + 1;
    }
    for (Boxes.Box each : Boxes.cut(chunks, one)) {
      long[] number = each.start();
      for (int d = 0; d < rank; d++) {
        number[d] += first[d];
      }
      copy(number, start, count, target);
    }
  }

  private void copy(long[] number, long[] start, long[] count, DataBuffer target) {
    long[] chunk = array.chunk();
    Boxes.Common both = Boxes.Common.of(chunk, number, new Boxes.Box(start, count));
    Optional<byte[][]> strings = decoded(number);
    byte[] fill = array.fill().orElse(new byte[0]);
    int[] indices = new int[Math.toIntExact(Dataspace.product(both.count()))];
    Boxes.runs(
        chunk,
        both.inChunk(),
        both.count(),
        (from, at, run) -> {
          for (int i = 0; i < run; i++) {
            indices[(int) at + i] = (int) from + i;
          }
        });
    Boxes.runs(
        count,
        both.inBox(),
        both.count(),
        (to, at, run) -> {
          for (int i = 0; i < run; i++) {
            int index = indices[(int) at + i];
            byte[] text = strings.isPresent() ? strings.get()[index] : fill;
            put(target, to + i, text);
          }
        });
  }

  private void put(DataBuffer target, long index, byte[] text) {
    if (text == null) { // which stand beyond the array's edges, too
      throw new UnsupportedFeatureException(
          "objects of Zarr: actual=null, expected=strings, at=" + store.name() + "/" + prefix);
    }
    MemorySegment bytes = MemorySegment.ofArray(text);
    target.heap().writeSequence(target.elements(), index * VlenHeap.SLOT_BYTES, bytes, 1);
  }

  /** Returns the strings of a chunk, or empty if it is not stored. */
  private Optional<byte[][]> decoded(long[] number) {
    String key = prefix + array.keys().name(number);
    String file = store.name() + "/" + key;
    int count = ChunkEncoding.length(array.chunk(), 1, file);
    int most = (int) Math.min(mostBytes, Integer.MAX_VALUE - 8);
    if (!store.has(key)) {
      return Optional.empty();
    }
    try (StoreInput.Value value = store.value(key)) {
      long size = value.bytes().size();
      if (size > most || count > most / 8) {
        throw new UnsupportedFeatureException(
            "chunk of Zarr: actual="
                + size
                + " bytes, expected<="
                + most
                + "; --memory raises the limit, at="
                + file);
      }
      byte[] encoded = value.bytes().read(0, (int) size);
      byte[] bytes = BytesCodec.decodeAtMost(array.codec().bytes(), encoded, most, file);
      return Optional.of(ZarrText.decode((String) array.descr(), bytes, count, file));
    }
  }

  @Override
  public long[] block(long[] dims, long most) {
    return Boxes.ofUnits(dims, array.chunk(), most);
  }

  @Override
  public OptionalLong encodedBytes() {
    return ZarrElements.encodedBytes(store, prefix, array);
  }

  @Override
  public Optional<List<Boxes.Box>> stored() {
    // Variables keep the fill value of text, and targets have it or write all; of sequences of
    // bytes
    // they keep none.
    boolean isKept =
        array.type() == NumpyType.TEXT || array.fill().filter(fill -> fill.length > 0).isEmpty();
    return isKept ? Optional.of(ZarrElements.stored(store, prefix, array)) : Optional.empty();
  }
}
