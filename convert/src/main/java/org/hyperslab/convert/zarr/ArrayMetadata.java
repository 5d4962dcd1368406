package org.hyperslab.convert.zarr;

import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.convert.numpy.NumpyType;
import org.hyperslab.convert.rewrite.MissingValues;
import org.hyperslab.convert.zarr.codec.BytesCodec;
import org.hyperslab.convert.zarr.codec.ChunkEncoding;
import org.hyperslab.convert.zarr.codec.ElementFilter;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.interchange.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a Zarr array.
 *
 * @param shape its lengths
 * @param chunk the shape of a chunk
 * @param type the type of its elements
 * @param descr its type as a parsed NumPy literal; for objects the name of their codec
 * @param codec how chunks are encoded
 * @param fill one element in the model's form, if it is defined
 * @param keys how chunks are named
 * @param dimensions a name for each axis, "" for an axis without a name; empty if no names are
 *     stored
 */
record ArrayMetadata(
    long[] shape,
    long[] chunk,
    NumpyType type,
    Object descr,
    ChunkEncoding codec,
    Optional<byte[]> fill,
    ChunkKeys keys,
    List<String> dimensions) {

  /**
   * The naming scheme of chunk keys.
   *
   * @param prefix whether names start with "c"
   * @param separator the text between the numbers
   */
  record ChunkKeys(boolean prefix, String separator) {

    /** Returns the key of a chunk. */
    String name(long[] numbers) {
      StringBuilder name = new StringBuilder(prefix ? "c" : "");
      for (int d = 0; d < numbers.length; d++) {
        name.append(prefix || d > 0 ? separator : "").append(numbers[d]);
      }
      return name.isEmpty() ? "0" : name.toString();
    }

    /** Returns the indices of the chunk with a key, or empty if the key does not name a chunk. */
    Optional<long[]> numbers(String name, int rank) {
      String rest = name;
      if (prefix) {
        boolean scalar = rank == 0 && name.equals("c");
        if (scalar || !name.startsWith("c" + separator)) {
          return scalar ? Optional.of(new long[0]) : Optional.empty();
        }
        rest = name.substring(1 + separator.length());
      }
      if (rank == 0) {
        return rest.equals("0") && !prefix ? Optional.of(new long[0]) : Optional.empty();
      }
      String[] parts = rest.split(Pattern.quote(separator), -1);
      if (parts.length != rank || !Arrays.stream(parts).allMatch(p -> p.matches("[0-9]{1,18}"))) {
        return Optional.empty();
      }
      return Optional.of(Arrays.stream(parts).mapToLong(Long::parseLong).toArray());
    }
  }

  private static CorruptFileException corrupt(String file, String problem) {
    return new CorruptFileException(
        file, "metadata of Zarr", CorruptFileException.NO_OFFSET, problem);
  }

  private static UnsupportedFeatureException unsupported(
      String file, @Nullable Object what, String known) {
    return new UnsupportedFeatureException(
        "metadata of Zarr: actual=" + what + ", expected=" + known + ", at=" + file);
  }

  // --- version 2 ---

  static ArrayMetadata two(Map<?, ?> json, String file) {
    long[] shape = lengths(json.get("shape"), 0, "shape", file);
    long[] chunk = lengths(json.get("chunks"), 1, "chunks", file);
    requireSameRank(shape, chunk, file);
    if (json.get("dtype") == null) {
      throw corrupt(file, "actual=no dtype, expected=a type");
    }
    List<?> filters = json.get("filters") instanceof List<?> list ? list : List.of();
    Optional<String> objects = ZarrText.codec(json.get("dtype"), filters);
    boolean isText = objects.isPresent();
    NumpyType type =
        objects.map(ZarrText::type).orElseGet(() -> NumpyType.of(json.get("dtype"), file));
    List<Object> all = new ArrayList<>(filters.subList(isText ? 1 : 0, filters.size()));
    Object compressor = json.get("compressor");
    if (compressor != null && compressor != JsonText.NULL) {
      all.add(compressor);
    }
    Stages stages = new Stages(isText ? 1 : type.type().size(), isText, file);
    all.forEach(each -> stages.add(named(each, file), (Map<?, ?>) each, Optional.empty()));
    List<int[]> orders = new ArrayList<>();
    if (oneOf(json, "order", List.of("C", "F"), file).equals("F") && shape.length > 1) {
      orders.add(reversedOrder(shape.length));
    }
    String separator = oneOf(json, "dimension_separator", List.of(".", "/"), file);
    return new ArrayMetadata(
        shape,
        chunk,
        type,
        isText ? objects.get() : json.get("dtype"),
        new ChunkEncoding(orders, stages.filters, Optional.empty(), stages.bytes),
        isText
            ? ZarrText.fill(json.get("fill_value"), type, file)
            : FillText.parse(json.get("fill_value"), type, file),
        new ChunkKeys(false, separator),
        List.of());
  }

  /**
   * Returns the value of a member, which must be a known one; the first of them if it is missing.
   */
  private static String oneOf(Map<?, ?> json, String name, List<String> known, String file) {
    Object value = json.get(name);
    if (value == null || value == JsonText.NULL) {
      return known.getFirst();
    }
    if (!known.contains(value)) {
      throw unsupported(file, name + " " + JsonText.write(value), String.join(" or ", known));
    }
    return (String) value;
  }

  /** Returns this with the fill value of HDF5, if the attributes have it and the array has none. */
  ArrayMetadata withFillOf(Map<String, Object> attributes, String file) {
    if (fill.isPresent()
        || ZarrText.isText(this)
        || !(attributes.get(MissingValues.OF_HDF5) instanceof String text)) {
      return this;
    }
    Optional<byte[]> kept = FillText.parse(JsonText.parse(text, file), type, file);
    return new ArrayMetadata(shape, chunk, type, descr, codec, kept, keys, dimensions);
  }

  ArrayMetadata withKeys(ChunkKeys others) {
    return new ArrayMetadata(shape, chunk, type, descr, codec, fill, others, dimensions);
  }

  private static String named(Object json, String file) {
    if (!(json instanceof Map<?, ?> codec) || !(codec.get("id") instanceof String id)) {
      throw corrupt(file, "actual=a codec without an id, expected=an id");
    }
    return id;
  }

  /** Sorts codecs into filters of elements and codecs of bytes, which come behind those. */
  private static final class Stages {
    private final List<ElementFilter> filters = new ArrayList<>();
    private final List<BytesCodec> bytes = new ArrayList<>();
    private final int elementBytes;
    private final boolean isText;
    private final String file;

    Stages(int elementBytes, boolean isText, String file) {
      this.elementBytes = elementBytes;
      this.isText = isText;
      this.file = file;
    }

    void add(String name, Map<?, ?> options, Optional<ByteOrder> order) {
      if (!ElementFilter.isKnown(name)) {
        bytes.add(BytesCodec.of(name, options, elementBytes, file));
        return;
      }
      if (isText || !bytes.isEmpty()) {
        throw unsupported(file, name + " of bytes", "filters of numbers before those of bytes");
      }
      ElementFilter.of(name, options, order, file).ifPresent(this::add);
    }

    private void add(ElementFilter filter) {
      if (filters.isEmpty() && filter.decodedBytes() != elementBytes) {
        throw corrupt(
            file,
            "filter: actual=elements of "
                + filter.decodedBytes()
                + " bytes, expected="
                + elementBytes);
      }
      filters.add(filter);
    }
  }

  private static int[] reversedOrder(int rank) {
    int[] order = new int[rank];
    for (int d = 0; d < rank; d++) {
      order[d] = rank - 1 - d;
    }
    return order;
  }

  private static long[] lengths(@Nullable Object json, int least, String what, String file) {
    if (!(json instanceof List<?> list) || list.size() > Dataspace.MAX_RANK) {
      throw corrupt(file, what + ": actual=" + json + ", expected=at most 32 lengths");
    }
    long[] lengths = new long[list.size()];
    for (int d = 0; d < lengths.length; d++) {
      if (!(list.get(d) instanceof BigInteger n) || n.signum() < 0 || n.bitLength() > 62) {
        throw corrupt(file, what + ": actual=" + list.get(d) + ", expected=a length");
      }
      lengths[d] = n.longValue();
      if (lengths[d] < least) {
        throw corrupt(file, what + ": actual=" + lengths[d] + ", expected>=" + least);
      }
    }
    return lengths;
  }

  private static void requireSameRank(long[] shape, long[] chunk, String file) {
    if (shape.length != chunk.length) {
      throw corrupt(
          file, "actual=" + chunk.length + " lengths of a chunk, expected=" + shape.length);
    }
  }

  // --- version 3 ---

  static ArrayMetadata three(Map<?, ?> json, String file) {
    long[] shape = lengths(json.get("shape"), 0, "shape", file);
    Map<?, ?> grid = named(json.get("chunk_grid"), "regular", file);
    long[] chunk = lengths(grid.get("chunk_shape"), 1, "chunk_shape", file);
    requireSameRank(shape, chunk, file);
    if (json.get("storage_transformers") instanceof List<?> list && !list.isEmpty()) {
      throw unsupported(file, list, "no storage transformers");
    }
    Endianness endianness = new Endianness();
    Object dataType = json.get("data_type");
    Optional<String> objects = ZarrText.codec(dataType);
    boolean isText = objects.isPresent();
    int size = isText ? 1 : NumpyType.of(descr(dataType, true, file), file).type().size();
    ChunkEncoding codec = codecs(json.get("codecs"), chunk, size, endianness, file);
    Object descr = isText ? objects.get() : descr(dataType, endianness.little, file);
    NumpyType type = isText ? ZarrText.type(objects.get()) : NumpyType.of(descr, file);
    return new ArrayMetadata(
        shape,
        chunk,
        type,
        descr,
        codec,
        isText
            ? ZarrText.fill(json.get("fill_value"), type, file)
            : FillText.parse(json.get("fill_value"), type, file),
        keys(json.get("chunk_key_encoding"), file),
        dimensionNames(json.get("dimension_names"), shape.length, file));
  }

  /** The byte order that the codec of bytes sets. */
  private static final class Endianness {
    private boolean little = true;
  }

  private static Map<?, ?> named(@Nullable Object json, String name, String file) {
    if (!(json instanceof Map<?, ?> object) || !name.equals(object.get("name"))) {
      throw unsupported(file, json, name);
    }
    return configuration(object);
  }

  private static Map<?, ?> configuration(Map<?, ?> object) {
    return object.get("configuration") instanceof Map<?, ?> options ? options : Map.of();
  }

  private static Object descr(@Nullable Object json, boolean little, String file) {
    String order = little ? "<" : ">";
    if (json instanceof Map<?, ?> extension && extension.get("name") instanceof String name) {
      if (name.equals("structured")) {
        return structured(configuration(extension), little, file);
      }
      return extension(name, configuration(extension), order, file);
    }
    String type = json instanceof String name ? name : "an extension";
    return switch (type) {
      case "bool" -> "|b1";
      case "int8", "uint8" -> type.startsWith("u") ? "|u1" : "|i1";
      case "int16", "int32", "int64" -> order + "i" + bits(type, 3) / 8;
      case "uint16", "uint32", "uint64" -> order + "u" + bits(type, 4) / 8;
      case "float16", "float32", "float64" -> order + "f" + bits(type, 5) / 8;
      case "complex64", "complex128" -> order + "c" + bits(type, 7) / 8;
      default -> {
        if (type.matches("r[0-9]{1,7}") && bits(type, 1) % 8 == 0) {
          yield "|V" + bits(type, 1) / 8;
        }
        throw unsupported(file, type, "a core data type");
      }
    };
  }

  /** Fields, each a name and a data type, as zarr-python has them. */
  private static Object structured(Map<?, ?> options, boolean little, String file) {
    List<Object> fields = new ArrayList<>();
    if (!little || !(options.get("fields") instanceof List<?> list)) {
      throw unsupported(file, options, "a structure of fields, little-endian");
    }
    for (Object each : list) {
      if (!(each instanceof List<?> field) || field.size() != 2 || isStructure(field.get(1))) {
        throw unsupported(file, each, "a name and a type without fields");
      }
      fields.add(List.of(field.get(0), descr(field.get(1), true, file)));
    }
    return fields;
  }

  private static boolean isStructure(Object dataType) {
    return dataType instanceof Map<?, ?> map && "structured".equals(map.get("name"));
  }

  /** Fixed strings and times, as the registry of Zarr's extensions has them. */
  private static String extension(String name, Map<?, ?> options, String order, String file) {
    long bytes =
        options.get("length_bytes") instanceof BigInteger n && n.signum() >= 0 && n.bitLength() < 32
            ? n.longValue()
            : 0;
    Object factor = options.get("scale_factor");
    boolean whole = factor == null || BigInteger.ONE.equals(factor);
    return switch (name) {
      case "null_terminated_bytes" -> "|S" + bytes;
      case "fixed_length_utf32" -> order + "U" + bytes / 4;
      case "raw_bytes" -> "|V" + bytes;
      case "numpy.datetime64", "numpy.timedelta64" -> {
        if (!whole || !(options.get("unit") instanceof String unit)) {
          throw unsupported(file, options, "a unit, and the scale factor 1");
        }
        String letter = name.equals("numpy.datetime64") ? "M8" : "m8";
        yield order + letter + (unit.equals("generic") ? "" : "[" + unit + "]");
      }
      default -> throw unsupported(file, name, "a core data type, fixed strings or times");
    };
  }

  private static int bits(String type, int from) {
    return Integer.parseInt(type.substring(from));
  }

  private static ChunkEncoding codecs(
      @Nullable Object json, long[] chunk, int elementBytes, Endianness endianness, String file) {
    if (!(json instanceof List<?> list) || list.isEmpty()) {
      throw corrupt(file, "codecs: actual=" + json + ", expected=a list");
    }
    List<int[]> orders = new ArrayList<>();
    Optional<ChunkEncoding.Shard> shard = Optional.empty();
    Stages stages = new Stages(elementBytes, false, file);
    long[] shape = chunk;
    boolean serialized = false;
    List<Map.Entry<String, Map<?, ?>>> filters = new ArrayList<>();
    for (Object each : list) {
      String name = codecName(each, file);
      Map<?, ?> options = each instanceof Map<?, ?> codec ? configuration(codec) : Map.of();
      if (name.equals("transpose") && !serialized && filters.isEmpty()) {
        int[] order = order(options.get("order"), shape.length, file);
        orders.add(order);
        long[] before = shape;
        shape = Arrays.stream(order).mapToLong(axis -> before[axis]).toArray();
      } else if (ElementFilter.isKnown(name) && !serialized) {
        filters.add(Map.entry(name, options));
      } else if (ZarrText.isCodec(name) && !serialized && filters.isEmpty()) {
        serialized = true;
      } else if (name.equals("bytes") && !serialized) {
        serialized = true;
        endianness.little =
            oneOf(options, "endian", List.of("little", "big"), file).equals("little");
        ByteOrder order = endianness.little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        filters.forEach(f -> stages.add(f.getKey(), f.getValue(), Optional.of(order)));
      } else if (name.equals("sharding_indexed") && !serialized && filters.isEmpty()) {
        serialized = true;
        shard = Optional.of(shard(options, shape, elementBytes, endianness, file));
      } else if (serialized && !ElementFilter.isKnown(name)) {
        stages.add(name, options, Optional.empty());
      } else {
        throw unsupported(file, name, "transpose, filters, bytes or sharding_indexed first");
      }
    }
    if (!serialized) {
      throw corrupt(file, "codecs: actual=" + json + ", expected=bytes or sharding_indexed");
    }
    return new ChunkEncoding(orders, stages.filters, shard, stages.bytes);
  }

  /** A name, or an object with one; zarr-python puts numcodecs before the names of its codecs. */
  private static String codecName(Object codec, String file) {
    Object name = codec instanceof Map<?, ?> object ? object.get("name") : codec;
    if (!(name instanceof String text)) {
      throw corrupt(file, "codec: actual=" + codec + ", expected=a name");
    }
    return text.startsWith("numcodecs.") ? text.substring("numcodecs.".length()) : text;
  }

  private static int[] order(@Nullable Object json, int rank, String file) {
    if ("C".equals(json)) {
      return Arrays.stream(reversedOrder(rank)).map(axis -> rank - 1 - axis).toArray();
    }
    if ("F".equals(json)) {
      return reversedOrder(rank);
    }
    long[] lengths = lengths(json, 0, "order", file);
    int[] order = Arrays.stream(lengths).mapToInt(n -> (int) Math.min(n, 1000)).toArray();
    int[] sorted = order.clone();
    Arrays.sort(sorted);
    for (int d = 0; d < rank; d++) {
      if (sorted.length != rank || sorted[d] != d) {
        throw corrupt(file, "order: actual=" + json + ", expected=each dimension once");
      }
    }
    return order;
  }

  private static ChunkEncoding.Shard shard(
      Map<?, ?> options, long[] shape, int elementBytes, Endianness endianness, String file) {
    long[] inner = lengths(options.get("chunk_shape"), 1, "inner chunk_shape", file);
    requireSameRank(shape, inner, file);
    for (int d = 0; d < shape.length; d++) {
      if (shape[d] % inner[d] != 0) {
        throw corrupt(file, "actual=inner chunks that do not divide a shard, expected=whole ones");
      }
    }
    ChunkEncoding codec = codecs(options.get("codecs"), inner, elementBytes, endianness, file);
    Endianness ofIndex = new Endianness();
    ChunkEncoding index = codecs(options.get("index_codecs"), shape, 8, ofIndex, file);
    if (!ofIndex.little
        || index.shard().isPresent()
        || !index.orders().isEmpty()
        || !index.filters().isEmpty()) {
      throw unsupported(file, "another index of a shard", "little-endian bytes and crc32c");
    }
    boolean atStart = "start".equals(options.get("index_location"));
    return new ChunkEncoding.Shard(inner, codec, index.bytes(), atStart);
  }

  private static ChunkKeys keys(@Nullable Object json, String file) {
    if (!(json instanceof Map<?, ?> encoding)) {
      throw corrupt(file, "chunk_key_encoding: actual=" + json + ", expected=default or v2");
    }
    boolean isDefault = "default".equals(encoding.get("name"));
    if (!isDefault && !"v2".equals(encoding.get("name"))) {
      throw unsupported(file, encoding.get("name"), "default or v2");
    }
    Object separator = configuration(encoding).get("separator");
    String chosen = separator instanceof String text ? text : isDefault ? "/" : ".";
    if (!chosen.equals("/") && !chosen.equals(".")) {
      throw corrupt(file, "separator: actual=" + chosen + ", expected=/ or .");
    }
    return new ChunkKeys(isDefault, chosen);
  }

  private static List<String> dimensionNames(@Nullable Object json, int rank, String file) {
    if (json == null || json == JsonText.NULL) {
      return List.of();
    }
    if (!(json instanceof List<?> list) || list.size() != rank) {
      throw corrupt(file, "dimension_names: actual=" + json + ", expected=" + rank + " names");
    }
    List<String> names = new ArrayList<>();
    for (Object name : list) {
      names.add(name instanceof String text ? text : "");
    }
    return names;
  }
}
