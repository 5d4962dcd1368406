package org.hyperslab.web.zarr;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.numpy.PlainTypes;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.scales.DimensionTable.Member;
import org.hyperslab.scales.ScaleConventions;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.slice.StridedBox;

/**
 * Presents a dataset as an array of Zarr version 2: its metadata, and its chunks without
 * compression. Chunks are those of the dataset, or rows of a few MiB if it has none. The array is
 * as long as the dimensions of its variable; elements beyond the extent of the dataset are fill
 * values.
 *
 * <p>Source: Zarr storage specification, version 2; numcodecs' vlen-utf8.
 *
 * @param dataset the dataset
 * @param type the type of the elements in chunks, without gaps
 * @param shape the shape of the array, at least the extent of the dataset
 * @param chunk the shape of a chunk
 * @param fill the value of missing elements, if there is one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ZarrArray(
    Dataset dataset, Datatype type, long[] shape, long[] chunk, Optional<FillAttribute> fill) {

  private static final long PIECE_BYTES = 8L << 20;

  /**
   * {@return the array of a dataset; empty if it has no elements, or Zarr has no type for them}
   *
   * @param dataset the dataset
   * @param member what it is in the model of netCDF-4, if that is known
   */
  static Optional<ZarrArray> of(Dataset dataset, Optional<Member> member) {
    Datatype type = PlainTypes.numpy(dataset.type());
    boolean known = type instanceof VlenStringType || hasDtype(type);
    if (!known || dataset.space().kind() == Dataspace.Kind.NULL) {
      return Optional.empty();
    }
    long[] shape =
        member
            .map(Member::shape)
            .filter(lengths -> lengths.length == dataset.rank())
            .orElseGet(dataset::shape);
    long[] chunk =
        dataset.options().layout() instanceof Layout.Chunked chunked
            ? chunked.dimsArray()
            : rows(shape, type.memorySize());
    return Optional.of(new ZarrArray(dataset, type, shape, chunk, FillAttribute.of(dataset, type)));
  }

  /**
   * {@return the shape of a chunk of whole rows of a few MiB}
   *
   * @param shape the shape of the array
   * @param elementBytes bytes of an element
   */
  public static long[] rows(long[] shape, int elementBytes) {
    long[] chunk = new long[shape.length];
    long room = Math.max(1, PIECE_BYTES / elementBytes);
    for (int i = shape.length - 1; i >= 0; i--) {
      chunk[i] = Math.clamp(shape[i], 1, room);
      room = Math.max(1, room / chunk[i]);
    }
    return chunk;
  }

  private static boolean hasDtype(Datatype type) {
    if (PlainTypes.typestr(type).isPresent()) {
      return true;
    }
    return type instanceof CompoundType compound
        && compound.members().stream()
            .map(CompoundType.Member::type)
            .allMatch(member -> hasDtype(member instanceof ArrayType t ? t.base() : member));
  }

  /**
   * Writes the metadata, the content of .zarray.
   *
   * @param codecs the configurations of the codecs of chunks, in order of encoding
   */
  public void write(JsonOutput out, List<JsonOutput> codecs) {
    out.open('{').member("zarr_format", 2);
    out.name("shape").value(shape);
    out.name("chunks").value(chunk);
    out.name("dtype");
    dtype(out, type);
    out.name("compressor").value((String) null);
    out.name("fill_value");
    fill.ifPresentOrElse(stated -> out.value(stated.json()), () -> out.value((String) null));
    out.member("order", "C");
    out.name("filters");
    if (type instanceof VlenStringType) {
      out.open('[').open('{').member("id", "vlen-utf8").close('}').close(']');
    } else if (!codecs.isEmpty()) {
      out.open('[');
      codecs.forEach(out::value);
      out.close(']');
    } else {
      out.value((String) null);
    }
    out.close('}');
  }

  private static void dtype(JsonOutput out, Datatype type) {
    if (type instanceof VlenStringType) {
      out.value("|O");
      return;
    }
    Optional<String> typestr = PlainTypes.typestr(type);
    if (typestr.isPresent()) {
      out.value(typestr.get());
      return;
    }
    out.open('[');
    for (CompoundType.Member member : ((CompoundType) type).members()) {
      out.open('[').value(member.name());
      if (member.type() instanceof ArrayType array) {
        dtype(out, array.base());
        out.value(array.dimensions().stream().mapToLong(Integer::longValue).toArray());
      } else {
        dtype(out, member.type());
      }
      out.close(']');
    }
    out.close(']');
  }

  /** {@return the number of chunks of the grid, or the greatest long if there are more} */
  public long chunkCount() {
    long all = 1;
    for (int i = 0; i < shape.length; i++) {
      all = StridedBox.product(all, shape[i] == 0 ? 0 : (shape[i] - 1) / chunk[i] + 1);
    }
    return all;
  }

  /** {@return the size of all elements in memory in bytes, or the greatest long if it is larger} */
  public long bytes() {
    long all = type.memorySize();
    for (long length : shape) {
      all = StridedBox.product(all, length);
    }
    return all;
  }

  /** {@return the same array in one chunk} */
  public ZarrArray whole() {
    return withChunk(Arrays.stream(shape).map(length -> Math.max(1, length)).toArray());
  }

  /**
   * {@return the same array in other chunks}
   *
   * @param other the shape of a chunk
   */
  public ZarrArray withChunk(long[] other) {
    return new ZarrArray(dataset, type, shape, other, fill);
  }

  /** {@return one element that was never written; zeros if none is defined} */
  public byte[] unwritten() {
    return dataset.options().fill() instanceof FillValue.Value value
        ? element(value)
        : new byte[type.size()];
  }

  /** {@return one element beyond the extent of the dataset} */
  public byte[] beyond() {
    return element(ScaleConventions.fillBeyond(dataset.type(), dataset.options().fill()));
  }

  private byte[] element(FillValue.Value value) {
    return ZarrElementBytes.of(value.type().inMemory(), value.value(), type)
        .orElseGet(() -> new byte[type.size()]);
  }

  /** {@return the key of a chunk of whole rows} */
  public static String key(long number, int rank) {
    return number + ".0".repeat(Math.max(0, rank - 1));
  }

  /** {@return the key of the first chunk} */
  public String firstKey() {
    return key(0, shape.length);
  }

  /** {@return the key of the chunk that begins at an element; that of a scalar is 0} */
  public String keyOf(long[] start) {
    return start.length == 0
        ? "0"
        : IntStream.range(0, start.length)
            .mapToObj(i -> Long.toString(start[i] / chunk[i]))
            .collect(Collectors.joining("."));
  }

  /**
   * {@return a chunk's bytes; beyond the edge of the array they are zeros}
   *
   * @param key its indices in the grid of chunks, such as "0.3"
   * @param budget what reading may use
   * @throws NotFoundException if there is no chunk with that key
   */
  public byte[] chunk(String key, RequestBudget budget) {
    long[] start = start(key);
    long[] extent = dataset.shape();
    long[] count = new long[start.length]; // of elements that the dataset has
    boolean isWhole = true;
    for (int i = 0; i < start.length; i++) {
      long present = Math.min(chunk[i], shape[i] - start[i]);
      count[i] = Math.clamp(extent[i] - start[i], 0, present);
      isWhole &= count[i] == present;
    }
    if (type instanceof VlenStringType) {
      return texts(start, count, isWhole, budget);
    }
    long bytes = type.size();
    for (long length : chunk) {
      bytes = StridedBox.product(bytes, length);
    }
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFeatureException(
          "chunk: actual=" + bytes + " bytes, expected=less than 2 GiB, at=" + dataset.path());
    }
    budget.spend(bytes / type.size());
    budget.hold(bytes);
    byte[] content = isWhole ? new byte[(int) bytes] : repeated(beyond(), (int) bytes);
    if (Dataspace.simple(count).elementCount() == 0) {
      return content;
    }
    Memory memory = Memory.of(MemorySegment.ofArray(content), type, chunk);
    if (chunk.length == 0) {
      dataset.readInto(Selection.all(), memory);
    } else {
      dataset.readInto(
          Selection.box(start, count), memory.select(Selection.box(new long[chunk.length], count)));
    }
    return content;
  }

  private static byte[] repeated(byte[] element, int bytes) {
    byte[] content = new byte[bytes];
    for (int at = 0; at < bytes; at += element.length) {
      System.arraycopy(element, 0, content, at, element.length);
    }
    return content;
  }

  /**
   * {@return a chunk of one value}
   *
   * @param element the value
   */
  public byte[] constant(byte[] element) {
    long count = Dataspace.simple(chunk).elementCount();
    return repeated(element, Math.toIntExact(Math.multiplyExact(count, (long) element.length)));
  }

  private long[] start(String key) {
    String[] words = key.split("\\.");
    if (shape.length == 0) {
      if (!key.equals("0")) {
        throw noChunk(key);
      }
      return new long[0];
    }
    long[] start = new long[shape.length];
    if (words.length != shape.length) {
      throw noChunk(key);
    }
    for (int i = 0; i < words.length; i++) {
      // Keys have at most 18 digits; the grid ends with the extent.
      long index = Long.parseLong(words[i]);
      if (index > shape[i] / chunk[i] || index * chunk[i] >= shape[i]) {
        throw noChunk(key);
      }
      start[i] = index * chunk[i];
    }
    return start;
  }

  private NotFoundException noChunk(String key) {
    return new NotFoundException(
        "chunk: actual=" + key + ", expected=a chunk of the grid, at=" + dataset.path());
  }

  /**
   * Encodes texts as numcodecs' vlen-utf8: the number of texts, then for each its byte count and
   * bytes. Text that is not UTF-8 is spelled.
   */
  private byte[] texts(long[] start, long[] count, boolean isWhole, RequestBudget budget) {
    long places = Dataspace.simple(chunk).elementCount();
    budget.hold(4 * places);
    byte[][] texts = new byte[Math.toIntExact(places)][];
    Arrays.fill(texts, isWhole ? new byte[0] : textBeyond());
    long elements = Dataspace.simple(count).elementCount();
    budget.spend(elements);
    if (elements > 0) {
      Memory memory = ElementJson.memory(type, count);
      budget.hold(memory.data().elements().byteSize());
      dataset.readInto(count.length == 0 ? Selection.all() : Selection.box(start, count), memory);
      for (long i = 0; i < elements; i++) {
        texts[Math.toIntExact(place(i, count))] = text(memory.data(), i);
      }
    }
    long all = 4;
    for (byte[] text : texts) {
      all += 4 + text.length;
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(all)).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(texts.length);
    for (byte[] text : texts) {
      out.putInt(text.length).put(text);
    }
    return out.array();
  }

  private byte[] text(DataBuffer data, long index) {
    ElementCodec codec = ElementCodec.of(type.inMemory());
    Object text = codec.decode(data.elements(), index * codec.type().size(), data.heap());
    return text == null
        ? new byte[0]
        : NameBytes.spelling((String) text).getBytes(StandardCharsets.UTF_8);
  }

  private byte[] textBeyond() {
    return dataset.options().fill() instanceof FillValue.Value value
        ? text(value.value(), 0)
        : new byte[0];
  }

  /** Returns the index in a whole chunk of an element of its part within the extent. */
  private long place(long element, long[] count) {
    long place = 0;
    long rest = element;
    long factor = 1;
    for (int i = count.length - 1; i >= 0; i--) {
      place += rest % count[i] * factor;
      rest /= count[i];
      factor *= chunk[i];
    }
    return place;
  }
}
