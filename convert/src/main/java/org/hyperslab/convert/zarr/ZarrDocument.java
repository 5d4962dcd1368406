package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.numpy.NumpyElements;
import org.hyperslab.convert.numpy.NumpyType;
import org.hyperslab.convert.zarr.codec.BytesCodec;
import org.hyperslab.convert.zarr.codec.ChunkEncoding;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.StringType;
import org.hyperslab.interchange.json.JsonText;

/**
 * Writes the metadata of an array as a document of version 2 or 3.
 *
 * @param shape the array's shape
 * @param chunk the shape of a chunk; in shards that of an inner chunk
 * @param shard the shape of a shard; the shape of a chunk if there are no shards
 * @param codecs the codecs that compress chunks
 * @param fill the fill value
 * @param layout the layout of chunks
 */
record ZarrDocument(
    long[] shape,
    long[] chunk,
    long[] shard,
    List<BytesCodec> codecs,
    Object fill,
    ZarrLayout layout) {

  /** Creates a map that keeps the order of its arguments: a key, its value, and so on. */
  static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static Map<String, Object> named(String name, Object... options) {
    return options.length == 0
        ? ordered("name", name)
        : ordered("name", name, "configuration", ordered(options));
  }

  private static List<Long> list(long[] lengths) {
    return Arrays.stream(lengths).boxed().toList();
  }

  // --- version 2 ---

  /**
   * Returns the document of version 2.
   *
   * @param dtype NumPy's type, parsed
   * @param filters the documents of filters before the compressor
   */
  Map<String, Object> two(Object dtype, List<Object> filters) {
    return ordered(
        "zarr_format",
        2,
        "shape",
        list(shape),
        "chunks",
        list(chunk),
        "dtype",
        dtype,
        "compressor",
        codecs.isEmpty() ? JsonText.NULL : BytesCodec.describe(codecs.getLast(), false),
        "fill_value",
        fill,
        "order",
        layout.isTransposed(shape.length) ? "F" : "C",
        "filters",
        filters.isEmpty() ? JsonText.NULL : filters,
        "dimension_separator",
        layout.keys(false).separator());
  }

  // --- version 3 ---

  /**
   * Returns the document of version 3.
   *
   * @param dataType the name of the type, or its document
   * @param serializer the document of the codec that makes bytes of elements
   */
  Map<String, Object> three(Object dataType, Object serializer) {
    return ordered(
        "zarr_format",
        3,
        "node_type",
        "array",
        "shape",
        list(shape),
        "data_type",
        dataType,
        "chunk_grid",
        named("regular", "chunk_shape", list(shard)),
        "chunk_key_encoding",
        named("default", "separator", layout.keys(true).separator()),
        "fill_value",
        fill,
        "codecs",
        codecDocuments(serializer));
  }

  /**
   * Returns the documents of all codecs. The chunks inside a shard are transposed, not the shard:
   * zarr-python compares the shape of inner chunks with that of the shard before it is transposed.
   */
  private List<Object> codecDocuments(Object serializer) {
    List<Object> inner = new ArrayList<>();
    int rank = shape.length;
    if (layout.isTransposed(rank)) {
      inner.add(named("transpose", "order", Arrays.stream(layout.order(rank)).boxed().toList()));
    }
    inner.add(serializer);
    codecs.forEach(codec -> inner.add(BytesCodec.describe(codec, true)));
    if (!layout.isSharded(rank)) {
      return inner;
    }
    Object little = named("bytes", "endian", "little");
    return List.of(
        named(
            "sharding_indexed",
            "chunk_shape",
            list(chunk),
            "codecs",
            inner,
            "index_codecs",
            List.of(little, named("crc32c")),
            "index_location",
            "end"));
  }

  /** Returns how chunks, or shards, are encoded. */
  ChunkEncoding encoding() {
    int rank = shape.length;
    List<int[]> orders = layout.isTransposed(rank) ? List.of(layout.order(rank)) : List.of();
    ChunkEncoding inner = new ChunkEncoding(orders, Optional.empty(), codecs);
    if (!layout.isSharded(rank)) {
      return inner;
    }
    List<BytesCodec> index = List.of(new BytesCodec.Crc32c());
    return new ChunkEncoding(
        List.of(), Optional.of(new ChunkEncoding.Shard(chunk, inner, index, false)), List.of());
  }

  /** Returns the document of the codec that makes bytes of numbers. */
  static Object serializer(NumpyElements array) {
    boolean big = NumpyType.isBigEndian(array.parsedDescr());
    return array.baseLayout().size() == 1
        ? named("bytes")
        : named("bytes", "endian", big ? "big" : "little");
  }

  /** Returns the type as version 3 names it; empty if it has none. */
  static Optional<Object> dataType(NumpyElements array) {
    if (!(array.parsedDescr() instanceof String descr)) {
      return Optional.empty();
    }
    int bytes = array.baseLayout().size();
    int bits = bytes * 8;
    return Optional.ofNullable(
        switch (descr.charAt(1)) {
          case 'b' -> "bool";
          case 'i' -> "int" + bits;
          case 'u' -> "uint" + bits;
          case 'f' -> bits <= 64 ? "float" + bits : null;
          case 'c' -> bits <= 128 ? "complex" + bits : null;
          case 'V' -> "r" + bits;
          case 'S' -> named("null_terminated_bytes", "length_bytes", bytes);
          case 'U' -> named("fixed_length_utf32", "length_bytes", bytes);
          case 'M' -> time("numpy.datetime64", descr);
          case 'm' -> time("numpy.timedelta64", descr);
          default -> null;
        });
  }

  private static Object time(String name, String descr) {
    int bracket = descr.indexOf('[');
    String unit = bracket < 0 ? "generic" : descr.substring(bracket + 1, descr.length() - 1);
    return named(name, "unit", unit, "scale_factor", 1);
  }

  // --- fill values, names of dimensions ---

  static byte[] fillBytes(NumpyElements array) {
    int size = Math.max(array.elementBytes(), array.variable().type().memorySize());
    byte[] element = new byte[size];
    MemorySegment of = MemorySegment.ofArray(element);
    array
        .variable()
        .traits()
        .fill()
        .map(DataBuffer::elements)
        .ifPresent(fill -> MemorySegment.copy(fill, 0, of, 0, Math.min(size, fill.byteSize())));
    array.toNumpy(of, 1);
    return Arrays.copyOf(element, array.elementBytes());
  }

  /**
   * Returns the fill value as JSON. Version 2 also allows null, for arrays that have no fill value
   * of their own and whose chunks are all stored.
   */
  static Object fill(NumpyElements array, boolean three) {
    boolean isText = array.text().isPresent() && array.layout() instanceof StringType;
    if (isText) {
      byte[] utf8 =
          array
              .variable()
              .traits()
              .fill()
              .map(data -> data.elements().toArray(ValueLayout.JAVA_BYTE))
              .orElse(new byte[0]);
      return NameBytes.decode(utf8).replaceAll("\0+$", "");
    }
    byte[] element = Arrays.copyOf(fillBytes(array), array.baseLayout().size());
    return FillText.describe(element, array.baseLayout(), three);
  }

  /**
   * Returns whether a variable has a fill value of its own. netCDF's default for its type is none,
   * unless the attribute {@code _FillValue} states it.
   */
  static boolean hasFill(Variable variable) {
    Optional<byte[]> fill =
        variable.traits().fill().map(data -> data.elements().toArray(ValueLayout.JAVA_BYTE));
    if (fill.isEmpty() || variable.attribute("_FillValue").isPresent()) {
      return fill.isPresent();
    }
    Optional<ClassicType> type = ClassicType.of(variable.type());
    return type.isEmpty()
        || (!Arrays.equals(fill.get(), type.get().fill(ByteOrder.LITTLE_ENDIAN))
            && !Arrays.equals(fill.get(), type.get().fill(ByteOrder.BIG_ENDIAN)));
  }

  /** Returns whether all dimensions have names, so that xarray opens the array. */
  static boolean isNamed(List<Object> names) {
    return !names.isEmpty() && names.stream().noneMatch(name -> name == JsonText.NULL);
  }

  static List<Object> names(Variable variable, int rank) {
    List<Object> names = new ArrayList<>();
    for (Dimension dimension : variable.traits().dimensions()) {
      names.add(dimension.path().isEmpty() ? JsonText.NULL : dimension.name());
    }
    while (!names.isEmpty() && names.size() < rank) {
      names.add(JsonText.NULL);
    }
    return names;
  }
}
