package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hyperslab.convert.bytes.StoreOutput;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.numpy.NumpyElements;
import org.hyperslab.convert.rewrite.JsonAttributes;
import org.hyperslab.convert.rewrite.MissingValues;
import org.hyperslab.convert.zarr.codec.BytesCodec;
import org.hyperslab.convert.zarr.codec.ChunkEncoding;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.interchange.json.JsonText;
import org.hyperslab.model.FilterSpec;

/** Writes a Zarr hierarchy, version 2 or 3, with consolidated metadata. */
public final class ZarrTarget implements TargetFile {

  private static final long CHUNK_BYTES = 4 << 20;
  private static final long CHUNK_STRINGS = 1 << 16;

  /** The greatest number of chunks of nothing but fill values that are stored in an array. */
  private static final long MAX_FILL_CHUNKS = 1 << 14;

  private final boolean three;
  private final boolean isZip;
  private final ZarrLayout layout;

  /**
   * Whether any array has dimension names. If so, scalars get an empty list of names, because
   * xarray cannot open a hierarchy in which only some arrays have names.
   */
  private boolean named;

  /**
   * Creates the target.
   *
   * @param version 2 or 3
   * @param layout the layout of arrays, in the form of {@link ZarrLayout#parse}; empty for the
   *     default
   * @param isZip whether the store is a zip archive instead of a folder
   */
  public ZarrTarget(int version, Optional<String> layout, boolean isZip) {
    this.isZip = isZip;
    this.three = version == 3;
    this.layout = layout.map(text -> ZarrLayout.parse(text, three)).orElse(ZarrLayout.DEFAULT);
  }

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    try (StoreOutput store = StoreOutput.create(path, isZip)) {
      Map<String, Object> documents = new LinkedHashMap<>();
      named = namesDimensions(root);
      writeGroup(root, store, documents, work);
      consolidate(store, documents);
    }
  }

  private static boolean namesDimensions(GroupNode group) {
    return group.variables().stream().anyMatch(v -> !v.traits().dimensions().isEmpty())
        || group.groups().stream().anyMatch(ZarrTarget::namesDimensions);
  }

  private void consolidate(StoreOutput store, Map<String, Object> documents) {
    if (!three) {
      documents.forEach(store::putJson);
      store.putJson(
          ".zmetadata", ZarrDocument.ordered("zarr_consolidated_format", 1, "metadata", documents));
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
    Map<?, ?> own = (Map<?, ?>) Objects.requireNonNull(documents.get("zarr.json"));
    own.forEach((k, v) -> root.put((String) k, v));
    root.put(
        "consolidated_metadata",
        ZarrDocument.ordered("kind", "inline", "must_understand", false, "metadata", nodes));
    store.putJson("zarr.json", root);
  }

  private void writeGroup(
      GroupNode group, StoreOutput store, Map<String, Object> documents, ConversionRun work) {
    String prefix = prefix(group.path());
    Map<String, Object> attributes =
        JsonAttributes.describe(group.attributes(), group.path(), work);
    if (three) {
      documents.put(
          prefix + "zarr.json",
          ZarrDocument.ordered("zarr_format", 3, "node_type", "group", "attributes", attributes));
    } else {
      documents.put(prefix + ".zgroup", ZarrDocument.ordered("zarr_format", 2));
      documents.put(prefix + ".zattrs", attributes);
    }
    for (Variable variable : group.variables()) {
      if (!hasName(variable.name(), variable.path(), work)) {
        continue;
      }
      if (variable.type() instanceof VlenStringType) {
        writeText(variable, store, documents, work);
        continue;
      }
      Optional<NumpyElements> array =
          variable.space().kind() == Dataspace.Kind.NULL
              ? NumpyElements.of(variable, "Zarr", work)
              : elements(variable, work);
      array.ifPresent(a -> writeArray(a, store, documents, work));
    }
    for (GroupNode child : group.groups()) {
      if (hasName(child.name(), child.path(), work)) {
        writeGroup(child, store, documents, work);
      }
    }
  }

  private static String prefix(String path) {
    return path.equals("/") ? "" : path.substring(1) + "/";
  }

  /** Returns whether Zarr has a name; reports a loss otherwise. */
  private boolean hasName(String name, String path, ConversionRun work) {
    boolean isReserved = three && name.startsWith("__");
    boolean isKnown =
        !name.startsWith(".z")
            && !name.equals("zarr.json")
            && !name.chars().allMatch(c -> c == '.')
            && name.indexOf('\\') < 0
            && NameBytes.isUtf8(name);
    if (isReserved) {
      work.reportLoss(
          "the name " + name + ", which version 3 of Zarr reserves and version 2 has (--to zarr2)",
          path);
    } else if (!isKnown) {
      work.reportLoss("the name \"" + name + "\", which the keys of Zarr do not have", path);
    }
    return isKnown && !isReserved;
  }

  private Optional<NumpyElements> elements(Variable variable, ConversionRun work) {
    Optional<NumpyElements> array =
        NumpyElements.of(variable, "Zarr", work).map(NumpyElements::packed);
    if (three && array.isPresent() && ZarrDocument.dataType(array.get()).isEmpty()) {
      work.reportLoss(
          "elements of a type that Zarr version 3 does not have, " + variable.type().describe(),
          variable.path());
      return Optional.empty();
    }
    return array;
  }

  // --- one array ---

  private void writeArray(
      NumpyElements array, StoreOutput store, Map<String, Object> documents, ConversionRun work) {
    Variable variable = array.variable();
    String prefix = prefix(variable.path());
    long[] dims = array.shape();
    int rank = variable.space().rank();
    long[] chunk = chunk(array, dims);
    long[] shard = layout.shard(chunk, dims, rank);
    long[] block = Arrays.copyOf(shard, rank);
    boolean hasFill = three || hasFill(variable, dims.length);
    boolean plain = !layout.isSharded(dims.length) && !layout.isTransposed(dims.length);
    Optional<ShuffledChunks> stored =
        plain ? ShuffledChunks.of(array, block, work) : Optional.empty();
    Optional<List<Box>> written =
        stored.isPresent() ? stored.get().written() : variable.elements().stored();
    written = written.flatMap(boxes -> blocks(variable, boxes, block, hasFill));
    Object fillValue =
        hasFill || written.isPresent() ? ZarrDocument.fill(array, three) : JsonText.NULL;
    List<BytesCodec> codecs =
        withChecksum(codecs(variable.traits().filters(), array.elementBytes()));
    ZarrDocument document = new ZarrDocument(dims, chunk, shard, codecs, fillValue, layout);
    Map<String, Object> described =
        three
            ? document.three(
                ZarrDocument.dataType(array).orElseThrow(), ZarrDocument.serializer(array))
            : document.two(array.parsedDescr(), List.of());
    List<AttributeValue> kept = new ArrayList<>(variable.traits().attributes());
    kept.removeIf(array::isKeptBy);
    if (fillValue == JsonText.NULL && ZarrDocument.hasFill(variable)) {
      String fill = JsonText.write(ZarrDocument.fill(array, three));
      kept.add(AttributeValue.ofText(MissingValues.OF_HDF5, fill));
    }
    describe(variable, dims.length, kept, described, documents, work);
    ArrayMetadata.ChunkKeys keys = layout.keys(three);
    byte[] fillBytes = ZarrDocument.fillBytes(array);
    byte[] baseFill = Arrays.copyOf(fillBytes, array.baseBytes());
    ChunkEncoding encoding = document.encoding();
    NumpyElements.Sink sink =
        (box, elements) -> {
          byte[] whole = whole(array, box, elements, block, fillBytes);
          String key = prefix + keys.name(number(box, block, dims.length));
          store.put(key, encoding.encode(whole, shard, baseFill, variable.path()));
        };
    if (stored.isEmpty() && written.isEmpty()) {
      array.copy(work, block, sink);
      return;
    }
    if (stored.isEmpty()) {
      array.copy(work, block, written.get(), sink);
      return;
    }
    List<Box> others = new ArrayList<>();
    List<Box> copied = new ArrayList<>();
    Iterable<Box> boxes =
        written.isPresent() ? written.get() : Boxes.cut(variable.space().dims(), block);
    for (Box box : boxes) {
      (stored.get().has(box) ? copied : others).add(box);
    }
    array.copy(work, block, others, sink);
    work.parallel(
        copied,
        work.lanes(stored.get().chunkBytes()),
        box -> {
          byte[] container = stored.get().container(box);
          String key = prefix + keys.name(number(box, block, dims.length));
          store.put(key, BytesCodec.encode(codecs.subList(1, codecs.size()), container));
          work.advance(Math.multiplyExact(box.elements(), (long) array.elementBytes()));
        });
  }

  /**
   * Returns whether an array of version 2 has a fill value. xarray takes it for that of missing
   * elements, so what xarray opens has the one that the attribute {@code _FillValue} states.
   */
  private boolean hasFill(Variable variable, int rank) {
    return isOfXarray(variable, rank) && MissingValues.hasJson(variable.type())
        ? MissingValues.isStored(variable)
        : ZarrDocument.hasFill(variable);
  }

  private boolean isOfXarray(Variable variable, int rank) {
    return ZarrDocument.isNamed(ZarrDocument.names(variable, rank)) || (rank == 0 && named);
  }

  /**
   * Returns the blocks that are stored, if others may be left out because all their elements have
   * the fill value. An array without a fill value of its own gets none unless very many chunks can
   * be left out, because xarray takes a fill value of version 2 for that of missing elements.
   *
   * @param stored the boxes of elements that are stored in the input
   * @param block the shape of a block
   * @param hasFill whether the array has a fill value anyway
   * @return the blocks; empty if all are stored
   */
  private static Optional<List<Box>> blocks(
      Variable variable, List<Box> stored, long[] block, boolean hasFill) {
    long[] dims = variable.space().dims();
    List<Box> blocks = Boxes.covering(dims, block, stored);
    double all = 1; // which may exceed the range of a long
    for (int d = 0; d < dims.length; d++) {
      all *= Math.ceilDiv(dims[d], block[d]);
    }
    return hasFill || all - blocks.size() > MAX_FILL_CHUNKS
        ? Optional.of(blocks)
        : Optional.empty();
  }

  private static long[] number(Box box, long[] block, int rank) {
    long[] number = new long[rank];
    for (int d = 0; d < block.length; d++) {
      number[d] = box.start()[d] / block[d];
    }
    return number;
  }

  private List<BytesCodec> withChecksum(List<BytesCodec> codecs) {
    List<BytesCodec> all = new ArrayList<>(codecs);
    if (layout.checksum()) {
      all.add(new BytesCodec.Crc32c());
    }
    return all;
  }

  /** Adds the documents of an array, with its attributes and the names of its dimensions. */
  private void describe(
      Variable variable,
      int rank,
      List<AttributeValue> kept,
      Map<String, Object> described,
      Map<String, Object> documents,
      ConversionRun work) {
    String prefix = prefix(variable.path());
    Map<String, Object> attributes = JsonAttributes.describe(kept, variable.path(), work);
    List<Object> names = ZarrDocument.names(variable, rank);
    if (three) {
      MissingValues.encode(variable, attributes);
      described.put("attributes", attributes);
      if (!names.isEmpty()) {
        described.put("dimension_names", names);
      }
      documents.put(prefix + "zarr.json", described);
      return;
    }
    if (isOfXarray(variable, rank)) {
      attributes.put("_ARRAY_DIMENSIONS", names);
      if (MissingValues.isStored(variable)) {
        attributes.remove("_FillValue"); // for xarray, it is the fill value
      }
    } else if (!names.isEmpty() && names.stream().anyMatch(n -> n != JsonText.NULL)) {
      work.reportLoss("names of some dimensions, but not of all", variable.path());
    }
    documents.put(prefix + ".zarray", described);
    documents.put(prefix + ".zattrs", attributes);
  }

  /** Strings of variable length are neither put into shards nor transposed. */
  private void writeText(
      Variable variable, StoreOutput store, Map<String, Object> documents, ConversionRun work) {
    if (variable.space().kind() == Dataspace.Kind.NULL) {
      work.reportLoss(Variable.NULL_SPACE, variable.path());
      return;
    }
    long[] dims = variable.space().dims();
    long[] given = variable.traits().chunk().stream().mapToLong(Long::longValue).toArray();
    long[] chunk = given.length == dims.length ? given : Boxes.rows(dims, CHUNK_STRINGS);
    ZarrLayout plain = new ZarrLayout(0, false, layout.separator(), layout.checksum());
    List<BytesCodec> codecs = withChecksum(codecs(variable.traits().filters(), 1));
    Optional<List<Box>> written =
        variable.elements().stored().flatMap(boxes -> blocks(variable, boxes, chunk, three));
    Object fill =
        three || hasFill(variable, dims.length) || written.isPresent()
            ? MissingValues.storedText(variable)
            : JsonText.NULL;
    ZarrDocument document = new ZarrDocument(dims, chunk, chunk, codecs, fill, plain);
    Map<String, Object> described =
        three
            ? document.three("string", ZarrDocument.ordered("name", ZarrText.CODEC))
            : document.two(ZarrText.OBJECT, List.of(ZarrDocument.ordered("id", ZarrText.CODEC)));
    describe(variable, dims.length, variable.traits().attributes(), described, documents, work);
    ArrayMetadata.ChunkKeys keys = plain.keys(three);
    String prefix = prefix(variable.path());
    work.copy(
        variable,
        chunk,
        written.isPresent() ? written.get() : Boxes.cut(dims, chunk),
        (box, elements) -> {
          byte[] strings = ZarrText.encode(elements, box.count(), chunk, variable.path());
          String key = prefix + keys.name(number(box, chunk, dims.length));
          store.put(key, BytesCodec.encode(codecs, strings));
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
    // dimensions of an array type are never divided
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
}
