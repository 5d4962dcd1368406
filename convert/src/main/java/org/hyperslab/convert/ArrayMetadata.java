package org.hyperslab.convert;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;

/**
 * The metadata of an array.
 *
 * @param shape its lengths
 * @param chunk the shape of a chunk
 * @param type the type of its elements
 * @param descr its type as NumPy's literal, parsed
 * @param codec how chunks are encoded
 * @param fill one element in the model's form, if it is defined
 * @param keys how chunks are named
 * @param dimensions a name for each axis, "" for none; empty if it has none at all
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
   * The naming scheme of chunks.
   *
   * @param prefix whether names start with "c"
   * @param separator between numbers
   */
  record ChunkKeys(boolean prefix, String separator) {

    /** Returns the name of a chunk by its numbers. */
    String name(long[] numbers) {
      StringBuilder name = new StringBuilder(prefix ? "c" : "");
      for (int d = 0; d < numbers.length; d++) {
        name.append(prefix || d > 0 ? separator : "").append(numbers[d]);
      }
      return name.isEmpty() ? "0" : name.toString();
    }

    /** Returns the numbers of a chunk by its name; empty if it is none. */
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
      String[] parts = rest.split(java.util.regex.Pattern.quote(separator), -1);
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

  private static UnsupportedFeatureException unsupported(String file, Object what, String known) {
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
    boolean isText = ZarrText.isEncoded(json.get("dtype"), filters);
    NumpyType type = isText ? NumpyType.TEXT : NumpyType.of(json.get("dtype"), file);
    int size = isText ? 1 : type.type().size();
    List<BytesCodec> codecs = new ArrayList<>();
    filters.stream().skip(isText ? 1 : 0).forEach(each -> codecs.add(two(each, size, file)));
    Object compressor = json.get("compressor");
    if (compressor != null && compressor != JsonText.NULL) {
      codecs.add(two(compressor, size, file));
    }
    List<int[]> orders = new ArrayList<>();
    if ("F".equals(json.get("order")) && shape.length > 1) {
      orders.add(reversedOrder(shape.length));
    }
    String separator = "/".equals(json.get("dimension_separator")) ? "/" : ".";
    return new ArrayMetadata(
        shape,
        chunk,
        type,
        json.get("dtype"),
        new ChunkEncoding(orders, Optional.empty(), codecs),
        isText
            ? ZarrText.fill(json.get("fill_value"), file)
            : FillText.parse(json.get("fill_value"), type, file),
        new ChunkKeys(false, separator),
        List.of());
  }

  private static BytesCodec two(Object json, int elementBytes, String file) {
    if (!(json instanceof Map<?, ?> codec) || !(codec.get("id") instanceof String id)) {
      throw corrupt(file, "actual=a codec without an id, expected=an id");
    }
    return BytesCodec.of(id, codec, elementBytes, file);
  }

  private static int[] reversedOrder(int rank) {
    int[] order = new int[rank];
    for (int d = 0; d < rank; d++) {
      order[d] = rank - 1 - d;
    }
    return order;
  }

  private static long[] lengths(Object json, int least, String what, String file) {
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
    boolean isText = ZarrText.isText(dataType);
    int size = isText ? 1 : NumpyType.of(descr(dataType, true, file), file).type().size();
    ChunkEncoding codec = codecs(json.get("codecs"), chunk, size, endianness, file);
    String descr = isText ? ZarrText.OBJECT : descr(dataType, endianness.little, file);
    NumpyType type = isText ? NumpyType.TEXT : NumpyType.of(descr, file);
    return new ArrayMetadata(
        shape,
        chunk,
        type,
        descr,
        codec,
        isText
            ? ZarrText.fill(json.get("fill_value"), file)
            : FillText.parse(json.get("fill_value"), type, file),
        keys(json.get("chunk_key_encoding"), file),
        dimensionNames(json.get("dimension_names"), shape.length, file));
  }

  /** What the codec of bytes says of the byte order. */
  private static final class Endianness {
    private boolean little = true;
  }

  private static Map<?, ?> named(Object json, String name, String file) {
    if (!(json instanceof Map<?, ?> object) || !name.equals(object.get("name"))) {
      throw unsupported(file, json, name);
    }
    return configuration(object);
  }

  private static Map<?, ?> configuration(Map<?, ?> object) {
    return object.get("configuration") instanceof Map<?, ?> options ? options : Map.of();
  }

  private static String descr(Object json, boolean little, String file) {
    String order = little ? "<" : ">";
    if (json instanceof Map<?, ?> extension && extension.get("name") instanceof String name) {
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

  /** Fixed strings and times, as the registry of Zarr's extensions has them. */
  private static String extension(String name, Map<?, ?> options, String order, String file) {
    boolean small =
        options.get("length_bytes") instanceof BigInteger n
            && n.signum() >= 0
            && n.bitLength() < 32;
    long bytes = small ? ((BigInteger) options.get("length_bytes")).longValue() : 0;
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
      Object json, long[] chunk, int elementBytes, Endianness endianness, String file) {
    if (!(json instanceof List<?> list) || list.isEmpty()) {
      throw corrupt(file, "codecs: actual=" + json + ", expected=a list");
    }
    List<int[]> orders = new ArrayList<>();
    Optional<ChunkEncoding.Shard> shard = Optional.empty();
    List<BytesCodec> bytes = new ArrayList<>();
    long[] shape = chunk;
    boolean serialized = false;
    for (Object each : list) {
      if (!(each instanceof Map<?, ?> codec) || !(codec.get("name") instanceof String name)) {
        throw corrupt(file, "codec: actual=" + each + ", expected=a name");
      }
      Map<?, ?> options = configuration(codec);
      if (name.equals("transpose") && !serialized) {
        int[] order = order(options.get("order"), shape.length, file);
        orders.add(order);
        long[] before = shape;
        shape = Arrays.stream(order).mapToLong(axis -> before[axis]).toArray();
      } else if (name.equals(ZarrText.CODEC) && !serialized) {
        serialized = true;
      } else if (name.equals("bytes") && !serialized) {
        serialized = true;
        endianness.little = !"big".equals(options.get("endian"));
      } else if (name.equals("sharding_indexed") && !serialized) {
        serialized = true;
        shard = Optional.of(shard(options, shape, elementBytes, endianness, file));
      } else if (serialized) {
        bytes.add(BytesCodec.of(name, options, elementBytes, file));
      } else {
        throw unsupported(file, name, "transpose, bytes or sharding_indexed first");
      }
    }
    if (!serialized) {
      throw corrupt(file, "codecs: actual=" + json + ", expected=bytes or sharding_indexed");
    }
    return new ChunkEncoding(orders, shard, bytes);
  }

  private static int[] order(Object json, int rank, String file) {
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
    if (!ofIndex.little || index.shard().isPresent() || !index.orders().isEmpty()) {
      throw unsupported(file, "another index of a shard", "little-endian bytes and crc32c");
    }
    boolean atStart = "start".equals(options.get("index_location"));
    return new ChunkEncoding.Shard(inner, codec, index.bytes(), atStart);
  }

  private static ChunkKeys keys(Object json, String file) {
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

  private static List<String> dimensionNames(Object json, int rank, String file) {
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
