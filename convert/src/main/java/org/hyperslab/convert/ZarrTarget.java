package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.convert.Boxes.Box;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.StringType;
import org.hyperslab.model.FilterSpec;

/** Writes a hierarchy of Zarr, version 2 or 3, with consolidated metadata. */
final class ZarrTarget implements TargetFile {

  private static final long CHUNK_BYTES = 4 << 20;

  private final boolean three;

  /**
   * Creates the target.
   *
   * @param version 2 or 3
   */
  public ZarrTarget(int version) {
    this.three = version == 3;
  }

  @Override
  public void write(GroupNode root, Path path, Work work) {
    try (StoreOutput store = StoreOutput.create(path)) {
      Map<String, Object> documents = new LinkedHashMap<>();
      writeGroup(root, store, documents, work);
      consolidate(store, documents);
    }
  }

  private void consolidate(StoreOutput store, Map<String, Object> documents) {
    if (!three) {
      documents.forEach(store::putJson);
      store.putJson(".zmetadata", ordered("zarr_consolidated_format", 1, "metadata", documents));
      return;
    }
    Map<String, Object> nodes = new LinkedHashMap<>();
    documents.forEach((key, document) -> {
      if (!key.equals("zarr.json")) {
        store.putJson(key, document);
        nodes.put(key.substring(0, key.length() - "/zarr.json".length()), document);
      }
    });
    Map<String, Object> root = new LinkedHashMap<>();
    ((Map<?, ?>) documents.get("zarr.json")).forEach((k, v) -> root.put((String) k, v));
    root.put(
        "consolidated_metadata",
        ordered("kind", "inline", "must_understand", false, "metadata", nodes));
    store.putJson("zarr.json", root);
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private void writeGroup(
      GroupNode group, StoreOutput store, Map<String, Object> documents, Work work) {
    String prefix = prefix(group.path());
    Map<String, Object> attributes =
        JsonAttributes.describe(group.attributes(), group.path(), work);
    if (three) {
      documents.put(
          prefix + "zarr.json",
          ordered("zarr_format", 3, "node_type", "group", "attributes", attributes));
    } else {
      documents.put(prefix + ".zgroup", ordered("zarr_format", 2));
      documents.put(prefix + ".zattrs", attributes);
    }
    for (Variable variable : group.variables()) {
      requireName(variable.name(), variable.path());
      Optional<NumpyElements> array =
          variable.space().kind() == Dataspace.Kind.NULL
              ? NumpyElements.of(variable, work)
              : elements(variable, work);
      array.ifPresent(a -> writeArray(a, store, documents, work));
    }
    for (GroupNode child : group.groups()) {
      requireName(child.name(), child.path());
      writeGroup(child, store, documents, work);
    }
  }

  private static String prefix(String path) {
    return path.equals("/") ? "" : path.substring(1) + "/";
  }

  private static void requireName(String name, String path) {
    if (name.startsWith(".z")
        || name.startsWith("__")
        || name.equals("zarr.json")
        || name.chars().allMatch(c -> c == '.')
        || name.indexOf('\\') >= 0) {
      throw new UnsupportedFeatureException(
          "name in Zarr: actual=\"" + name + "\", expected=one that Zarr allows, at=" + path);
    }
  }

  private Optional<NumpyElements> elements(Variable variable, Work work) {
    Optional<NumpyElements> array = NumpyElements.of(variable, work);
    if (three && array.isPresent() && dataType(array.get()).isEmpty()) {
      work.lose(
          "elements of a type that Zarr version 3 does not have, " + variable.type().describe(),
          variable.path());
      return Optional.empty();
    }
    return array;
  }

  private static Optional<String> dataType(NumpyElements array) {
    if (!(array.parsedDescr() instanceof String descr) || array.text().isPresent()) {
      return Optional.empty();
    }
    int bits = array.layout().size() * 8;
    return switch (descr.charAt(1)) {
      case 'b' -> Optional.of("bool");
      case 'i' -> Optional.of("int" + bits);
      case 'u' -> Optional.of("uint" + bits);
      case 'f' -> bits <= 64 ? Optional.of("float" + bits) : Optional.empty();
      case 'c' -> bits <= 128 ? Optional.of("complex" + bits) : Optional.empty();
      case 'V' -> Optional.of("r" + bits);
      default -> Optional.empty();
    };
  }

  // --- one array ---

  private void writeArray(
      NumpyElements array, StoreOutput store, Map<String, Object> documents, Work work) {
    Variable variable = array.variable();
    String prefix = prefix(variable.path());
    long[] dims = array.shape();
    long[] chunk = chunk(array, dims);
    List<BytesCodec> codecs = codecs(variable.traits().filters(), array.elementBytes());
    List<AttributeValue> kept =
        variable.traits().attributes().stream().filter(a -> !array.isKeptBy(a)).toList();
    Map<String, Object> attributes = JsonAttributes.describe(kept, variable.path(), work);
    Object fill = fill(array);
    List<Object> names = names(variable, dims.length);
    if (three) {
      documents.put(
          prefix + "zarr.json", three(array, dims, chunk, codecs, fill, attributes, names));
    } else {
      boolean all = !names.isEmpty() && names.stream().noneMatch(n -> n == JsonText.NULL);
      if (all) {
        attributes.put("_ARRAY_DIMENSIONS", names);
      } else if (!names.isEmpty() && names.stream().anyMatch(n -> n != JsonText.NULL)) {
        work.lose("names of some dimensions, but not of all", variable.path());
      }
      documents.put(prefix + ".zarray", two(array, dims, chunk, codecs, fill));
      documents.put(prefix + ".zattrs", attributes);
    }
    ArrayMetadata.ChunkKeys keys = new ArrayMetadata.ChunkKeys(three, three ? "/" : ".");
    byte[] fillBytes = fillBytes(array);
    long[] variableChunk = Arrays.copyOf(chunk, variable.space().rank());
    array.copy(
        work,
        variableChunk,
        (box, elements) -> {
          byte[] whole = whole(array, box, elements, variableChunk, fillBytes);
          long[] number = new long[dims.length];
          for (int d = 0; d < variableChunk.length; d++) {
            number[d] = box.start()[d] / variableChunk[d];
          }
          store.put(prefix + keys.name(number), BytesCodec.encode(codecs, whole));
        });
  }

  private static long[] chunk(NumpyElements array, long[] dims) {
    List<Long> given = array.variable().traits().chunk();
    long[] chunk = dims.clone();
    if (given.isEmpty()) {
      long[] rows = Boxes.rows(dims, Math.max(1, CHUNK_BYTES / array.baseBytes()));
      System.arraycopy(rows, 0, chunk, 0, chunk.length);
    } else {
      for (int d = 0; d < given.size(); d++) {
        chunk[d] = given.get(d);
      }
    }
    // dimensions of an array type are never cut
    int rank = array.variable().space().rank();
    for (int d = rank; d < dims.length; d++) {
      chunk[d] = dims[d];
    }
    return chunk;
  }

  /** A chunk at the edge is stored whole. */
  private static byte[] whole(
      NumpyElements array, Box box, MemorySegment elements, long[] chunk, byte[] fill) {
    int size = array.elementBytes();
    int length = ChunkEncoding.length(chunk, size, array.variable().path());
    if (Arrays.equals(box.count(), chunk)) {
      return elements.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
    byte[] whole = ChunkEncoding.filled(fill, length);
    MemorySegment to = MemorySegment.ofArray(whole);
    Boxes.runs(
        chunk,
        new long[chunk.length],
        box.count(),
        (inArray, inBox, run) ->
            MemorySegment.copy(elements, inBox * size, to, inArray * size, run * size));
    return whole;
  }

  private static List<BytesCodec> codecs(List<FilterSpec> filters, int elementBytes) {
    if (filters.isEmpty()) {
      return List.of();
    }
    List<Integer> ids = filters.stream().map(FilterSpec::id).toList();
    FilterSpec compressor =
        filters.stream().filter(f -> f.id() != 2 && f.id() != 3).findFirst().orElse(null);
    if (compressor == null) {
      return List.of();
    }
    return switch (compressor.id()) {
      case 32015 ->
          List.of(
              BytesCodec.of(
                  "zstd",
                  Map.of(
                      "level",
                      compressor.parameters().isEmpty()
                          ? BigInteger.valueOf(3)
                          : compressor.parameters().getFirst()),
                  elementBytes,
                  ""));
      case 32001 -> {
        List<Integer> p = compressor.parameters();
        int level = p.size() > 4 ? p.get(4) : 5;
        int shuffle = p.size() > 5 ? p.get(5) : 1;
        int codec = p.size() > 6 && p.get(6) > 0 ? p.get(6) : 1;
        int size = Math.min(255, elementBytes);
        yield List.of(
            new BytesCodec.Filtered(
                "blosc", FilterStage.mandatory(32001, 2, 2, size, 0, level, shuffle, codec)));
      }
      default -> {
        int level =
            compressor.id() == 1 && !compressor.parameters().isEmpty()
                ? compressor.parameters().getFirst()
                : 5;
        yield ids.contains(2) && elementBytes > 1
            ? List.of(
                new BytesCodec.Filtered(
                    "blosc",
                    FilterStage.mandatory(
                        32001, 2, 2, Math.min(255, elementBytes), 0, level, 1, 4)))
            : List.of(new BytesCodec.Deflated("gzip", level));
      }
    };
  }

  private static byte[] fillBytes(NumpyElements array) {
    byte[] element =
        array
            .variable()
            .traits()
            .fill()
            .map(DataBuffer::elements)
            .map(bytes -> bytes.asSlice(0, array.elementBytes()).toArray(ValueLayout.JAVA_BYTE))
            .orElse(new byte[array.elementBytes()]);
    array.toNumpy(MemorySegment.ofArray(element), 1);
    return element;
  }

  private Object fill(NumpyElements array) {
    boolean isText = array.text().isPresent() && array.layout() instanceof StringType;
    if (isText) {
      byte[] utf8 =
          array
              .variable()
              .traits()
              .fill()
              .map(data -> data.elements().toArray(ValueLayout.JAVA_BYTE))
              .orElse(new byte[0]);
      return new String(utf8, StandardCharsets.UTF_8).replaceAll("\0+$", "");
    }
    byte[] element = Arrays.copyOf(fillBytes(array), array.baseLayout().size());
    return FillText.describe(element, array.baseLayout(), three);
  }

  private static List<Object> names(Variable variable, int rank) {
    List<Object> names = new ArrayList<>();
    for (Dimension dimension : variable.traits().dimensions()) {
      names.add(dimension.path().isEmpty() ? JsonText.NULL : dimension.name());
    }
    while (!names.isEmpty() && names.size() < rank) {
      names.add(JsonText.NULL);
    }
    return names;
  }

  private static Map<String, Object> two(
      NumpyElements array, long[] dims, long[] chunk, List<BytesCodec> codecs, Object fill) {
    return ordered(
        "zarr_format",
        2,
        "shape",
        list(dims),
        "chunks",
        list(chunk),
        "dtype",
        array.parsedDescr(),
        "compressor",
        codecs.isEmpty() ? JsonText.NULL : BytesCodec.describe(codecs.getLast(), false),
        "fill_value",
        fill,
        "order",
        "C",
        "filters",
        JsonText.NULL,
        "dimension_separator",
        ".");
  }

  private static List<Long> list(long[] lengths) {
    return Arrays.stream(lengths).boxed().toList();
  }

  private static Map<String, Object> three(
      NumpyElements array,
      long[] dims,
      long[] chunk,
      List<BytesCodec> codecs,
      Object fill,
      Map<String, Object> attributes,
      List<Object> names) {
    List<Object> all = new ArrayList<>();
    boolean big = NumpyType.isBigEndian(array.parsedDescr());
    all.add(
        array.baseLayout().size() == 1
            ? ordered("name", "bytes")
            : ordered("name", "bytes", "configuration", ordered("endian", big ? "big" : "little")));
    codecs.forEach(codec -> all.add(BytesCodec.describe(codec, true)));
    Map<String, Object> document =
        ordered(
            "zarr_format",
            3,
            "node_type",
            "array",
            "shape",
            list(dims),
            "data_type",
            dataType(array).orElseThrow(),
            "chunk_grid",
            ordered("name", "regular", "configuration", ordered("chunk_shape", list(chunk))),
            "chunk_key_encoding",
            ordered("name", "default", "configuration", ordered("separator", "/")),
            "fill_value",
            fill,
            "codecs",
            all,
            "attributes",
            attributes);
    if (!names.isEmpty()) {
      document.put("dimension_names", names);
    }
    return document;
  }
}
