package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import org.hyperslab.testkit.differential.ModelObject.AttributeState;
import org.hyperslab.testkit.differential.ModelObject.ModelDataset;
import org.hyperslab.testkit.differential.ModelObject.ModelGroup;
import org.hyperslab.testkit.differential.ModelObject.ModelType;

/** Generates random edits that suit the content of a model. */
final class EditGenerator {

  private static final List<String> NAMES =
      List.of("a", "b", "c", "data", "é", "x y", "name-that-is-longer-than-others", "z");
  private static final List<String> ATTRIBUTES =
      List.of("k", "l", "m", "unité", "o", "p", "q", "r", "attribute-with-a-long-name");

  private final Random random;
  private final TypeGenerator types;
  private final Model model;
  private final String external;
  private int made;

  /**
   * Creates a generator of edits of a model.
   *
   * @param external the prefix of the names of external files
   */
  EditGenerator(Random random, boolean revised, Model model, String external) {
    this.random = random;
    this.types = new TypeGenerator(random, revised);
    this.model = model;
    this.external = external;
  }

  private Map<String, ModelObject> objects() {
    Map<String, ModelObject> found = new TreeMap<>();
    model.paths().forEach((node, path) -> found.put(path, node));
    return found;
  }

  private <T extends ModelObject> List<String> paths(Class<T> kind) {
    return objects().entrySet().stream()
        .filter(each -> kind.isInstance(each.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private String any() {
    return types.one(List.copyOf(objects().keySet()));
  }

  private String fresh() {
    String group = types.one(paths(ModelGroup.class));
    return (group.equals("/") ? "" : group) + "/" + types.one(NAMES);
  }

  /** Returns a random edit, which the model may reject. */
  Edit edit() {
    int pick = random.nextInt(100);
    if (pick < 14) {
      return dataset();
    } else if (pick < 20) {
      return group();
    } else if (pick < 40) {
      return attribute();
    } else if (pick < 60) {
      return onDataset();
    } else if (pick < 74) {
      return onAttribute();
    } else if (pick < 80) {
      return new Edit.Commit(fresh(), types.type(1));
    }
    return onLinks(pick);
  }

  /** Returns a random edit of an object's attributes, which the model may reject. */
  Edit ofAttributes() {
    return types.chance(70) ? attribute() : onAttribute();
  }

  private Edit onLinks(int pick) {
    return switch (pick) {
      case 80, 81, 82, 83, 84 -> new Edit.Delete(any());
      case 85, 86, 87 -> new Edit.Move(any(), fresh());
      case 88, 89 -> new Edit.Hard(any(), fresh());
      case 90, 91 -> new Edit.Soft(types.chance(50) ? any() : "/nothing/here", fresh());
      case 92 -> new Edit.External("other.h5", "/there", fresh());
      case 93, 94, 95, 96 -> new Edit.Copy(any(), fresh());
      case 97, 98 -> new Edit.Comment(any(), types.one(List.of("short", "a longer remark é")));
      default -> new Edit.Flush();
    };
  }

  private Edit group() {
    int most = random.nextInt(9);
    return new Edit.Group(fresh(), types.chance(40), most, random.nextInt(most + 1), storage());
  }

  private Edit.Storage storage() {
    int most = random.nextInt(9);
    return types.chance(50)
        ? null
        : new Edit.Storage(types.chance(50), most, random.nextInt(most + 1));
  }

  private List<Object> targets() {
    List<Object> found = new ArrayList<>();
    objects()
        .forEach((path, node) -> {
          found.add(List.of("obj", path));
          if (node instanceof ModelDataset dataset
              && dataset.dims != null
              && dataset.dims.length > 0
              && Shapes.count(dataset.dims) > 0) {
            // HDF5 1.10 encodes some unions wrongly.
            SelectionSpec one = new SelectionSpec.Union(List.of(slab(dataset.dims)));
            found.add(List.of("reg", path, one));
          }
          node.attributes.keySet().stream()
              .findFirst()
              .ifPresent(name -> found.add(List.of("attr", path, name)));
        });
    return found;
  }

  private List<Object> values(TypeSpec type, long count) {
    List<List<Object>> once = new ArrayList<>();
    Supplier<List<Object>> targets =
        () -> {
          if (once.isEmpty()) {
            once.add(targets());
          }
          return once.getFirst();
        };
    return types.values(type, count, targets);
  }

  private List<Long> dims(int rank) {
    List<Long> dims = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      dims.add((long) (types.chance(4) ? 0 : 1 + random.nextInt(rank == 1 ? 30 : 7)));
    }
    return dims;
  }

  private Edit dataset() {
    if (types.chance(6)) {
      return virtual();
    }
    List<String> committed = paths(ModelType.class);
    String shared = committed.isEmpty() || types.chance(70) ? null : types.one(committed);
    TypeSpec type = shared == null ? types.type(2) : ((ModelType) model.find(shared)).type;
    int pick = random.nextInt(10);
    if (pick == 0) {
      return created(
          type, types.chance(30) ? null : List.of(), null, Edit.Place.of("contiguous"), shared);
    }
    List<Long> dims = dims(1 + random.nextInt(3));
    if (pick == 1 && type.size() * Shapes.count(Shapes.array(dims)) < 8000) {
      return created(type, dims, null, Edit.Place.of("compact"), shared);
    } else if (pick == 2 && !type.outOfLine() && !dims.contains(0L)) {
      return created(type, dims, null, external(dims), shared);
    } else if (pick < 5) {
      return created(type, dims, null, Edit.Place.of("contiguous"), shared);
    }
    return chunked(type, dims, shared);
  }

  private Edit.Place external(List<Long> dims) {
    made++;
    return new Edit.Place(
        "external", null, List.of(List.of(external + made + ".raw", 0, -1)), null);
  }

  private Edit chunked(TypeSpec type, List<Long> dims, String shared) {
    List<Long> chunk = new ArrayList<>();
    List<Long> most = new ArrayList<>();
    int kind = random.nextInt(4);
    for (int d = 0; d < dims.size(); d++) {
      boolean open = kind == 1 && d == 0 || kind == 2;
      most.add(open ? -1L : kind == 3 ? dims.get(d) + 4 : Long.valueOf(dims.get(d)));
      long room = open ? 8 : Math.max(1, most.get(d));
      chunk.add(types.chance(15) && room <= 30 ? room : 1 + random.nextLong(Math.min(room, 6)));
    }
    return created(type, dims, most, new Edit.Place("chunk", chunk, null, null), shared);
  }

  private Edit created(
      TypeSpec type, List<Long> dims, List<Long> most, Edit.Place place, String shared) {
    long count = dims == null ? 0 : Shapes.count(Shapes.array(dims));
    boolean chunks = place.kind().equals("chunk");
    List<List<Object>> filters = new ArrayList<>();
    if (chunks && types.chance(50)) {
      filters(type, filters);
    }
    boolean referring = Json.text(type.tree()).contains("\"ref\"");
    boolean outside = place.kind().equals("external");
    List<Object> fill = types.chance(30) && !outside && !referring ? values(type, 1) : List.of();
    int allocation =
        filters.isEmpty() && !place.kind().equals("compact") && types.chance(25) ? 1 : 0;
    List<Object> values =
        dims != null && (types.chance(70) || outside) ? values(type, count) : null;
    // The library leaves earlier bytes in allocated storage unless it has to fill it.
    boolean filled = types.chance(20) || allocation == 1 || !chunks && values == null;
    Edit.Creation creation =
        new Edit.Creation(
            place,
            filters,
            fill,
            filled ? Integer.valueOf(0) : null,
            allocation,
            storage(),
            shared);
    return new Edit.Dataset(fresh(), type, new Edit.Extent(dims, most), creation, values);
  }

  private void filters(TypeSpec type, List<List<Object>> filters) {
    if (type instanceof TypeSpec.LongText || type instanceof TypeSpec.Sequence) {
      return; // the library refuses filters, or leaves them out
    }
    if (type instanceof TypeSpec.Int packed
        && packed.precision() < 8 * packed.size()
        && types.chance(50)) {
      // HDF5 1.10 reads back wrongly whatever needs no packing.
      filters.add(List.of("nbit"));
    } else if (types.chance(40)) {
      filters.add(List.of("shuffle"));
    } else if (type instanceof TypeSpec.Int whole
        && whole.precision() == 8 * whole.size()
        && Integer.bitCount(whole.size()) == 1
        && types.chance(25)) {
      filters.add(List.of("scaleoffset", 0));
    }
    if (types.chance(60)) {
      filters.add(List.of("deflate", 1 + random.nextInt(9)));
    }
    if (types.chance(30)) {
      filters.add(List.of("fletcher32"));
    }
  }

  private Edit virtual() {
    List<String> sources =
        paths(ModelDataset.class).stream()
            .filter(path -> isSource((ModelDataset) model.find(path)))
            .toList();
    if (sources.isEmpty()) {
      return group();
    }
    String path = types.one(sources);
    ModelDataset source = (ModelDataset) model.find(path);
    long count = Shapes.count(source.dims);
    List<Long> dims = List.of(count + random.nextInt(3));
    Edit.Part part =
        new Edit.Part(slab(0, count), path, Shapes.list(source.dims), whole(source.dims));
    Edit.Creation creation =
        new Edit.Creation(
            new Edit.Place("virtual", null, null, List.of(part)),
            List.of(),
            List.of(),
            null,
            0,
            null,
            null);
    return new Edit.Dataset(fresh(), source.type, new Edit.Extent(dims, null), creation, null);
  }

  private static boolean isSource(ModelDataset node) {
    return node.dims != null
        && node.dims.length > 0
        && Shapes.count(node.dims) > 0
        && !node.isVirtual()
        && !node.creation.layout().kind().equals("chunk")
        && !node.type.outOfLine()
        && node.committed == null
        && node.most.equals(Shapes.list(node.dims));
  }

  private static SelectionSpec slab(long start, long count) {
    return new SelectionSpec.Union(
        List.of(new SelectionSpec.Slab(List.of(start), List.of(1L), List.of(count), List.of(1L))));
  }

  private static SelectionSpec whole(long[] dims) {
    List<Long> ones = Shapes.list(new long[dims.length]).stream().map(zero -> 1L).toList();
    return new SelectionSpec.Union(
        List.of(
            new SelectionSpec.Slab(
                Shapes.list(new long[dims.length]), ones, Shapes.list(dims), ones)));
  }

  /** Returns a selection of elements of a non-empty extent. */
  private SelectionSpec picks(long[] dims) {
    if (types.chance(20)) {
      return new SelectionSpec.All();
    }
    if (types.chance(25)) {
      List<List<Long>> points = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        List<Long> point = new ArrayList<>();
        Arrays.stream(dims).forEach(dim -> point.add(random.nextLong(dim)));
        if (!points.contains(point)) {
          points.add(point);
        }
      }
      return new SelectionSpec.Points(points);
    }
    if (types.chance(15) && dims[0] > 1) {
      return halves(dims);
    }
    List<SelectionSpec.Slab> slabs = new ArrayList<>();
    for (int i = types.chance(70) ? 1 : 2 + random.nextInt(2); i > 0; i--) {
      slabs.add(slab(dims));
    }
    return new SelectionSpec.Union(slabs);
  }

  /** Returns slabs of which one ends before the other begins. */
  private SelectionSpec halves(long[] dims) {
    long[] first = dims.clone();
    first[0] = 1 + random.nextLong(dims[0] - 1);
    long[] second = dims.clone();
    second[0] -= first[0];
    SelectionSpec.Slab upper = slab(second);
    List<Long> moved = new ArrayList<>(upper.start());
    moved.set(0, moved.getFirst() + first[0]);
    return new SelectionSpec.Union(
        List.of(
            slab(first),
            new SelectionSpec.Slab(moved, upper.stride(), upper.count(), upper.block())));
  }

  private SelectionSpec.Slab slab(long[] dims) {
    List<Long> start = new ArrayList<>();
    List<Long> stride = new ArrayList<>();
    List<Long> count = new ArrayList<>();
    List<Long> block = new ArrayList<>();
    for (long dim : dims) {
      long from = random.nextLong(dim);
      long wide = 1 + random.nextLong(Math.min(3, dim - from));
      long step = wide + random.nextInt(3);
      long most = (dim - from - wide) / step + 1;
      start.add(from);
      block.add(wide);
      stride.add(step);
      count.add(1 + random.nextLong(most));
    }
    return new SelectionSpec.Slab(start, stride, count, block);
  }

  /** Returns a dataset that can grow while it is read: several chunks of flat elements. */
  Edit growing(String path) {
    TypeSpec type = types.flat(1);
    List<Long> dims = new ArrayList<>();
    List<Long> most = new ArrayList<>();
    List<Long> chunk = new ArrayList<>();
    int rank = 1 + random.nextInt(2);
    int open = random.nextInt(rank + 1);
    for (int d = 0; d < rank; d++) {
      dims.add((long) random.nextInt(6));
      most.add(d < open ? -1L : 12L);
      chunk.add(1L + random.nextInt(5));
    }
    List<List<Object>> filters = new ArrayList<>();
    if (types.chance(50)) {
      filters(type, filters);
    }
    Edit.Creation creation =
        new Edit.Creation(
            new Edit.Place("chunk", chunk, null, null),
            filters,
            types.chance(30) ? values(type, 1) : List.of(),
            null,
            0,
            null,
            null);
    List<Object> values = values(type, Shapes.count(Shapes.array(dims)));
    return new Edit.Dataset(path, type, new Edit.Extent(dims, most), creation, values);
  }

  /**
   * Returns an edit that readers may observe while it is made: a write of elements, or growth of an
   * extent.
   */
  Edit whileRead() {
    String path = types.one(paths(ModelDataset.class));
    ModelDataset node = (ModelDataset) model.find(path);
    if (Shapes.count(node.dims) == 0 || types.chance(50)) {
      List<Long> dims = new ArrayList<>();
      for (int d = 0; d < node.dims.length; d++) {
        long room = node.most.get(d) < 0 ? 5 : node.most.get(d) - node.dims[d];
        dims.add(node.dims[d] + random.nextLong(Math.min(room, 5) + 1));
      }
      return new Edit.Resize(path, dims);
    }
    SelectionSpec picks =
        types.chance(30)
            ? new SelectionSpec.All()
            : new SelectionSpec.Union(List.of(slab(node.dims)));
    return new Edit.Write(
        path, node.type, picks, values(node.type, picks.within(node.dims).length));
  }

  /** Returns an edit of a dataset's elements or extent. */
  Edit onDataset() {
    List<String> all = paths(ModelDataset.class);
    if (all.isEmpty()) {
      return dataset();
    }
    String path = types.one(all);
    ModelDataset node = (ModelDataset) model.find(path);
    boolean chunks = node.creation.layout().kind().equals("chunk");
    if (node.dims == null || node.isVirtual()) {
      return attribute();
    }
    if (chunks && types.chance(35)) {
      return resize(path, node);
    }
    if (Shapes.count(node.dims) == 0) {
      return attribute();
    }
    if (chunks && !node.type.outOfLine() && types.chance(25) && isPlain(node)) {
      return chunk(path, node);
    }
    SelectionSpec picks = node.dims.length == 0 ? new SelectionSpec.All() : picks(node.dims);
    long count = picks.within(node.dims).length;
    return new Edit.Write(path, node.type, picks, values(node.type, count));
  }

  private static boolean isPlain(ModelDataset node) {
    List<List<Object>> filters = node.creation.filters();
    return filters.isEmpty()
        || filters.size() == 1 && filters.getFirst().getFirst().equals("deflate");
  }

  private Edit resize(String path, ModelDataset node) {
    List<Long> dims = new ArrayList<>();
    for (int d = 0; d < node.dims.length; d++) {
      long most = node.most.get(d) < 0 ? node.dims[d] + 6 : node.most.get(d);
      dims.add(types.chance(40) ? node.dims[d] : random.nextLong(most + 1));
    }
    return new Edit.Resize(path, dims);
  }

  private Edit chunk(String path, ModelDataset node) {
    long[] shape = Shapes.array(node.creation.layout().chunk());
    List<Long> at = Shapes.coordinates(node.dims, random.nextLong(Shapes.count(node.dims)));
    List<Long> offset = new ArrayList<>();
    for (int d = 0; d < shape.length; d++) {
      offset.add(at.get(d) / shape[d] * shape[d]);
    }
    List<Object> elements = values(node.type, Shapes.count(shape));
    for (int i = 0; i < elements.size(); i++) {
      List<Long> inside = Shapes.coordinates(shape, i);
      List<Long> where = new ArrayList<>();
      for (int d = 0; d < shape.length; d++) {
        where.add(offset.get(d) + inside.get(d));
      }
      if (Shapes.number(node.dims, where) < 0) {
        elements.set(i, node.unwritten());
      }
    }
    byte[] raw = new byte[elements.size() * node.type.size()];
    for (int i = 0; i < elements.size(); i++) {
      ElementBytes.put(node.type, elements.get(i), raw, i * node.type.size());
    }
    boolean skipped = node.creation.filters().isEmpty() || types.chance(30);
    byte[] stored = skipped ? raw : deflated(raw);
    int mask = node.creation.filters().isEmpty() || !skipped ? 0 : 1;
    return new Edit.Chunk(path, offset, mask, elements, HexFormat.of().formatHex(stored));
  }

  private static byte[] deflated(byte[] raw) {
    try (Deflater deflater = new Deflater()) {
      deflater.setInput(raw);
      deflater.finish();
      byte[] room = new byte[raw.length + 100];
      return Arrays.copyOf(room, deflater.deflate(room));
    }
  }

  private Edit attribute() {
    List<String> committed = paths(ModelType.class);
    String shared = committed.isEmpty() || types.chance(80) ? null : types.one(committed);
    TypeSpec type = shared == null ? types.type(2) : ((ModelType) model.find(shared)).type;
    List<Long> dims =
        types.chance(5) ? null : types.chance(40) ? List.of() : dims(1 + random.nextInt(2));
    long count = dims == null ? 0 : Shapes.count(Shapes.array(dims));
    if (dims != null && count == 0) {
      dims = List.of();
      count = 1;
    }
    return new Edit.Attribute(
        any(), types.one(ATTRIBUTES), type, dims, shared, values(type, count));
  }

  private Edit onAttribute() {
    List<String> having =
        objects().entrySet().stream()
            .filter(each -> !each.getValue().attributes.isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    if (having.isEmpty()) {
      return attribute();
    }
    String path = types.one(having);
    ModelObject node = model.find(path);
    String name = types.one(List.copyOf(node.attributes.keySet()));
    AttributeState state = node.attributes.get(name);
    return switch (random.nextInt(3)) {
      case 0 -> new Edit.DeleteAttribute(path, name);
      case 1 -> new Edit.RenameAttribute(path, name, types.one(ATTRIBUTES));
      default ->
          state.dims() == null
              ? new Edit.DeleteAttribute(path, name)
              : new Edit.Rewrite(
                  path, name, state.type(), values(state.type(), state.values().size()));
    };
  }
}
