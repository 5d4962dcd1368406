package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hyperslab.convert.bytes.StoreInput;
import org.hyperslab.convert.bytes.ZipInput;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.model.Variable.Traits;
import org.hyperslab.convert.numpy.NumpyType;
import org.hyperslab.convert.rewrite.JsonAttributes;
import org.hyperslab.convert.zarr.codec.BytesCodec;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.FilterSpec;
import org.jspecify.annotations.Nullable;

/** A source that reads a Zarr hierarchy, version 2 or 3, in a folder or a zip archive. */
public final class ZarrSource implements SourceFile {

  private static final double MANY_CHUNKS = 1e6;
  private static final String AXES = "_ARRAY_DIMENSIONS";

  /** The names of the metadata documents of version 2 and version 3. */
  private static final List<String> DOCUMENTS = List.of(".zarray", ".zgroup", "zarr.json");

  private final StoreInput store;
  private final boolean three;
  private final ConversionRun work;
  private final Map<String, Map<?, ?>> documents = new TreeMap<>();
  private final Map<String, GroupNode> groups = new HashMap<>();
  private final GroupNode root = GroupNode.empty("/");

  /** Whether an object that cannot be read is reported, instead of being an error. */
  private final boolean leavesOut;

  /** The keys of documents that cannot be read. */
  private final Set<String> unreadable = new HashSet<>();

  private ZarrSource(StoreInput store, Reading reading, ConversionRun work) {
    this.store = store;
    this.three = reading.version == 3;
    this.leavesOut = reading.leavesOut;
    this.work = work;
  }

  /**
   * How a hierarchy is read.
   *
   * @param version 2 or 3
   * @param leavesOut whether an array, or the metadata of a group, that cannot be read is left out
   *     and reported; otherwise it is an error. The root always is one.
   */
  public record Reading(int version, boolean leavesOut) {}

  /**
   * Opens a hierarchy.
   *
   * @param path a folder or a zip archive
   * @param reading how it is read
   * @param expandedBytes the maximum total size of inflated entries of an archive, in bytes
   * @param work receives a report of content that the model cannot hold
   * @return the source, to be closed
   * @throws CorruptFileException if it is not a valid hierarchy
   */
  public static ZarrSource open(
      Path path, Reading reading, long expandedBytes, ConversionRun work) {
    StoreInput store = StoreInput.open(path, expandedBytes);
    try {
      ZarrSource source = new ZarrSource(store, reading, work);
      source.readDocuments();
      source.build();
      return source;
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  @Override
  public GroupNode root() {
    return root;
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        store.name(), "hierarchy of Zarr", CorruptFileException.NO_OFFSET, problem);
  }

  // --- documents ---

  private void readDocuments() {
    for (String key : store.keys("")) {
      String last = key.substring(key.lastIndexOf('/') + 1);
      if (DOCUMENTS.contains(last) && last.equals("zarr.json") == three) {
        readDocument(key);
      }
    }
    consolidated();
    if (documents.isEmpty()) {
      throw corrupt("actual=no metadata, expected=" + (three ? "zarr.json" : ".zgroup or .zarray"));
    }
  }

  private void readDocument(String key) {
    try {
      documents.put(key, store.json(key).orElseThrow());
    } catch (CorruptFileException failure) {
      leaveOut(key, failure);
      unreadable.add(key);
    }
  }

  /** Reports an object that cannot be read, or throws why. */
  private void leaveOut(String key, HyperslabException why) {
    boolean isWhole = key.equals(".zarray") || key.equals("zarr.json");
    if (!leavesOut || isWhole) {
      throw why;
    }
    String path = "/" + key.substring(0, Math.max(0, key.lastIndexOf('/')));
    work.reportLoss("what cannot be read (" + why.getMessage() + ")", path);
  }

  /** Consolidated metadata stands in for documents that are not there themselves. */
  private void consolidated() {
    Object all =
        three
            ? documents.getOrDefault("zarr.json", Map.of()).get("consolidated_metadata")
            : store.json(".zmetadata").orElse(Map.of());
    if (!(all instanceof Map<?, ?> holder) || !(holder.get("metadata") instanceof Map<?, ?> map)) {
      return;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = three ? entry.getKey() + "/zarr.json" : (String) entry.getKey();
      if (!ZipInput.isConfined(key)) {
        throw corrupt("actual=the key \"" + key + "\", expected=a key inside the store");
      }
      if (entry.getValue() instanceof Map<?, ?> document && !unreadable.contains(key)) {
        documents.putIfAbsent(key, document);
      }
    }
  }

  // --- the tree ---

  private void build() {
    groups.put("", root);
    for (Map.Entry<String, Map<?, ?>> entry : documents.entrySet()) {
      try {
        add(entry.getKey(), entry.getValue());
      } catch (CorruptFileException | UnsupportedFeatureException failure) {
        leaveOut(entry.getKey(), failure);
      }
    }
    for (GroupNode group : List.copyOf(groups.values())) {
      nameDimensions(group);
      group.groups().sort((a, b) -> a.path().compareTo(b.path()));
    }
  }

  private void add(String key, Map<?, ?> document) {
    String last = key.substring(key.lastIndexOf('/') + 1);
    String path = key.length() == last.length() ? "" : key.substring(0, key.lastIndexOf('/'));
    boolean isArray = three ? isArray(document) : last.equals(".zarray");
    if (isArray) {
      addArray(path, key, document);
    } else if (three || last.equals(".zgroup")) {
      GroupNode group = group(path);
      Map<?, ?> json = attributes(path, document);
      group.attributes().addAll(JsonAttributes.parse(json, group.path(), work));
    }
  }

  private boolean isArray(Map<?, ?> document) {
    Object type = document.get("node_type");
    if (!"array".equals(type) && !"group".equals(type)) {
      throw corrupt("node_type: actual=" + type + ", expected=array or group");
    }
    return "array".equals(type);
  }

  private Map<?, ?> attributes(String path, Map<?, ?> document) {
    if (three) {
      return document.get("attributes") instanceof Map<?, ?> map ? map : Map.of();
    }
    String key = path.isEmpty() ? ".zattrs" : path + "/.zattrs";
    Map<?, ?> consolidated = documents.get(key);
    Optional<Map<?, ?>> own = store.json(key);
    return own.isPresent() ? own.get() : consolidated == null ? Map.of() : consolidated;
  }

  private GroupNode group(String path) {
    GroupNode known = groups.get(path);
    if (known != null) {
      return known;
    }
    GroupNode.requireDepth(path);
    int slash = path.lastIndexOf('/');
    GroupNode parent = group(slash < 0 ? "" : path.substring(0, slash));
    String child = parent.child(path.substring(slash + 1));
    requireFree(parent, child);
    GroupNode group = GroupNode.empty(child);
    parent.groups().add(group);
    groups.put(path, group);
    return group;
  }

  private void requireFree(GroupNode parent, String child) {
    if (parent.variables().stream().anyMatch(v -> v.path().equals(child))
        || parent.groups().stream().anyMatch(g -> g.path().equals(child))
        || !ZipInput.isConfined(child.substring(1))) {
      throw corrupt("actual=" + child + " twice, or without a name, expected=one group or array");
    }
  }

  private void addArray(String path, String key, Map<?, ?> document) {
    String file = store.name() + "/" + key;
    ArrayMetadata described =
        three ? ArrayMetadata.three(document, file) : ArrayMetadata.two(document, file);
    int slash = path.lastIndexOf('/');
    GroupNode parent = group(slash < 0 ? "" : path.substring(0, slash));
    String child = parent.child(path.isEmpty() ? "data" : path.substring(slash + 1));
    requireFree(parent, child);
    Map<String, Object> json = new LinkedHashMap<>();
    attributes(path, document).forEach((name, value) -> json.put((String) name, value));
    String prefix = path.isEmpty() ? "" : path + "/";
    ArrayMetadata array =
        three ? described : ofVersion2(described.withFillOf(json, file), prefix, document);
    List<String> names = three ? array.dimensions() : axes(json, array.shape().length);
    long[] dims = array.shape();
    Dataspace space = space(array);
    List<AttributeValue> attributes = new ArrayList<>(JsonAttributes.parse(json, child, work));
    if (!ZarrText.isText(array)) {
      attributes.addAll(NumpyType.keep(array.descr(), array.type().type(), file));
    }
    Traits traits = traits(array).withAttributes(attributes).withDimensions(unbound(names, dims));
    parent
        .variables()
        .add(
            new Variable(
                child,
                array.type().type(),
                space,
                traits,
                ZarrText.isText(array)
                    ? ZarrStrings.of(store, prefix, array, work.memoryBytes())
                    : new ZarrElements(store, prefix, array, work.memoryBytes())));
  }

  /**
   * Returns an array with the separator of its keys. Nested stores of zarr-python before 2.8 do not
   * state it.
   */
  private ArrayMetadata ofVersion2(ArrayMetadata array, String prefix, Map<?, ?> document) {
    int rank = array.shape().length;
    ArrayMetadata.ChunkKeys nested = new ArrayMetadata.ChunkKeys(false, "/");
    if (rank < 2 || document.get("dimension_separator") != null) {
      return array;
    }
    boolean isNested = false;
    for (String key : store.keys(prefix)) {
      String name = key.substring(prefix.length());
      if (array.keys().numbers(name, rank).isPresent()) {
        return array;
      }
      isNested |= nested.numbers(name, rank).isPresent();
    }
    return isNested ? array.withKeys(nested) : array;
  }

  /**
   * Returns the shape; what has very many chunks may grow, for then HDF5's index of chunks takes
   * room for those that are stored only.
   */
  private static Dataspace space(ArrayMetadata array) {
    long[] dims = array.shape();
    if (dims.length == 0) {
      return Dataspace.scalar();
    }
    double chunks = 1;
    for (int d = 0; d < dims.length; d++) {
      chunks *= Math.ceil((double) dims[d] / array.chunk()[d]);
    }
    long[] most = new long[dims.length];
    Arrays.fill(most, Dataspace.UNLIMITED);
    return chunks > MANY_CHUNKS ? Dataspace.simple(dims, most) : Dataspace.simple(dims);
  }

  /** Returns the names of dimensions that version 2 has by a convention of xarray. */
  private static List<String> axes(Map<String, Object> json, int rank) {
    if (!(json.get(AXES) instanceof List<?> names)
        || names.size() != rank
        || !names.stream().allMatch(String.class::isInstance)) {
      return List.of();
    }
    json.remove(AXES);
    return names.stream().map(String.class::cast).toList();
  }

  private static Traits traits(ArrayMetadata array) {
    long[] chunk = array.chunk().clone();
    for (int d = 0; d < chunk.length; d++) {
      chunk[d] = Math.max(1, Math.min(chunk[d], array.shape()[d]));
    }
    Traits traits = Traits.NONE.withFilters(filters(array));
    if (chunk.length > 0) {
      traits = traits.withChunk(chunk);
    }
    if (chunk.length == 0 || ZarrText.isText(array)) {
      traits = traits.withFilters(List.of()); // which neither scalars nor strings support
    }
    return array.fill().map(fill -> element(array, fill)).map(traits::withFill).orElse(traits);
  }

  private static @Nullable DataBuffer element(ArrayMetadata array, byte[] fill) {
    if (array.type() == NumpyType.TEXT) {
      return AttributeValue.string(NameBytes.decode(fill));
    }
    return ZarrText.isText(array) ? null : DataBuffer.of(MemorySegment.ofArray(fill));
  }

  /** Filters that every reader of HDF5 has. */
  private static List<FilterSpec> filters(ArrayMetadata array) {
    List<BytesCodec> codecs =
        array.codec().shard().map(shard -> shard.codec().bytes()).orElse(array.codec().bytes());
    List<FilterSpec> filters = new ArrayList<>();
    for (BytesCodec codec : codecs) {
      switch (codec) {
        case BytesCodec.Deflated deflated -> filters.add(FilterSpec.deflate(deflated.level()));
        case BytesCodec.Filtered _ ->
            filters.addAll(List.of(FilterSpec.shuffle(), FilterSpec.deflate(1)));
        case BytesCodec.Shuffle _ -> filters.add(FilterSpec.shuffle());
        case BytesCodec.Lz4 _ ->
            filters.addAll(List.of(FilterSpec.shuffle(), FilterSpec.deflate(1)));
        case BytesCodec.Crc32c _, BytesCodec.Checked _ -> filters.add(FilterSpec.fletcher32());
      }
    }
    return filters;
  }

  // --- dimensions ---

  /** Dimensions whose path is only a name, until all arrays of the group are known. */
  private static List<Dimension> unbound(List<String> names, long[] dims) {
    List<Dimension> dimensions = new ArrayList<>();
    for (int d = 0; d < names.size(); d++) {
      dimensions.add(new Dimension(names.get(d), dims[d], false));
    }
    return dimensions;
  }

  private void nameDimensions(GroupNode group) {
    Map<String, Long> lengths = new LinkedHashMap<>();
    Set<String> refused = new HashSet<>();
    for (Variable variable : group.variables()) {
      for (Dimension dimension : variable.traits().dimensions()) {
        Long other = lengths.putIfAbsent(dimension.path(), dimension.length());
        boolean clash =
            (other != null && other != dimension.length())
                || group.groups().stream().anyMatch(g -> g.name().equals(dimension.path()))
                || dimension.path().indexOf('/') >= 0
                || !ZipInput.isConfined(dimension.path());
        if (clash && !dimension.path().isEmpty() && refused.add(dimension.path())) {
          work.reportLoss(
              "the dimension \""
                  + dimension.path()
                  + "\", which is a group, no name, or has several lengths",
              group.path());
        }
      }
    }
    refused.add("");
    lengths.keySet().removeAll(refused);
    lengths.forEach(
        (name, length) -> group.dimensions().add(new Dimension(group.child(name), length, false)));
    group.variables().replaceAll(variable -> bound(variable, group, refused));
  }

  private static Variable bound(Variable variable, GroupNode group, Set<String> refused) {
    List<Dimension> dimensions =
        variable.traits().dimensions().stream()
            .map(d ->
                new Dimension(
                    refused.contains(d.path()) ? "" : group.child(d.path()), d.length(), false))
            .toList();
    return new Variable(
        variable.path(),
        variable.type(),
        variable.space(),
        variable.traits().withDimensions(dimensions),
        variable.elements());
  }

  @Override
  public void close() {
    store.close();
  }
}
